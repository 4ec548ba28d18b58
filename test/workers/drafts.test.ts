// The worker against a real realm and a real Redis; people use the same API.

import test, {type ExecutionContext} from 'ava';
import type {Client} from '../../src/client/client.js';
import {accountTag} from '../../src/delivery/ref.js';
import {createDraftStore} from '../../src/drafts/store.js';
import {connectRedis} from '../../src/queue/connection.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {startWorker, TryLater} from '../../src/queue/define-worker.js';
import {drafts, lineUpSync} from '../../src/queue/drafts.js';
import {startRealm} from '../../src/realm/index.js';
import worker, {type DraftTools} from '../../workers/drafts.js';
import {signIn} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';

const BOT = 'assistant-bot@bothy.example';
const quiet = {info() {}, warn() {}, error() {}};

async function start(t: ExecutionContext) {
	const calls: string[] = [];
	const realm = await startRealm({
		file: ':memory:',
		port: 0,
		rateLimit: false,
		log: line => calls.push(String(line.operation)),
	});
	t.teardown(() => realm.close());
	const redisUrl = await startRedis(t);
	const store = createDraftStore(await connect(t, redisUrl));
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const account = {site: realm.url, email: 'alice@bothy.example'};
	const tag = accountTag(account);
	const tools: DraftTools = {
		accounts: [account],
		store,
		log: quiet,
		now: Date.now,
		clientOf: () => alice,
		wake: async () => {},
	};
	return {
		realm,
		redisUrl,
		alice,
		account,
		tools,
		put: (key: string, text: string, target: object = {channel: 'general', topic: 'tea'}) =>
			store.put(tag, BOT, {key, target: JSON.stringify(target), text}),
		remove: (key: string) => store.remove(tag, BOT, key),
		sync: (with_: Partial<DraftTools> = {}) => worker.run({v: 1, account}, {...tools, ...with_}, 0),
		/** Status by key. */
		async statuses() {
			return Object.fromEntries((await store.list(tag)).map(({key, status}) => [key, status]));
		},
		async inRealm() {
			return (await alice.getDrafts()).drafts;
		},
		async contents() {
			return (await alice.getDrafts()).drafts.map(({content}) => content);
		},
		async trouble(body: object, path = 'calls') {
			const headers = {'content-type': 'application/json'};
			const url = `${realm.url}/trouble/${path}`;
			t.is((await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)})).status, 200);
		},
		/** How often an operation was called since the last question. */
		called(operation: string): number {
			return calls.splice(0).filter(call => call === operation).length;
		},
	};
}

test('many drafts are created by one call, and stand where they are addressed', async t => {
	const {put, sync, called, statuses, inRealm, alice, realm} = await start(t);
	const bob = await signIn(t, realm.url, 'bob@bothy.example');
	const {streams} = await alice.getStreams();
	const general = streams.find(({name}) => name === 'general')?.stream_id ?? 0;
	await put('name', 'a', {channel: 'General', topic: 'tea'});
	await put('id', 'b', {channel: general, topic: ''});
	await put('email', 'c', {dm: ['BOB@bothy.example']});
	await put('group', 'd', {dm: [alice.id, bob.id]});
	await put('self', 'e', {dm: [alice.id]});
	called('');

	await sync();

	t.is(called('createDrafts'), 1);
	t.deepEqual(new Set(Object.values(await statuses()).map(({kind}) => kind)), new Set(['synced']));
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
	t.is(called('createDrafts'), 0);
	t.deepEqual(new Set(Object.values(await statuses()).map(({kind}) => kind)), new Set(['synced']));
});

test('what a bot changes and removes is changed and removed', async t => {
	const {put, remove, sync, contents, statuses} = await start(t);
	await put('a', 'one');
	await put('b', 'two');
	await sync();

	await put('a', 'three');
	await remove('b');
	await sync();

	t.deepEqual(await contents(), ['three']);
	t.deepEqual(await statuses(), {a: {kind: 'synced'}});
});

test("a person's edit stays, and the bot learns what they wrote", async t => {
	const {put, sync, contents, statuses, alice, inRealm} = await start(t);
	await put('a', 'ours');
	await sync();
	const [draft] = await inRealm();
	const edited = {type: 'stream', to: draft?.to ?? [], topic: 'tea', content: 'theirs'} as const;
	await alice.editDraft({draft_id: draft?.id ?? 0, draft: edited});

	await sync();
	t.deepEqual(await statuses(), {a: {kind: 'edited', theirs: 'theirs'}});
	await put('a', 'ours again');
	t.deepEqual(await statuses(), {a: {kind: 'waiting'}});
	await sync();

	t.deepEqual(await statuses(), {a: {kind: 'conflict', theirs: 'theirs'}});
	t.deepEqual(await contents(), ['theirs']);
});

test('a draft that a person sent or deleted is gone', async t => {
	const {put, sync, statuses, alice, inRealm} = await start(t);
	await put('a', 'ours');
	await sync();
	await alice.deleteDraft({draft_id: (await inRealm())[0]?.id ?? 0});

	await sync();

	t.deepEqual(await statuses(), {a: {kind: 'gone'}});
});

type Order = 'before ours' | 'behind ours' | 'behind ours, a moment later';

/** A client on whose way a person types right before we edit or delete their draft; the events come in that order. */
function hasty({alice, trouble}: Awaited<ReturnType<typeof start>>, {id, order}: {id: number; order: Order}): Client {
	let polls = 0;
	async function type() {
		if (order !== 'before ours') {
			await trouble({event_type: 'drafts', within_ms: 3_600_000}, 'swaps');
		}

		await alice.editDraft({draft_id: id, draft: {type: '', to: [], topic: '', content: 'typed in the gap'}});
	}

	return {
		...alice,
		async editDraft(...args) {
			await type();
			return alice.editDraft(...args);
		},
		async deleteDraft(...args) {
			await type();
			return alice.deleteDraft(...args);
		},
		async getEvents(...args) {
			const told = await alice.getEvents(...args);
			const isTooEarly = order === 'behind ours, a moment later' && ++polls === 1;
			return isTooEarly ? {...told, events: told.events.slice(0, 1)} : told;
		},
	};
}

for (const order of ['before ours', 'behind ours', 'behind ours, a moment later'] as const) {
	test(`a person's edit between our look and our PATCH comes back as a draft of its own, told ${order}`, async t => {
		const scene = await start(t);
		const {put, sync, contents, inRealm, statuses} = scene;
		await put('a', 'one');
		await sync();
		const id = (await inRealm())[0]?.id ?? 0;
		await put('a', 'two');

		await sync({clientOf: () => hasty(scene, {id, order})});

		t.deepEqual((await contents()).toSorted(), ['two', 'typed in the gap']);
		t.deepEqual(await statuses(), {a: {kind: 'synced'}});
		t.is((await inRealm()).find(({id: one}) => one === id)?.content, 'two');
	});

	test(`the same between our look and our DELETE, told ${order}`, async t => {
		const scene = await start(t);
		const {put, remove, sync, contents, inRealm} = scene;
		await put('a', 'one');
		await sync();
		const id = (await inRealm())[0]?.id ?? 0;
		await remove('a');

		await sync({clientOf: () => hasty(scene, {id, order})});

		t.deepEqual(await contents(), ['typed in the gap']);
	});
}

test('when the events of the gap are lost, the sync goes on and says so', async t => {
	const {put, sync, contents, alice, realm} = await start(t);
	await put('a', 'one');
	await sync();
	await put('a', 'two');
	const warned: string[] = [];
	const forgetful: Client = {
		...alice,
		async getEvents(...args) {
			const headers = {'content-type': 'application/json'};
			const body = JSON.stringify({queue_id: args[0]?.queue_id});
			await fetch(`${realm.url}/trouble/expire-queue`, {method: 'POST', headers, body});
			return alice.getEvents(...args);
		},
	};

	await sync({
		clientOf: () => forgetful,
		log: {...quiet, warn: (_fields: object, message: string) => warned.push(message)},
	});

	t.deepEqual(await contents(), ['two']);
	t.deepEqual(warned, ['events of drafts were lost; an edit of the last moment may be too']);
});

test('no event queue is left behind', async t => {
	const {put, sync, realm} = await start(t);
	await put('a', 'one');
	await sync();
	await put('a', 'two');
	await sync();

	const state = (await (await fetch(`${realm.url}/trouble`)).json()) as {event_queues: number};
	t.is(state.event_queues, 0);
});

const settles = test.macro({
	title: (_, kind) => `a creation that ends with ${kind} leaves one draft, not two`,
	async exec(t, kind: string) {
		const {put, sync, trouble, contents, statuses} = await start(t);
		await put('a', 'one');
		await put('b', 'two');
		await trouble({kind, operation: 'createDrafts'});

		await t.throwsAsync(sync(), {instanceOf: TryLater});
		await put('a', 'three');
		await sync();

		t.deepEqual((await contents()).toSorted(), ['three', 'two']);
		t.deepEqual(await statuses(), {a: {kind: 'synced'}, b: {kind: 'synced'}});
	},
});

test(settles, 'accept-and-break');
test(settles, 'break-before');
test(settles, 'unreadable');
test(settles, '500');
test(settles, '502-html');

const waits = test.macro({
	title: (_, {operation}: {operation: string; earlier: boolean}) =>
		`a 429 of ${operation} is waited for, and nothing is refused`,
	async exec(t, {operation, earlier}: {operation: string; earlier: boolean}) {
		const {put, sync, trouble, contents, statuses} = await start(t);
		if (earlier) {
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
		t.deepEqual(await statuses(), {a: {kind: 'synced'}});
	},
});

test(waits, {operation: 'getDrafts', earlier: false});
test(waits, {operation: 'createDrafts', earlier: false});
test(waits, {operation: 'register', earlier: true});
test(waits, {operation: 'editDraft', earlier: true});
test(waits, {operation: 'getEvents', earlier: true});

test('a service that is not there is waited for', async t => {
	const {put, sync, realm, statuses} = await start(t);
	await put('a', 'one');
	await realm.close();

	await t.throwsAsync(sync(), {instanceOf: TryLater});

	t.deepEqual(await statuses(), {a: {kind: 'waiting'}});
});

const refused = test.macro({
	title: (title = '') => `${title} is refused with the reason; what else there is comes through`,
	async exec(t, {text = 'x', target, reason}: {text?: string; target?: object; reason: string}) {
		const {put, sync, statuses, contents, called} = await start(t);
		await put('good', 'good');
		await put('bad', text, target);

		await sync();

		t.deepEqual(await statuses(), {good: {kind: 'synced'}, bad: {kind: 'refused', reason}});
		t.deepEqual(await contents(), ['good']);
		called('');
		await sync();
		t.is(called('createDrafts'), 0, 'it is not tried again');

		await put('bad', 'better', {channel: 'general', topic: 'tea'});
		await sync();
		t.deepEqual((await contents()).toSorted(), ['better', 'good']);
	},
});

test('a channel that does not exist', refused, {
	target: {channel: 9999, topic: 'x'},
	reason: 'Invalid channel ID (BAD_REQUEST)',
});
test('a channel name that does not exist', refused, {
	target: {channel: 'nope', topic: 'x'},
	reason: "Channel 'nope' does not exist",
});
test('a person who does not exist', refused, {
	target: {dm: [9999]},
	reason: 'Invalid user ID 9999 (BAD_REQUEST)',
});
test('an email that does not exist', refused, {
	target: {dm: ['nobody@bothy.example']},
	reason: "Invalid email 'nobody@bothy.example'",
});
test('a blank text', refused, {text: ' ', reason: 'drafts[0]["content"] cannot be blank (BAD_REQUEST)'});
test('a null byte', refused, {text: 'a\0b', reason: 'Message must not contain null bytes (BAD_REQUEST)'});

test('a refused edit keeps what stands there', async t => {
	const {put, sync, statuses, contents} = await start(t);
	await put('a', 'one');
	await sync();
	await put('a', 'a\0b');

	await sync();

	t.deepEqual(await statuses(), {a: {kind: 'refused', reason: 'Message must not contain null bytes (BAD_REQUEST)'}});
	t.deepEqual(await contents(), ['one']);
});

test('what cannot be said leaves alone what stands there, also when the person edits it', async t => {
	const {put, sync, statuses, contents, alice, inRealm} = await start(t);
	const refusal = {a: {kind: 'refused', reason: "Channel 'nope' does not exist"}};
	await put('a', 'one');
	await sync();
	await put('a', 'two', {channel: 'nope', topic: 'x'});
	await sync();
	t.deepEqual(await statuses(), refusal);
	t.deepEqual(await contents(), ['one']);
	const id = (await inRealm())[0]?.id ?? 0;
	await alice.editDraft({draft_id: id, draft: {type: '', to: [], topic: '', content: 'typed'}});

	await put('b', 'other');
	await sync();
	t.like(await statuses(), refusal);
	await put('a', 'three');
	await sync();

	t.deepEqual((await statuses()).a, {kind: 'conflict', theirs: 'typed'});
	t.deepEqual((await contents()).toSorted(), ['other', 'typed']);
});

test('drafts of somebody who switched synchronization off are refused, and come through once it is on', async t => {
	const {put, sync, statuses, contents, alice} = await start(t);
	const reason = 'User has disabled synchronizing drafts. (BAD_REQUEST)';
	await put('before', 'one');
	await sync();
	await alice.updateSettings({enable_drafts_synchronization: false});
	await put('after', 'two');

	await sync();
	t.deepEqual(await statuses(), {before: {kind: 'refused', reason}, after: {kind: 'refused', reason}});

	await alice.updateSettings({enable_drafts_synchronization: true});
	await put('after', 'two');
	await sync();
	t.deepEqual(await statuses(), {before: {kind: 'gone'}, after: {kind: 'synced'}});
	t.deepEqual(await contents(), ['two']);
});

test('many changes in a short time make one sync, and a change during a sync makes one more', async t => {
	const {put, redisUrl, tools, account, alice, contents, called} = await start(t);
	const listener = {onLost() {}, onBack() {}};
	const connections = [connectRedis(redisUrl, {listener}), connectRedis(redisUrl, {listener})] as const;
	const queue = openQueue(drafts, connections[0]);
	let during: (() => Promise<void>) | undefined = async () => {
		await put('late', 'late');
		await lineUpSync(queue, account);
	};
	let done = () => {};
	const isDone = new Promise<void>(resolve => {
		done = resolve;
	});
	const watched: Client = {
		...alice,
		async createDrafts(...args) {
			const created = await alice.createDrafts(...args);
			if (during) {
				await during();
				during = undefined;
			} else {
				done();
			}

			return created;
		},
	};
	const running = await startWorker(worker, connections[1], {...tools, clientOf: () => watched});
	// Side by side, so that the time is short on a busy machine, too.
	await Promise.all(
		Array.from({length: 20}, async (_, n) => {
			await put(`key ${n}`, `text ${n}`);
			await lineUpSync(queue, account);
		}),
	);

	await isDone;
	await running.close();

	t.is(called('createDrafts'), 2);
	t.is((await contents()).length, 21);
	await queue.close();
	for (const connection of connections) {
		connection.disconnect();
	}
});

test('while a 429 is waited for, changes wait with it, and then all come through', async t => {
	const {put, redisUrl, tools, account, alice, contents, called, trouble} = await start(t);
	const listener = {onLost() {}, onBack() {}};
	const connections = [connectRedis(redisUrl, {listener}), connectRedis(redisUrl, {listener})] as const;
	const queue = openQueue(drafts, connections[0]);
	let done = () => {};
	const isDone = new Promise<void>(resolve => {
		done = resolve;
	});
	let looks = 0;
	const watched: Client = {
		...alice,
		async getDrafts(...args) {
			looks++;
			if (looks === 1) {
				// The job is active now; a moment later it waits.
				await put('during', 'during');
				await lineUpSync(queue, account);
			}

			return alice.getDrafts(...args).catch(async error => {
				setTimeout(async () => {
					await put('waiting', 'waiting');
					await lineUpSync(queue, account);
				}, 200);
				throw error;
			});
		},
		async createDrafts(...args) {
			const created = await alice.createDrafts(...args);
			done();
			return created;
		},
	};
	const running = await startWorker(worker, connections[1], {...tools, clientOf: () => watched});
	await trouble({kind: '429', operation: 'getDrafts', retry_after: 1.5});
	await put('first', 'first');
	await lineUpSync(queue, account);

	await isDone;
	await running.close();

	t.is(looks, 2, 'nobody looked before the time');
	t.is(called('createDrafts'), 1);
	t.deepEqual((await contents()).toSorted(), ['during', 'first', 'waiting']);
	await queue.close();
	for (const connection of connections) {
		connection.disconnect();
	}
});

test('every minute those accounts are synced that have something to look after', async t => {
	const {put, sync, tools, account, alice, inRealm} = await start(t);
	const woken: string[] = [];
	const look = () =>
		worker.run(
			{v: 1},
			{
				...tools,
				accounts: [account, {...account, email: 'bob@bothy.example'}],
				wake: async ({email}) => {
					woken.push(email);
				},
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
	await alice.deleteDraft({draft_id: (await inRealm())[0]?.id ?? 0});
	await sync();
	await look();
	t.is(woken.length, 2, 'what is gone is watched no more');
});
