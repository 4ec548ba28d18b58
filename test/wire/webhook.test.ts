// What the realm posts to a bot's receiver, and when.

import test from 'ava';
import {clientCalls} from './kit/client-calls.js';
import {
	advanceClock,
	at,
	badRequest,
	callerOf,
	expectRefusal,
	type Json,
	mask,
	newestMessage,
	openRealm,
	signIn,
} from './kit/raw-request.js';
import {HANG_UP, httpAnswer, type RawRequest} from './kit/raw-server.js';
import {answers} from './kit/story.js';
import {openRealmWithBot, readNewest, readOwner, send} from './kit/webhook-kit.js';

const NOTHING = httpAnswer('200 OK', '{"response_not_required":true}');
const DONE = httpAnswer('200 OK', '{"content":"done"}');
const MENTION = 'type=channel&to=general&topic=x&content=%40**Echo**';

const bodyOf = (request: RawRequest) => JSON.parse(request.body) as Json;
/** With what varies replaced by its kind. */
const payloadOf = (request: RawRequest) =>
	mask(bodyOf(request), 'recipient_id', 'timestamp', 'sender_realm_str', 'avatar_url');

const MESSAGE = {
	sender_id: 4,
	sender_email: 'alice@bothy.example',
	sender_full_name: 'Alice Ahn',
	sender_realm_str: '<string>',
	avatar_url: '<string>',
	client: 'Bothy',
	content_type: 'text/x-markdown',
	recipient_id: '<integer>',
	topic_links: [],
	timestamp: '<integer>',
	is_me_message: false,
	reactions: [],
	submessages: [],
};

for (const [operation, path] of [
	['serviceOutgoingWebhook', '/api/v1/service-outgoing-webhook'],
	['zulipOutgoingWebhook', '/api/v1/zulip-outgoing-webhook'],
] as const) {
	clientCalls(operation, {
		'reads the payload': [
			{},
			`POST ${path}`,
			'"bot_email":"echo-bot@x.example","bot_full_name":"Echo","data":"hi","trigger":"mention","token":"abc",' +
				'"message":{"id":1,"type":"stream","sender_id":2,"sender_email":"a@x.example","sender_full_name":"A",' +
				'"sender_realm_str":"","avatar_url":null,"client":"website","content":"hi","display_recipient":"general",' +
				'"recipient_id":3,"stream_id":4,"subject":"x","topic_links":[],"timestamp":5,"is_me_message":false,' +
				'"reactions":[],"submessages":[]}',
		],
	});

	test(`${operation}: the realm shows a bot every key that it posted last`, async t => {
		const {realm, receiver, alice, bot} = await openRealmWithBot(t, NOTHING);
		const echo = callerOf(realm.url, bot);
		const common = {bot_email: 'echo-bot@bothy.example', bot_full_name: 'Echo', token: bot.token};

		const mention = await send(alice, 'type=channel&to=general&topic=soup&content=%40**Echo**+*hello*');

		const first = await receiver.request(1);
		t.deepEqual(payloadOf(first), {
			...common,
			data: '@**Echo** *hello*',
			message: {
				...MESSAGE,
				id: mention,
				content: '@**Echo** *hello*',
				rendered_content: `<p><span class="user-mention" data-user-id="${bot.userId}">@Echo</span> <em>hello</em></p>`,
				type: 'stream',
				display_recipient: 'general',
				stream_id: 1,
				subject: 'soup',
			},
			trigger: 'mention',
		});
		t.deepEqual((await echo.post(path, '')).json, {result: 'success', msg: '', ...Object(bodyOf(first))});

		const direct = await send(alice, `type=direct&to=%5B${bot.userId}%5D&content=hello`);

		const second = await receiver.request(2);
		t.deepEqual(payloadOf(second), {
			...common,
			data: 'hello',
			message: {
				...MESSAGE,
				id: direct,
				content: 'hello',
				rendered_content: '<p>hello</p>',
				type: 'private',
				display_recipient: [
					{id: 4, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
					{id: bot.userId, email: 'echo-bot@bothy.example', full_name: 'Echo', is_mirror_dummy: false},
				],
				subject: '',
			},
			trigger: 'direct_message',
		});
		t.deepEqual((await echo.post(path, '')).json, {result: 'success', msg: '', ...Object(bodyOf(second))});
	});

	test(`${operation}: the realm gives a bot without webhook a token that stays, and reads no parameters`, async t => {
		const bot = await signIn(t, 'notification-bot');

		const [first, second] = [await bot.post(path, ''), await bot.post(path, 'token=x')];

		t.regex(String(at(first.json, 'token')), /^[A-Za-z0-9]{32}$/);
		t.not(at(first.json, 'token'), bot.key);
		t.deepEqual(second.json, {...Object(first.json), ignored_parameters_unsupported: ['token']});
	});

	test(`${operation}: the realm refuses a bot that no message has reached yet`, async t => {
		const realm = await openRealm(t);
		const [olivia, bot] = [await signIn(t, 'olivia', realm), await signIn(t, 'notification-bot', realm)];
		for (const message of await readNewest(olivia, 1000, '[["channels","public"]]')) {
			await olivia.delete(`/api/v1/messages/${at(message, 'id')}`, '');
		}

		expectRefusal(t, await bot.post(path, ''), badRequest('There is no message yet that this bot may read.'));
	});

	answers(operation, {'refuses people': [`alice POST ${path}`, 'This endpoint accepts bot requests only.']});
}

test("the realm posts to exactly the bot's URL, as JSON and without login", async t => {
	const {receiver, alice} = await openRealmWithBot(t, NOTHING, {version: '9.4'});

	await send(alice, MENTION);

	const {line, headers} = await receiver.request();
	t.is(line, 'POST /hooks/echo?key=1 HTTP/1.1');
	t.is(headers['content-type'], 'application/json');
	t.is(headers['user-agent'], 'ZulipOutgoingWebhook/9.4');
	t.is(headers.authorization, undefined);
	t.is(`http://${headers.host}`, receiver.url);
});

test('a realm below feature level 201 calls the trigger private_message', async t => {
	const {receiver, alice, bot} = await openRealmWithBot(t, NOTHING, {featureLevel: 200});

	await send(alice, `type=direct&to=%5B${bot.userId}%5D&content=hello`);

	t.is(at(bodyOf(await receiver.request()), 'trigger'), 'private_message');
});

test('the realm posts mentions and direct messages, wherever they are', async t => {
	const {receiver, bot, ask} = await openRealmWithBot(t, NOTHING);
	const tokens = new Set<Json>();
	let count = 0;
	for (const [form, trigger, fields] of [
		['type=direct&to=echo-bot%40bothy.example,bob%40bothy.example&content=hello', 'direct_message', {}],
		[`type=direct&to=%5B${bot.userId}%5D&content=%2Fme+waves`, 'direct_message', {is_me_message: true}],
		[`type=channel&to=general&topic=x&content=hi+%40**Echo%7C${bot.userId}**`, 'mention', {}],
		[`type=channel&to=general&topic=x&content=%40**%7C${bot.userId}**`, 'mention', {}],
		['type=channel&to=general&topic=x&content=%28%40**echo**%29', 'mention', {}],
		['type=channel&to=general&topic=general+chat&content=%40**Echo**', 'mention', {subject: ''}],
		['type=channel&to=lunch&topic=x&content=%40**Echo**', 'mention', {display_recipient: 'lunch'}],
	] as const) {
		const id = at(await ask(form), 'id');

		count += 1;
		t.is(receiver.count, count, form);
		const body = bodyOf(await receiver.request(count));
		t.like(at(body, 'message'), {id, ...fields}, form);
		t.is(at(body, 'trigger'), trigger, form);
		tokens.add(at(body, 'token'));
	}

	t.deepEqual([...tokens], [bot.token]);
	t.regex(bot.token, /^[A-Za-z0-9]{32}$/);
	t.not(bot.token, bot.key);
});

test('the realm posts no webhook for a message that does not mention the bot and is not a direct message to it', async t => {
	const {realm, receiver, alice, bot, ask} = await openRealmWithBot(t, NOTHING);
	const other = realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: 'http://127.0.0.1:9/'});
	for (const content of [
		'%40_**Echo**',
		'%40**all**',
		'%40**everyone**',
		'%40**channel**',
		'%40**stream**',
		'%40**topic**',
		'%60%40**Echo**%60',
		'%60%60%60%0A%40**Echo**%0A%60%60%60',
		'%60%60%60quote%0A%40**Echo**%0A%60%60%60',
		'a%40**Echo**',
		'Echo',
	]) {
		await ask(`type=channel&to=general&topic=x&content=${content}`);
		t.is(receiver.count, 0, content);
	}

	await send(callerOf(realm.url, other), MENTION);
	await send(callerOf(realm.url, bot), MENTION);
	await ask('type=direct&to=bob%40bothy.example&content=%40**Echoes**');
	t.is(receiver.count, 0);

	const id = await send(alice, MENTION);
	t.is(at(bodyOf(await receiver.request()), 'message', 'id'), id);
});

test('the realm does not post what a bot says in reply', async t => {
	const {receiver, ask} = await openRealmWithBot(t, httpAnswer('200 OK', '{"content":"@**Echo** done"}'));

	t.is(at(await ask(MENTION), 'content'), '@**Echo** done');
	t.is(receiver.count, 1);
});

test('the realm posts one message to each bot that it mentions', async t => {
	const {realm, receiver, alice} = await openRealmWithBot(t, NOTHING);
	realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: `${receiver.url}/other`});

	const id = await send(alice, 'type=channel&to=general&topic=x&content=%40**Echo**+%40**Other**');

	const bodies = [bodyOf(await receiver.request(1)), bodyOf(await receiver.request(2))];
	t.deepEqual(bodies.map(body => at(body, 'bot_email')).sort(), ['echo-bot@bothy.example', 'other-bot@bothy.example']);
	t.deepEqual(
		bodies.map(body => at(body, 'message', 'id')),
		[id, id],
	);
});

const PARTIAL = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"content": ';

for (const [trouble, answer, isLate, hangsUp] of [
	['the receiver hangs up', HANG_UP, false],
	['the connection breaks within the answer', PARTIAL, false, true],
	['the receiver does not answer in time', 'HTTP/1.1 200 OK\r\n', true],
	['the body of the answer does not come in time', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"content":', true],
	['a chunk of the answer is broken', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}', false],
] as const) {
	test(`the realm posts the same bytes four times in all when ${trouble}, then gives up`, async t => {
		const {realm, receiver, alice} = await openRealmWithBot(t, answer, {hangsUp: hangsUp ?? false});

		await send(alice, MENTION);
		for (const n of isLate ? [1, 2, 3, 4] : []) {
			await receiver.request(n);
			await advanceClock(realm, 10_000);
		}

		await realm.webhooksDone();
		t.is(at(await newestMessage(alice), 'content'), 'Failure! Bot is unavailable');
		t.is(receiver.count, 4);
		const requests = await Promise.all([1, 2, 3, 4].map(n => receiver.request(n)));
		t.is(new Set(requests.map(request => request.line + request.body)).size, 1);
		t.is((await readOwner(t, realm)).length, 1);
	});
}

// A real server of level 339 was seen to do this; one of level 442 repeats such an answer.
for (const [featureLevel, answer, read] of [
	[339, PARTIAL, 'IncompleteRead(12 bytes read, 88 more expected)'],
	[441, PARTIAL, 'IncompleteRead(12 bytes read, 88 more expected)'],
	[339, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n', 'IncompleteRead(2 bytes read)'],
	[339, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}', 'IncompleteRead(0 bytes read)'],
] as const) {
	test(`level ${featureLevel} does not try again where an answer breaks within its body: ${read}`, async t => {
		const {realm, receiver, ask} = await openRealmWithBot(t, answer, {featureLevel, hangsUp: true});

		t.is(
			at(await ask(MENTION), 'content'),
			'Failure! An exception of type *ChunkedEncodingError* occurred for message `@**Echo**`! See the Zulip server logs for more information.',
		);
		t.is(receiver.count, 1);
		const [note = '', ...others] = await readOwner(t, realm);
		t.true(
			note.endsWith(
				'When trying to send a request to the webhook service, an exception of type ChunkedEncodingError occurred:\n' +
					`\`\`\`\n('Connection broken: ${read}', ${read})\n\`\`\``,
			),
			note,
		);
		t.deepEqual(others, []);
	});
}

test('the realm stops trying once it is answered', async t => {
	const {receiver, ask} = await openRealmWithBot(t, n => (n === 1 ? HANG_UP : DONE));

	t.is(at(await ask(MENTION), 'content'), 'done');
	t.is(receiver.count, 2);
});

test('the realm posts a failure for a URL that it cannot post to', async t => {
	const {realm, ask} = await openRealmWithBot(t, NOTHING);
	realm.ensureBot({name: 'lost', fullName: 'Lost', payloadUrl: 'ftp://127.0.0.1/'});

	const failure = await ask('type=channel&to=general&topic=x&content=%40**Lost**');

	t.regex(String(at(failure, 'content')), /^Failure! An exception of type \*\w+\* occurred for message/);
});

test('the realm does not retry if a receiver has no TLS, and notifies the owner of the reason', async t => {
	const {realm, ask} = await openRealmWithBot(t, NOTHING);
	realm.ensureBot({name: 'plain', fullName: 'Plain', payloadUrl: realm.url.replace('http:', 'https:')});

	t.is(
		at(await ask('type=channel&to=general&topic=x&content=%40**Plain**'), 'content'),
		'Failure! An exception of type *SSLError* occurred for message `@**Plain**`! See the Zulip server logs for more information.',
	);
	const [note = '', ...others] = await readOwner(t, realm);
	t.true(note.includes('an exception of type SSLError occurred'));
	t.deepEqual(others, []);
});

test('the realm follows thirty redirects and no more', async t => {
	const {receiver, ask} = await openRealmWithBot(t, httpAnswer('302 Found', '', ['Location: /again']));

	const failure = await ask(MENTION);

	t.regex(String(at(failure, 'content')), /^Failure! An exception of type \*TooManyRedirects\* /);
	t.is(receiver.count, 31);
});

for (const [status, method] of [
	['301 Moved Permanently', 'GET'],
	['302 Found', 'GET'],
	['303 See Other', 'GET'],
	['307 Temporary Redirect', 'POST'],
	['308 Permanent Redirect', 'POST'],
] as const) {
	test(`the realm follows ${status} with ${method}`, async t => {
		const {receiver, ask} = await openRealmWithBot(t, n =>
			n === 1 ? httpAnswer(status, '', ['Location: /moved']) : DONE,
		);

		t.is(at(await ask(MENTION), 'content'), 'done');
		const [first, second] = [await receiver.request(1), await receiver.request(2)];
		t.is(second.line, `${method} /moved HTTP/1.1`);
		t.is(second.body, method === 'POST' ? first.body : '');
	});
}
