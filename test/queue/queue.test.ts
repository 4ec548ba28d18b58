import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {Queue} from 'bullmq';
import {DateTime} from 'luxon';
import {z} from '../../src/api/zod.js';
import {checkCron, decideTick, nextAfter} from '../../src/queue/cron.js';
import {defineQueue, openQueue} from '../../src/queue/define-queue.js';
import {onceAMinute} from '../../src/queue/once-a-minute.js';
import {takeTurns} from '../../src/queue/turns.js';
import {dataFolder} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {connectToRedis, openRedis} from '../helpers/shared-redis.js';

const at = (iso: string) => new Date(iso).getTime();

/** Title, pattern and zone, start time, and the next due times. All times are UTC. */
for (const [what, cron, from, expected] of [
	[
		'nine in the morning stays nine when summer begins',
		'0 9 * * * Europe/Berlin',
		'2026-03-28T00:00',
		'2026-03-28T08:00 2026-03-29T07:00 2026-03-30T07:00',
	],
	[
		'nine in the morning stays nine when summer ends',
		'0 9 * * * Europe/Berlin',
		'2026-10-24T00:00',
		'2026-10-24T07:00 2026-10-25T08:00 2026-10-26T08:00',
	],
	[
		'an hour that a day does not have comes once, at its end',
		'30 2 * * * Europe/Berlin',
		'2026-03-28T00:00',
		'2026-03-28T01:30 2026-03-29T01:30 2026-03-30T00:30',
	],
	[
		'an hour that a day has twice comes once',
		'30 2 * * * Europe/Berlin',
		'2026-10-24T00:00',
		'2026-10-24T00:30 2026-10-25T00:30 2026-10-26T01:30',
	],
	[
		'the other half of the world turns its clocks in other months',
		'0 9 * * * Australia/Sydney',
		'2026-10-02T23:30',
		'2026-10-03T22:00 2026-10-04T22:00',
	],
	[
		'a midnight that a day does not have comes when the clocks have leapt',
		'0 0 * * * Africa/Cairo',
		'2026-04-22T12:00',
		'2026-04-22T22:00 2026-04-23T22:00 2026-04-24T21:00',
	],
	[
		'a midnight that a day has twice comes once',
		'0 0 * * * America/Havana',
		'2026-10-31T00:00',
		'2026-10-31T04:00 2026-11-01T05:00 2026-11-02T05:00',
	],
	[
		'each hour is each hour when summer begins',
		'0 * * * * Europe/Berlin',
		'2026-03-28T23:30',
		'2026-03-29T00:00 2026-03-29T01:00 2026-03-29T02:00',
	],
	[
		'each hour is each hour when summer ends',
		'0 * * * * Europe/Berlin',
		'2026-10-24T23:30',
		'2026-10-25T00:00 2026-10-25T01:00 2026-10-25T02:00',
	],
	[
		'the 29th of February waits for a leap year',
		'0 9 29 2 * UTC',
		'2026-01-01T00:00',
		'2028-02-29T09:00 2032-02-29T09:00',
	],
	[
		'the 31st skips shorter months',
		'0 9 31 * * UTC',
		'2026-01-01T00:00',
		'2026-01-31T09:00 2026-03-31T09:00 2026-05-31T09:00',
	],
	[
		'the last day of the month',
		'0 9 L * * UTC',
		'2026-01-01T00:00',
		'2026-01-31T09:00 2026-02-28T09:00 2026-03-31T09:00',
	],
] as const) {
	test(`due times: ${what}`, t => {
		const [, pattern = '', tz] = /^(.*) (\S+)$/.exec(cron) ?? [];
		const checked = checkCron({pattern, tz});
		let time = at(`${from}Z`);
		for (const instant of expected.split(' ')) {
			time = nextAfter(checked, time);
			t.is(new Date(time).toISOString(), `${instant}:00.000Z`);
		}
	});
}

const NINE = '2026-03-02T09:00:00Z';

test('a cron that is on time fires, even after a busy minute', t => {
	const cron = checkCron({pattern: '0 9 * * *', missed: 'skip'});

	t.deepEqual(decideTick(cron, {planned: at(NINE), now: at(NINE)}), {fires: true, missed: 0});
	t.deepEqual(decideTick(cron, {planned: at(NINE), now: at(NINE) + 59_000}), {fires: true, missed: 0});
});

for (const [missed, what, expected] of [
	['once', 'one is made up for, the others are counted', {fires: true, missed: 6}],
	['skip', 'none is made up for, all are counted', {fires: false, missed: 7}],
] as const) {
	test(`after a week without workers ${what}`, t => {
		const now = at(NINE) + 7 * 24 * 3_600_000 - 1;

		t.deepEqual(decideTick(checkCron({pattern: '0 9 * * *', missed}), {planned: at(NINE), now}), expected);
	});
}

test('an invalid pattern or zone is refused with what was expected', t => {
	t.throws(() => checkCron({pattern: '0 25 * * *'}), {instanceOf: RangeError, message: /"0 25 \* \* \*"/});
	for (const pattern of ['', '9 * * *', '* * * * * * *']) {
		t.throws(() => checkCron({pattern}), {instanceOf: RangeError, message: /five or six fields/});
	}

	for (const pattern of ['0 H * * *', '0 9,H(10-12) * * *']) {
		t.throws(() => checkCron({pattern}), {instanceOf: RangeError, message: /with fixed times/});
	}

	t.notThrows(() => checkCron({pattern: '0 9 * MAR THU'}));
	t.throws(() => checkCron({pattern: '0 9 * * *', tz: 'Europe/Bern'}), {
		instanceOf: RangeError,
		message: /Europe\/Bern/,
	});
});

// Recurring work, done by the process that first notices that it is due.

test('of several processes, only one takes each turn, by the clock of Redis', async t => {
	const url = await openRedis(t);
	const redis = await connect(t, url);
	const taken: string[] = [];
	const start = async (process: string) => {
		const turns = takeTurns({
			redis: await connect(t, url),
			name: t.title,
			periodMs: 100,
			count: 2,
			act: async index => void taken.push(`${process} ${index}`),
			report: error => t.fail(String(error)),
		});
		t.teardown(() => turns.stop());
	};
	const before = Number((await redis.time())[0]);
	await start('a');
	await start('b');
	while (taken.length < 20) {
		await new Promise(setImmediate);
	}

	const seconds = Number((await redis.time())[0]) + 1 - before;
	t.true(taken.length <= seconds * 20 + 2, `${taken.length} turns in ${seconds} s`);
	const counts = [0, 1].map(index => taken.filter(turn => turn.endsWith(` ${index}`)).length);
	t.true(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 4, `${counts}`);
});

test('a machine whose clock is two hours ahead does not delay the others', async t => {
	const url = await openRedis(t);
	const redis = await connect(t, url);
	const taken: number[] = [];
	const options = {redis, name: t.title, periodMs: 50, report: (error: Error) => t.fail(String(error))};
	const realNow = Date.now;
	Date.now = () => realNow() + 7_200_000;
	const ahead = takeTurns({...options, act: async () => void taken.push(0)});
	while (taken.length < 2) {
		await new Promise(setImmediate);
	}

	await ahead.stop();
	Date.now = realNow;
	taken.length = 0;
	const right = takeTurns({...options, act: async () => void taken.push(1)});
	t.teardown(() => right.stop());
	while (taken.length < 2) {
		await new Promise(setImmediate);
	}

	t.deepEqual(taken.slice(0, 2), [1, 1]);
});

// Recurring jobs of BullMQ run at our due times, not at its own.

/** The next midnight that Egypt's clocks skip: on the last Friday of April. */
function nextLeap(): DateTime {
	const now = DateTime.now().setZone('Africa/Cairo');
	for (let year = now.year; ; year++) {
		const last = DateTime.fromObject({year, month: 4, day: 30, hour: 1}, {zone: 'Africa/Cairo'});
		const leap = last.minus({days: (last.weekday + 2) % 7});
		if (leap > now) {
			return leap;
		}
	}
}

test('a scheduler makes its job on a day whose midnight is skipped by the clocks', async t => {
	const connection = await connectToRedis(t);
	const definition = defineQueue({name: 'leaps', schema: z.object({v: z.literal(1)}), result: z.object({})});
	const queue = openQueue(definition, connection);
	const leap = nextLeap();

	await queue.repeat('leap', {pattern: `0 0 ${leap.day} 4 *`, tz: 'Africa/Cairo'}, {v: 1});

	const raw = new Queue('leaps', {connection, prefix: '{bothy}'});
	const [job] = await raw.getDelayed();
	t.is(job?.opts.prevMillis, leap.toMillis());
	await Promise.all([raw.close(), queue.close()]);
});

test('a worker that closes while Redis is away leaves nothing that keeps its process alive', async t => {
	const program = fileURLToPath(new URL('closing-process.js', import.meta.url));
	const child = spawn(process.execPath, [program, await dataFolder(t)], {stdio: 'inherit'});
	t.teardown(() => child.kill('SIGKILL'));

	t.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a cause is logged once a minute, other causes at once', t => {
	let now = 0;
	const isNew = onceAMinute(() => now);

	t.deepEqual([isNew('a'), isNew('a'), isNew('b')], [true, false, true]);
	now = 60_000;
	t.true(isNew('a'));
});
