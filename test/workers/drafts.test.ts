// The worker with a real realm and a real Redis. People use the same API.

import test, {type ExecutionContext} from 'ava';
import {Queue} from 'bullmq';
import type {NewDraft} from '../../src/api/index.js';
import {type Client, createClient} from '../../src/client/client.js';
import {createDraftStore} from '../../src/drafts/store.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {startWorker, TryLater} from '../../src/queue/define-worker.js';
import {drafts, enqueueSync} from '../../src/queue/drafts.js';
import {accountTag} from '../../src/redis/account-key.js';
import worker, {type DraftDependencies} from '../../workers/drafts.js';
import {signIn} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';
import {until} from '../helpers/until.js';
import {openPerson} from './shared-realm.js';

const BOT = 'assistant-bot@bothy.example';
const SYNCED = {kind: 'synced'};
const quiet = {info() {}, warn() {}, error() {}};
const note = (content: string): NewDraft => ({type: '', to: [], topic: '', content});

async function start(t: ExecutionContext) {
	const opened = await openPerson(t);
	const {person: alice, realm} = opened;
	const redisUrl = await openRedis(t);
	const store = createDraftStore(await connect(t, redisUrl));
	const account = {site: realm.url, email: alice.email};
	const tag = accountTag(account);
	const dependencies: DraftDependencies = {
		accounts: [account],
		store,
		log: quiet,
		now: Date.now,
		clientOf: () => alice,
		enqueue: async () => {},
	};
	const inRealm = async () => (await alice.getDrafts()).drafts;
	const stranger = createClient({...account, key: 'x'.repeat(32), userAgent: 'test/1'});
	t.teardown(() => stranger.close());
	return {
		...opened,
		redisUrl,
		alice,
		/** Has a wrong key. */
		stranger,
		account,
		dependencies,
		put: (key: string, text: string, target: object = {channel: 'general', topic: 'tea'}) =>
			store.put(tag, BOT, {key, target: JSON.stringify(target), text}),
		remove: (key: string) => store.remove(tag, BOT, key),
		sync: (with_: Partial<DraftDependencies> = {}) => worker.run({v: 1, account}, {...dependencies, ...with_}, 0),
		/** Status by key. */
		async statuses() {
			return Object.fromEntries((await store.list(tag)).map(({key, status}) => [key, status]));
		},
		inRealm,
		contents: async () => (await inRealm()).map(({content}) => content).toSorted(),
		/** The person types into the first draft. */
		async type(content: string) {
			await alice.editDraft({draft_id: (await inRealm())[0]?.id ?? 0, draft: note(content)});
		},
		/** The person sends or deletes the first draft. */
		async drop() {
			await alice.deleteDraft({draft_id: (await inRealm())[0]?.id ?? 0});
		},
	};
}

test('one call creates many drafts, each with its recipients', async t => {
	const {put, sync, called, statuses, inRealm, alice, realm} = await start(t);
	const bob = await signIn(t, realm.url, 'bob@bothy.example');
	const general = (await alice.getStreams()).streams.find(({name}) => name === 'general')?.stream_id ?? 0;
	await put('name', 'a', {channel: 'General', topic: 'tea'});
	await put('id', 'b', {channel: general, topic: ''});
	await put('email', 'c', {dm: ['BOB@bothy.example']});
	await put('group', 'd', {dm: [alice.id, bob.id]});
	await put('self', 'e', {dm: [alice.id]});
	called();

	await sync();

	t.is(called('createDrafts').length, 1);
	const all = {name: SYNCED, id: SYNCED, email: SYNCED, group: SYNCED, self: SYNCED};
	t.deepEqual(await statuses(), all);
	t.deepEqual(
		(await inRealm())
			.toSorted((one, other) => (one.content < other.content ? -1 : 1))
			.map(({type, to, topic, content}) => [content, type, to, topic]),
		[
			['a', 'stream', [general], 'tea'],
			['b', 'stream', [general], ''],
			['c', 'private', [bob.id], ''],
			['d', 'private', [bob.id], ''],
			['e', 'private', [alice.id], ''],
		],
	);

	await sync();
	t.is(called('createDrafts').length, 0);
	t.deepEqual(await statuses(), all);
});

test('drafts that a bot changes and removes are changed and removed, and no event queue stays', async t => {
	const {put, remove, sync, contents, statuses, called} = await start(t);
	await put('a', 'one');
	await put('b', 'two');
	await sync();

	await put('a', 'three');
	await remove('b');
	called();
	await sync();

	t.deepEqual(await contents(), ['three']);
	t.deepEqual(await statuses(), {a: SYNCED});
	t.deepEqual(called('register', 'deleteQueue'), ['register']);

	await sync();
	t.deepEqual(called('deleteQueue'), ['deleteQueue'], 'after one more look at what is told late');
});

test("a person's edit stays and the bot gets its text, and a draft that the person sent or deleted is gone", async t => {
	const {put, sync, contents, statuses, type, drop} = await start(t);
	await put('a', 'ours');
	await sync();
	await type('theirs');

	await sync();
	t.deepEqual(await statuses(), {a: {kind: 'edited', theirs: 'theirs'}});
	await put('a', 'ours again');
	t.deepEqual(await statuses(), {a: {kind: 'waiting'}});
	await sync();

	t.deepEqual(await statuses(), {a: {kind: 'conflict', theirs: 'theirs'}});
	t.deepEqual(await contents(), ['theirs']);
	await drop();
	await sync();
	t.deepEqual(await statuses(), {a: {kind: 'gone'}});
});

type Order = 'before ours' | 'behind ours' | 'behind ours, a moment later';

/** A client with which a person types right before we edit or delete their draft. The events come in that order. */
function hasty({alice, account, trouble, type}: Awaited<ReturnType<typeof start>>, order: Order): Client {
	let polls = 0;
	const before =
		<Words extends unknown[], Result>(call: (...words: Words) => Promise<Result>) =>
		async (...words: Words) => {
			if (order !== 'before ours') {
				await trouble({account: account.email, event_type: 'drafts', within_ms: 3_600_000}, 'swaps');
			}

			await type('typed in the gap');
			return call(...words);
		};

	return {
		...alice,
		editDraft: before(alice.editDraft),
		deleteDraft: before(alice.deleteDraft),
		async getEvents(...args) {
			const told = await alice.getEvents(...args);
			const isTooEarly = order === 'behind ours, a moment later' && ++polls === 1;
			return isTooEarly ? {...told, events: told.events.slice(0, 1)} : told;
		},
	};
}

for (const order of ['before ours', 'behind ours', 'behind ours, a moment later'] as const) {
	for (const [what, expected] of [
		['PATCH', ['two', 'typed in the gap']],
		['DELETE', ['typed in the gap']],
	] as const) {
		test(`a person's edit between our read and our ${what} comes back as a draft of its own, reported ${order}`, async t => {
			const scene = await start(t);
			const {put, remove, sync, contents, inRealm, statuses} = scene;
			await put('a', 'one');
			await sync();
			const id = (await inRealm())[0]?.id ?? 0;
			await (what === 'PATCH' ? put('a', 'two') : remove('a'));

			await sync({clientOf: () => hasty(scene, order)});

			t.deepEqual(await contents(), [...expected]);
			t.is((await inRealm()).find(({id: one}) => one === id)?.content, what === 'PATCH' ? 'two' : undefined);
			t.deepEqual(await statuses(), what === 'PATCH' ? {a: SYNCED} : {});
		});
	}
}

test('if the events of the gap are lost, the sync continues and reports it', async t => {
	const {put, sync, contents, alice, trouble} = await start(t);
	await put('a', 'one');
	await sync();
	await put('a', 'two');
	const warned: string[] = [];
	const forgetful: Client = {
		...alice,
		async getEvents(...args) {
			await trouble({queue_id: args[0]?.queue_id}, 'expire-queue');
			return alice.getEvents(...args);
		},
	};

	await sync({clientOf: () => forgetful, log: {...quiet, warn: (_, message) => warned.push(message)}});

	t.deepEqual(await contents(), ['two']);
	t.deepEqual(warned, ["lost events of drafts; a person's last edit may be lost too"]);
});

for (const kind of ['accept-and-break', 'break-before', 'unreadable', '500', '502-html']) {
	test(`a creation that ends with ${kind} leaves one draft, not two`, async t => {
		const {put, sync, trouble, contents, statuses} = await start(t);
		await put('a', 'one');
		await put('b', 'two');
		await trouble({kind, operation: 'createDrafts'});

		await t.throwsAsync(sync(), {instanceOf: TryLater});
		await put('a', 'three');
		await sync();

		t.deepEqual(await contents(), ['three', 'two']);
		t.deepEqual(await statuses(), {a: SYNCED, b: SYNCED});
	});
}

for (const [operation, isThere] of [
	['getDrafts', false],
	['createDrafts', false],
	['register', true],
	['editDraft', true],
	['getEvents', true],
] as const) {
	test(`a 429 of ${operation} is waited out, and nothing is refused`, async t => {
		const {put, sync, trouble, contents, statuses} = await start(t);
		if (isThere) {
			await put('a', 'zero');
			await sync();
		}

		await put('a', 'one');
		await trouble({kind: '429', operation, retry_after: 2.5});

		const error = await t.throwsAsync<TryLater>(sync(), {instanceOf: TryLater});
		t.is(error?.delayMs, 2500);
		t.not((await statuses()).a?.kind, 'refused');
		await sync();

		t.deepEqual(await contents(), ['one']);
		t.deepEqual(await statuses(), {a: SYNCED});
	});
}

test('a sync waits for a service that cannot be reached', async t => {
	const {put, sync, statuses} = await start(t);
	await put('a', 'one');
	const lost = createClient({site: 'http://127.0.0.1:1', email: 'a', key: 'b', userAgent: 'test/1'});
	t.teardown(() => lost.close());

	await t.throwsAsync(sync({clientOf: () => lost}), {instanceOf: TryLater});

	t.deepEqual(await statuses(), {a: {kind: 'waiting'}});
});

test('a sync waits for a service that does not answer what it asks, and refuses nothing', async t => {
	const {put, sync, statuses, contents, trouble} = await start(t);
	await put('a', 'one');
	await trouble({kind: '500', operation: 'getDrafts', count: 3});

	await t.throwsAsync(sync(), {instanceOf: TryLater});
	t.deepEqual(await statuses(), {a: {kind: 'waiting'}});
	await sync();

	t.deepEqual(await contents(), ['one']);
});

for (const [operation, target] of [
	['getStreams', {channel: 'general', topic: 'tea'}],
	['getUsers', {dm: ['bob@bothy.example']}],
	['getOwnUser', {dm: [8]}],
] as const) {
	test(`a draft is refused with the reason for which the service refuses ${operation}, and the others succeed`, async t => {
		const {put, sync, statuses, contents, alice, stranger} = await start(t);
		await put('good', 'a', {channel: 1, topic: 'tea'});
		await put('bad', 'b', target);

		await sync({clientOf: () => ({...alice, [operation]: stranger[operation]})});

		const refused = {kind: 'refused', reason: 'Invalid API key (UNAUTHORIZED)'};
		t.deepEqual(await statuses(), {good: SYNCED, bad: refused});
		t.deepEqual(await contents(), ['a']);
	});
}

test('without an event queue no draft is overwritten', async t => {
	const {put, sync, statuses, contents, alice, stranger} = await start(t);
	await put('a', 'one');
	await sync();
	await put('a', 'two');

	await t.throwsAsync(sync({clientOf: () => ({...alice, register: stranger.register})}), {
		message: 'Expected an event queue for drafts, but the service refused it: Invalid API key (UNAUTHORIZED)',
	});

	t.deepEqual(await contents(), ['one']);
	await sync();
	t.deepEqual(await contents(), ['two']);
	t.deepEqual(await statuses(), {a: SYNCED});
});

const NULL_BYTE = 'Message must not contain null bytes (BAD_REQUEST)';

for (const [what, {text = 'x', target, reason}] of Object.entries<{text?: string; target?: object; reason: string}>({
	'a channel that does not exist': {target: {channel: 9999, topic: 'x'}, reason: 'Invalid channel ID (BAD_REQUEST)'},
	'a channel name that does not exist': {
		target: {channel: 'nope', topic: 'x'},
		reason: "Channel 'nope' does not exist",
	},
	'a person who does not exist': {target: {dm: [9999]}, reason: 'Invalid user ID 9999 (BAD_REQUEST)'},
	'an email that does not exist': {
		target: {dm: ['nobody@bothy.example']},
		reason: "Invalid email 'nobody@bothy.example'",
	},
	'a blank text': {text: ' ', reason: 'drafts[0]["content"] cannot be blank (BAD_REQUEST)'},
	'a null byte': {text: 'a\0b', reason: NULL_BYTE},
})) {
	test(`${what} is refused with the reason, and the other drafts succeed`, async t => {
		const {put, sync, statuses, contents, called} = await start(t);
		await put('good', 'good');
		await put('bad', text, target);

		await sync();

		t.deepEqual(await statuses(), {good: SYNCED, bad: {kind: 'refused', reason}});
		t.deepEqual(await contents(), ['good']);
		called();
		await sync();
		t.is(called('createDrafts').length, 0, 'it is not tried again');

		await put('bad', 'better', {channel: 'general', topic: 'tea'});
		await sync();
		t.deepEqual(await contents(), ['better', 'good']);
	});
}

test('a refused draft does not change the existing one, even if the person edits it', async t => {
	const {put, sync, statuses, contents, type} = await start(t);
	const reason = "Channel 'nope' does not exist";
	await put('a', 'one');
	await sync();
	await put('a', 'a\0b');
	await sync();
	t.deepEqual(await statuses(), {a: {kind: 'refused', reason: NULL_BYTE}});
	await put('a', 'two', {channel: 'nope', topic: 'x'});
	await sync();
	t.deepEqual(await statuses(), {a: {kind: 'refused', reason}});
	t.deepEqual(await contents(), ['one']);
	await type('typed');

	await put('b', 'other');
	await sync();
	t.like(await statuses(), {a: {kind: 'refused', reason}});
	await put('a', 'three');
	await sync();

	t.deepEqual((await statuses()).a, {kind: 'conflict', theirs: 'typed'});
	t.deepEqual(await contents(), ['other', 'typed']);
});

test('drafts of a person who switched synchronization off are refused, and succeed once it is on', async t => {
	const {put, sync, statuses, contents, alice} = await start(t);
	const refused = {kind: 'refused', reason: 'User has disabled synchronizing drafts. (BAD_REQUEST)'};
	await put('before', 'one');
	await sync();
	await alice.updateSettings({enable_drafts_synchronization: false});
	await put('after', 'two');

	await sync();
	t.deepEqual(await statuses(), {before: refused, after: refused});

	await alice.updateSettings({enable_drafts_synchronization: true});
	await put('after', 'two');
	await sync();
	t.deepEqual(await statuses(), {before: {kind: 'gone'}, after: SYNCED});
	t.deepEqual(await contents(), ['two']);
});

/** The queue of syncs, and a worker that takes its jobs once it has started. */
async function openSyncs(t: ExecutionContext, {redisUrl, account, dependencies}: Awaited<ReturnType<typeof start>>) {
	const connection = await connect(t, redisUrl);
	const queue = openQueue(drafts, connection);
	const raw = new Queue('drafts', {connection, prefix: '{bothy}'});
	t.teardown(() => Promise.all([queue.close(), raw.close()]));
	return {
		enqueue: () => enqueueSync(queue, account),
		/** Delayed jobs for the account. */
		delayed: async () => (await raw.getDelayed()).filter(({data}) => 'account' in data),
		countWaiting: () => raw.getWaitingCount(),
		/** Starts the worker with this client. */
		async start(client: Client) {
			const running = await startWorker(worker, await connect(t, redisUrl), {...dependencies, clientOf: () => client});
			t.teardown(() => running.close());
			return running;
		},
	};
}

/** An event that a test waits for. */
function gate() {
	let open = () => {};
	const opened = new Promise<void>(resolve => {
		open = resolve;
	});
	return {open, opened};
}

test('many changes in a short time make one sync, and a change during a sync makes one more', async t => {
	const host = await start(t);
	const {put, alice, contents, called} = host;
	const syncs = await openSyncs(t, host);
	for (let n = 0; n < 20; n++) {
		await put(`key ${n}`, `text ${n}`);
		await syncs.enqueue();
	}

	const {open, opened} = gate();
	let isFirst = true;
	const running = await syncs.start({
		...alice,
		async createDrafts(...args) {
			const created = await alice.createDrafts(...args);
			if (isFirst) {
				isFirst = false;
				await put('late', 'late');
				await Promise.all([syncs.enqueue(), syncs.enqueue()]);
			} else {
				open();
			}

			return created;
		},
	});

	await opened;
	await running.close();

	t.is(called('createDrafts').length, 2);
	t.is((await contents()).length, 21);
});

test('changes wait while a 429 is waited out, and then all of them succeed', async t => {
	const host = await start(t);
	const {put, alice, contents, called, trouble} = host;
	const {enqueue, delayed, countWaiting, start: startSyncs} = await openSyncs(t, host);
	const {open, opened} = gate();
	let looks = 0;
	await trouble({kind: '429', operation: 'getDrafts', retry_after: 3600});
	await put('first', 'first');
	await enqueue();
	const running = await startSyncs({
		...alice,
		async getDrafts(...args) {
			looks++;
			if (looks === 1) {
				await put('during', 'during');
				await enqueue();
			}

			return alice.getDrafts(...args);
		},
		async createDrafts(...args) {
			const created = await alice.createDrafts(...args);
			open();
			return created;
		},
	});
	await until(() => looks === 1);
	await until(async () => (await delayed()).length > 0);

	await put('waiting', 'waiting');
	await enqueue();
	t.is(await countWaiting(), 0);
	const [job, ...others] = await delayed();
	t.deepEqual(others, []);
	t.is(looks, 1, 'nobody looked before the time');
	await job?.promote();

	await opened;
	await running.close();
	t.is(called('createDrafts').length, 1);
	t.deepEqual(await contents(), ['during', 'first', 'waiting']);
});

test('the accounts that have drafts to sync are synced every minute', async t => {
	const {put, sync, dependencies, account, drop} = await start(t);
	const woken: string[] = [];
	const look = () =>
		worker.run(
			{v: 1},
			{
				...dependencies,
				accounts: [account, {...account, email: 'bob@bothy.example'}],
				enqueue: async ({email}) => void woken.push(email),
			},
			0,
		);

	await look();
	t.deepEqual(woken, []);
	await put('a', 'one');
	await look();
	await sync();
	await look();
	t.deepEqual(woken, [account.email, account.email]);
	await drop();
	await sync();
	await look();
	t.is(woken.length, 2, 'what is gone is watched no more');
});
