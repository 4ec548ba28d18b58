// Due times in time zones, and what is done about those that were missed.

import test from 'ava';
import {type Cron, checkCron, decideFiring, nextAfter} from '../../src/queue/cron.js';

const at = (iso: string) => new Date(iso).getTime();

/** The next due times, as UTC. */
function times(cron: Cron, from: string, count: number): string[] {
	const checked = checkCron(cron);
	const found: string[] = [];
	for (let time = at(from); found.length < count; ) {
		time = nextAfter(checked, time);
		found.push(new Date(time).toISOString().replace('.000', ''));
	}

	return found;
}

const due = test.macro({
	title: (title = '') => `due times: ${title}`,
	exec(t, cron: Cron, from: string, expected: readonly string[]) {
		t.deepEqual(times(cron, from, expected.length), expected);
	},
});

test(
	'nine in the morning stays nine when summer begins',
	due,
	{pattern: '0 9 * * *', tz: 'Europe/Berlin'},
	'2026-03-28T00:00:00Z',
	['2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z', '2026-03-30T07:00:00Z'],
);
test(
	'nine in the morning stays nine when summer ends',
	due,
	{pattern: '0 9 * * *', tz: 'Europe/Berlin'},
	'2026-10-24T00:00:00Z',
	['2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z', '2026-10-26T08:00:00Z'],
);
test(
	'an hour that a day does not have comes once, at its end',
	due,
	{pattern: '30 2 * * *', tz: 'Europe/Berlin'},
	'2026-03-28T00:00:00Z',
	['2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
);
test(
	'an hour that a day has twice comes once',
	due,
	{pattern: '30 2 * * *', tz: 'Europe/Berlin'},
	'2026-10-24T00:00:00Z',
	['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
);
test(
	'the other half of the world turns its clocks in other months',
	due,
	{pattern: '0 9 * * *', tz: 'Australia/Sydney'},
	'2026-10-02T23:30:00Z',
	['2026-10-03T22:00:00Z', '2026-10-04T22:00:00Z'],
);
test(
	'a midnight that a day does not have comes when the clocks have leapt',
	due,
	{pattern: '0 0 * * *', tz: 'Africa/Cairo'},
	'2026-04-22T12:00:00Z',
	['2026-04-22T22:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
);
test(
	'a midnight that a day has twice comes once',
	due,
	{pattern: '0 0 * * *', tz: 'America/Havana'},
	'2026-10-31T00:00:00Z',
	['2026-10-31T04:00:00Z', '2026-11-01T05:00:00Z', '2026-11-02T05:00:00Z'],
);
test(
	'each hour is each hour when summer begins',
	due,
	{pattern: '0 * * * *', tz: 'Europe/Berlin'},
	'2026-03-28T23:30:00Z',
	['2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z'],
);
test(
	'each hour is each hour when summer ends',
	due,
	{pattern: '0 * * * *', tz: 'Europe/Berlin'},
	'2026-10-24T23:30:00Z',
	['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z'],
);
test('the 29th of February waits for a leap year', due, {pattern: '0 9 29 2 *'}, '2026-01-01T00:00:00Z', [
	'2028-02-29T09:00:00Z',
	'2032-02-29T09:00:00Z',
]);
test('the 31st skips shorter months', due, {pattern: '0 9 31 * *'}, '2026-01-01T00:00:00Z', [
	'2026-01-31T09:00:00Z',
	'2026-03-31T09:00:00Z',
	'2026-05-31T09:00:00Z',
]);
test('the last day of the month', due, {pattern: '0 9 L * *'}, '2026-01-01T00:00:00Z', [
	'2026-01-31T09:00:00Z',
	'2026-02-28T09:00:00Z',
	'2026-03-31T09:00:00Z',
]);

const NINE = '2026-03-02T09:00:00Z';

test('on time it fires, a busy minute included', t => {
	const cron = checkCron({pattern: '0 9 * * *', missed: 'skip'});

	t.deepEqual(decideFiring(cron, {planned: at(NINE), now: at(NINE)}), {fires: true, missed: 0});
	t.deepEqual(decideFiring(cron, {planned: at(NINE), now: at(NINE) + 59_000}), {fires: true, missed: 0});
});

test('after a week without workers one is made up for, the others are counted', t => {
	const cron = checkCron({pattern: '0 9 * * *', missed: 'once'});

	t.deepEqual(decideFiring(cron, {planned: at(NINE), now: at(NINE) + 7 * 24 * 3_600_000 - 1}), {
		fires: true,
		missed: 6,
	});
});

test('after a week without workers none is made up for, all are counted', t => {
	const cron = checkCron({pattern: '0 9 * * *', missed: 'skip'});

	t.deepEqual(decideFiring(cron, {planned: at(NINE), now: at(NINE) + 7 * 24 * 3_600_000 - 1}), {
		fires: false,
		missed: 7,
	});
});

test('a pattern or zone that is none is refused with what was expected', t => {
	t.throws(() => checkCron({pattern: '0 25 * * *'}), {instanceOf: RangeError, message: /"0 25 \* \* \*"/});
	for (const pattern of ['', '9 * * *', '* * * * * * *']) {
		t.throws(() => checkCron({pattern}), {instanceOf: RangeError, message: /five or six fields/});
	}

	for (const pattern of ['0 H * * *', '0 9,H(10-12) * * *']) {
		t.throws(() => checkCron({pattern}), {instanceOf: RangeError, message: /says its times/});
	}

	t.notThrows(() => checkCron({pattern: '0 9 * MAR THU'}));
	t.throws(() => checkCron({pattern: '0 9 * * *', tz: 'Europe/Bern'}), {
		instanceOf: RangeError,
		message: /Europe\/Bern/,
	});
});
