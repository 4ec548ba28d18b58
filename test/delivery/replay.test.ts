// Today's code on a stored delivery.

import test, {type ExecutionContext} from 'ava';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {dryRun, replay} from '../../src/delivery/replay.js';
import type {AccountRules, Task} from '../../src/delivery/task.js';
import {workText} from '../../src/delivery/work.js';
import sweep from '../../workers/sweep.js';
import {payload} from '../helpers/payload.js';
import {connectToRedis} from '../helpers/shared-redis.js';

type Handle = (task: Task<AccountRules>) => Promise<void>;

const account: AccountRules = {
	site: 'https://chat.example.com',
	email: 'echo-bot@chat.example.com',
	deadlineMs: 600_000,
	timeoutMs: 60_000,
	concurrency: 100,
	perMinute: 1,
	hasSession: true,
};

const log = {info() {}, warn() {}, error() {}};
const work = {kind: 'message', payload: payload()} as const;
const text = workText(work);
const original = {account, ref: deliveryRef(account, payload()), work};

/** A ledger with one delivery, which yesterday's code answered. */
async function startLedger(t: ExecutionContext) {
	const redis = await connectToRedis(t);
	const store = createRedisStore(redis);
	const woken: string[] = [];
	const hostOf = (handle: Handle) => ({
		process: 'p',
		store,
		log,
		handle,
		isDead: () => false,
		async enqueue({id}: {id: string}) {
			woken.push(id);
		},
	});
	const yesterday = createDeliveries<AccountRules>(
		hostOf(async ({run: {say}, session}) => {
			session?.save('"remembered"');
			await say.reply('yesterday');
		}),
	);
	await yesterday.receive({...original, arrivedAt: performance.now()});
	await yesterday.close(0);
	return {redis, store, woken, hostOf};
}

test('a replay is a new delivery whose answers a worker posts, and the original does not change', async t => {
	const {store, woken, hostOf} = await startLedger(t);
	const before = await store.read(original.ref);
	const host = hostOf(async ({run: {say}, session}) => {
		await say.reply(`today, ${session?.json}`);
		await say.send({target: '{"dm":[9]}', text: 'elsewhere'});
	});

	const first = await replay(original, host);
	const second = await replay({...original, ref: first}, host);

	t.is(first.id, `${original.ref.id}-r1`);
	t.is(second.id, `${original.ref.id}-r2`, 'a replay of a replay counts on');
	t.like(await store.read(first), {status: 'done', decision: 'late', runs: 1, work: text});
	t.deepEqual(
		(await store.read(first))?.outbox.map(said => [said.kind, said.text, said.state]),
		[
			['reply', 'today, "remembered"', 'waiting'],
			['send', 'elsewhere', 'waiting'],
		],
	);
	t.true(woken.includes(first.id));
	t.deepEqual(await store.read(original.ref), before);
});

test('the error of a bot that throws during a replay is in the ledger', async t => {
	const {store, hostOf} = await startLedger(t);

	const ref = await replay(
		original,
		hostOf(async () => {
			throw new RangeError('still broken');
		}),
	);

	t.like(await store.read(ref), {status: 'done', decision: 'late', outbox: []});
	t.regex((await store.read(ref))?.error ?? '', /RangeError: still broken/);
});

test('a dry run shows what the bot would post, and does not change Redis', async t => {
	const {redis, store, hostOf} = await startLedger(t);
	const dump = async () => {
		const keys = (await redis.keys('*')).toSorted();
		return Promise.all(keys.map(async key => [key, await redis.dump(key)]));
	};
	const before = await dump();

	const {said, error} = await dryRun(
		original,
		hostOf(async ({run: {say}, session}) => {
			await say.reply(`today, ${session?.json}`);
			session?.save('"changed"');
			await say.schedule({target: '{"dm":[9]}', text: 'later', dueAt: 5});
			throw new RangeError('broken');
		}),
	);

	t.deepEqual(said, [
		{kind: 'reply', text: 'today, "remembered"'},
		{kind: 'send', target: '{"dm":[9]}', text: 'later', dueAt: 5},
	]);
	t.regex(error ?? '', /RangeError: broken/);
	t.deepEqual(await dump(), before);
	t.is(await store.readSession(original.ref.account, '3>lunch'), '"remembered"');
});

test('a sweep ends a replay whose process died, and does not run it again', async t => {
	const {redis, store} = await startLedger(t);
	const ref = {...original.ref, id: `${original.ref.id}-r1`};
	await store.claim(ref, {nonce: 'gone', work: text, sender: 9, perMinute: 0});
	await redis.zadd(`bothy:{${ref.account}}:due`, '0', ref.id);

	await sweep({
		accounts: [account],
		store,
		ledgerTextMs: 1_000_000,
		log,
		paused: async () => new Map(),
		rerun: async () => t.fail('it ran again'),
		enqueue: async () => {},
	});

	t.like(await store.read(ref), {status: 'done', decision: 'late'});
	t.regex((await store.read(ref))?.error ?? '', /The process that replayed it ended/);
	t.false((await store.due(ref.account, 10)).some(({id}) => id === ref.id));
});
