// The in-memory drafts match those in Redis, for any events in any order.

import test from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import {createDraftStore, type DraftStore, type Known, LOCK_MS} from '../../src/drafts/store.js';
import {createMemoryDraftStore} from '../../src/testing/memory-draft-store.js';
import {type Action, assertOften, both, createStep, listOf, type Twins} from '../delivery/in-memory-kit.js';
import {connectToRedis} from '../helpers/shared-redis.js';

interface Pair extends Twins<DraftStore> {
	readonly account: string;
	lapse(): Promise<void>;
}

let counter = 0;

function createPair(redis: Redis): Pair {
	const account = `https://chat|drafts-${counter++}@x`;
	const lock = `bothy:{${account}}:drafts:lock`;
	const start = Date.now();
	let ahead = 0;
	return {
		account,
		stores: [createDraftStore(redis), createMemoryDraftStore(() => start + ahead)],
		hold: () => redis.persist(lock),
		async lapse() {
			ahead += LOCK_MS + 1;
			await redis.del(lock);
		},
	};
}

/** The stored drafts. Each store names its changes differently, so the test only compares which names are equal. */
async function load(store: DraftStore, account: string) {
	const {wanted, known, journal} = await store.load(account);
	const plain = {
		wanted: [...wanted].map(([field, {rev: _, ...rest}]) => ({field, ...rest})),
		known: [...known].map(([field, {rev, ...rest}]) => ({field, isCurrent: wanted.get(field)?.rev === rev, ...rest})),
		journal,
	};
	return {
		...plain,
		wanted: plain.wanted.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
		known: plain.known.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
	};
}

const known = (rev: string, status: Known['status']): Known => ({
	v: 1,
	rev,
	draft: null,
	written: [],
	after: 0,
	isRestored: false,
	at: 1,
	status,
});

const step = createStep<DraftStore, Pair>();

const bot = fc.constantFrom('a-bot@x', 'a-bot@x', 'B-bot@x');
const key = fc.constantFrom('agenda', 'agenda', 'minutes');
const nonce = fc.constantFrom('worker 1', 'worker 1', 'worker 2');

const writeAction = step(
	[nonce, bot, key, fc.constantFrom('known', 'forget', 'begin', 'end'), fc.boolean()],
	async (store, {account}, holder, by, name, what, isCurrent) => {
		const field = `${by.toLowerCase()} ${name}`;
		const found = (await store.load(account)).wanted.get(field);
		const rev = isCurrent && found ? found.rev : 'older';
		const changes = {
			known: {known: new Map([[field, known(rev, {kind: 'synced'})]])},
			forget: {forget: new Map([[field, rev]])},
			begin: {journal: {v: 1 as const, queueId: 'q', lastEventId: 1, writes: []}},
			end: {journal: null},
		};
		await store.write(account, holder, changes[what as keyof typeof changes]);
	},
);

const otherAction: fc.Arbitrary<Action<Pair>> = fc.oneof(
	step([bot, key, fc.constantFrom('x', 'y')], (store, {account}, by, name, text) =>
		store.put(account, by, {key: name, target: '{}', text}),
	),
	step([bot, key], (store, {account}, by, name) => store.remove(account, by, name)),
	step([nonce], (store, {account}, holder) => store.lock(account, holder)),
	step([nonce], (store, {account}, holder) => store.unlock(account, holder)),
	fc.constant<Action<Pair>>((_t, pair) => pair.lapse()),
);

/** Usually a worker writes. */
const action = fc.oneof({weight: 2, arbitrary: writeAction}, {weight: 1, arbitrary: otherAction});

test('both stores hold the same drafts after any order of putting, syncing and forgetting, with or without the lock', async t => {
	const redis = await connectToRedis(t);
	await assertOften(
		t,
		fc.asyncProperty(listOf(action, 30), async actions => {
			const pair = createPair(redis);
			await both(t, pair, store => store.put(pair.account, 'a-bot@x', {key: 'agenda', target: '{}', text: 'x'}));
			await both(t, pair, store => store.lock(pair.account, 'worker 1'));
			for (const act of actions) {
				await act(t, pair);
				await both(t, pair, store => Promise.all([load(store, pair.account), store.list(pair.account)]));
			}
		}),
		200,
	);
});
