// Whatever is sent to any route is answered with JSON, and never with a 5xx.

import test from 'ava';
import fc from 'fast-check';
import {encodeValue, type Operation, operations} from '../../src/api/index.js';
import type {LogLine, OpenRealm} from '../../src/realm/index.js';
import {connectTo} from '../../src/testing/connections.js';
import {anyText} from '../api/arbitrary.js';
import {fitting} from './fitting.js';
import {basic, ECHO, openChat, openRealm} from './realm-kit.js';

const SEED = 2026;
const REQUESTS = 2500;
const AT_ONCE = 10;

const all = Object.values<Operation>(operations);
const requestsEach = Math.ceil(REQUESTS / all.length);

const oddText = fc.oneof(
	anyText(20),
	fc.json(),
	fc.constantFrom(
		'null',
		'[]',
		'{}',
		'-1',
		'1.5',
		'1e400',
		'true',
		'"x"',
		'[[[[',
		'\0',
		'[null]',
		'{"__proto__":1}',
		'\uFFFD',
	),
);

/** One form field or query value as it stands on the wire; `%`-sequences may be broken. */
const wireText = fc.oneof(
	{weight: 6, arbitrary: oddText.map(encode)},
	{weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%00', '%ED%A0%80', '%FF%FE', '+', '%F0%9F')},
);

const segment = fc.oneof(
	{weight: 12, arbitrary: fc.nat({max: 20}).map(String)},
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			'0',
			'-1',
			'00',
			'9007199254740993',
			'9'.repeat(400),
			'%00',
			'%',
			'%zz',
			'%ED%A0%80',
			'%2F',
			'..',
			'a%20b',
			'user4@bothy.example',
			'alice%40bothy.example',
			'1e3',
			'٣',
		),
	},
	{weight: 1, arbitrary: anyText(12).map(encode)},
);

interface Pair {
	readonly name: string;
	/** As it stands on the wire. */
	readonly text: string;
}

function pairsOf({parameters, path}: Operation): fc.Arbitrary<Pair[]> {
	const known = Object.entries(parameters)
		.filter(([name]) => !path.includes(`{${name}}`))
		.map(([name, {schema, encoding, required}]) =>
			fc
				.oneof(
					{weight: required ? 30 : 6, arbitrary: fitting(schema).map(value => encode(encodeValue(value, encoding)))},
					{weight: 1, arbitrary: wireText},
					{weight: required ? 1 : 6, arbitrary: fc.constant(undefined)},
				)
				.map((text): Pair[] => (text === undefined ? [] : [{name, text}])),
		);
	const odd = fc.array(
		fc.record({name: fc.oneof(fc.constantFrom('client', 'method', 'x', '__proto__'), wireText), text: wireText}),
		{
			maxLength: 2,
		},
	);

	return fc
		.tuple(fc.tuple(...known), fc.oneof({weight: 5, arbitrary: fc.constant([])}, {weight: 1, arbitrary: odd}))
		.map(([pairs, others]) => [...pairs.flat(), ...others]);
}

const headerValue = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);
const otherHeaders = fc.record(
	{
		accept: fc.oneof(fc.constantFrom('text/html', '*/*', 'application/json'), headerValue),
		'user-agent': headerValue,
		'content-encoding': fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'nothing'),
		'x-http-method-override': fc.constant('DELETE'),
		expect: fc.constantFrom('100-continue', '100-continue', '100-continue', 'nothing'),
		'if-none-match': fc.constant('*'),
		origin: headerValue,
	},
	{requiredKeys: []},
);

function requestOf(operation: Operation) {
	const inQuery = operation.method === 'GET';
	return fc.record({
		method: fc.oneof(
			{weight: 20, arbitrary: fc.constant<string>(operation.method)},
			{weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE')},
		),
		segments: fc.array(segment, {minLength: 3, maxLength: 3}),
		pairs: pairsOf(operation),
		place: fc.oneof(
			{weight: 20, arbitrary: fc.constant(inQuery ? 'query' : 'form')},
			{weight: 2, arbitrary: fc.constantFrom('query', 'form', 'multipart', 'json', 'bytes', 'broken multipart')},
		),
		bytes: fc.uint8Array({maxLength: 200}),
		who: fc.oneof({weight: 10, arbitrary: fc.nat({max: 3})}, {weight: 1, arbitrary: fc.constant('nobody')}),
		authorization: fc.constantFrom('', 'authorization: Basic', 'authorization: Bearer x', 'authorization: Basic Og=='),
		headers: fc.oneof({weight: 8, arbitrary: fc.constant({})}, {weight: 1, arbitrary: otherHeaders}),
	});
}

type OddRequest = ReturnType<typeof requestOf> extends fc.Arbitrary<infer Value> ? Value : never;

function bytesOf(operation: Operation, request: OddRequest, authorizations: readonly string[]): Buffer {
	const {method, segments, pairs, place, who, headers} = request;
	let next = 0;
	const path = operation.path.replaceAll(/\{\w+\}/g, () => segments[next++] ?? '');
	const form = pairs.map(({name, text}) => `${name}=${text}`).join('&');
	const {type, body} = bodyOf(request, form);
	const authorization = typeof who === 'number' ? `authorization: ${authorizations[who]}` : request.authorization;

	const lines = [
		`${method} /api/v1${path}${place === 'query' && form !== '' ? `?${form}` : ''} HTTP/1.1`,
		'host: 127.0.0.1',
		'connection: close',
		...(authorization === '' ? [] : [authorization]),
		...(type === '' ? [] : [`content-type: ${type}`]),
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		`content-length: ${body.length}`,
	];
	return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

function bodyOf({place, pairs, bytes}: OddRequest, form: string): {type: string; body: Buffer} {
	const part = ({name, text}: Pair) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
	switch (place) {
		case 'form':
			return {type: 'application/x-www-form-urlencoded', body: Buffer.from(form)};
		case 'multipart':
			return {
				type: 'multipart/form-data; boundary=edge',
				body: Buffer.from(`${pairs.map(part).join('')}--edge--\r\n`),
			};
		case 'broken multipart':
			return {type: 'multipart/form-data; boundary=edge', body: Buffer.from(`${pairs.map(part).join('')}--ed`)};
		case 'json':
			return {type: 'application/json', body: Buffer.from(JSON.stringify(pairs))};
		case 'bytes':
			return {type: 'application/x-www-form-urlencoded', body: Buffer.from(bytes)};
		default:
			return {type: '', body: Buffer.alloc(0)};
	}
}

/** Percent-encoded; the replacement character becomes half a surrogate pair, which is no UTF-8. */
function encode(text: string): string {
	return encodeURIComponent(text).replaceAll('%EF%BF%BD', '%ED%A0%80');
}

/** What comes back until the realm hangs up. */
async function ask({server}: OpenRealm, bytes: Buffer): Promise<string> {
	const connection = connectTo(server);
	connection.write(bytes);
	const chunks: Buffer[] = [];
	for await (const chunk of connection) {
		chunks.push(chunk);
	}

	return Buffer.concat(chunks).toString();
}

/** What is wrong with an answer, if anything. */
function complaint({method, headers}: OddRequest, answer: string): string | undefined {
	const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
	const status = Number(last.slice(9, 12));
	const body = last.slice(last.indexOf('\r\n\r\n') + 4);
	const isBrowser = 'accept' in headers;
	if (method === 'HEAD' || status === 204 || (isBrowser && status === 302)) {
		return status < 500 ? undefined : `${status}`;
	}

	const isExpected = status === 200 || (status >= 400 && status < 500);
	return isExpected && isEnvelope(body, status === 200) ? undefined : answer.slice(0, 600);
}

function isEnvelope(text: string, isSuccess: boolean): boolean {
	try {
		const body = JSON.parse(text);
		return body.result === (isSuccess ? 'success' : 'error') && typeof body.msg === 'string';
	} catch {
		return false;
	}
}

for (const operation of all) {
	test.serial(`odd requests to ${operation.name} are answered with JSON and no 5xx`, async t => {
		const errors: LogLine[] = [];
		const log = (line: LogLine) => line.event === 'error' && errors.push(line);
		const {realm, olivia, alice, gus} = await openChat(t, {rateLimit: false, log});
		const authorizations = [olivia, alice, gus, realm.ensureBot(ECHO)].map(
			({email, key}) => basic(email, key).authorization ?? '',
		);
		const problems: string[] = [];

		const requests = fc.sample(requestOf(operation), {numRuns: requestsEach, seed: SEED}).values();
		const work = async () => {
			for (const request of requests) {
				const bytes = bytesOf(operation, request, authorizations);
				const answer = await ask(realm, bytes);
				const problem = complaint(request, answer);
				if (problem !== undefined) {
					problems.push(`${bytes.subarray(0, 500)} → ${problem}`);
				}
			}
		};
		await Promise.all(Array.from({length: AT_ONCE}, work));
		t.deepEqual(problems.slice(0, 2), [], `${problems.length} of ${requestsEach}; seed ${SEED}`);
		t.deepEqual(errors.slice(0, 2), []);
	});
}

test('bytes that are no request are answered with JSON and 400', async t => {
	const realm = await openRealm(t);

	for (const bytes of fc.sample(fc.uint8Array({minLength: 1, maxLength: 300}), {numRuns: 100, seed: SEED})) {
		const answer = await ask(realm, Buffer.concat([bytes, Buffer.from('\r\n\r\n')]));

		t.is(answer.slice(0, 24), 'HTTP/1.1 400 Bad Request', Buffer.from(bytes).toString('hex'));
		t.true(isEnvelope(answer.slice(answer.indexOf('\r\n\r\n') + 4), false));
	}
});

for (const [what, status, bytes] of [
	[
		'a head beyond measure',
		'431 Request Header Fields Too Large',
		`GET / HTTP/1.1\r\nhost: ${'x'.repeat(100_000)}\r\n\r\n`,
	],
	[
		'a body beyond measure',
		'413 Payload Too Large',
		`POST /api/v1/typing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
			`content-type: application/x-www-form-urlencoded\r\ncontent-length: ${11 * 1024 * 1024}\r\n\r\n`,
	],
] as const) {
	test(`${what} is answered with JSON and ${status.slice(0, 3)}`, async t => {
		const answer = await ask(await openRealm(t), Buffer.from(bytes));

		t.is(answer.split('\r\n')[0], `HTTP/1.1 ${status}`);
		t.true(isEnvelope(answer.slice(answer.indexOf('\r\n\r\n') + 4), false));
	});
}
