import {once} from 'node:events';
import {connect} from 'node:net';
import {text as readText} from 'node:stream/consumers';
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import type {Payload} from '../../src/api/index.js';
import type {Answer} from '../../src/delivery/receive.js';
import {answeredBy} from '../../src/delivery/work.js';
import {createReceiver} from '../../src/receiver/receiver.js';
import {payload} from '../helpers/payload.js';
import {listen} from './listen.js';

const TOKEN = 'correctcorrectcorrectcorrectcorr';

interface Overrides {
	readonly tokens?: readonly string[];
	readonly missing?: readonly string[];
	deliver?(payload: Payload): Promise<Answer>;
}

async function startReceiver(t: ExecutionContext, overrides: Overrides = {}) {
	const delivered: {account: string; payload: Payload}[] = [];
	const reported: unknown[] = [];
	const server = createReceiver({
		accounts: [
			{name: 'echo', email: 'echo-bot@chat.example.com', tokens: overrides.tokens ?? [TOKEN]},
			{name: 'echo elsewhere', email: 'Echo-Bot@chat.example.com', tokens: ['elsewhereelsewhereelsewhereelsew']},
		],
		async deliver({account: {name}, work}) {
			const payload = answeredBy(work);
			if (!payload) {
				throw new Error(`Expected a message, found ${work.kind}`);
			}

			delivered.push({account: name, payload});
			return overrides.deliver?.(payload) ?? {body: JSON.stringify({content: `hello from ${name}`})};
		},
		readiness: async () => ({missing: overrides.missing ?? [], degraded: ['redis']}),
		report: error => reported.push(error),
	});
	const port = await listen(t, server);

	const request = async (path: string, init: RequestInit = {}) => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
		const text = await response.text();
		t.regex(response.headers.get('content-type') ?? '', /^application\/json/);
		return {status: response.status, headers: response.headers, text, body: JSON.parse(text)};
	};
	const post = (body: unknown, headers: Record<string, string> = {}, path = '/webhook') =>
		request(path, {
			method: 'POST',
			headers: {'content-type': 'application/json', ...headers},
			body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
		});
	return {port, delivered, reported, request, post};
}

test('a verified payload is delivered and answered, also at / where existing bot servers listen', async t => {
	const receiver = await startReceiver(t);

	const answer = await receiver.post(payload());

	t.is(answer.status, 200);
	t.is(answer.text, '{"content":"hello from echo"}');
	t.is(receiver.delivered[0]?.payload.message.id, 4711);
	t.is((await receiver.post(payload(), {}, '/')).status, 200);
});

test('the email is compared without case, and the token distinguishes accounts with the same email', async t => {
	const receiver = await startReceiver(t);

	await receiver.post(payload({botEmail: 'ECHO-BOT@CHAT.example.com', token: 'elsewhereelsewhereelsewhereelsew'}));

	t.is(receiver.delivered[0]?.account, 'echo elsewhere');
});

test('every token of an account verifies a payload during a rotation', async t => {
	const receiver = await startReceiver(t, {tokens: ['old', 'new']});

	t.is((await receiver.post(payload({token: 'old'}))).status, 200);
	t.is((await receiver.post(payload({token: 'new'}))).status, 200);
	t.is((await receiver.post(payload({token: 'newer'}))).status, 401);
});

test('an unknown bot and a wrong token get the same answer, and nothing is delivered', async t => {
	const receiver = await startReceiver(t);

	const wrongToken = await receiver.post(payload({token: 'wrongwrong'}));
	const unknownBot = await receiver.post(payload({botEmail: 'nobody@chat.example.com'}));
	const bothWrong = await receiver.post({bot_email: 'nobody@chat.example.com', token: ''});

	t.is(wrongToken.status, 401);
	t.is(wrongToken.body.code, 'UNAUTHORIZED');
	t.regex(wrongToken.body.msg, /zuliprc/);
	t.deepEqual([unknownBot.status, unknownBot.text], [wrongToken.status, wrongToken.text]);
	t.deepEqual([bothWrong.status, bothWrong.text], [wrongToken.status, wrongToken.text]);
	t.deepEqual(receiver.delivered, []);
});

test('a client that guesses tokens is answered later and later', async t => {
	const receiver = await startReceiver(t);
	for (let guess = 0; guess < 5; guess++) {
		await receiver.post(payload({token: 'wrongwrong'}));
	}

	const since = performance.now();
	t.is((await receiver.post(payload({token: 'wrongwrong'}))).status, 401);
	t.true(performance.now() - since >= 95);
});

test('no refusal repeats the token or the message', async t => {
	const receiver = await startReceiver(t);

	const answers = [
		await receiver.post(payload({token: 'sesame-sesame', text: 'my secret'})),
		await receiver.post({...payload({text: 'my secret'}), message: {content: 'my secret'}}),
		await receiver.post(`{"token": "${TOKEN}", "data": "my secret"`),
	];

	for (const {text} of answers) {
		t.notRegex(text, new RegExp(`sesame|my secret|${TOKEN}`));
	}
});

test('the refusal of a payload names the field that is missing or wrong', async t => {
	const receiver = await startReceiver(t);
	const {message} = payload();

	const missing = await receiver.post({bot_email: 'echo-bot@chat.example.com'});
	const wrong = await receiver.post({...payload(), message: {...message, sender_id: 'nine'}});

	t.like(missing, {status: 400, body: {code: 'BAD_PAYLOAD'}});
	t.regex(missing.body.msg, /`token`: .*expected string/);
	t.is(wrong.status, 400);
	t.regex(wrong.body.msg, /`message\.sender_id`: .*expected number, received string/);
});

test('unknown fields and an unknown trigger pass', async t => {
	const receiver = await startReceiver(t);

	const answer = await receiver.post({...payload({trigger: 'reaction'}), novelty: {a: 1}});

	t.is(answer.status, 200);
	t.is(receiver.delivered[0]?.payload.trigger, 'reaction');
});

const json = JSON.stringify(payload());
const LONG = JSON.stringify({a: 'x'.repeat(1024 * 1024)});
const TYPE = 'content-type';
const ENCODING = 'content-encoding';

for (const [what, body, headers, status, code] of [
	['broken JSON', '{"a":', {}, 400, 'BAD_JSON'],
	['a JSON number', '5', {}, 400, 'BAD_JSON'],
	['a JSON list', '[]', {}, 400, 'BAD_PAYLOAD'],
	['an empty body', '', {}, 400, 'BAD_PAYLOAD'],
	['bytes that are no UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), {}, 400, 'BAD_JSON'],
	['a form', 'a=b', {[TYPE]: 'application/x-www-form-urlencoded'}, 415, 'UNSUPPORTED_TYPE'],
	['text', json, {[TYPE]: 'text/plain'}, 415, 'UNSUPPORTED_TYPE'],
	['a body of more than 1 MiB', LONG, {}, 413, 'TOO_LARGE'],
	['a body of more than 1 MiB when unpacked', gzipSync(LONG), {[ENCODING]: 'gzip'}, 413, 'TOO_LARGE'],
	['corrupt gzip', json, {[ENCODING]: 'gzip'}, 400, 'BAD_COMPRESSION'],
	['corrupt brotli', json, {[ENCODING]: 'br'}, 400, 'BAD_COMPRESSION'],
	['cut gzip', gzipSync(json).subarray(0, 100), {[ENCODING]: 'gzip'}, 400, 'BAD_COMPRESSION'],
	['an unknown encoding', json, {[ENCODING]: 'zap'}, 415, 'UNSUPPORTED_ENCODING'],
] satisfies [string, string | Uint8Array, Record<string, string>, number, string][]) {
	test(`${what} is refused with its own status, and the next payload is accepted`, async t => {
		const receiver = await startReceiver(t);

		const answer = await receiver.post(body, headers);

		t.like(answer, {status, body: {result: 'error', code}});
		t.regex(answer.body.msg, /^Expected /);
		t.is((await receiver.post(payload())).status, 200, 'the process goes on');
		t.deepEqual(receiver.reported, []);
	});
}

for (const [encoding, body] of Object.entries({
	gzip: gzipSync(json),
	deflate: deflateSync(json),
	br: brotliCompressSync(json),
})) {
	test(`a body compressed by ${encoding} is read`, async t => {
		t.is((await (await startReceiver(t)).post(body, {[ENCODING]: encoding})).status, 200);
	});
}

test('a wrong method is answered with 405 and the allowed method', async t => {
	const receiver = await startReceiver(t);

	const answer = await receiver.request('/webhook');

	t.is(answer.status, 405);
	t.is(answer.headers.get('allow'), 'POST');
	t.is(answer.body.msg, 'Expected POST /webhook, found GET.');
	t.is((await receiver.request('/readyz', {method: 'DELETE'})).status, 405);
});

test('an unknown path is answered with 404 and the right path', async t => {
	const receiver = await startReceiver(t);

	const answer = await receiver.request('/wbhook', {method: 'POST'});

	t.is(answer.status, 404);
	t.regex(answer.body.msg, /POST \/webhook/);
});

test('a request that is not HTTP gets a JSON object too', async t => {
	const receiver = await startReceiver(t);
	const socket = connect(receiver.port, '127.0.0.1');
	t.teardown(() => socket.destroy());

	socket.end('\u0000\u0001 nonsense\r\n\r\n');
	const answer = await readText(socket);

	t.regex(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
	t.is(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).result, 'error');
});

test('a body that is cut off delivers nothing and does not affect other requests', async t => {
	const receiver = await startReceiver(t);
	const socket = connect(receiver.port, '127.0.0.1');
	socket.write(
		`POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n`,
	);
	socket.write(json.slice(0, 200));
	await once(socket, 'ready');
	socket.destroy();
	await once(socket, 'close');

	t.is((await receiver.post(payload())).status, 200);
	t.is(receiver.delivered.length, 1);
	t.deepEqual(receiver.reported, []);
});

test('an internal error is reported, and answered without detail', async t => {
	const receiver = await startReceiver(t, {
		async deliver() {
			throw new Error('database password is hunter2');
		},
	});

	const answer = await receiver.post(payload());

	t.is(answer.status, 500);
	t.notRegex(answer.text, /hunter2/);
	t.like(receiver.reported, [{message: 'database password is hunter2'}]);
});

test('a receiver that is not ready is still healthy', async t => {
	const receiver = await startReceiver(t, {missing: ['Redis is away', 'no worker takes sends']});

	t.is((await receiver.request('/healthz')).status, 200);
	const ready = await receiver.request('/readyz');
	t.is(ready.status, 503);
	t.is(ready.body.msg, 'Not ready: Redis is away; no worker takes sends');
	t.is((await (await startReceiver(t)).request('/readyz')).status, 200);
});
