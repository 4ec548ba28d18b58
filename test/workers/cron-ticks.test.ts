// What happens at due times, and how missed due times are handled.

import test, {type ExecutionContext} from 'ava';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {createCronStore, cronOutbox} from '../../src/schedules/cron-store.js';
import cronTicksWorker, {type CronTickDependencies} from '../../workers/cron-ticks.js';
import {connectToRedis} from '../helpers/shared-redis.js';

const ACCOUNT = {site: 'https://chat.example.com', email: 'bot@example.com'};
const TAG = accountTag(ACCOUNT);
const NINE = new Date('2026-03-02T09:00:00Z').getTime();
const WEEK_MS = 7 * 24 * 3_600_000;
const TARGET = '{"channel":"general","topic":"today"}';

async function start(t: ExecutionContext, {missed, handler}: {missed: 'once' | 'skip'; handler?: string}) {
	const redis = await connectToRedis(t);
	const crons = createCronStore(redis);
	const outboxes = createOutboxStore(redis);
	const what =
		handler === undefined
			? ({kind: 'send', target: TARGET, text: 'Good morning'} as const)
			: ({kind: 'handler', handler} as const);
	await crons.put(TAG, 'morning', {cron: {pattern: '0 9 * * *', tz: 'UTC', missed}, what});
	const woken: DeliveryRef[] = [];
	const ran: [string, number][] = [];
	let isBusy = false;
	const dependencies = (now: number): CronTickDependencies => ({
		crons,
		outboxes,
		log: {info() {}, warn() {}, error() {}},
		now: () => now,
		enqueue: async ref => void woken.push(ref),
		async runHandler(_account, name, planned) {
			ran.push([name, planned]);
			return !isBusy;
		},
	});
	return {
		outboxes,
		woken,
		ran,
		counts: () => crons.counts(TAG, 'morning'),
		said: () => outboxes.read(cronOutbox(TAG, 'morning')),
		beBusy() {
			isBusy = true;
		},
		fire: (planned: number, now = planned) =>
			cronTicksWorker.run({v: 1, ...ACCOUNT, cron: 'morning'}, dependencies(now), planned),
		cancel: () => crons.remove(TAG, 'morning'),
	};
}

test('a text is posted once for a due time, however often its job runs', async t => {
	const {fire, said, woken, counts} = await start(t, {missed: 'skip'});

	t.deepEqual(await fire(NINE), {fired: true});
	await fire(NINE);

	t.deepEqual(
		(await said()).map(({n, text, target}) => ({n, text, target})),
		[{n: NINE / 1000, text: 'Good morning', target: TARGET}],
	);
	t.is(woken[0]?.id, cronOutbox(TAG, 'morning').id);
	t.like(await counts(), {missed: 0, skipped: 0, firedAt: NINE});
});

test('a due time is skipped and counted while the previous text is not posted yet', async t => {
	const {fire, said, outboxes, counts} = await start(t, {missed: 'skip'});
	const ref = cronOutbox(TAG, 'morning');
	const tomorrow = NINE + 24 * 3_600_000;
	await fire(NINE);

	t.deepEqual(await fire(tomorrow), {fired: false});
	await outboxes.open(ref, 'w', 'waiting');
	await outboxes.end(ref, 'w', {n: NINE / 1000, state: 'sent 1', attempt: 'waiting'});
	t.deepEqual(await fire(tomorrow + 24 * 3_600_000), {fired: true});

	t.is((await said()).length, 2);
	t.like(await counts(), {fired: 2, skipped: 1});
});

for (const [missed, fired, counted] of [
	['once', true, {fired: 1, missed: 7}],
	['skip', false, {fired: 0, missed: 8}],
] as const) {
	test(`after a week without workers \`${missed}\` makes up for ${fired ? 'one' : 'none'}, and the others are counted`, async t => {
		const {fire, said, counts} = await start(t, {missed});

		t.deepEqual(await fire(NINE, NINE + WEEK_MS), {fired});

		t.is((await said()).length, Number(fired));
		t.like(await counts(), counted);
	});
}

test('a handler runs at its due time, and is skipped while its previous run has not ended', async t => {
	const {fire, ran, counts, beBusy} = await start(t, {missed: 'skip', handler: 'digest'});

	t.deepEqual(await fire(NINE), {fired: true});
	beBusy();
	t.deepEqual(await fire(NINE + 60_000), {fired: false});

	t.deepEqual(ran, [
		['digest', NINE],
		['digest', NINE + 60_000],
	]);
	t.like(await counts(), {fired: 1, skipped: 1});
});

test('a cancelled cron does not fire', async t => {
	const {fire, said, cancel} = await start(t, {missed: 'skip'});

	t.true(await cancel());

	t.deepEqual(await fire(NINE), {fired: false});
	t.deepEqual(await said(), []);
});
