// A realm of one's own, people who call it, and a receiver for its webhooks.

import {mkdtemp, rm} from 'node:fs/promises';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import type {Dispatcher} from 'undici';
import type {BotAccount, OpenRealm, Realm, RealmOptions} from '../../src/realm/index.js';
import {findAccountByEmail} from '../../src/realm/people/accounts.js';
import {createLocalPool} from '../../src/testing/connections.js';
import {openRealm} from '../helpers/realm.js';

export {openRealm};

const NAMES = ['olivia', 'adam', 'mona', 'alice', 'bob', 'carla', 'gus'] as const;

/** People of the demo organization: Olivia owns it, Adam administers, Mona moderates, Gus is a guest. */
type People = Readonly<Record<(typeof NAMES)[number], Caller>>;

/** A realm, and those who talk there. */
export async function openChat(
	t: ExecutionContext,
	options: Partial<RealmOptions> = {},
): Promise<People & {readonly realm: Realm & OpenRealm}> {
	const realm = await openRealm(t, options);
	// There is an entry for each name.
	const people = Object.fromEntries(NAMES.map(name => [name, signIn(realm, name)])) as People;
	return {realm, ...people};
}

/** Where a realm's database outlives it. */
export async function databaseFile(t: ExecutionContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	return join(folder, 'realm.db');
}

/** A bot whose receiver is not there. */
export const ECHO = {name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'};

export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
	readonly body: any;
}

type Values = Readonly<Record<string, unknown>>;

/** Somebody who calls the API. Strings travel as they are, everything else as JSON. */
export interface Caller {
	readonly email: string;
	readonly key: string;
	get(path: string, values?: Values): Promise<Answer>;
	post(path: string, values?: Values): Promise<Answer>;
	patch(path: string, values?: Values): Promise<Answer>;
	delete(path: string, values?: Values): Promise<Answer>;
	/** Sends a message; answers its ID. */
	say(to: {channel: string; topic?: string} | {dm: readonly (number | string)[]}, content: string): Promise<number>;
}

/** Somebody with the address `<name>@bothy.example`, and the key that the realm's database has for them. */
export function signIn(realm: OpenRealm, name: string): Caller {
	const email = `${name}@bothy.example`;
	const account = findAccountByEmail(realm.services.store, email);
	if (!account) {
		throw new Error(`Expected an account of ${email}, found none`);
	}

	return callAs(realm, email, account.api_key);
}

export function callAs(realm: OpenRealm, email: string, key: string): Caller {
	const call = (method: string) => (path: string, values?: Values) =>
		send(realm, {method, path, values, headers: basic(email, key)});
	const post = call('POST');

	return {
		email,
		key,
		get: call('GET'),
		post,
		patch: call('PATCH'),
		delete: call('DELETE'),
		async say(to, content) {
			const place =
				'dm' in to ? {type: 'direct', to: to.dm} : {type: 'channel', to: to.channel, topic: to.topic ?? 'tests'};
			const {body} = await post('/messages', {...place, content});
			if (body.result !== 'success') {
				throw new Error(body.msg);
			}

			return body.id;
		},
	};
}

/** A bot that calls the API. */
export function callAsBot(realm: OpenRealm, bot: BotAccount = realm.ensureBot(ECHO)): Caller {
	return callAs(realm, bot.email, bot.key);
}

export function basic(email: string, key: string): Record<string, string> {
	return {authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`};
}

interface Request {
	readonly method: string;
	readonly path: string;
	readonly values?: Values | undefined;
	readonly headers?: Record<string, string>;
}

/** More than there are held polls in any test. */
const CONNECTIONS = 10;

/** Connections to each realm that stay in this process. */
const pools = new WeakMap<OpenRealm, Dispatcher>();

export async function send(realm: OpenRealm, {method, path, values = {}, headers = {}}: Request): Promise<Answer> {
	const form = new URLSearchParams(
		Object.entries(values).map(([name, value]): [string, string] => [
			name,
			typeof value === 'string' ? value : JSON.stringify(value),
		]),
	).toString();
	const isQuery = method === 'GET';
	return ask(realm, {
		method,
		path: `/api/v1${path}${isQuery && form ? `?${form}` : ''}`,
		headers: isQuery ? headers : {...headers, 'content-type': 'application/x-www-form-urlencoded'},
		...(!isQuery && {body: form}),
	});
}

/** One request as it is. */
export async function ask(
	realm: OpenRealm,
	request: {method: string; path: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal},
): Promise<Answer> {
	const pool = pools.get(realm) ?? createLocalPool(realm.server, realm.url, CONNECTIONS);
	pools.set(realm, pool);
	const {
		statusCode: status,
		headers,
		body,
	} = await pool.request({...request, method: request.method as Dispatcher.HttpMethod});
	const text = await body.text();
	const isJson = headers['content-type']?.includes('json') ?? false;
	return {status, headers, body: isJson ? JSON.parse(text) : text};
}

/** Asks for trouble. */
export function cause(realm: OpenRealm, path: string, body: object): Promise<Answer> {
	const headers = {'content-type': 'application/json'};
	return ask(realm, {method: 'POST', path: `/trouble${path}`, headers, body: JSON.stringify(body)});
}

export interface Delivery {
	readonly method: string;
	readonly url: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
	readonly body: any;
	readonly response: http.ServerResponse;
}

export interface Receiver {
	readonly url: string;
	readonly deliveries: Delivery[];
	/** The n-th delivery, counted from 1, once it came. */
	delivery(n: number): Promise<Delivery>;
}

function isJson(headers: http.IncomingHttpHeaders): boolean {
	return headers['content-type'] === 'application/json';
}

/** A receiver that answers every delivery as told. */
export async function startReceiver(
	t: ExecutionContext,
	answer: (delivery: Delivery, n: number) => void,
): Promise<Receiver> {
	const deliveries: Delivery[] = [];
	const waiting: Array<{n: number; resolve: (delivery: Delivery) => void}> = [];
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk);
		}

		const text = Buffer.concat(chunks).toString();
		const {method = '', url = '', headers} = request;
		const delivery = {method, url, headers, text, body: isJson(headers) && JSON.parse(text), response};
		deliveries.push(delivery);
		answer(delivery, deliveries.length);
		for (const {n, resolve} of waiting) {
			if (n === deliveries.length) {
				resolve(delivery);
			}
		}
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.teardown(() => {
		server.close();
		server.closeAllConnections();
	});

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		deliveries,
		delivery: n =>
			new Promise(resolve => {
				const known = deliveries[n - 1];
				if (known) {
					resolve(known);
				} else {
					waiting.push({n, resolve});
				}
			}),
	};
}

/** A receiver's answer. */
export function reply(body: unknown, status = 200): (delivery: Delivery) => void {
	return ({response}) => {
		response.writeHead(status, {'content-type': 'application/json'});
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};
}

/** Opens an event queue. */
export async function listen(caller: Caller, values: Values = {event_types: ['message']}) {
	const {body} = await caller.post('/register', values);
	const queueId: string = body.queue_id;
	let lastEventId: number = body.last_event_id;
	// biome-ignore lint/suspicious/noExplicitAny: events have every shape
	const ready: any[] = [];

	return {
		queueId,
		/** What came with the queue. */
		state: body,
		/** All events so far, for somebody who does not ask for the next one. */
		// biome-ignore lint/suspicious/noExplicitAny: events have every shape
		async events(): Promise<any[]> {
			const answer = await caller.get('/events', {queue_id: queueId, last_event_id: -1, dont_block: true});
			return answer.body.events;
		},
		/** Waits for the next event that fits. */
		// biome-ignore lint/suspicious/noExplicitAny: events have every shape
		async next(fits: (event: any) => boolean = () => true): Promise<any> {
			for (;;) {
				while (ready.length > 0) {
					const event = ready.shift();
					if (fits(event)) {
						return event;
					}
				}

				const answer = await caller.get('/events', {queue_id: queueId, last_event_id: lastEventId});
				if (answer.body.result !== 'success') {
					throw new Error(answer.body.msg);
				}

				for (const event of answer.body.events) {
					lastEventId = event.id;
					ready.push(event);
				}
			}
		},
	};
}
