import {randomUUID} from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import {createDraftStore, type DraftStore} from '../../src/drafts/store.js';
import {syncDrafts} from '../../src/drafts/sync.js';
import {assertOften, listOf} from '../delivery/in-memory-kit.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {type Deed, type Fate, ModelService, WorkerDied} from './model-service.js';

const BOT = 'bot@chat.example.com';
const log = {warn() {}};

/** An account with a service, and a bot that keeps drafts there. */
function open(store: DraftStore) {
	const account = `https://chat.example.com|${randomUUID()}`;
	const service = new ModelService();
	let texts = 0;
	const clock = {now: 0};
	return {
		account,
		service,
		clock,
		put: (key: string) => store.put(account, BOT, {key, target: '{}', text: `bot ${key} ${texts++}`}),
		remove: (key: string) => store.remove(account, BOT, key),
		sync: () => syncDrafts({account, store, service, log, now: () => clock.now}),
		list: () => store.list(account),
		contents: () => [...service.drafts.values()].map(({content}) => content),
	};
}

const deeds = fc.oneof(
	{weight: 6, arbitrary: fc.constant(undefined)},
	fc.record({kind: fc.constantFrom('type' as const, 'delete' as const), nth: fc.nat(5)}),
	fc.constant<Deed>({kind: 'begin'}),
);
const fates = fc.oneof(
	{weight: 8, arbitrary: fc.constant<Fate>('answered')},
	fc.constantFrom<Fate>('unanswered', 'lost', 'refused', 'dies before', 'dies behind'),
);
const keys = fc.constantFrom('a', 'b', 'c');
const steps = fc.oneof(
	{weight: 3, arbitrary: fc.record({kind: fc.constant('put' as const), key: keys})},
	fc.record({kind: fc.constant('remove' as const), key: keys}),
	fc.record({kind: fc.constant('act' as const), deed: deeds}),
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('sync' as const),
			deeds: fc.array(deeds, {minLength: 8, maxLength: 12}),
			fates: fc.array(fates, {minLength: 8, maxLength: 12}),
			swaps: fc.array(fc.boolean(), {maxLength: 12}),
		}),
	},
);

test("after any changes, losses, reorderings and kills, no person's text is lost, no draft is doubled, and both sides are equal", async t => {
	const store = createDraftStore(await connectToRedis(t));

	await assertOften(
		t,
		fc.asyncProperty(listOf(steps, 25, 5), async script => {
			const {service, put, remove, sync, list, contents} = open(store);
			for (const step of script) {
				if (step.kind === 'put') {
					await put(step.key);
				} else if (step.kind === 'remove') {
					await remove(step.key);
				} else if (step.kind === 'act') {
					service.act(step.deed);
				} else {
					service.deeds = [...step.deeds];
					service.fates = [...step.fates];
					service.swaps = [...step.swaps];
					await sync().catch(error => {
						if (!(error instanceof WorkerDied)) {
							throw error;
						}
					});
				}
			}

			service.deeds = [];
			service.fates = [];
			service.swaps = [];
			t.is(await sync(), 'synced');
			const {writes} = service;
			t.is(await sync(), 'synced');
			t.is(service.writes, writes, 'one sync is enough when nobody edits');

			const found = contents();
			for (const text of service.typed) {
				t.is(found.filter(one => one === text).length, 1, `${text} is there once`);
			}

			for (const key of ['a', 'b', 'c']) {
				t.true(found.filter(text => text.startsWith(`bot ${key}`)).length <= 1, `${key} is not there twice`);
			}

			for (const {key, text, status} of await list()) {
				t.is(found.includes(text), status.kind === 'synced', `${key} is ${status.kind}`);
				t.true('theirs' in status ? found.includes(status.theirs) : true);
			}
		}),
		500,
	);
});

test('a text that a person typed between our read and our write comes back as a draft of its own', async t => {
	const {service, put, sync, list, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	// Read, queue, read again, and then the write.
	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	await sync();

	t.deepEqual(contents(), ['bot a 1', 'typed 0']);
	t.like(await list(), [{text: 'bot a 1', status: {kind: 'synced'}}]);
});

test('the text comes back too if its event comes after that of our write', async t => {
	const {service, put, sync, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.swaps = [true];
	await sync();

	t.deepEqual(contents(), ['bot a 1', 'typed 0']);
});

test('the text comes back too if its event comes after the events were read', async t => {
	const {service, put, sync, contents, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.isTellingLate = true;
	await sync();
	t.deepEqual(contents(), ['bot a 1']);
	await sync();

	t.deepEqual(contents(), ['bot a 1', 'typed 0']);
	await sync();
	t.deepEqual(contents(), ['bot a 1', 'typed 0'], 'and only once');
	t.like(await list(), [{text: 'bot a 1', status: {kind: 'synced'}}]);
});

test('a text typed after our write is not restored, though its event comes after the events were read', async t => {
	const {service, put, sync, contents, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	// Read, queue, read, write. The person types before the events are read.
	service.deeds = [undefined, undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.isTellingLate = true;
	await sync();
	await sync();

	t.deepEqual(contents(), ['typed 0']);
	t.like(await list(), [{status: {kind: 'edited', theirs: 'typed 0'}}]);
});

test('a text typed right after our write is not restored, though its event comes before', async t => {
	const {service, put, sync, contents, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	// Read, queue, read, write. The person types before the events are read.
	service.deeds = [undefined, undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.swaps = [true];
	await sync();

	t.deepEqual(contents(), ['typed 0']);
	await sync();
	t.deepEqual((await list())[0]?.status, {kind: 'edited', theirs: 'typed 0'});
});

test('the text comes back too if the worker dies right after its write', async t => {
	const {service, put, sync, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.fates = ['answered', 'answered', 'answered', 'dies behind'];
	await t.throwsAsync(sync(), {instanceOf: WorkerDied});
	t.deepEqual(contents(), ['bot a 1']);
	await sync();

	t.deepEqual(contents(), ['bot a 1', 'typed 0']);
});

test('the text comes back too if the person deletes ours, and the event of our write comes last', async t => {
	const {service, put, sync, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	service.fates = [...Array<Fate>(3).fill('answered'), 'unanswered'];
	service.swaps = [false, true];
	t.is(await sync(), 'unknown');
	service.deeds = [{kind: 'delete', nth: 0}];
	await sync();

	t.deepEqual(contents(), ['typed 0']);
});

test('the text comes back too if the person types twice more, and the event of our write comes late', async t => {
	const {service, put, sync, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');

	// Read, queue, read, write, events, read.
	service.deeds = [undefined, undefined, undefined, ...Array<Deed>(3).fill({kind: 'type', nth: 0})];
	service.swaps = [false, true];
	await sync();

	t.deepEqual(contents().toSorted(), ['typed 0', 'typed 1', 'typed 2'], 'which of the two we overwrote cannot be told');
});

test('only one worker at a time syncs an account', async t => {
	const {put, sync, service} = open(createDraftStore(await connectToRedis(t)));
	await put('a');

	t.deepEqual((await Promise.all([sync(), sync()])).toSorted(), ['busy', 'synced']);
	t.is(service.writes, 1);
});

test('a draft is created again when the bot puts it after a person sent it', async t => {
	const {service, put, sync, list, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	service.act({kind: 'delete', nth: 0});
	await sync();
	t.deepEqual((await list())[0]?.status, {kind: 'gone'});

	await put('a');
	t.deepEqual((await list())[0]?.status, {kind: 'waiting'});
	await sync();

	t.deepEqual(contents(), ['bot a 1']);
});

test('a deleted draft is shown for a week', async t => {
	const {service, clock, put, sync, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	service.act({kind: 'delete', nth: 0});
	await sync();

	clock.now = 6 * 24 * 3600 * 1000;
	await put('b');
	await sync();
	t.is((await list()).length, 2);
	clock.now = 8 * 24 * 3600 * 1000;
	await sync();

	t.deepEqual(
		(await list()).map(({key}) => key),
		['b'],
	);
});

test("restoring a person's text is retried, and nothing is created twice", async t => {
	const {service, put, sync, contents, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');
	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	// Read, queue, read, write, events, read, read. Then the text is restored.
	service.fates = [...Array<Fate>(7).fill('answered'), 'refused'];
	await sync();

	t.deepEqual(contents(), ['bot a 1']);
	t.deepEqual(
		(await list()).map(({bot, text, status}) => [bot, text, status.kind]),
		[
			['', 'typed 0', 'refused'],
			[BOT, 'bot a 1', 'synced'],
		],
	);
	await sync();

	t.deepEqual(contents(), ['bot a 1', 'typed 0']);
	t.is((await list()).length, 1);
});

test('drafts that are refused after their first read are shown as refused, and nothing is written', async t => {
	const {service, put, remove, sync, list, contents} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await put('b');
	await sync();
	await put('a');
	await remove('b');
	const {writes} = service;
	const read = service.read;
	let reads = 0;
	service.read = async () => (++reads === 1 ? read() : {kind: 'refused', reason: 'off', isMissing: false});

	t.is(await sync(), 'synced');

	t.is(service.writes, writes);
	t.deepEqual(contents().toSorted(), ['bot a 0', 'bot b 1']);
	t.like(await list(), [{key: 'a', status: {kind: 'refused', reason: 'off'}}]);
	service.read = read;
	await put('a');
	await sync();
	t.deepEqual(contents(), ['bot a 3'], 'the removal is not forgotten');
});

test("a bot's change while a text is restored is written after it", async t => {
	const {service, put, sync, contents, list} = open(createDraftStore(await connectToRedis(t)));
	await put('a');
	await sync();
	await put('a');
	service.deeds = [undefined, undefined, undefined, {kind: 'type', nth: 0}];
	const read = service.read;
	let reads = 0;
	service.read = async () => {
		// The third one shows that the person's text was overwritten.
		if (++reads === 3) {
			await put('a');
		}

		return read();
	};

	t.is(await sync(), 'synced');

	t.deepEqual(contents(), ['bot a 2', 'typed 0']);
	t.like(await list(), [{text: 'bot a 2', status: {kind: 'synced'}}]);
});

test('a worker whose lock another one took writes nothing more', async t => {
	const redis = await connectToRedis(t);
	const {account, service, put, sync, contents, list} = open(createDraftStore(redis));
	await put('a');
	const read = service.read;
	service.read = async () => {
		for (const key of await redis.keys(`*${account}*lock`)) {
			await redis.set(key, 'another worker');
		}

		return read();
	};

	t.is(await sync(), 'busy');

	t.deepEqual(contents(), []);
	t.like(await list(), [{status: {kind: 'waiting'}}]);
});
