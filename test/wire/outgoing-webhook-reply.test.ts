import test from 'ava';
import {at, callerOf, channelId, type Json, signIn} from './raw-request.js';
import {httpAnswer} from './raw-server.js';
import {openRealmWithBot, send, watch} from './webhook-kit.js';

const MENTION = 'type=channel&to=general&topic=soup&content=%40**Echo**';
const RECENT = '/api/v1/messages?anchor=newest&num_before=50&apply_markdown=false&allow_empty_topic_name=true';

/** What stands in general > soup, through GET /messages. */
const SOUP = `${RECENT}&narrow=%5B%5B%22channel%22,%22general%22%5D,%5B%22topic%22,%22soup%22%5D%5D`;

function messagesIn(json: Json): Json[] {
	const messages = at(json, 'messages');
	return Array.isArray(messages) ? messages : [];
}

const contentsIn = (json: Json) => messagesIn(json).map(message => at(message, 'content'));

const posted = test.macro({
	title: (title = '') => `the realm posts ${title}`,
	async exec(t, answer: string, content: string) {
		const {alice, bot} = await openRealmWithBot(t, answer);
		const watching = await watch(alice);

		await send(alice, MENTION);
		await watching.next();

		const messages = messagesIn((await alice.get(SOUP)).json);
		t.deepEqual(
			messages.map(message => at(message, 'content')),
			['@**Echo**', content],
		);
		t.is(at(messages[1] ?? null, 'sender_email'), bot.email);
		t.is(at(messages[1] ?? null, 'client'), 'OutgoingWebhookResponse');
	},
});

test('`content`', posted, httpAnswer('200 OK', '{"content":"Hello, *wörld*"}'), 'Hello, *wörld*');
test('`content` of an answer with 201', posted, httpAnswer('201 Created', '{"content":"hello"}'), 'hello');
test(
	'`content` whatever the content type says',
	posted,
	'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 19\r\n\r\n{"content":"hello"}',
	'hello',
);
test(
	'`content` of an answer in chunks',
	posted,
	'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"content"\r\n9\r\n:"hello"}\r\n0\r\n\r\n',
	'hello',
);
test('`content` that is a number as text', posted, httpAnswer('200 OK', '{"content":5}'), '5');
test(
	'`content` cut to 10000 characters',
	posted,
	httpAnswer('200 OK', `{"content":"${'a'.repeat(10_001)}"}`),
	`${'a'.repeat(9980)}\n[message truncated]`,
);
test(
	'`content` although there are keys it does not know',
	posted,
	httpAnswer('200 OK', '{"content":"hello","attachments":[{}]}'),
	'hello',
);
test(
	'`content` when a response is not not required',
	posted,
	httpAnswer('200 OK', '{"content":"hello","response_not_required":false}'),
	'hello',
);
test('the deprecated `response_string`', posted, httpAnswer('200 OK', '{"response_string":"hello"}'), 'hello');
test(
	'`response_string` rather than `content`',
	posted,
	httpAnswer('200 OK', '{"content":"no","response_string":"yes"}'),
	'yes',
);

const nothing = test.macro({
	title: (title = '') => `the realm posts nothing for ${title}`,
	async exec(t, body: string) {
		const {realm, receiver, alice} = await openRealmWithBot(t, n =>
			httpAnswer('200 OK', n === 1 ? body : '{"content":"done"}'),
		);
		const watching = await watch(alice);
		await send(alice, MENTION);
		await receiver.request(1);

		await send(alice, MENTION);

		t.is(at(await watching.next(), 'content'), 'done');
		t.deepEqual(contentsIn((await alice.get(SOUP)).json), ['@**Echo**', '@**Echo**', 'done']);
		t.is(receiver.count, 2);
		const olivia = await signIn(t, 'olivia', realm);
		const direct = await olivia.get(`${RECENT}&narrow=%5B%5B%22is%22,%22dm%22%5D%5D`);
		t.deepEqual(contentsIn(direct.json), []);
	},
});

test('response_not_required', nothing, '{"response_not_required":true}');
test(
	'response_not_required beside everything else',
	nothing,
	'{"response_not_required":true,"content":"a","response_string":"b"}',
);
test('an empty object', nothing, '{}');
test('an object without content', nothing, '{"text":"hello"}');
test('empty content', nothing, '{"content":""}');
test('content of spaces and newlines', nothing, '{"content":" \\n\\t "}');
test('an empty JSON string', nothing, '""');

const failed = test.macro({
	title: (title = '') => `the realm posts a failure for ${title}, and tells the owner`,
	async exec(t, answer: string, {content, told}: {content: string; told: readonly string[]}) {
		const {realm, receiver, alice} = await openRealmWithBot(t, answer);
		const watching = await watch(alice);

		await send(alice, MENTION);
		await watching.next();

		t.deepEqual(contentsIn((await alice.get(SOUP)).json), ['@**Echo**', content]);
		t.is(receiver.count, 1);
		const olivia = await signIn(t, 'olivia', realm);
		const direct = messagesIn((await olivia.get(`${RECENT}&narrow=%5B%5B%22is%22,%22dm%22%5D%5D`)).json);
		t.is(direct.length, 1);
		for (const text of told) {
			t.true(String(at(direct[0] ?? null, 'content')).includes(text), text);
		}
	},
});

const INVALID_JSON = {content: 'Failure! Invalid JSON in response', told: ['Invalid JSON in response']};
test('no body', failed, httpAnswer('200 OK', ''), INVALID_JSON);
test('204', failed, 'HTTP/1.1 204 No Content\r\n\r\n', INVALID_JSON);
test('text that is no JSON', failed, httpAnswer('200 OK', 'OK, thanks'), {...INVALID_JSON, told: ['OK, thanks']});
test('JSON that is cut short', failed, httpAnswer('200 OK', '{"content":'), INVALID_JSON);

const INVALID_FORMAT = {content: 'Failure! Invalid response format', told: ['Invalid response format']};
test('a JSON list', failed, httpAnswer('200 OK', '[{"content":"hello"}]'), INVALID_FORMAT);
test('a JSON number', failed, httpAnswer('200 OK', '5'), INVALID_FORMAT);
test('JSON null', failed, httpAnswer('200 OK', 'null'), INVALID_FORMAT);
test('a JSON string', failed, httpAnswer('200 OK', '"hello"'), INVALID_FORMAT);

test('400', failed, httpAnswer('400 Bad Request', '{"content":"no"}'), {
	content: 'Failure! Third party responded with 400',
	told: ['400', '{"content":"no"}'],
});
test('401', failed, httpAnswer('401 Unauthorized', '{"msg":"who?"}'), {
	content: 'Failure! Third party responded with 401',
	told: ['401', '{"msg":"who?"}'],
});
test('500', failed, httpAnswer('500 Internal Server Error', 'oh no'), {
	content: 'Failure! Third party responded with 500',
	told: ['500', 'oh no'],
});
test('503', failed, httpAnswer('503 Service Unavailable', 'later'), {
	content: 'Failure! Third party responded with 503',
	told: ['503', 'later'],
});
test('407', failed, httpAnswer('407 Proxy Authentication Required', ''), {
	content: 'Failure! Third party responded with 407',
	told: ['private or disallowed network'],
});
test('a widget that is no JSON', failed, httpAnswer('200 OK', '{"content":"x","widget_content":"{"}'), {
	content: 'Failure! Widgets: API programmer sent invalid JSON content',
	told: ['Widgets: API programmer sent invalid JSON content'],
});

test('the realm posts a failure for a widget of another type', async t => {
	const {alice} = await openRealmWithBot(
		t,
		httpAnswer('200 OK', '{"content":"x","widget_content":"{\\"widget_type\\":\\"poll\\",\\"extra_data\\":{}}"}'),
	);
	const watching = await watch(alice);

	await send(alice, MENTION);

	t.regex(String(at(await watching.next(), 'content')), /^Failure! Widgets: /);
});

const WIDGET = `{"widget_type":"zform","extra_data":{"type":"choices","heading":"Soup?",\
"choices":[{"short_name":"A","long_name":"Yes","reply":"yes"}]}}`;

test('the realm posts content with a widget as its submessage', async t => {
	const {alice, bot} = await openRealmWithBot(
		t,
		httpAnswer('200 OK', `{"content":"Soup?","widget_content":${JSON.stringify(WIDGET)}}`),
	);
	const watching = await watch(alice);

	await send(alice, MENTION);

	const message = await watching.next();
	t.is(at(message, 'content'), 'Soup?');
	const submessage = at(message, 'submessages', 0);
	t.deepEqual(Object.keys(submessage ?? {}).sort(), ['content', 'id', 'message_id', 'msg_type', 'sender_id']);
	t.is(at(submessage, 'msg_type'), 'widget');
	t.is(at(submessage, 'message_id'), at(message, 'id'));
	t.is(at(submessage, 'sender_id'), bot.userId);
	t.deepEqual<unknown, unknown>(JSON.parse(String(at(submessage, 'content'))), JSON.parse(WIDGET));
});

test('the realm ignores the widget beside a `response_string`', async t => {
	const {alice} = await openRealmWithBot(t, httpAnswer('200 OK', '{"response_string":"x","widget_content":"{"}'));
	const watching = await watch(alice);

	await send(alice, MENTION);

	const message = await watching.next();
	t.is(at(message, 'content'), 'x');
	t.deepEqual(at(message, 'submessages'), []);
});

const HELLO = httpAnswer('200 OK', '{"content":"hello"}');

test('the realm posts the reply to a channel message in its channel and topic, the empty one included', async t => {
	const {alice} = await openRealmWithBot(t, HELLO);
	const watching = await watch(alice);

	await send(alice, 'type=channel&to=lunch&topic=&content=%40**Echo**');

	const message = await watching.next();
	t.is(at(message, 'type'), 'stream');
	t.is(at(message, 'stream_id'), await channelId(alice, 'lunch'));
	t.is(at(message, 'subject'), '');
});

test('the realm posts the reply to a direct message to everybody in it', async t => {
	const {alice, bot} = await openRealmWithBot(t, HELLO);
	const watching = await watch(alice);

	await send(alice, 'type=direct&to=echo-bot%40bothy.example,bob%40bothy.example&content=x');

	const message = await watching.next();
	t.is(at(message, 'sender_id'), bot.userId);
	t.is(at(message, 'type'), 'private');
	const people = at(message, 'display_recipient');
	t.deepEqual(Array.isArray(people) && people.map(each => at(each, 'email')), [
		'alice@bothy.example',
		'bob@bothy.example',
		'echo-bot@bothy.example',
	]);
});

test('the realm posts a reply in a private channel that the bot is not in', async t => {
	const {realm, bot} = await openRealmWithBot(t, HELLO);
	const mona = await signIn(t, 'mona', realm);
	const watching = await watch(mona);

	await send(mona, 'type=channel&to=staff&topic=x&content=%40**Echo**');

	const message = await watching.next();
	t.is(at(message, 'sender_id'), bot.userId);
	t.is(at(message, 'display_recipient'), 'staff');
	t.is(at(message, 'content'), 'hello');
});

test('the realm posts a failure when the reply may not be sent, and quotes the reply to the owner', async t => {
	const {realm, bot} = await openRealmWithBot(t, httpAnswer('200 OK', '{"content":"@**topic** look"}'));
	for (let n = 1; n <= 16; n += 1) {
		const account = realm.ensureBot({name: `bot${n}`, fullName: `Bot ${n}`, payloadUrl: 'http://127.0.0.1:9/'});
		await send(callerOf(realm.url, account), 'content=x&type=channel&to=lunch&topic=crowd');
	}

	const alice = await signIn(t, 'alice', realm);
	const watching = await watch(alice);
	await send(alice, 'type=channel&to=lunch&topic=crowd&content=%40**Echo**');

	const message = await watching.next();
	const failure = 'You do not have permission to use topic wildcard mentions in this topic.';
	t.is(at(message, 'sender_id'), bot.userId);
	t.is(at(message, 'content'), `Failure! ${failure}`);
	const olivia = await signIn(t, 'olivia', realm);
	const direct = await olivia.get(`${RECENT}&narrow=%5B%5B%22is%22,%22dm%22%5D%5D`);
	const told = contentsIn(direct.json).map(String);
	t.true(told.some(text => text.includes(failure) && text.includes('{"content":"@**topic** look"}')));
});

test('a reply does not count against what the bot may call', async t => {
	const {realm, alice, bot} = await openRealmWithBot(t, HELLO);
	const watching = await watch(alice);
	await send(alice, MENTION);
	await watching.next();

	const answer = await callerOf(realm.url, bot).get('/api/v1/users/me');

	t.is(answer.headers['x-ratelimit-remaining'], '1999');
});
