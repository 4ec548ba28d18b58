// Drafts in memory are kept as in Redis, whatever happens in whatever order.

import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import {createMemoryDraftStore} from '../../src/drafts/memory-store.js';
import {createDraftStore, type DraftStore, type Known, LOCK_MS} from '../../src/drafts/store.js';
import {connectToRedis} from '../helpers/shared-redis.js';

interface Pair {
	readonly account: string;
	readonly stores: readonly [DraftStore, DraftStore];
	lapse(): Promise<void>;
}

let counter = 0;

function createPair(redis: Redis): Pair {
	const account = `https://chat|drafts-${counter++}@x`;
	let ahead = 0;
	return {
		account,
		stores: [createDraftStore(redis), createMemoryDraftStore(() => Date.now() + ahead)],
		async lapse() {
			ahead += LOCK_MS + 1;
			await redis.del(`bothy:{${account}}:drafts:lock`);
		},
	};
}

async function both(t: ExecutionContext, {stores}: Pair, act: (store: DraftStore) => Promise<unknown>): Promise<void> {
	const [first, second] = await Promise.all(
		stores.map(store => act(store).catch((error: Error) => `threw ${error.name} ${error.message}`)),
	);
	t.deepEqual(first, second);
}

/** What is kept; each store gives its changes names of its own, so only whether they are the same is looked at. */
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

type Action = (t: ExecutionContext, pair: Pair) => Promise<unknown>;

const bot = fc.constantFrom('a-bot@x', 'a-bot@x', 'B-bot@x');
const key = fc.constantFrom('agenda', 'agenda', 'minutes');
const nonce = fc.constantFrom('worker 1', 'worker 1', 'worker 2');

const writeAction: fc.Arbitrary<Action> = fc
	.tuple(nonce, bot, key, fc.constantFrom('known', 'forget', 'begin', 'end'), fc.boolean())
	.map<Action>(
		([holder, by, name, what, isCurrent]) =>
			(t, pair) =>
				both(t, pair, async store => {
					const field = `${by.toLowerCase()} ${name}`;
					const found = (await store.load(pair.account)).wanted.get(field);
					const rev = isCurrent && found ? found.rev : 'older';
					const changes = {
						known: {known: new Map([[field, known(rev, {kind: 'synced'})]])},
						forget: {forget: new Map([[field, rev]])},
						begin: {journal: {v: 1 as const, queueId: 'q', lastEventId: 1, writes: []}},
						end: {journal: null},
					};
					await store.write(pair.account, holder, changes[what as keyof typeof changes]);
				}),
	);

const otherAction: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(bot, key, fc.constantFrom('x', 'y')).map<Action>(
		([by, name, text]) =>
			(t, pair) =>
				both(t, pair, store => store.put(pair.account, by, {key: name, target: '{}', text})),
	),
	fc.tuple(bot, key).map<Action>(
		([by, name]) =>
			(t, pair) =>
				both(t, pair, store => store.remove(pair.account, by, name)),
	),
	nonce.map<Action>(holder => (t, pair) => both(t, pair, store => store.lock(pair.account, holder))),
	nonce.map<Action>(holder => (t, pair) => both(t, pair, store => store.unlock(pair.account, holder))),
	fc.constant<Action>((_t, pair) => pair.lapse()),
);

/** Mostly a worker writes. */
const action = fc.oneof({weight: 2, arbitrary: writeAction}, {weight: 1, arbitrary: otherAction});

test('drafts are kept alike after any order of putting, syncing and forgetting, by workers that may or may not', async t => {
	const redis = await connectToRedis(t);
	await fc.assert(
		fc.asyncProperty(fc.array(action, {minLength: 1, maxLength: 30, size: 'max'}), async actions => {
			const pair = createPair(redis);
			await both(t, pair, store => store.put(pair.account, 'a-bot@x', {key: 'agenda', target: '{}', text: 'x'}));
			await both(t, pair, store => store.lock(pair.account, 'worker 1'));
			for (const act of actions) {
				await act(t, pair);
				await both(t, pair, store => load(store, pair.account));
				await both(t, pair, store => store.list(pair.account));
			}
		}),
		{numRuns: 200},
	);
});
