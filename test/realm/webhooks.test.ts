// Outgoing webhooks beyond the bytes that test/wire shows: how long the realm waits, what one bot has to do with another.

import http from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {type RealmOptions, startRealm} from '../../src/realm/index.js';
import {
	callAsBot,
	cause,
	type Delivery,
	databaseFile,
	ECHO,
	listen,
	openChat,
	reply,
	startReceiver,
} from './realm-kit.js';

/** A realm with one bot whose receiver answers as told. */
async function openScene(
	t: ExecutionContext,
	answer: (delivery: Delivery, n: number) => void,
	options: Partial<RealmOptions> = {},
) {
	const chat = await openChat(t, options);
	const receiver = await startReceiver(t, answer);
	const bot = chat.realm.ensureBot({...ECHO, payloadUrl: receiver.url});
	const queue = await listen(chat.alice);
	/** What somebody else says next, as alice hears it. */
	const hear = async (): Promise<string> => {
		const {message} = await queue.next(event => event.message.sender_id !== 4);
		return message.content;
	};
	return {...chat, receiver, bot, hear};
}

const nothing = reply({response_not_required: true});

test('a mention of a group without the bot and a mention in a quotation call nobody', async t => {
	const {receiver, alice} = await openScene(t, nothing);

	await alice.say({channel: 'general'}, '@*kitchen* hello');
	await alice.say({channel: 'general'}, '> @**Echo** said');
	await alice.say({channel: 'general'}, '@**Echo** last');

	t.is((await receiver.delivery(1)).body.data, '@**Echo** last');
});

test('a bot that was mentioned in a private channel cannot read there over REST', async t => {
	const {realm, bot, olivia, receiver} = await openScene(t, reply({content: 'discreet'}));

	await olivia.say({channel: 'staff'}, '@**Echo** hello');
	await receiver.delivery(1);

	const narrow = [['channel', 'staff']];
	const {body} = await callAsBot(realm, bot).get('/messages', {anchor: 'newest', num_before: 1, narrow});
	t.deepEqual(body.messages, []);
});

test('a receiver that keeps sending is given ten seconds for every piece', async t => {
	const now = Date.UTC(2026, 2, 1);
	const {realm, receiver, alice, hear} = await openScene(t, () => {}, {now});
	const {clock} = realm.services;
	await alice.say({channel: 'general'}, '@**Echo** hello');

	const {response} = await receiver.delivery(1);
	t.is(clock.next, now + 10_000);
	clock.advance(9000);
	response.write('{"content": ');
	// The realm restarts its timeout when it has read the chunk.
	while (clock.next === now + 10_000) {
		await new Promise(setImmediate);
	}

	clock.advance(9000);
	response.end('"slow"}');

	t.is(await hear(), 'slow');
	t.is(receiver.deliveries.length, 1);
});

test('the timeout may be shorter', async t => {
	const {realm, receiver, alice, hear} = await openScene(t, () => {}, {
		webhookTimeoutMs: 50,
		now: Date.UTC(2026, 2, 1),
	});

	await alice.say({channel: 'general'}, '@**Echo** hello');
	for (const n of [1, 2, 3, 4]) {
		await receiver.delivery(n);
		await cause(realm, '/clock', {advance_ms: 50});
	}

	t.is(await hear(), 'Failure! Bot is unavailable');
});

test('a connection that breaks during the answer is retried', async t => {
	const {alice, hear} = await openScene(t, (delivery, n) => {
		if (n === 4) {
			return reply({content: 'at last'})(delivery);
		}

		delivery.response.writeHead(200, {'content-length': 100});
		delivery.response.write('{"content": ', () => delivery.response.destroy());
	});

	await alice.say({channel: 'general'}, '@**Echo** hello');

	t.is(await hear(), 'at last');
});

test('a receiver that is not there makes the bot unavailable', async t => {
	const {realm, alice, hear} = await openScene(t, nothing);
	realm.ensureBot(ECHO);

	await alice.say({channel: 'general'}, '@**Echo** hello');

	t.is(await hear(), 'Failure! Bot is unavailable');
});

test('a slow receiver does not hold up another bot', async t => {
	const {realm, bot, alice, hear} = await openScene(t, () => {});
	const quick = await startReceiver(t, reply({content: 'quick'}));
	realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: quick.url});

	await alice.say({dm: [bot.userId]}, 'hello');
	await alice.say({channel: 'general'}, '@**Other** hello');

	t.is(await hear(), 'quick');
});

test('ensureBot finds the account that it made, and moves its URL', async t => {
	const {realm, bot, alice} = await openScene(t, nothing);
	const elsewhere = await startReceiver(t, nothing);

	const again = realm.ensureBot({...ECHO, payloadUrl: elsewhere.url});
	await alice.say({dm: [bot.userId]}, 'hello');
	await elsewhere.delivery(1);

	t.deepEqual(again, bot);
	t.is(bot.email, 'echo-bot@bothy.example');
	t.is(bot.site, realm.url);
});

test('a realm that ends while a webhook is out posts it again when it is back', async t => {
	const file = await databaseFile(t);
	const first = await openScene(t, () => {}, {file});
	const id = await first.alice.say({channel: 'general'}, '@**Echo** hello');
	await first.receiver.delivery(1);

	await first.realm.close();
	const second = await openChat(t, {file});
	const queue = await listen(second.alice);
	const delivery = await first.receiver.delivery(2);
	reply({content: 'still here'})(delivery);

	t.is(delivery.body.message.id, id);
	t.is((await queue.next()).message.content, 'still here');
});

test('a port that is taken is refused with the error of the system', async t => {
	const server = http.createServer();
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.teardown(() => server.close());

	await t.throwsAsync(startRealm({file: ':memory:', port: (server.address() as AddressInfo).port}), {
		code: 'EADDRINUSE',
	});
});

/** Alice's bot, whose webhooks look like Slack's. */
async function openSlack(t: ExecutionContext, answer: (delivery: Delivery) => void) {
	const scene = await openScene(t, answer, {version: '12.0'});
	const {body} = await scene.alice.post('/bots', {
		full_name: 'Tea',
		short_name: 'tea',
		bot_type: 3,
		payload_url: JSON.stringify(scene.receiver.url),
		interface_type: 2,
	});
	return {...scene, userId: body.user_id as number};
}

test("a mention is posted as Slack's form, and `text` is the answer", async t => {
	const {realm, receiver, alice, userId, hear} = await openSlack(t, reply({text: 'hot', content: 'cold'}));

	const id = await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');

	t.is(await hear(), 'hot');
	const {headers, text} = await receiver.delivery(1);
	t.is(headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(headers['user-agent'], 'ZulipOutgoingWebhook/12.0');
	const {body} = await alice.get(`/messages/${id}`);
	const {token, ...form} = Object.fromEntries(new URLSearchParams(text));
	t.regex(String(token), /^[A-Za-z0-9]{32}$/);
	t.deepEqual(form, {
		team_id: 'T1',
		team_domain: new URL(realm.url).host,
		channel_id: 'C1',
		channel_name: 'general',
		thread_ts: String(body.message.timestamp),
		timestamp: String(body.message.timestamp),
		user_id: 'U4',
		user_name: 'Alice Ahn',
		text: '@**Tea** please',
		trigger_word: 'mention',
		service_id: String(userId),
	});
});

test("a direct message does not fit Slack's format: nothing is posted, and the bot says so", async t => {
	const {receiver, alice, userId, hear} = await openSlack(t, reply({text: 'hot'}));

	await alice.say({dm: [userId]}, 'please');

	t.is(await hear(), "Failure! Slack outgoing webhooks don't support direct messages.");
	t.is(receiver.deliveries.length, 0);
});

test("an answer in the realm's own format says nothing in Slack's", async t => {
	const {receiver, alice, userId, hear} = await openSlack(t, delivery =>
		reply(delivery.text.includes('loud') ? {text: 'hot'} : {content: 'cold', response_string: 'cold'})(delivery),
	);

	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');
	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** loud');

	t.is(await hear(), 'hot');
	await alice.patch(`/bots/${userId}`, {service_interface: 1, service_payload_url: JSON.stringify(receiver.url)});
	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');
	t.is(await hear(), 'cold');
});
