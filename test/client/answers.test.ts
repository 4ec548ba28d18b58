// How the client handles answers that no specification describes.

import type {Socket} from 'node:net';
import test from 'ava';
import fc from 'fast-check';
import {Dispatcher} from 'undici';
import {createClient} from '../../src/client/client.js';
import {ApiError, NetworkError, ResponseError} from '../../src/client/errors.js';
import {httpAnswer} from '../wire/kit/raw-server.js';
import {ECHO, HELLO, openClient, openSocketClient, SENT} from './client-kit.js';

const unreadable = test.macro({
	async exec(t, answer: string, {status = 200, detail}: {status?: number; detail: string}) {
		const {client, server} = await openClient(t, answer);

		const error = await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: ResponseError});

		t.like(error, {operation: 'sendMessage', status, detail});
		t.notRegex(String(error?.stack), /secret/);
		t.is(server.count, 1);
	},
	title: (title = '') => `${title} is a ResponseError that says so and repeats none of it`,
});

for (const status of ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway Timeout']) {
	test(`HTML with ${status}`, unreadable, httpAnswer(status, '<html>secret</html>', ['Content-Type: text/html']), {
		status: Number(status.slice(0, 3)),
		detail: 'the server failed',
	});
}

const found = (what: string) => ({detail: `expected a JSON object, found ${what}`});
test('HTML with 200', unreadable, httpAnswer('200 OK', '<html>secret</html>'), found('something else'));
test('an empty body', unreadable, httpAnswer('200 OK', ''), found('nothing'));
test('a 204 without body', unreadable, 'HTTP/1.1 204 No Content\r\n\r\n', {status: 204, ...found('nothing')});
test('JSON that is cut', unreadable, httpAnswer('200 OK', '{"result":"success","secr'), found('something else'));
test('a list', unreadable, httpAnswer('200 OK', '["secret"]'), found('something else'));
test('a success without its fields', unreadable, httpAnswer('200 OK', '{"result":"success","msg":"secret"}'), {
	detail: 'id: Invalid input: expected number, received undefined',
});
test('a 500', unreadable, httpAnswer('500 Oops', '{"result":"error","msg":"Internal server error"}'), {
	status: 500,
	detail: 'Internal server error',
});
test('a redirect', unreadable, httpAnswer('301 Moved', '', ['Location: https://chat.example.com/login?secret']), {
	status: 301,
	detail: 'expected an answer, found a redirect to https://chat.example.com',
});
test('a redirect to nowhere', unreadable, httpAnswer('302 Found', '{"result":"success","msg":"","id":1}'), {
	status: 302,
	detail: 'expected an answer, found a redirect',
});
test('an answer that says it is too long', unreadable, 'HTTP/1.1 200 OK\r\nContent-Length: 67108865\r\n\r\n{', {
	detail: 'more than 67108864 bytes',
});

test.serial('an answer in pieces is read up to the limit and no further', async t => {
	const piece = Buffer.from(`100000\r\n${'x'.repeat(1024 * 1024)}\r\n`);
	let written = 0;
	let closed: Promise<unknown> | undefined;
	const client = await openSocketClient(t, socket => {
		closed = new Promise(resolve => {
			socket.once('close', resolve);
		});
		const write = () => {
			while (!socket.destroyed && written < 1024) {
				written += 1;
				if (!socket.write(piece)) {
					socket.once('drain', write);
					return;
				}
			}
		};
		socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
		write();
	});

	await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: ResponseError, message: /more than 67108864 bytes/});

	await closed;
	t.true(written >= 64 && written < 128, `${written} MiB were written`);
});

const broken = test.macro({
	async exec(t, serve: (socket: Socket) => void) {
		const client = await openSocketClient(t, serve);

		const error = await t.throwsAsync(client.sendMessage(HELLO), {
			instanceOf: NetworkError,
			message: /^No answer to sendMessage: /,
		});

		t.true(error?.mayHaveArrived);
	},
	title: (title = '') => `${title} is a NetworkError, and the call may have arrived`,
});

const short = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"result":"success","msg":"","id":1}';
test('a connection that breaks', broken, socket => socket.destroy());
test('a body that breaks off', broken, socket => socket.write(short, () => socket.destroy()));
test('a body that is shorter than it said', broken, socket => socket.end(short));
test('an answer that is no HTTP', broken, socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));

for (const [what, isLate, mayHaveArrived] of [
	['on a connection may have arrived', false, true],
	['while none is free did not arrive, and is not written later', true, false],
] as const) {
	test(`a call whose deadline passes ${what}`, async t => {
		let aborted = 0;
		let begin = () => {};
		// Connections without an answer.
		class Silence extends Dispatcher {
			override dispatch(_: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
				const controller = {abort: () => aborted++} as unknown as Dispatcher.DispatchController;
				begin = () => handler.onRequestStart?.(controller, {});
				if (!isLate) {
					begin();
				}

				return true;
			}
		}

		const client = createClient({...ECHO, site: 'http://127.0.0.1:1', pool: new Silence()});

		const error = await t.throwsAsync(client.sendMessage(HELLO, {timeoutMs: 50}), {
			instanceOf: NetworkError,
			message: 'No answer to sendMessage: no answer within 50 ms',
		});
		if (isLate) {
			begin();
		}

		t.is(error?.mayHaveArrived, mayHaveArrived);
		t.is(aborted, 1, 'the request is given up');
	});
}

test('an attempt that fails takes time, and the error names the time of the whole call', async t => {
	let attempts = 0;
	class Reset extends Dispatcher {
		override dispatch(_: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
			if (++attempts === 1) {
				handler.onResponseError?.({abort() {}} as unknown as Dispatcher.DispatchController, new Error('reset'));
			}

			return true;
		}
	}

	const client = createClient({...ECHO, site: 'http://127.0.0.1:1', pool: new Reset()});

	await t.throwsAsync(client.getOwnUser({}, {timeoutMs: 400}), {
		instanceOf: NetworkError,
		message: 'No answer to getOwnUser: no answer within 400 ms',
	});
	t.is(attempts, 2);
});

test('an informational answer before the answer is skipped', async t => {
	const {client} = await openClient(t, `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${SENT}`);

	t.is((await client.sendMessage(HELLO)).id, 42);
});

for (const [what, json, expected] of [
	['a field of another type than its code has is as good as absent', '"code":"BAD_EVENT_QUEUE_ID","queue_id":5', []],
	['a code that nobody knows comes with its fields', '"code":"BRAND_NEW","__proto__":1', [['__proto__', 1]]],
] as const) {
	test(`${what}; others pass`, async t => {
		const {client} = await openClient(
			t,
			httpAnswer('400 Bad Request', `{"result":"error","msg":"x",${json},"new":[1]}`),
		);

		const error = await t.throwsAsync(client.getUsers(), {instanceOf: ApiError});

		t.deepEqual(Object.entries(error?.fields ?? {}), [...expected, ['new', [1]]]);
	});
}

for (const [json, expected] of [
	['"stream":"x"', ['x', undefined]],
	['"stream_id":5', [undefined, 5]],
] as const) {
	test(`STREAM_DOES_NOT_EXIST brings ${json}`, async t => {
		const refusal = `{"result":"error","msg":"x","code":"STREAM_DOES_NOT_EXIST",${json}}`;
		const {client} = await openClient(t, httpAnswer('400 Bad Request', refusal));

		const error = await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: ApiError});

		t.deepEqual(error?.is('STREAM_DOES_NOT_EXIST') && [error.fields.stream, error.fields.stream_id], expected);
	});
}

test('unknown values and fields pass', async t => {
	const message = {
		id: 1,
		type: 'hologram',
		sender_id: 9,
		sender_email: 'a@b',
		sender_full_name: 'A',
		sender_realm_str: '',
		avatar_url: null,
		client: 'website',
		content: 'x',
		content_type: 'text/x-hologram',
		display_recipient: 'general',
		recipient_id: 12,
		subject: '',
		topic_links: [],
		timestamp: 1_790_000_000,
		is_me_message: false,
		reactions: [{emoji_name: 'a', emoji_code: 'b', reaction_type: 'hologram_emoji', user_id: 1}],
		submessages: [],
		flags: ['hologram'],
		depth: 3,
	};
	const {client} = await openClient(
		t,
		httpAnswer('200 OK', JSON.stringify({result: 'success', msg: '', message, hue: {a: 1}})),
	);

	const answer = await client.getMessage({message_id: 1});

	t.deepEqual(answer, {result: 'success', msg: '', message, hue: {a: 1}} as typeof answer);
});

test('a call that is not in the table is sent unchanged and its answer is returned unchanged', async t => {
	const {client, server} = await openClient(t, httpAnswer('200 OK', '{"result":"success","msg":"","custom":[1]}'));

	const parameters = {text: 'a b', quoted: '"x"', ids: [1, 2], flag: true, left: undefined};
	const answer = await client.call({method: 'POST', path: '/realm/emoji/wä%2Fve #1', parameters});
	await client.call({method: 'PUT', path: '/bot_storage', parameters: {storage: {soup: 'leek'}}});

	t.deepEqual(answer.custom, [1]);
	const [first, second] = [await server.request(1), await server.request(2)];
	t.is(first.line, 'POST /api/v1/realm/emoji/w%C3%A4%2Fve%20%231 HTTP/1.1');
	t.is(first.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(first.body, 'text=a+b&quoted=%22x%22&ids=%5B1%2C2%5D&flag=true');
	t.is(second.line, 'PUT /api/v1/bot_storage HTTP/1.1');
	t.is(second.body, 'storage=%7B%22soup%22%3A%22leek%22%7D');
});

test('a GET that is not in the table sends its parameters in the query, and a refusal is an ApiError', async t => {
	const refusal = '{"result":"error","msg":"No such user","code":"BAD_REQUEST"}';
	const {client, server} = await openClient(t, httpAnswer('400 Bad Request', refusal));

	await t.throwsAsync(client.call({method: 'GET', path: '/users/7/status', parameters: {a: 1}}), {
		instanceOf: ApiError,
		message: 'GET /users/7/status was refused: No such user (BAD_REQUEST, HTTP 400)',
	});

	t.is((await server.request()).line, 'GET /api/v1/users/7/status?a=1 HTTP/1.1');
});

test('a call that is not in the table needs a path, and has a deadline too', async t => {
	const {client, server} = await openClient(t, '\r\n');

	await t.throwsAsync(client.call({method: 'GET', path: 'users'}), {instanceOf: TypeError, message: /got "users"/});
	t.is(server.count, 0);
	await t.throwsAsync(client.call({method: 'GET', path: '/x'}, {timeoutMs: 50}), {
		instanceOf: NetworkError,
		message: 'No answer to GET /x: no answer within 50 ms',
	});
});

test.serial('any answer gives a result or one of our three errors', async t => {
	let answer = '';
	const {client} = await openClient(t, () => answer);
	const envelope = fc.record(
		{
			result: fc.oneof(fc.constantFrom('success', 'error'), fc.jsonValue()),
			msg: fc.oneof(fc.string(), fc.jsonValue()),
			code: fc.oneof(fc.constantFrom('RATE_LIMIT_HIT', 'constructor', '__proto__'), fc.jsonValue()),
			'retry-after': fc.jsonValue(),
			id: fc.oneof(fc.integer(), fc.jsonValue()),
			ignored_parameters_unsupported: fc.jsonValue(),
			events: fc.jsonValue(),
			zulip_feature_level: fc.jsonValue(),
		},
		{requiredKeys: []},
	);
	const body = fc.oneof(
		envelope.map(json => JSON.stringify(json)),
		fc.json(),
		fc.string({unit: 'binary'}),
	);
	// Those two have no body.
	const status = fc.integer({min: 200, max: 599}).filter(each => each !== 204 && each !== 304);
	const kinds = new Set<string>();

	await fc.assert(
		fc.asyncProperty(status, body, async (code, text) => {
			answer = httpAnswer(`${code} x`, text, ['Retry-After: soon', 'Location: //[']);
			const outcome = await client.sendMessage(HELLO).then(
				() => 'answer',
				(error: Error) => error.name,
			);

			kinds.add(outcome);
			t.true(['answer', 'ApiError', 'NetworkError', 'ResponseError'].includes(outcome), outcome);
		}),
		{numRuns: 200},
	);

	t.true(kinds.size >= 2);
});
