import {mkdtemp, rm} from 'node:fs/promises';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {type Realm, type RealmOptions, startRealm} from '../../src/realm/index.js';
import {type Caller, callAsBot, type Delivery, listen, openRealm, reply, signIn, startReceiver} from './realm-kit.js';

type Reaction = (delivery: Delivery, n: number) => void;

/** A realm with one bot whose receiver answers as told. */
async function openScene(t: ExecutionContext, answer: Reaction, options: Partial<RealmOptions> = {}) {
	const realm = await openRealm(t, options);
	const receiver = await startReceiver(t, answer);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
	const olivia = await signIn(realm, 'olivia');
	return {realm, receiver, bot, alice, olivia};
}

/** What the bot says next, as somebody hears it. */
async function hear(caller: Caller, botId: number, type = 'stream') {
	const queue = await listen(caller);
	return async () => {
		const {message} = await queue.next(event => event.message?.sender_id === botId && event.message.type === type);
		return message as {
			content: string;
			subject: string;
			client: string;
			id: number;
			submessages: Array<{content: string}>;
		};
	};
}

const nothing = reply({response_not_required: true});

test('a mention calls the bot, and its answer stands in the same topic', async t => {
	const {receiver, bot, alice} = await openScene(t, reply({content: 'hello **yourself**'}));
	const next = await hear(alice, bot.userId);

	await alice.say({channel: 'general', topic: 'greetings'}, '@**Echo** hello');
	const message = await next();

	t.is(message.content, 'hello **yourself**');
	t.is(message.subject, 'greetings');
	t.is(message.client, 'OutgoingWebhookResponse');
	t.is(receiver.deliveries.length, 1);
});

test('the request has the bytes that a receiver of the service knows', async t => {
	const {receiver, bot, alice} = await openScene(t, nothing, {version: '12.0'});

	const id = await alice.say({channel: 'general', topic: ''}, '@**Echo** *hello*');
	const {method, headers, body} = await receiver.delivery(1);

	t.is(method, 'POST');
	t.is(headers['content-type'], 'application/json');
	t.is(headers['user-agent'], 'ZulipOutgoingWebhook/12.0');
	t.is(headers.authorization, undefined);
	t.deepEqual(Object.keys(body), ['data', 'message', 'bot_email', 'bot_full_name', 'token', 'trigger']);
	const {avatar_url, timestamp, recipient_id, ...message} = body.message;
	t.regex(avatar_url, /^https:/);
	t.true(Number.isInteger(timestamp) && Number.isInteger(recipient_id));
	t.deepEqual(
		{...body, message},
		{
			data: '@**Echo** *hello*',
			message: {
				id,
				type: 'stream',
				sender_id: 4,
				sender_email: 'alice@bothy.example',
				sender_full_name: 'Alice Ahn',
				sender_realm_str: '',
				client: 'node',
				content: '@**Echo** *hello*',
				content_type: 'text/x-markdown',
				rendered_content: `<p><span class="user-mention" data-user-id="${bot.userId}">@Echo</span> <em>hello</em></p>`,
				stream_id: 1,
				display_recipient: 'general',
				subject: '',
				topic_links: [],
				is_me_message: false,
				reactions: [],
				submessages: [],
			},
			bot_email: 'echo-bot@bothy.example',
			bot_full_name: 'Echo',
			token: bot.token,
			trigger: 'mention',
		},
	);
	t.regex(bot.token, /^[A-Za-z0-9]{32}$/);
	t.not(bot.token, bot.key);
});

test('a direct message calls the bot, and everybody in it gets the answer', async t => {
	const {receiver, bot, alice} = await openScene(t, reply({content: 'hi'}));
	const next = await hear(alice, bot.userId, 'private');

	await alice.say({dm: [bot.userId, 5]}, 'hello');
	const message = await next();

	const {body} = receiver.deliveries[0] ?? {};
	t.is(body.trigger, 'direct_message');
	t.is(body.message.type, 'private');
	t.is(body.message.subject, '');
	t.false('stream_id' in body.message || 'flags' in body.message);
	t.deepEqual(body.message.display_recipient, [
		{id: 4, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
		{id: 5, email: 'bob@bothy.example', full_name: 'Bob Birk', is_mirror_dummy: false},
		{id: bot.userId, email: bot.email, full_name: 'Echo', is_mirror_dummy: false},
	]);
	t.is(message.content, 'hi');
});

for (const content of [
	'hello',
	'@_**Echo** hello',
	'@**all** hello',
	'@*role:members* hello',
	'`@**Echo**`',
	'> @**Echo** said',
	'```quote\n@**Echo**\n```',
]) {
	test(`${JSON.stringify(content)} in a channel calls nobody`, async t => {
		const {receiver, alice} = await openScene(t, nothing);

		await alice.say({channel: 'general'}, content);
		await alice.say({channel: 'general'}, '@**Echo** last');
		const {body} = await receiver.delivery(1);

		t.is(body.data, '@**Echo** last');
	});
}

test('what a bot says calls no bot', async t => {
	const {realm, receiver, bot, alice} = await openScene(t, nothing);
	const other = callAsBot(realm, realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: receiver.url}));

	await other.say({channel: 'general'}, '@**Echo** hello');
	await other.say({dm: [bot.userId]}, 'hello');
	await alice.say({dm: [bot.userId]}, 'from a person');
	const {body} = await receiver.delivery(1);

	t.is(body.data, 'from a person');
});

test('a bot that was mentioned in a private channel may answer there, though not over REST', async t => {
	const {realm, bot, olivia} = await openScene(t, reply({content: 'discreet'}));
	const next = await hear(olivia, bot.userId);

	await olivia.say({channel: 'staff'}, '@**Echo** hello');

	t.is((await next()).content, 'discreet');
	const rest = await callAsBot(realm, bot).get('/messages', {
		anchor: 'newest',
		num_before: 1,
		narrow: [['channel', 'staff']],
	});
	t.is(rest.body.code, 'BAD_NARROW');
});

interface Answered {
	readonly body: unknown;
	/** What the bot says; nothing when absent. */
	readonly says?: string;
}

const answered = test.macro({
	title: (title = '') => title,
	async exec(t, {body, says}: Answered) {
		const {bot, alice} = await openScene(t, (delivery, n) => reply(n === 1 ? body : {content: 'the next'})(delivery));
		const next = await hear(alice, bot.userId);

		await alice.say({channel: 'general'}, '@**Echo** one');
		if (says !== undefined) {
			t.is((await next()).content, says);
		}

		await alice.say({channel: 'general'}, '@**Echo** two');
		t.is((await next()).content, 'the next');
	},
});

test('content is posted', answered, {body: {content: 'text'}, says: 'text'});
test('response_string wins over content', answered, {body: {content: 'a', response_string: 'b'}, says: 'b'});
test('content that is no text is turned into one', answered, {body: {content: 42}, says: '42'});
test('response_not_required wins over everything', answered, {body: {response_not_required: true, content: 'a'}});
test('an empty object posts nothing', answered, {body: {}});
test('blank content posts nothing', answered, {body: {content: ' \n'}});
test('an empty JSON string posts nothing', answered, {body: '""'});
test('an empty body is a failure', answered, {body: '', says: 'Failure! Invalid JSON in response'});
test('a text that is not JSON is a failure', answered, {body: 'OK', says: 'Failure! Invalid JSON in response'});
test('a JSON list is a failure', answered, {body: '[]', says: 'Failure! Invalid response format'});
test('a JSON null is a failure', answered, {body: 'null', says: 'Failure! Invalid response format'});
test('a widget of unknown kind is a failure', answered, {
	body: {content: 'a', widget_content: '{"widget_type": "clock"}'},
	says: 'Failure! Widgets: widget_type: Invalid input: expected "zform"',
});

test('choices are posted as a widget', async t => {
	const choices = [{short_name: 'A', long_name: 'The first', reply: 'a'}];
	const widget = {widget_type: 'zform', extra_data: {type: 'choices', heading: 'Which?', choices}};
	const {bot, alice} = await openScene(t, reply({content: 'Which?', widget_content: JSON.stringify(widget)}));
	const next = await hear(alice, bot.userId);

	await alice.say({channel: 'general'}, '@**Echo** ask');

	const [submessage] = (await next()).submessages;
	t.deepEqual(JSON.parse(submessage?.content ?? ''), widget);
});

for (const status of [400, 500, 503]) {
	test(`${status} is not tried again; everybody sees the failure and the owner gets the body`, async t => {
		const {receiver, bot, alice, olivia} = await openScene(t, reply('my body', status));
		const next = await hear(alice, bot.userId);
		const told = await hear(olivia, bot.userId, 'private');

		await alice.say({channel: 'general'}, '@**Echo** hello');

		t.is((await next()).content, `Failure! Third party responded with ${status}`);
		const {content} = await told();
		t.regex(content, new RegExp(`status code \\*${status}\\*`));
		t.regex(content, /my body/);
		t.is(receiver.deliveries.length, 1);
	});
}

test('a receiver that stays silent is tried four times in all, with the same bytes', async t => {
	const {realm, receiver, bot, alice, olivia} = await openScene(t, () => {}, {now: Date.now()});
	const next = await hear(alice, bot.userId);
	const told = await hear(olivia, bot.userId, 'private');

	await alice.say({channel: 'general'}, '@**Echo** hello');
	for (const n of [1, 2, 3, 4]) {
		await receiver.delivery(n);
		await jump(realm, 10_000);
	}

	t.is((await next()).content, 'Failure! Bot is unavailable');
	t.regex((await told()).content, /did not answer in time/);
	t.is(receiver.deliveries.length, 4);
	t.is(new Set(receiver.deliveries.map(delivery => delivery.text)).size, 1);
});

test('patience may be shorter', async t => {
	const {receiver, bot, alice} = await openScene(t, () => {}, {webhookTimeoutMs: 50});
	const next = await hear(alice, bot.userId);

	await alice.say({channel: 'general'}, '@**Echo** hello');

	t.is((await next()).content, 'Failure! Bot is unavailable');
	t.true(receiver.deliveries.length <= 4);
});

test('the real patience is ten seconds on the clock of the realm', async t => {
	const {realm, receiver, alice} = await openScene(t, (delivery, n) => n > 1 && nothing(delivery), {now: Date.now()});
	await alice.say({channel: 'general'}, '@**Echo** hello');
	await receiver.delivery(1);

	await jump(realm, 9000);
	t.is(receiver.deliveries.length, 1);
	await jump(realm, 1000);
	await receiver.delivery(2);
	t.is(receiver.deliveries.length, 2);
});

async function jump(realm: Realm, ms: number): Promise<void> {
	await fetch(`${realm.url}/trouble/clock`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({advance_ms: ms}),
	});
}

test('a receiver that keeps sending is given time for every piece', async t => {
	const {realm, receiver, bot, alice} = await openScene(t, ({response}) => response.write('{"content": '), {
		now: Date.now(),
	});
	const next = await hear(alice, bot.userId);
	await alice.say({channel: 'general'}, '@**Echo** hello');

	const {response} = await receiver.delivery(1);
	await jump(realm, 9000);
	response.end('"slow"}');

	t.is((await next()).content, 'slow');
});

for (const [how, break_] of [
	['before the answer', ({response}: Delivery) => response.destroy()],
	[
		'within the answer',
		({response}: Delivery) => {
			response.writeHead(200, {'content-length': 100});
			response.write('{"content": ', () => response.destroy());
		},
	],
] as const) {
	test(`a connection that breaks ${how} is tried again`, async t => {
		const {receiver, bot, alice} = await openScene(t, (delivery, n) =>
			n < 4 ? break_(delivery) : reply({content: 'at last'})(delivery),
		);
		const next = await hear(alice, bot.userId);

		await alice.say({channel: 'general'}, '@**Echo** hello');

		t.is((await next()).content, 'at last');
		t.is(receiver.deliveries.length, 4);
	});
}

test('a receiver that is not there makes the bot unavailable', async t => {
	const {realm, bot, alice} = await openScene(t, nothing);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});
	const next = await hear(alice, bot.userId);

	await alice.say({channel: 'general'}, '@**Echo** hello');

	t.is((await next()).content, 'Failure! Bot is unavailable');
});

test('a URL that is none is not tried again', async t => {
	const {realm, bot, alice} = await openScene(t, nothing);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'ftp://nowhere/'});
	const next = await hear(alice, bot.userId);

	await alice.say({channel: 'general'}, '@**Echo** hello');

	t.regex((await next()).content, /^Failure! An exception of type \*InvalidURL\* occurred for message/);
});

for (const [status, method] of [
	[302, 'GET'],
	[307, 'POST'],
] as const) {
	test(`a redirect with ${status} is followed with ${method}`, async t => {
		const {receiver, bot, alice} = await openScene(t, ({url, response}, n) => {
			if (url === '/') {
				response.writeHead(status, {location: '/there'}).end();
			} else {
				reply({content: `redirected ${n}`})({response} as Delivery);
			}
		});
		const next = await hear(alice, bot.userId);

		await alice.say({channel: 'general'}, '@**Echo** hello');

		t.is((await next()).content, 'redirected 2');
		t.is(receiver.deliveries[1]?.method, method);
		t.is(receiver.deliveries[1]?.text === '', method === 'GET');
	});
}

test('two bots in one message are called each for itself', async t => {
	const {realm, receiver, alice} = await openScene(t, nothing);
	realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: receiver.url});

	await alice.say({channel: 'general'}, '@**Echo** and @**Other**');
	await receiver.delivery(2);

	t.deepEqual(receiver.deliveries.map(({body}) => body.bot_full_name).sort(), ['Echo', 'Other']);
});

test('a slow receiver does not hold up another bot', async t => {
	const {realm, bot, alice} = await openScene(t, () => {});
	const quick = await startReceiver(t, reply({content: 'quick'}));
	const other = realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: quick.url});
	const next = await hear(alice, other.userId);

	await alice.say({dm: [bot.userId]}, 'hello');
	await alice.say({channel: 'general'}, '@**Other** hello');

	t.is((await next()).content, 'quick');
});

test('ensureBot finds the account that it made, and moves its URL', async t => {
	const {realm, bot, alice} = await openScene(t, nothing);
	const elsewhere = await startReceiver(t, nothing);

	const again = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: elsewhere.url});
	await alice.say({dm: [bot.userId]}, 'hello');
	await elsewhere.delivery(1);

	t.deepEqual(again, bot);
	t.is(bot.email, 'echo-bot@bothy.example');
	t.is(bot.site, realm.url);
});

test('a realm that ends while a webhook is out posts it again when it is back', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const receiver = await startReceiver(t, () => {});
	const first = await startRealm({file, port: 0});
	const bot = first.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const id = await (await signIn(first, 'alice')).say({channel: 'general'}, '@**Echo** hello');
	await receiver.delivery(1);

	await first.close();
	const second = await openRealm(t, {file});
	const next = await hear(await signIn(second, 'alice'), bot.userId);
	const delivery = await receiver.delivery(2);
	reply({content: 'still here'})(delivery);

	t.is(delivery.body.message.id, id);
	t.is((await next()).content, 'still here');
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
