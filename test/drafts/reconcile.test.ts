import test from 'ava';
import fc from 'fast-check';
import type {Redis} from 'ioredis';
import type {Draft, NewDraft} from '../../src/api/index.js';
import {type Action, isSameDraft, type OurDraft, reconcile} from '../../src/drafts/reconcile.js';
import {createDraftStore, type DraftStore, type Known, LOCK_MS} from '../../src/drafts/store.js';
import {createMemoryDraftStore} from '../../src/testing/memory-draft-store.js';
import {assertOften, both, createStep, listOf, type Action as Step, type Twins} from '../delivery/in-memory-kit.js';
import {connectToRedis} from '../helpers/shared-redis.js';

const note = (content: string) => ({type: '', to: [], topic: '', content}) satisfies NewDraft;
const stored = (id: number, content: string): Draft => ({id, ...note(content)});
const ours = (differences: Partial<OurDraft> = {}): OurDraft => ({
	key: 'a',
	draft: note('B'),
	id: 1,
	written: [note('B')],
	after: 0,
	...differences,
});

/** Title, the changes of our draft, the service's drafts, and the expected actions. */
const cases: [what: string, our: Partial<OurDraft>, theirs: Draft[], action: Partial<Action> & {theirs?: Draft}][] = [
	['what was never written is created', {id: undefined, written: []}, [], {kind: 'create'}],
	['what stands there as we wrote it is synced', {}, [stored(1, 'B')], {kind: 'synced'}],
	['what is ours is replaced', {draft: note('C')}, [stored(1, 'B')], {kind: 'edit'}],
	['what is ours is deleted', {draft: undefined}, [stored(1, 'B')], {kind: 'delete'}],
	["a person's text stays", {}, [stored(1, 'P')], {kind: 'edited', theirs: stored(1, 'P')}],
	["a person's text stays when we want another", {draft: note('C')}, [stored(1, 'P')], {kind: 'conflict'}],
	["a person's text that we want too stays theirs", {draft: note('P')}, [stored(1, 'P')], {kind: 'edited'}],
	["a person's text is not deleted", {draft: undefined}, [stored(1, 'P')], {kind: 'forget'}],
	['what a person deleted is gone', {draft: note('C')}, [], {kind: 'gone'}],
	['what both deleted is forgotten', {draft: undefined}, [], {kind: 'forget'}],
	[
		'a write of unknown outcome that came through is ours',
		{draft: note('D'), written: [note('B'), note('C')]},
		[stored(1, 'C')],
		{kind: 'edit'},
	],
	[
		'a creation of unknown outcome is found by its text',
		{id: undefined, after: 5},
		[stored(4, 'B'), stored(6, 'B')],
		{kind: 'synced', id: 6},
	],
	[
		'a draft that was there before is not taken for ours',
		{id: undefined, after: 5},
		[stored(4, 'B')],
		{kind: 'create'},
	],
];

for (const [what, our, theirs, action] of cases) {
	test(what, t => {
		t.like(reconcile([ours(our)], theirs)[0], {key: 'a', ...action} as Partial<Action>);
	});
}

test('two creations of the same text are two drafts', t => {
	const both = ['a', 'b'].map(key => ours({key, id: undefined}));

	t.deepEqual(
		reconcile(both, [stored(6, 'B'), stored(7, 'B')]).map(action => ('id' in action ? action.id : action.kind)),
		[6, 7],
	);
	t.deepEqual(
		reconcile(both, [stored(6, 'B')]).map(({kind}) => kind),
		['synced', 'create'],
	);
});

test('drafts are equal regardless of the order of people and of trimmed blanks', t => {
	const one: NewDraft = {type: 'private', to: [10, 9], topic: '', content: ' x\n'};

	t.true(isSameDraft(one, {...one, to: [9, 10], content: 'x'}));
	t.false(isSameDraft(one, {...one, to: [9]}));
	t.false(isSameDraft(one, {...one, content: 'X'}));
	t.false(isSameDraft({...one, type: 'stream', topic: 'a'}, {...one, type: 'stream', topic: 'b'}));
});

const texts = fc.constantFrom('B', 'C', 'D', 'P', 'Q').map(note);
const anyOurs = fc.record({
	draft: fc.option(texts, {nil: undefined}),
	id: fc.option(fc.integer({min: 1, max: 6}), {nil: undefined}),
	written: fc.array(texts, {maxLength: 2}),
	after: fc.integer({min: 0, max: 6}),
});
const anyState = fc.record({
	ours: fc
		.uniqueArray(anyOurs, {selector: ({id}) => id ?? {}, maxLength: 5})
		.map(all => all.map((one, index) => ({key: String(index), ...one}))),
	theirs: fc.uniqueArray(fc.record({id: fc.integer({min: 1, max: 9}), draft: texts}), {selector: ({id}) => id}),
});

type State = typeof anyState extends fc.Arbitrary<infer Value> ? Value : never;

/** Checks the actions for any state of both sides. */
function checkAll(check: (ours: State['ours'], theirs: readonly Draft[]) => void): void {
	fc.assert(
		fc.property(anyState, ({ours, theirs}) =>
			check(
				ours,
				theirs.map(({id, draft}) => ({id, ...draft})),
			),
		),
	);
}

test('only text that is exactly ours is replaced or deleted', t => {
	checkAll((ours, theirs) => {
		for (const action of reconcile(ours, theirs)) {
			if (action.kind === 'edit' || action.kind === 'delete') {
				const found = theirs.find(({id}) => id === action.id);
				const our = ours.find(({key}) => key === action.key);
				t.true(found && our?.written.some(draft => isSameDraft(draft, found)));
			}
		}
	});
});

test('one draft of the service is never matched with two of ours', t => {
	checkAll((ours, theirs) => {
		const ids = reconcile(ours, theirs).flatMap(action => ('id' in action ? action.id : []));
		t.is(new Set(ids).size, ids.length);
	});
});

test('if nobody edits, one round makes both sides equal', t => {
	checkAll((ours, theirs) => {
		const after = carryOut(ours, theirs);

		for (const action of reconcile(after.ours, after.theirs)) {
			t.true(['synced', 'edited', 'conflict', 'gone'].includes(action.kind), action.kind);
		}
	});
});

/** A service where everything succeeds. */
function carryOut(before: readonly OurDraft[], drafts: readonly Draft[]) {
	const ours = new Map(before.map(our => [our.key, our]));
	const theirs = new Map(drafts.map(draft => [draft.id, draft]));
	let nextId = 100;
	for (const action of reconcile(before, drafts)) {
		const our = ours.get(action.key);
		if (!our) {
			continue;
		}

		if (action.kind === 'create' || action.kind === 'edit') {
			const id = action.kind === 'edit' ? action.id : nextId++;
			theirs.set(id, {...action.draft, id, timestamp: action.draft.timestamp ?? undefined});
			ours.set(action.key, {...our, id, written: [action.draft]});
		} else if (action.kind === 'delete') {
			theirs.delete(action.id);
			ours.delete(action.key);
		} else if (action.kind === 'forget') {
			ours.delete(action.key);
		} else if (action.kind !== 'gone') {
			ours.set(action.key, {...our, id: action.id});
		}
	}

	return {ours: [...ours.values()], theirs: [...theirs.values()]};
}

// The in-memory drafts match those in Redis, for any events in any order.

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

const otherAction: fc.Arbitrary<Step<Pair>> = fc.oneof(
	step([bot, key, fc.constantFrom('x', 'y')], (store, {account}, by, name, text) =>
		store.put(account, by, {key: name, target: '{}', text}),
	),
	step([bot, key], (store, {account}, by, name) => store.remove(account, by, name)),
	step([nonce], (store, {account}, holder) => store.lock(account, holder)),
	step([nonce], (store, {account}, holder) => store.unlock(account, holder)),
	fc.constant<Step<Pair>>((_t, pair) => pair.lapse()),
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
