// Every request is answered with a JSON object and a 4xx, and does not affect others.

import {once} from 'node:events';
import {type AddressInfo, connect} from 'node:net';
import {text as readText} from 'node:stream/consumers';
import {brotliCompressSync, constants, deflateSync, gzipSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {createReceiver} from '../../src/receiver/receiver.js';
import {payload} from '../helpers/payload.js';

const TOKEN = 'correctcorrectcorrectcorrectcorr';
/** Each part reports progress, even if it takes long. */
const PARTS = 2;
const REQUESTS = 1_500;
const AT_ONCE = 50;

const json = fc.oneof(
	fc.json(),
	fc.jsonValue().map(value => JSON.stringify({...payload({token: 'wrong'}), data: value})),
	fc
		.record(
			{bot_email: fc.jsonValue(), token: fc.jsonValue(), message: fc.jsonValue(), trigger: fc.jsonValue()},
			{requiredKeys: []},
		)
		.map(value => JSON.stringify(value)),
	// Verified, but never a complete payload.
	fc
		.dictionary(fc.string(), fc.jsonValue())
		.map(extra => JSON.stringify({...extra, bot_email: payload().bot_email, token: TOKEN, message: 5})),
	fc.constant('{"__proto__": {"bot_email": "x"}}'),
	fc.constant(`${'['.repeat(50_000)}`),
);

const bombs = new Map<number, Buffer>();

function bombOf(size: number): Buffer {
	const bomb = bombs.get(size) ?? gzipSync(Buffer.alloc(size, ' '));
	bombs.set(size, bomb);
	return bomb;
}

const body: fc.Arbitrary<Buffer> = fc.oneof(
	json.map(text => Buffer.from(text)),
	fc.uint8Array({maxLength: 2000}).map(bytes => Buffer.from(bytes)),
	fc.tuple(json, fc.nat()).map(([text, cut]) => Buffer.from(text).subarray(0, cut % (text.length + 1))),
	json.map(text => gzipSync(text)),
	json.map(text => brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_QUALITY]: 1}})),
	json.map(text => deflateSync(text)),
	// Around the limit when unpacked.
	fc.constantFrom(1_000_000, 2 ** 20, 2 ** 20 + 1, 1_200_000).map(bombOf),
);

const headerValue = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);

const headers = fc.record(
	{
		'content-type': fc.oneof(
			fc.constantFrom(
				'application/json',
				'application/json; charset=utf-8',
				'text/plain',
				'application/x-www-form-urlencoded',
			),
			headerValue,
		),
		'content-encoding': fc.oneof(fc.constantFrom('gzip', 'br', 'deflate', 'identity'), headerValue),
		accept: headerValue,
		expect: fc.constantFrom('100-continue', 'nothing'),
		'x-odd': headerValue,
	},
	{requiredKeys: []},
);

const request = fc.record({
	method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'PUT', 'GET', 'DELETE', 'OPTIONS', 'PATCH', 'BREW'),
	path: fc.oneof(
		fc.constantFrom('/webhook', '/', '/healthz/x', '/webhook?a=%00'),
		fc.webPath().map(path => path || '/'),
	),
	headers,
	body,
	framing: fc.constantFrom('length', 'chunks', 'wrong length', 'both'),
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function bytesOf({method, path, headers: fields, body: content, framing}: Request): Buffer {
	const head = [`${method} ${path} HTTP/1.1`, 'host: x', 'connection: close'];
	for (const [name, value] of Object.entries(fields)) {
		head.push(`${name}: ${value}`);
	}

	if (framing === 'chunks' || framing === 'both') {
		head.push('transfer-encoding: chunked');
	}

	if (framing !== 'chunks') {
		head.push(`content-length: ${framing === 'wrong length' ? content.length + 7 : content.length}`);
	}

	const sent =
		framing === 'chunks' || framing === 'both'
			? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')])
			: content;
	return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), sent]);
}

const isWhole = ({framing}: Request) => framing === 'length' || framing === 'chunks';

/** Sends a request. The service closes the connection after its answer, or if a body ends too soon. */
async function ask(port: number, request: Request): Promise<string> {
	const socket = connect({port, host: '127.0.0.1', allowHalfOpen: true});
	socket.on('error', () => {});
	await once(socket, 'connect');
	socket.write(bytesOf(request));
	if (!isWhole(request)) {
		socket.end();
	}

	return readText(socket).catch(() => '');
}

const requests = fc.sample(request, {numRuns: PARTS * REQUESTS, seed: 20_26});

for (let part = 0; part < PARTS; part++) {
	test.serial(`${REQUESTS} odd requests are each answered with a JSON object and a 4xx, part ${part + 1}`, async t => {
		const reported: unknown[] = [];
		const server = createReceiver({
			accounts: [{email: payload().bot_email, tokens: [TOKEN]}],
			deliver: async () => ({body: '{"content":"hello"}'}),
			readiness: async () => ({missing: [], degraded: []}),
			report: error => reported.push(error),
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		t.teardown(() => server.close());
		const {port} = server.address() as AddressInfo;

		const problems: string[] = [];
		const next = requests.slice(part * REQUESTS, (part + 1) * REQUESTS).values();
		const work = async () => {
			for (const one of next) {
				const answer = await ask(port, one);
				const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
				const status = last.slice(9, 12);
				// A client that ends before its body is complete may find the connection closed.
				if (!isWhole(one) && (answer === '' || status === '100')) {
					continue;
				}

				const isJson = isObject(last.slice(last.indexOf('\r\n\r\n') + 4));
				if (!/^4\d\d$/.test(status) || !isJson || answer.includes(TOKEN)) {
					problems.push(`${bytesOf(one).subarray(0, 300)} → ${answer.slice(0, 300)}`);
				}
			}
		};
		await Promise.all(Array.from({length: AT_ONCE}, work));

		t.deepEqual(problems.slice(0, 3), []);
		t.deepEqual(reported, []);
		const body = Buffer.from(JSON.stringify(payload()));
		const headers = {'content-type': 'application/json'};
		const proven: Request = {method: 'POST', path: '/webhook', headers, body, framing: 'length'};
		t.regex(await ask(port, proven), /\{"content":"hello"\}$/);
	});
}

function isObject(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
