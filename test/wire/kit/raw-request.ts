// Speaks to a realm over a bare socket: the bytes of a request are written by hand, the bytes of the answer are kept.

import {connect} from 'node:net';
import type {ExecutionContext} from 'ava';
import type {OpenRealm, Realm} from '../../../src/realm/index.js';
import {findAccountByEmail} from '../../../src/realm/people/accounts.js';
import {openRealm} from '../../helpers/realm.js';
import {readHeaders} from './raw-server.js';

export {openRealm};

export type Json = null | boolean | number | string | Json[] | {[key: string]: Json};

export interface RawAnswer {
	/** `HTTP/1.1 200 OK` */
	readonly statusLine: string;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** The body, parsed; throws when it is no JSON. */
	readonly json: Json;
}

/** Sends lines that are joined by CR LF, and reads until the other side hangs up. */
function sendLines(url: string, lines: readonly string[]): Promise<RawAnswer> {
	const {hostname, port} = new URL(url);
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		const socket = connect(Number(port), hostname, () => {
			socket.write(lines.join('\r\n'));
		});
		socket.on('data', (chunk: Buffer) => chunks.push(chunk));
		socket.on('error', reject);
		socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks))));
	});
}

/** One request with these headers; they may bring a `Host` of their own. */
export function sendRequest(url: string, line: string, headers: readonly string[] = [], body = ''): Promise<RawAnswer> {
	const host = headers.some(header => header.startsWith('Host:')) ? [] : ['Host: 127.0.0.1'];
	const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
	return sendLines(url, [`${line} HTTP/1.1`, ...host, 'Connection: close', ...headers, ...length, '', body]);
}

function readAnswer(bytes: Buffer): RawAnswer {
	const end = bytes.indexOf('\r\n\r\n');
	const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
	const headers = readHeaders(lines);
	const rest = bytes.subarray(end + 4);
	const body = (headers['transfer-encoding'] === 'chunked' ? joinChunks(rest) : rest).toString('utf8');

	return {
		statusLine,
		headers,
		body,
		get json(): Json {
			// JSON.parse makes nothing else.
			return JSON.parse(body) as Json;
		},
	};
}

function joinChunks(bytes: Buffer): Buffer {
	const end = bytes.indexOf('\r\n');
	const length = Number.parseInt(bytes.subarray(0, end).toString('latin1'), 16);
	if (end === -1 || length === 0) {
		return Buffer.alloc(0);
	}

	const start = end + 2;
	return Buffer.concat([bytes.subarray(start, start + length), joinChunks(bytes.subarray(start + length + 2))]);
}

/** Somebody with credentials, who writes the path and the body of each request by hand. */
export interface Caller {
	readonly email: string;
	readonly key: string;
	readonly userId: number;
	/** The line `Authorization: Basic …`. */
	readonly authorization: string;
	get(path: string, headers?: readonly string[]): Promise<RawAnswer>;
	post(path: string, form: string, headers?: readonly string[]): Promise<RawAnswer>;
	put(path: string, form: string): Promise<RawAnswer>;
	patch(path: string, form: string): Promise<RawAnswer>;
	/** Parameters in a form body. */
	delete(path: string, form: string): Promise<RawAnswer>;
}

/** Somebody with the address `<name>@bothy.example`, on a realm of the test's own unless one is given. */
export async function signIn(t: ExecutionContext, name = 'alice', realm?: OpenRealm): Promise<Caller> {
	return signInTo(realm ?? (await openRealm(t)), name);
}

/** The key comes from the realm's database. */
export function signInTo({url, services}: OpenRealm, name: string): Caller {
	const email = `${name}@bothy.example`;
	const account = findAccountByEmail(services.store, email);
	if (!account) {
		throw new Error(`Expected an account of ${email}, found none`);
	}

	return callerOf(url, {email, key: account.api_key, userId: account.id});
}

interface Credentials {
	readonly email: string;
	readonly key: string;
	readonly userId: number;
}

/** Without an email the caller brings no credentials. */
export function callerOf(url: string, {email, key, userId}: Credentials): Caller {
	const authorization = `Authorization: Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
	const login = email === '' ? [] : [authorization];
	const send = (line: string, headers: readonly string[], form: string) =>
		sendLines(url, [line, 'Host: 127.0.0.1', ...login, 'Connection: close', ...headers, '', form]);
	const formHeaders = (form: string, type = 'Content-Type: application/x-www-form-urlencoded') => [
		type,
		`Content-Length: ${Buffer.byteLength(form)}`,
	];
	const postHeaders = (form: string, headers: readonly string[]) => {
		const type = headers.find(header => header.startsWith('Content-Type:'));
		return [...formHeaders(form, type), ...headers.filter(header => header !== type)];
	};

	return {
		email,
		key,
		userId,
		authorization,
		get: (path, headers = []) => send(`GET ${path} HTTP/1.1`, headers, ''),
		post: (path, form, headers = []) => send(`POST ${path} HTTP/1.1`, postHeaders(form, headers), form),
		put: (path, form) => send(`PUT ${path} HTTP/1.1`, formHeaders(form), form),
		patch: (path, form) => send(`PATCH ${path} HTTP/1.1`, formHeaders(form), form),
		delete: (path, form) => send(`DELETE ${path} HTTP/1.1`, formHeaders(form), form),
	};
}

/** Lets time pass in the realm. */
export async function advanceClock(realm: Realm, ms: number): Promise<void> {
	const body = `{"advance_ms":${ms}}`;
	const answer = await sendLines(realm.url, [
		'POST /trouble/clock HTTP/1.1',
		'Host: 127.0.0.1',
		'Content-Type: application/json',
		`Content-Length: ${body.length}`,
		'Connection: close',
		'',
		body,
	]);
	if (answer.statusLine !== 'HTTP/1.1 200 OK') {
		throw new Error(`Expected the clock to advance, found ${answer.body}`);
	}
}

/** The newest message that the caller sees, as it was written. */
export async function newestMessage(caller: Caller): Promise<Json> {
	const {json} = await caller.get(
		'/api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&allow_empty_topic_name=true',
	);
	return at(json, 'messages', 0);
}

/** The value at a place in JSON. */
export function at(json: Json, ...path: ReadonlyArray<string | number>): Json {
	let value: Json | undefined = json;
	for (const key of path) {
		if (Array.isArray(value)) {
			value = value[Number(key)];
		} else if (typeof value === 'object' && value !== null) {
			value = value[key];
		} else {
			value = undefined;
		}
	}

	if (value === undefined) {
		throw new Error(`Expected a value at ${path.join('.')}, found none in ${JSON.stringify(json)}`);
	}

	return value;
}

/** The same JSON with what must vary, the values under `keys`, replaced by the kind of value found there. */
export function mask(json: Json, ...keys: readonly string[]): Json {
	if (Array.isArray(json)) {
		return json.map(each => mask(each, ...keys));
	}

	if (typeof json !== 'object' || json === null) {
		return json;
	}

	return Object.fromEntries(
		Object.entries(json).map(([key, value]) => [key, keys.includes(key) ? kindOf(value) : mask(value, ...keys)]),
	);
}

function kindOf(value: Json): string {
	if (value === null) {
		return '<null>';
	}

	if (Array.isArray(value)) {
		return `<list of ${[...new Set(value.map(kindOf))].join(', ')}>`;
	}

	return Number.isSafeInteger(value) ? '<integer>' : `<${typeof value}>`;
}

/** Logins by a form are not asked for another way. */
export function isAskedToLogIn(status: string, json: Json): boolean {
	return status.startsWith('401') && Object(json).code === 'UNAUTHORIZED';
}

/** A call that is refused: status line, content type, the body, and the scheme to log in with after a 401. */
export function expectRefusal(
	t: ExecutionContext,
	answer: RawAnswer,
	{status, json}: {status: string; json: Json},
): void {
	t.is(answer.statusLine, `HTTP/1.1 ${status}`);
	t.is(mediaType(answer), 'application/json');
	t.deepEqual(answer.json, json);
	t.true(answer.body.endsWith('}\n'));
	t.is(answer.headers['www-authenticate'], isAskedToLogIn(status, json) ? 'Basic realm="zulip"' : undefined);
}

/** Status line, content type and closing newline of a success. */
export function expectSuccess(t: ExecutionContext, answer: RawAnswer): void {
	t.is(answer.statusLine, 'HTTP/1.1 200 OK', answer.body);
	t.is(mediaType(answer), 'application/json');
	t.true(answer.body.endsWith('}\n'));
}

/** Parameters such as a character set may follow. */
function mediaType(answer: RawAnswer): string | undefined {
	return answer.headers['content-type']?.split(';')[0];
}

/** `BAD_REQUEST` with a text, the service's catch-all. */
export function badRequest(msg: string): {status: string; json: Json} {
	return {status: '400 Bad Request', json: {result: 'error', msg, code: 'BAD_REQUEST'}};
}

export function missing(name: string): {status: string; json: Json} {
	return {
		status: '400 Bad Request',
		json: {result: 'error', msg: `Missing '${name}' argument`, code: 'REQUEST_VARIABLE_MISSING', var_name: name},
	};
}

export const NOT_LOGGED_IN = {
	status: '401 Unauthorized',
	json: {
		result: 'error',
		msg: 'Not logged in: API authentication or user session required',
		code: 'UNAUTHORIZED',
	},
};
