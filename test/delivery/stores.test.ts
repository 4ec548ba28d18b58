// The Redis scripts match the plain code of the memory store, for any events in any order.

import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import {type ClaimRequest, type DeliveryStore, LEASE_MS, type OutboxEntry} from '../../src/delivery/store.js';
import {createMemoryStore} from '../../src/testing/memory-store.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {assertOften, both, holdLease, type Twins} from './in-memory-kit.js';

const SILENCE = '{"response_not_required":true}';

const entry = (n: number, text: string): OutboxEntry => ({
	n,
	kind: 'reply',
	target: '',
	text,
	dueAt: 0,
	mayBePosted: false,
});

/** Both stores, and a function that makes every lease lapse. */
interface Pair extends Twins<DeliveryStore> {
	readonly ref: DeliveryRef;
	lapse(): Promise<void>;
	outboxes(): Promise<unknown[]>;
	/** How many runs do not count. */
	stops(): Promise<number>;
}

let counter = 0;

function createPair(redis: Redis): Pair {
	const ref = {account: `https://chat|bot-${counter++}@x`, id: '4711-abc'};
	const key = `bothy:{${ref.account}}:delivery:${ref.id}`;
	let now = 0;
	const inRedis = createRedisStore(redis);
	const inMemory = createMemoryStore(() => now);
	return {
		ref,
		stores: [inRedis, inMemory],
		hold: () => holdLease(redis, key),
		async lapse() {
			now += LEASE_MS + 1;
			if ((await redis.exists(key)) === 1) {
				await redis.multi().hset(key, 'lease', 0).hincrby(key, 'at', -LEASE_MS).exec();
			}
		},
		async outboxes() {
			const stored = await inRedis.read(ref);
			return [(stored?.outbox ?? []).map(({state: _, ...rest}) => rest), inMemory.outbox(ref)];
		},
		stops: async () => (await inRedis.read(ref))?.stops ?? 0,
	};
}

/** What an outside observer has seen of a delivery. */
interface Seen {
	runs: number;
	/** Answers that were allowed to be written as the inline answer. */
	readonly inline: Set<string>;
	isLate: boolean;
	current: number;
}

type Action = (t: ExecutionContext, pair: Pair, seen: Seen) => Promise<void>;

const claim = (nonce: string, more: Partial<ClaimRequest> = {}): Action =>
	async function claim(t, pair, seen) {
		const request = {nonce, work: '{}', sender: 9, perMinute: 20, ...more};
		const claimed = await both(t, pair, store => store.claim(pair.ref, request));
		if (claimed.kind === 'late' && request.posts && !seen.isLate) {
			// The service's last repeat proves that it read none of the inline answers.
			seen.inline.clear();
		}

		seen.isLate ||= claimed.kind === 'late' || (claimed.kind === 'run' && claimed.isLate);
		if (claimed.kind === 'run') {
			seen.runs = Math.max(seen.runs, claimed.run);
			seen.current = claimed.run;
		} else if (claimed.kind === 'answer') {
			seen.inline.add(claimed.answer);
		}
	};

const renew = (run: number): Action =>
	async function renew(t, pair) {
		await both(t, pair, store => store.renew(pair.ref, run));
	};

const release = (run: number): Action =>
	async function release(t, pair, seen) {
		if (run <= seen.runs) {
			await both(t, pair, store => store.release(pair.ref, run));
		}
	};

/** A run ends once. If it ends again, it reports the same result. */
const finish = (run: number): Action =>
	async function finish(t, pair, seen) {
		const answer = JSON.stringify({content: `by ${run}`});
		const standing = await both(t, pair, store =>
			store.finish(pair.ref, {run, answer, canAnswer: true, replies: [entry(1, `by ${run}`)]}),
		);
		if (standing === 'inline') {
			seen.inline.add(answer);
		}
	};

const append = (run: number, n: number, text: string): Action =>
	async function append(t, pair) {
		await both(t, pair, store => store.append(pair.ref, run, [entry(n, text)]));
	};

const decideLate: Action = async (t, pair, seen) => {
	if (seen.runs === 0) {
		return;
	}

	const decided = await both(t, pair, store => store.decideLate(pair.ref));
	if (decided === 'late') {
		seen.isLate = true;
	} else {
		seen.inline.add(decided.answer);
	}
};

const lapse: Action = (_t, pair) => pair.lapse();

const runs = fc.integer({min: 1, max: 3});
const action: fc.Arbitrary<Action> = fc.oneof(
	fc
		.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean(), fc.boolean())
		.map(([nonce, isArrival, posts]) => claim(nonce, {isArrival, posts: isArrival && posts})),
	fc
		.tuple(fc.constantFrom('b', 'c'), fc.constantFrom('a', 'b'))
		.map(([nonce, deadHolder]) => claim(nonce, {deadHolder})),
	fc.constantFrom('a', 'b', 'c').map(nonce => claim(nonce, {isLate: true})),
	runs.map(renew),
	runs.map(finish),
	runs.map(release),
	fc.tuple(runs, runs, fc.constantFrom('x', 'y')).map(([run, n, text]) => append(run, n, text)),
	fc.constant(decideLate),
	fc.constant(lapse),
);

test('any order of claim, renew, release, finish, lapse, repeat and crash leaves one answer, in Redis as in the model', async t => {
	const redis = await connectToRedis(t);

	await assertOften(
		t,
		fc.asyncProperty(fc.array(action, {minLength: 1, maxLength: 40}), async actions => {
			const pair = createPair(redis);
			const seen: Seen = {runs: 0, inline: new Set(), isLate: false, current: 0};
			for (const act of actions) {
				await act(t, pair, seen);
				await pair.hold();
			}

			const [stored, modelled] = await pair.outboxes();
			t.deepEqual(stored, modelled);
			t.true(seen.runs - (await pair.stops()) <= 3);
			t.true(seen.inline.size <= 1, 'one inline answer at most');
			t.false(seen.isLate && seen.inline.size > 0, 'inline or late, never both');
		}),
		500,
	);
});

test('a repeated step gets its first result', async t => {
	const {ref, stores} = createPair(await connectToRedis(t));
	const request = {nonce: 'a', work: '{}', sender: 9, perMinute: 1};
	for (const store of stores) {
		t.deepEqual(await store.claim(ref, request), await store.claim(ref, request));
		const done = {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: [entry(1, 'x')]};
		t.deepEqual([await store.finish(ref, done), await store.finish(ref, done)], ['inline', 'inline']);
	}
});

test('an answer that its connection lost is posted, unless another one carries it or it was confirmed', async t => {
	const redis = await connectToRedis(t);
	for (const isConfirmed of [false, true]) {
		const pair = createPair(redis);
		const {ref} = pair;
		await both(t, pair, store => store.claim(ref, {nonce: 'a', work: '{}', sender: 9, perMinute: 0}));
		const done = {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: [entry(1, 'x')]};
		await both(t, pair, store => store.finish(ref, done));

		t.false(await both(t, pair, store => store.answerLost({ref, carrier: '2'})));
		if (isConfirmed) {
			await both(t, pair, store => store.confirm([{ref, carrier: '2'}]));
			await both(t, pair, store => store.confirm([{ref, carrier: '1'}]));
		}

		t.is(await both(t, pair, store => store.answerLost({ref, carrier: '1'})), !isConfirmed);
		t.false(await both(t, pair, store => store.answerLost({ref, carrier: '1'})));
		const [stored, modelled] = await pair.outboxes();
		t.deepEqual(stored, modelled);
		t.is((stored as unknown[]).length, isConfirmed ? 0 : 1);
	}
});

test('one run at a time has a session, and the next one gets what it stored', async t => {
	const pair = createPair(await connectToRedis(t));
	const {ref} = pair;
	const enter = (run: number, holder: string, deadHolder?: string) =>
		both(t, pair, store =>
			store.enterSession(ref, run, {conversation: 'tea', holder, ...(deadHolder && {deadHolder})}),
		);
	const claim = (nonce: string) =>
		both(t, pair, store => store.claim(ref, {nonce, work: '{}', sender: 9, perMinute: 0}));
	await claim('a');

	t.deepEqual(await enter(2, 'a'), {kind: 'stale'});
	t.deepEqual(await enter(1, 'a'), {kind: 'entered', json: undefined});
	t.deepEqual(await enter(1, 'b'), {kind: 'busy', holder: 'a'});
	t.deepEqual(await enter(1, 'b', 'a'), {kind: 'entered', json: undefined});
	t.is(await both(t, pair, store => store.renew(ref, 1, {conversation: 'tea', holder: 'a'})), 'inline');
	t.is(await both(t, pair, store => store.renew(ref, 1, {conversation: 'tea', holder: 'b'})), 'inline');
	const session = {conversation: 'tea', holder: 'b', json: '{"cups":2}'};
	await both(t, pair, store => store.finish(ref, {run: 1, answer: '{}', canAnswer: true, replies: [], session}));
	t.deepEqual(await enter(1, 'c'), {kind: 'entered', json: '{"cups":2}'});
});

test('a delivery that crashed its run three times is parked with an apology', async t => {
	const pair = createPair(await connectToRedis(t));
	const request = {work: '{}', sender: 9, perMinute: 0};
	for (const nonce of ['a', 'b', 'c']) {
		const claimed = await both(t, pair, store => store.claim(pair.ref, {...request, nonce}));
		t.is(claimed.kind, 'run');
		await pair.lapse();
	}

	const parked = await both(t, pair, store => store.claim(pair.ref, {...request, nonce: 'd'}));

	t.like(parked, {kind: 'answer'});
	t.regex(JSON.stringify(parked), /crashed each time/);
});

for (const posts of [true, false]) {
	test(`nothing shows that the last repeat was read, so ${posts ? 'its answer is posted' : 'its host is told'}`, async t => {
		const pair = createPair(await connectToRedis(t));
		const request = {work: '{}', sender: 9, perMinute: 0, isArrival: true};
		await both(t, pair, store => store.claim(pair.ref, {...request, nonce: 'a'}));
		const done = {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: [entry(1, 'x')]};
		await both(t, pair, store => store.finish(pair.ref, done));

		const kinds: string[] = [];
		for (const nonce of ['b', 'c', 'd']) {
			kinds.push((await both(t, pair, store => store.claim(pair.ref, {...request, nonce, posts}))).kind);
		}

		t.deepEqual(kinds, ['answer', 'answer', posts ? 'late' : 'last']);
		const [stored, modelled] = await pair.outboxes();
		t.deepEqual(stored, modelled);
		t.deepEqual(
			(stored as OutboxEntry[]).map(({text}) => text),
			posts ? ['x'] : [],
		);
	});
}

test('the apology for a late delivery that crashed its runs is posted', async t => {
	const pair = createPair(await connectToRedis(t));
	const request = {work: '{}', sender: 9, perMinute: 0, isLate: true};
	const kinds: string[] = [];
	for (const nonce of ['a', 'b', 'c', 'd']) {
		kinds.push((await both(t, pair, store => store.claim(pair.ref, {...request, nonce}))).kind);
		await pair.lapse();
	}

	t.deepEqual(kinds, ['run', 'run', 'run', 'late']);
	const [stored, modelled] = await pair.outboxes();
	t.deepEqual(stored, modelled);
	t.regex(JSON.stringify(stored), /crashed each time/);
});

test('beyond the flood limit a sender gets one polite answer, then silence', async t => {
	const pair = createPair(await connectToRedis(t));
	const answers: unknown[] = [];
	for (let id = 1; id <= 5; id++) {
		const ref = {...pair.ref, id: `${id}-x`};
		const request = {nonce: `${id}`, work: '{}', sender: 9, perMinute: 2};
		const claimed = await both(t, pair, store => store.claim(ref, request));
		answers.push(claimed.kind === 'answer' ? claimed.answer : claimed.kind);
	}

	t.is(answers[0], 'run');
	t.is(answers[1], 'run');
	t.regex(String(answers[2]), /faster than I can answer/);
	t.deepEqual(answers.slice(3), [SILENCE, SILENCE]);
});

test('the polite answer is posted if no connection waits for it', async t => {
	const pair = createPair(await connectToRedis(t));
	const kinds: string[] = [];
	for (let id = 1; id <= 4; id++) {
		const ref = {...pair.ref, id: id === 2 ? pair.ref.id : `${id}-x`};
		const request = {nonce: `${id}`, work: '{}', sender: 9, perMinute: 1, isLate: true};
		kinds.push((await both(t, pair, store => store.claim(ref, request))).kind);
	}

	t.deepEqual(kinds, ['run', 'late', 'late', 'late']);
	const [stored, modelled] = await pair.outboxes();
	t.deepEqual(stored, modelled);
	t.regex(JSON.stringify(stored), /faster than I can answer/);
});

test('if nobody called the bot, nobody gets a text about the limit or a crash', async t => {
	const pair = createPair(await connectToRedis(t));
	const request = {work: '{}', sender: 9, perMinute: 1, isLate: true, isUnasked: true};
	const called = {...pair.ref, id: '8-x'};
	await both(t, pair, store => store.claim(called, {...request, nonce: 'called', isUnasked: false}));
	const kinds: string[] = [];
	for (const id of [pair.ref.id, '2-x']) {
		kinds.push((await both(t, pair, store => store.claim({...pair.ref, id}, {...request, nonce: id}))).kind);
	}

	t.deepEqual(kinds, ['run', 'late'], 'it counts apart');
	for (const nonce of ['b', 'c', 'd']) {
		await pair.lapse();
		await both(t, pair, store => store.claim(pair.ref, {...request, nonce}));
	}

	const [stored, modelled] = await pair.outboxes();
	t.deepEqual(stored, modelled);
	t.deepEqual(stored, []);
});

test('if deliveries are due at the same time, the earlier message comes first', async t => {
	const redis = await connectToRedis(t);
	await redis.zadd('bothy:{a}:due', 1_000, '11-x', 1_000, '9-x', 500, '12-x');

	const due = await createRedisStore(redis).due('a', 10);

	t.deepEqual(
		due.map(({id}) => id),
		['12-x', '9-x', '11-x'],
	);
});
