import test from 'ava';
import fc from 'fast-check';
import {HoursError, isWithin, parseHours} from '../../src/presence/hours.js';

/** Title, the hours, and times of 2026 inside and outside of them. The 16th of November is a Monday. */
for (const [what, hours, inside, outside] of [
	[
		'a working week',
		'Mon-Fri 9:00-17:30 UTC',
		'11-16T09:00 11-18T12:00 11-20T17:29:59',
		'11-16T08:59:59 11-16T17:30 11-21T12:00 11-22T12:00',
	],
	[
		'a span over midnight belongs to the day on which it begins',
		'Fri 22:00-2:00 UTC',
		'11-20T22:00 11-20T23:59:59 11-21T01:59:59',
		'11-20T01:00 11-20T21:59:59 11-21T02:00 11-21T22:30',
	],
	['a span until midnight', 'sun 20:00-24:00 UTC', '11-22T23:59:59', '11-23T00:00 11-22T00:00'],
	[
		'a whole day by its zone',
		'Mon 0:00-24:00 Asia/Kolkata',
		'11-15T18:30 11-16T18:29:59',
		'11-15T18:29:59 11-16T18:30',
	],
	[
		'several spans, days that wrap around the week, zones of their own',
		'Sat-Mon 10:00-11:00 UTC; Wed,Fri 9:00-10:00 America/New_York',
		'11-21T10:30 11-22T10:30 11-23T10:30 11-18T14:30',
		'11-17T10:30 11-19T14:30 11-18T09:30',
	],
	[
		'the clock goes forward: 9:00 comes an hour earlier in UTC',
		'Mon-Sun 9:00-17:00 Europe/Berlin',
		'03-28T08:00 03-28T15:59:59 03-29T07:00 03-29T14:59:59',
		'03-28T07:59:59 03-28T16:00 03-29T06:59:59 03-29T15:00',
	],
	[
		'the clock goes forward: an hour that is skipped never comes',
		'Sun 2:00-3:00 Europe/Berlin',
		'',
		'03-29T00:59:59 03-29T01:00 03-29T01:59:59',
	],
	[
		'the clock goes back: an hour that is repeated comes twice',
		'Sun 2:00-3:00 Europe/Berlin',
		'10-25T00:00 10-25T00:59:59 10-25T01:00 10-25T01:59:59',
		'10-24T23:59:59 10-25T02:00',
	],
	[
		'the clock goes back within a span over midnight',
		'Sat 22:00-6:00 America/New_York',
		'11-01T02:00 11-01T05:30 11-01T06:30 11-01T10:59:59',
		'11-01T01:59:59 11-01T11:00',
	],
	[
		'a zone whose clock moves by half an hour',
		'Mon-Sun 9:00-10:00 Australia/Lord_Howe',
		'04-03T22:00 04-05T22:30',
		'04-03T21:59:59 04-05T22:29:59',
	],
] as const) {
	test(`${what}: ${hours}`, t => {
		const parsed = parseHours(hours);
		for (const [instants, expected] of [
			[inside, true],
			[outside, false],
		] as const) {
			for (const instant of instants.split(' ').filter(Boolean)) {
				t.is(isWithin(parsed, Date.parse(`2026-${instant}Z`)), expected, instant);
			}
		}
	});
}

const time = fc
	.integer({min: 0, max: 1439})
	.map(minute => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`);
const zone = fc.constantFrom(
	'UTC',
	'Europe/Berlin',
	'America/St_Johns',
	'Australia/Lord_Howe',
	'Pacific/Apia',
	'Africa/Casablanca',
);
const instant = fc.integer({min: Date.UTC(2020, 0), max: Date.UTC(2030, 0)});

test('any time is either in a daily span or in the span from its end to its start', t => {
	const details = fc.check(
		fc.property(time, time, zone, instant, (from, to, name, ms) => {
			fc.pre(from !== to);
			const isIn = isWithin(parseHours(`Mon-Sun ${from}-${to} ${name}`), ms);
			const isOut = isWithin(parseHours(`Mon-Sun ${to}-${from} ${name}`), ms);
			return isIn !== isOut;
		}),
	);
	t.is(fc.defaultReportMessage(details), undefined);
});

test('in UTC the hours match plain arithmetic', t => {
	const details = fc.check(
		fc.property(fc.integer({min: 0, max: 6}), fc.integer({min: 0, max: 23}), instant, (day, hour, ms) => {
			const name = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][day];
			const date = new Date(ms);
			const expected = date.getUTCDay() === day && date.getUTCHours() === hour;
			return isWithin(parseHours(`${name} ${hour}:00-${hour + 1}:00 UTC`), ms) === expected;
		}),
	);
	t.is(fc.defaultReportMessage(details), undefined);
});

for (const [hours, expected, found] of [
	['', /days, times and a time zone/, ''],
	['Mon-Fri 9:00-17:30', /days, times and a time zone/, 'Mon-Fri 9:00-17:30'],
	['Mon-Fri 9:00-17:30 UTC Sat 1:00-2:00 UTC', /days, times and/, 'Mon-Fri 9:00-17:30 UTC Sat 1:00-2:00 UTC'],
	['Mon-Fri 9:00-17:30 UTC;', /days, times and/, ''],
	['Mon-Fri 9-17 UTC', /two different times/, '9-17'],
	['Mon-Fri 9:00-24:01 UTC', /two different times/, '9:00-24:01'],
	['Mon-Fri 9:00-9:00 UTC', /two different times/, '9:00-9:00'],
	['Mon-Fri 9:60-17:00 UTC', /two different times/, '9:60-17:00'],
	['Montag 9:00-17:00 UTC', /days such as/, 'Montag'],
	['Mon-Fri-Sun 9:00-17:00 UTC', /days such as/, 'Mon-Fri-Sun'],
	['Mon-Fri 9:00-17:00 Europe/Atlantis', /an IANA time zone/, 'Europe/Atlantis'],
] as const) {
	test(`"${hours}" is refused with what was expected and found`, t => {
		const error = t.throws(() => parseHours(hours), {instanceOf: HoursError});

		t.regex(error?.expected ?? '', expected);
		t.is(error?.found, found);
	});
}
