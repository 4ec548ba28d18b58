// Polled accounts with a real realm and a real Redis: which messages become deliveries, and that each does so once,
// whichever process dies.

import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import Database from 'libsql';
import type {Payload} from '../../src/api/index.js';
import {type Client, createClient} from '../../src/client/client.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {createInbox} from '../../src/events/inbox.js';
import {readHistory} from '../../src/events/message-events.js';
import type {Sleep} from '../../src/events/retry.js';
import {startRealm} from '../../src/realm/index.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import startEvents, {type EventDependencies} from '../../workers/events.js';
import {dataFolder, signIn} from '../helpers/bothy.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {until} from '../helpers/until.js';

const silent = {info() {}, warn() {}, error() {}};

/** No limit here on how often to poll. */
const quickly: Sleep = (ms, signal) => sleep(ms / 50, undefined, {signal});

async function start(t: ExecutionContext) {
	const file = join(await dataFolder(t), 'realm.db');
	let realm = await startRealm({file, port: 0, rateLimit: false});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const other = realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: 'http://127.0.0.1:9/'});
	const database = new Database(file, {timeout: 2000});
	// 1 is a bot that gets no webhooks. The realm itself makes none.
	database.exec("UPDATE accounts SET bot_type = 1 WHERE email = 'echo-bot@bothy.example'");
	database.close();

	const redis = await connectToRedis(t);
	const inbox = createInbox(redis);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const taken: Payload[] = [];
	const logged: {message: string; fields: Record<string, unknown>}[] = [];
	const log = (fields: object, message: string) => logged.push({message, fields: {...fields}});

	/** A process that polls. */
	const startPoller = (more: Partial<EventDependencies> = {}) => {
		const client = createClient({...bot, userAgent: 'test/1', timeoutMs: 60_000});
		const poller = startEvents([bot], {
			inbox,
			log: {info: log, warn: log, error: log},
			clientOf: () => client,
			async deliver(_account, work) {
				if (work.kind === 'message') {
					taken.push(work.payload);
				}
			},
			sleep: quickly,
			...more,
		});
		const close = async () => {
			await poller.close();
			await client.close();
		};
		t.teardown(close);
		return {close, client};
	};

	return {
		bot,
		other,
		redis,
		inbox,
		alice,
		taken,
		logged,
		startPoller,
		/** Waits until this many queues were opened. Returns the id of the last one. */
		async queue(count = 1): Promise<string> {
			const opened = () => logged.filter(({message}) => message.startsWith('polling for'));
			await until(() => opened().length >= count);
			return String(opened().at(-1)?.fields.queue);
		},
		/** The messages that were handled, once `last` was. */
		async texts(last: string): Promise<string[]> {
			await until(() => taken.some(({data}) => data === last));

			return taken.map(({data}) => data);
		},
		say: (content: string, by: Client = alice) => by.sendMessage({type: 'channel', to: 'general', topic: 'x', content}),
		tell: (content: string, by: Client = alice) => by.sendMessage({type: 'direct', to: [bot.userId], content}),
		async trouble(path: string, body: object): Promise<{event_queues?: number}> {
			const headers = {'content-type': 'application/json'};
			const url = `${realm.url}/trouble/${path}`;
			const response = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)});
			t.is(response.status, 200);
			return (await response.json()) as {event_queues?: number};
		},
		async queues(): Promise<number> {
			const response = await fetch(`${realm.url}/trouble/`);
			return ((await response.json()) as {event_queues: number}).event_queues;
		},
		async restartRealm() {
			const {port} = realm;
			await realm.close();
			realm = await startRealm({file, port, rateLimit: false});
		},
	};
}

test('mentions and direct messages of people become the payloads that webhooks have, and other messages do not', async t => {
	const {startPoller, queue, say, tell, texts, taken, bot, other} = await start(t);
	await tell('before the first start ever');
	startPoller();
	await queue();

	const otherClient = createClient({...other, userAgent: 'test/1'});
	t.teardown(() => otherClient.close());
	await say('nobody is meant');
	await say('@_**Echo** silently');
	await say('@**all** of you');
	await tell('from a bot', otherClient);
	await say('@**Echo** from a bot', otherClient);
	const {id} = await say('@**Echo** hello');
	await tell('directly');

	t.deepEqual(await texts('directly'), ['@**Echo** hello', 'directly']);
	t.like(taken[0], {
		bot_email: bot.email,
		bot_full_name: 'Echo',
		trigger: 'mention',
		token: '',
		message: {id, type: 'stream', subject: 'x', content: '@**Echo** hello', content_type: 'text/x-markdown'},
	});
	t.is(taken[1]?.trigger, 'direct_message');
	t.false('flags' in (taken[0]?.message ?? {}));
});

test('messages without a mention count from when the bot declares `channel_message`, also those that nobody polled for', async t => {
	const {startPoller, queue, say, texts, taken, logged, inbox, bot, alice, other} = await start(t);
	const {client, close} = startPoller();
	await client.subscribe({subscriptions: [{name: 'general'}]});
	await queue();
	await say('before');

	await inbox.want(accountTag(bot), ['channel_message']);
	await queue(2);
	await until(() => logged.some(({message}) => message.includes('declares other triggers')));
	await say('one');
	await texts('one');
	await close();
	await say('two');
	const otherClient = createClient({...other, userAgent: 'test/1'});
	t.teardown(() => otherClient.close());
	await say('of a bot', otherClient);
	startPoller();
	await queue(3);
	await say('@**Echo** three', alice);

	t.deepEqual(await texts('@**Echo** three'), ['one', 'two', '@**Echo** three']);
	t.deepEqual(
		taken.map(({trigger}) => trigger),
		['channel_message', 'channel_message', 'mention'],
	);
});

test('a message gets the same delivery from an event and from the history', async t => {
	const {startPoller, queue, say, texts, taken, bot} = await start(t);
	const {client} = startPoller();
	await queue();
	await say('@**Echo** hello');
	await texts('@**Echo** hello');

	const retry = {signal: new AbortController().signal, log: silent, account: 'x', sleep: quickly};
	const history = await readHistory(client, 0, retry);

	const [event] = taken as [Payload];
	const found = history.find(({message}) => message.id === event.message.id);
	t.truthy(found);
	const {flags: _, ...message} = found?.message ?? t.fail('not in the history');
	t.deepEqual(message, event.message);
	t.is(deliveryRef(bot, {...event, data: message.content, message}).id, deliveryRef(bot, event).id);
});

test('a mention by id alone is resolved by the HTML', async t => {
	const {startPoller, queue, say, texts, taken, bot} = await start(t);
	startPoller();
	await queue();
	const text = `@**|${bot.userId}** hello`;
	await say(text);
	await texts(text);

	t.regex(taken[0]?.message.rendered_content ?? '', new RegExp(`data-user-id="${bot.userId}">@Echo<`));
});

test('a history longer than one page is read completely and in order', async t => {
	const {startPoller, queue, tell, say} = await start(t);
	const {client} = startPoller();
	await queue();
	const sent: number[] = [];
	for (let n = 0; n < 25; n++) {
		sent.push((await (n % 5 === 0 ? say(`@**Echo** ${n}`) : tell(`${n}`))).id);
	}

	const retry = {signal: new AbortController().signal, log: silent, account: 'x', sleep: quickly};
	const history = await readHistory(client, (sent[0] ?? 0) - 1, retry, {perPage: 4});

	t.deepEqual(
		history.map(({message}) => message.id),
		sent,
	);
});

test('messages missed while no worker polled, the queue was gone or the realm was away are read later, in order', async t => {
	const {startPoller, queue, tell, say, texts, trouble, restartRealm} = await start(t);
	const first = startPoller();
	await queue(1);
	await tell('1');
	await texts('1');
	await first.close();
	await tell('2');
	await say('@**Echo** 3');
	startPoller();
	const id = await queue(2);
	await tell('4');
	await texts('4');

	await Promise.all([trouble('expire-queue', {queue_id: id}), tell('5')]);
	await tell('6');
	await texts('6');
	await restartRealm();
	await tell('7');

	t.deepEqual(await texts('7'), ['1', '2', '@**Echo** 3', '4', '5', '6', '7']);
});

test('failed calls of every kind are retried, and nothing is lost or handled twice', async t => {
	const {startPoller, queue, tell, texts, trouble, logged} = await start(t);
	for (const operation of ['register', 'getMessages', 'getOwnUser', 'getUsers']) {
		await trouble('calls', {kind: '502-html', operation, account: 'echo-bot@bothy.example'});
	}

	startPoller();
	await queue();
	for (const [index, kind] of ['500', '429', 'break-before', 'accept-and-break', 'unreadable'].entries()) {
		await trouble('calls', {kind, operation: 'getEvents', account: 'echo-bot@bothy.example', retry_after: 2});
		await tell(`${index}`);
		await texts(`${index}`);
	}

	await tell('last');
	t.deepEqual(await texts('last'), ['0', '1', '2', '3', '4', 'last']);
	t.false(JSON.stringify(logged).includes('last'), 'no text of a message is logged');
});

test('only one of two pollers polls, and the other takes over when it falls silent', async t => {
	const {startPoller, queue, queues, tell, texts, inbox, logged, redis, bot} = await start(t);
	const before = await queues();
	let isFrozen = false;
	const frozen = new Promise<never>(() => {});
	let asked = 0;
	let thaw = (_isOurs: boolean) => {};
	const thawed = new Promise<boolean>(resolve => {
		thaw = resolve;
	});
	// Its Redis commands never get an answer, as if its process were suspended.
	const freezing = {
		...inbox,
		hold(...args: Parameters<typeof inbox.hold>) {
			asked += isFrozen ? 1 : 0;
			return isFrozen ? thawed : inbox.hold(...args);
		},
		isHandled: async (...args: Parameters<typeof inbox.isHandled>) => (isFrozen ? frozen : inbox.isHandled(...args)),
	};
	startPoller({inbox: freezing});
	await queue(1);
	const refused: boolean[] = [];
	startPoller({
		inbox: {
			...inbox,
			async hold(...args) {
				const isOurs = await inbox.hold(...args);
				refused.push(isOurs);
				return isOurs;
			},
		},
	});
	await tell('1');
	await texts('1');
	await until(() => refused.length >= 3);
	t.deepEqual(refused.slice(0, 3), [false, false, false]);
	t.is(await queues(), before + 1, 'one queue');

	isFrozen = true;
	// Its lease lapses.
	await redis.del(accountKey(redis, accountTag(bot), 'inbox:v1:poller'));
	await tell('2');
	t.deepEqual(await texts('2'), ['1', '2']);
	t.is(logged.filter(({message}) => message.startsWith('polling for')).length, 2);

	// The new holder renews its lease as often as the frozen one would ask for it.
	await until(() => refused.filter(Boolean).length >= 4);
	t.is(asked, 1, 'it asks again only after an answer');
	thaw(false);
	const losses = () => logged.filter(({message}) => message.startsWith('another process has taken over')).length;
	await until(() => losses() > 0);
	t.is(losses(), 1);
});

test('a poller that stops deletes its queue at once and releases its lease', async t => {
	const {startPoller, queue, queues, inbox, bot} = await start(t);
	const before = await queues();
	const {close} = startPoller();
	await queue();
	// A realm holds a poll for a minute and a half. This poll is aborted.
	await close();

	await until(async () => (await queues()) === before);

	t.true(await inbox.hold(`${bot.site}|${bot.email}`, 'another'));
});

test('a refusal is logged with a hint how to fix it', async t => {
	const {startPoller, logged, bot} = await start(t);
	const client = createClient({...bot, key: 'x'.repeat(32), userAgent: 'test/1'});
	t.teardown(() => client.close());
	startPoller({clientOf: () => client});
	await until(() => logged.some(({message}) => message === 'cannot poll for messages'));

	const told = logged.find(({message}) => message === 'cannot poll for messages');
	t.regex(String(told?.fields.reason), /UNAUTHORIZED/);
	t.regex(String(told?.fields.next), /zuliprc/);
	t.false(JSON.stringify(logged).includes('xxxx'));
});

test('an inbox survives a restart, and starts from the beginning if the history is another one', async t => {
	const inbox = createInbox(await connectToRedis(t));
	t.deepEqual(await inbox.begin('s|a', 10), {latest: 10, earliest: 10});
	await inbox.markHandled('s|a', 14);
	await inbox.markHandled('s|a', 12);
	t.deepEqual(await inbox.begin('s|a', 20), {latest: 14, earliest: 10});
	t.deepEqual([await inbox.isHandled('s|a', 12), await inbox.isHandled('s|a', 13)], [true, false]);

	t.deepEqual(await inbox.begin('s|a', 3), {latest: 3, earliest: 3});
	t.false(await inbox.isHandled('s|a', 12));

	t.true(await inbox.hold('s|a', 'one'));
	t.false(await inbox.hold('s|a', 'two'));
	await inbox.release('s|a', 'two');
	t.false(await inbox.hold('s|a', 'two'));
	await inbox.release('s|a', 'one');
	t.true(await inbox.hold('s|a', 'two'));
});
