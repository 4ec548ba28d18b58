import test from 'ava';
import fc from 'fast-check';
import {HoursError, isWithin, parseHours} from '../../src/presence/hours.js';

const within = test.macro<[hours: string, inside: readonly string[], outside: readonly string[]]>({
	exec(t, hours, inside, outside) {
		const parsed = parseHours(hours);
		for (const instant of inside) {
			t.true(isWithin(parsed, Date.parse(instant)), `${instant} should lie within`);
		}

		for (const instant of outside) {
			t.false(isWithin(parsed, Date.parse(instant)), `${instant} should lie outside`);
		}
	},
	title: (title = '', hours) => `${title}: ${hours}`,
});

// 2026-11-16 is a Monday.
test(
	'a working week',
	within,
	'Mon-Fri 9:00-17:30 UTC',
	['2026-11-16T09:00:00Z', '2026-11-18T12:00:00Z', '2026-11-20T17:29:59Z'],
	['2026-11-16T08:59:59Z', '2026-11-16T17:30:00Z', '2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z'],
);
test(
	'a span over midnight belongs to the day on which it begins',
	within,
	'Fri 22:00-2:00 UTC',
	['2026-11-20T22:00:00Z', '2026-11-20T23:59:59Z', '2026-11-21T01:59:59Z'],
	['2026-11-20T01:00:00Z', '2026-11-20T21:59:59Z', '2026-11-21T02:00:00Z', '2026-11-21T22:30:00Z'],
);
test(
	'a span until midnight',
	within,
	'sun 20:00-24:00 UTC',
	['2026-11-22T23:59:59Z'],
	['2026-11-23T00:00:00Z', '2026-11-22T00:00:00Z'],
);
test(
	'a whole day by its zone',
	within,
	'Mon 0:00-24:00 Asia/Kolkata',
	['2026-11-15T18:30:00Z', '2026-11-16T18:29:59Z'],
	['2026-11-15T18:29:59Z', '2026-11-16T18:30:00Z'],
);
test(
	'several spans, days that wrap around the week, zones of their own',
	within,
	'Sat-Mon 10:00-11:00 UTC; Wed,Fri 9:00-10:00 America/New_York',
	['2026-11-21T10:30:00Z', '2026-11-22T10:30:00Z', '2026-11-23T10:30:00Z', '2026-11-18T14:30:00Z'],
	['2026-11-17T10:30:00Z', '2026-11-19T14:30:00Z', '2026-11-18T09:30:00Z'],
);
test(
	'the clock goes forward: 9:00 comes an hour earlier in UTC',
	within,
	'Mon-Sun 9:00-17:00 Europe/Berlin',
	['2026-03-28T08:00:00Z', '2026-03-28T15:59:59Z', '2026-03-29T07:00:00Z', '2026-03-29T14:59:59Z'],
	['2026-03-28T07:59:59Z', '2026-03-28T16:00:00Z', '2026-03-29T06:59:59Z', '2026-03-29T15:00:00Z'],
);
test(
	'the clock goes forward: an hour that is skipped never comes',
	within,
	'Sun 2:00-3:00 Europe/Berlin',
	[],
	['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-29T01:59:59Z'],
);
test(
	'the clock goes back: an hour that is repeated comes twice',
	within,
	'Sun 2:00-3:00 Europe/Berlin',
	['2026-10-25T00:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z', '2026-10-25T01:59:59Z'],
	['2026-10-24T23:59:59Z', '2026-10-25T02:00:00Z'],
);
test(
	'the clock goes back within a span over midnight',
	within,
	'Sat 22:00-6:00 America/New_York',
	['2026-11-01T02:00:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T10:59:59Z'],
	['2026-11-01T01:59:59Z', '2026-11-01T11:00:00Z'],
);
test(
	'a zone whose clock moves by half an hour',
	within,
	'Mon-Sun 9:00-10:00 Australia/Lord_Howe',
	['2026-04-03T22:00:00Z', '2026-04-05T22:30:00Z'],
	['2026-04-03T21:59:59Z', '2026-04-05T22:29:59Z'],
);

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

test('at any instant either a daily span holds or the one from its end to its begin', t => {
	fc.assert(
		fc.property(time, time, zone, instant, (from, to, name, ms) => {
			fc.pre(from !== to);
			const isIn = isWithin(parseHours(`Mon-Sun ${from}-${to} ${name}`), ms);
			const isOut = isWithin(parseHours(`Mon-Sun ${to}-${from} ${name}`), ms);
			return isIn !== isOut;
		}),
	);
	t.pass();
});

test('in UTC the hours are those of plain arithmetic', t => {
	fc.assert(
		fc.property(fc.integer({min: 0, max: 6}), fc.integer({min: 0, max: 23}), instant, (day, hour, ms) => {
			const name = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][day];
			const date = new Date(ms);
			const expected = date.getUTCDay() === day && date.getUTCHours() === hour;
			return isWithin(parseHours(`${name} ${hour}:00-${hour + 1}:00 UTC`), ms) === expected;
		}),
	);
	t.pass();
});

const wrong = test.macro<[hours: string, expected: RegExp, found: string]>({
	exec(t, hours, expected, found) {
		const error = t.throws(() => parseHours(hours), {instanceOf: HoursError});
		t.regex(error?.expected ?? '', expected);
		t.is(error?.found, found);
	},
	title: (_, hours) => `"${hours}" is refused with what was expected and found`,
});

test(wrong, '', /days, times and a time zone/, '');
test(wrong, 'Mon-Fri 9:00-17:30', /days, times and a time zone/, 'Mon-Fri 9:00-17:30');
test(wrong, 'Mon-Fri 9:00-17:30 UTC Sat 1:00-2:00 UTC', /days, times and/, 'Mon-Fri 9:00-17:30 UTC Sat 1:00-2:00 UTC');
test(wrong, 'Mon-Fri 9:00-17:30 UTC;', /days, times and/, '');
test(wrong, 'Mon-Fri 9-17 UTC', /two different times/, '9-17');
test(wrong, 'Mon-Fri 9:00-24:01 UTC', /two different times/, '9:00-24:01');
test(wrong, 'Mon-Fri 9:00-9:00 UTC', /two different times/, '9:00-9:00');
test(wrong, 'Mon-Fri 9:60-17:00 UTC', /two different times/, '9:60-17:00');
test(wrong, 'Montag 9:00-17:00 UTC', /days such as/, 'Montag');
test(wrong, 'Mon-Fri-Sun 9:00-17:00 UTC', /days such as/, 'Mon-Fri-Sun');
test(wrong, 'Mon-Fri 9:00-17:00 Europe/Atlantis', /an IANA time zone/, 'Europe/Atlantis');
