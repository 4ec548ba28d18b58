// What the realm makes of what a bot's receiver answers.

import {gzipSync} from 'node:zlib';
import test from 'ava';
import {at, callerOf, type Json, newestMessage, signIn} from './kit/raw-request.js';
import {httpAnswer} from './kit/raw-server.js';
import {openRealmWithBot, readNewest, readOwner, send} from './kit/webhook-kit.js';

const MENTION = 'type=channel&to=general&topic=soup&content=%40**Echo**';
const HELLO = httpAnswer('200 OK', '{"content":"hello"}');
const ok = (body: string) => httpAnswer('200 OK', body);

const WIDGET = `{"widget_type":"zform","extra_data":{"type":"choices","heading":"Soup?",\
"choices":[{"short_name":"A","long_name":"Yes","reply":"yes"}]}}`;

test('the realm posts the content of an answer', async t => {
	const rows: ReadonlyArray<readonly [answer: string, content: string]> = [
		[ok('{"content":"Hello, *wörld*"}'), 'Hello, *wörld*'],
		[httpAnswer('201 Created', '{"content":"hello"}'), 'hello'],
		['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 19\r\n\r\n{"content":"hello"}', 'hello'],
		['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"content"\r\n9\r\n:"hello"}\r\n0\r\n\r\n', 'hello'],
		[ok('{"content":5}'), '5'],
		[ok('{"content":null}'), 'None'],
		[ok('{"content":[1,"a\'b",false]}'), '[1, "a\'b", False]'],
		[ok('{"content":{"a":{"b":null}}}'), "{'a': {'b': None}}"],
		[ok('{"content":"x","response_not_required":[]}'), 'x'],
		[
			'HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=latin1\r\nContent-Length: 16\r\n\r\n{"content":"é"}',
			'Ã©',
		],
		[ok('{"content":"x","widget_content":null}'), 'x'],
		[ok(`{"content":"${'a'.repeat(10_001)}"}`), `${'a'.repeat(9980)}\n[message truncated]`],
		[ok('{"content":"hello","attachments":[{}]}'), 'hello'],
		[ok('{"content":"hello","response_not_required":false}'), 'hello'],
		[ok('{"response_string":"hello"}'), 'hello'],
		[ok('{"content":"no","response_string":"yes"}'), 'yes'],
		[ok('{"response_string":"x","widget_content":"{"}'), 'x'],
	];
	const {receiver, alice, bot, ask} = await openRealmWithBot(t, n => rows[n - 1]?.[0] ?? '');
	for (const [answer, content] of rows) {
		await ask(MENTION);

		const [question = null, reply = null] = await readNewest(alice, 2);
		t.is(at(question, 'sender_id'), alice.userId, answer);
		t.is(at(reply, 'sender_email'), bot.email, answer);
		t.is(at(reply, 'client'), 'OutgoingWebhookResponse', answer);
		t.is(at(reply, 'subject'), 'soup', answer);
		t.is(at(reply, 'content'), content, answer);
		t.deepEqual(at(reply, 'submessages'), [], answer);
	}

	t.is(receiver.count, rows.length);
});

test('the realm decompresses an answer, and says so if it cannot', async t => {
	const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ';
	const body = gzipSync('{"content":"hello"}');
	const {realm, receiver, ask} = await openRealmWithBot(t, n =>
		n === 1 ? Buffer.concat([Buffer.from(`${head}${body.length}\r\n\r\n`), body]) : `${head}2\r\n\r\n{}`,
	);

	t.is(at(await ask(MENTION), 'content'), 'hello');
	t.is((await receiver.request()).headers['accept-encoding'], 'gzip, deflate');
	const failure = 'Failure! An exception of type *ContentDecodingError* occurred for message `@**Echo**`!';
	t.is(at(await ask(MENTION), 'content'), `${failure} See the Zulip server logs for more information.`);
	const [told = ''] = await readOwner(t, realm);
	t.true(told.includes('Received response with content-encoding: gzip, but failed to decode it.'));
});

test('the realm posts nothing for an answer that is empty or says so', async t => {
	const bodies = [
		'{"response_not_required":true}',
		'{"response_not_required":"no","content":"a"}',
		'{"response_not_required":true,"content":"a","response_string":"b"}',
		'{}',
		'{"text":"hello"}',
		'{"content":""}',
		'{"content":" \\n\\t "}',
		'""',
	];
	const {realm, receiver, alice, ask} = await openRealmWithBot(t, n => ok(bodies[n - 1] ?? ''));
	for (const body of bodies) {
		t.is(at(await ask(MENTION), 'sender_id'), alice.userId, body);
	}

	t.is(receiver.count, bodies.length);
	t.deepEqual(await readOwner(t, realm), []);
});

test('the realm posts a failure for an answer that it cannot use, and notifies the owner', async t => {
	const NO_JSON = 'Invalid JSON in response';
	const NO_FORMAT = 'Invalid response format';
	const NO_WIDGET = 'Widgets: API programmer sent invalid JSON content';
	const rows: ReadonlyArray<readonly [answer: string, failure: string, ...told: string[]]> = [
		[ok(''), NO_JSON, NO_JSON],
		['HTTP/1.1 204 No Content\r\n\r\n', NO_JSON, NO_JSON],
		[ok('OK,\n"thanks"\u00e9'), NO_JSON, `\n\`\`\`\n'OK,\\n"thanks"é'\n\`\`\``],
		[ok('\ufeff{"content":"x"}'), NO_JSON, '\'\\ufeff{"content":"x"}\''],
		[ok('{"content":'), NO_JSON, NO_JSON],
		[ok('[{"content":"hello"}]'), NO_FORMAT, NO_FORMAT],
		[ok('5'), NO_FORMAT, NO_FORMAT],
		[ok('null'), NO_FORMAT, NO_FORMAT],
		[ok('"hello"'), NO_FORMAT, NO_FORMAT],
		[httpAnswer('400 Bad Request', '{"content":"no"}'), 'Third party responded with 400', '400', '{"content":"no"}'],
		[httpAnswer('401 Unauthorized', '{"msg":"who?"}'), 'Third party responded with 401', '401', '{"msg":"who?"}'],
		[httpAnswer('500 Internal Server Error', 'oh no'), 'Third party responded with 500', '500', "b'oh no'"],
		[httpAnswer('502 Bad Gateway', "it's \u00e9"), 'Third party responded with 502', '502', 'b"it\'s \\xc3\\xa9"'],
		[httpAnswer('304 Not Modified', ''), 'Third party responded with 304', 'status code *304*.'],
		[httpAnswer('503 Service Unavailable', 'later'), 'Third party responded with 503', '503', 'later'],
		[
			httpAnswer('407 Proxy Authentication Required', ''),
			'Third party responded with 407',
			'private or disallowed network',
		],
		[ok('{"content":"x","widget_content":"{"}'), NO_WIDGET, NO_WIDGET],
		[
			ok('{"content":"x","widget_content":"{\\"widget_type\\":\\"poll\\",\\"extra_data\\":{}}"}'),
			'Widgets: unknown widget type: poll',
		],
		[ok(`{"content":"x","widget_content":${WIDGET}}`), NO_WIDGET, NO_WIDGET],
	];
	const {realm, receiver, alice, ask} = await openRealmWithBot(t, n => rows[n - 1]?.[0] ?? '');
	for (const [index, [answer, failure, ...told]] of rows.entries()) {
		await ask(MENTION);

		const [question = null, reply = null] = await readNewest(alice, 2);
		t.is(at(question, 'sender_id'), alice.userId, answer);
		t.is(at(reply, 'content'), `Failure! ${failure}`, answer);
		t.is(receiver.count, index + 1, answer);
		const notes = await readOwner(t, realm);
		t.is(notes.length, index + 1, answer);
		for (const text of told) {
			t.true(notes.at(-1)?.includes(text), `${answer} ${text}`);
		}
	}
});

test('the realm posts content with a widget as its submessage', async t => {
	const {bot, ask} = await openRealmWithBot(t, ok(`{"content":"Soup?","widget_content":${JSON.stringify(WIDGET)}}`));

	const message = await ask(MENTION);

	t.is(at(message, 'content'), 'Soup?');
	const {id, content, ...submessage} = Object(at(message, 'submessages', 0)) as {[key: string]: Json};
	t.true(Number.isSafeInteger(id));
	t.deepEqual(submessage, {message_id: at(message, 'id'), msg_type: 'widget', sender_id: bot.userId});
	t.deepEqual<unknown, unknown>(JSON.parse(String(content)), JSON.parse(WIDGET));
});

test('the realm posts a reply where the message is', async t => {
	const {realm, bot} = await openRealmWithBot(t, HELLO);
	for (const [who, form, ...place] of [
		['alice', 'type=channel&to=lunch&topic=&content=%40**Echo**', 'lunch', ''],
		[
			'alice',
			'type=direct&to=echo-bot%40bothy.example,bob%40bothy.example&content=x',
			['alice@bothy.example', 'bob@bothy.example', 'echo-bot@bothy.example'],
			'',
		],
		// The bot is not in this private channel.
		['mona', 'type=channel&to=staff&topic=x&content=%40**Echo**', 'staff', 'x'],
	] as const) {
		const caller = await signIn(t, who, realm);

		await send(caller, form);
		await realm.webhooksDone();

		const message = await newestMessage(caller);
		t.like(message, {content: 'hello', sender_id: bot.userId}, form);
		const recipient = at(message, 'display_recipient');
		const where = Array.isArray(recipient) ? recipient.map(each => at(each, 'email')) : recipient;
		t.deepEqual<unknown, unknown>([where, at(message, 'subject')], place, form);
	}
});

test('the realm posts a failure when the reply may not be sent, and quotes the reply to the owner', async t => {
	const {realm, bot, ask} = await openRealmWithBot(t, ok('{"content":"@**topic** look"}'));
	for (let n = 1; n <= 16; n += 1) {
		const account = realm.ensureBot({name: `bot${n}`, fullName: `Bot ${n}`, payloadUrl: 'http://127.0.0.1:9/'});
		await send(callerOf(realm.url, account), 'content=x&type=channel&to=lunch&topic=crowd');
	}

	const reply = await ask('type=channel&to=lunch&topic=crowd&content=%40**Echo**');

	const failure = 'You do not have permission to use topic wildcard mentions in this topic.';
	t.like(reply, {sender_id: bot.userId, content: `Failure! ${failure}`});
	const [note = '', ...others] = await readOwner(t, realm);
	t.true(note.includes(failure) && note.includes('{"content":"@**topic** look"}'));
	t.deepEqual(others, []);
});

test('a reply does not count against what the bot may call', async t => {
	const {realm, bot, ask} = await openRealmWithBot(t, HELLO);
	await ask(MENTION);

	const {headers} = await callerOf(realm.url, bot).get('/api/v1/users/me');

	t.is(headers['x-ratelimit-remaining'], '1999');
});
