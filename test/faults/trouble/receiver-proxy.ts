// Stands between the realm and the receivers, over which it balances. It cuts connections on purpose, and its log is the
// truth about what a receiver was given.

import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Cut} from '../plan.js';
import {closeAll} from './close-all.js';

export interface ReceiverProxy {
	readonly url: string;
	readonly log: ProxyLog;
	/** What is on its way now. */
	readonly inFlight: ReadonlySet<Passage>;
	close(): Promise<void>;
}

export interface ProxyLog {
	/** How often the first byte of a delivery reached a receiver, by token. */
	readonly accepted: Map<string, number>;
	/** Whose asker read that the answer must wait for Redis. */
	readonly waiting: Set<string>;
	/** How often its answer did not reach the realm. */
	readonly broken: Map<string, number>;
	readonly cuts: Map<Cut, number>;
}

export interface Passage {
	readonly token: string;
	/** Our end of the connection to the receiver. */
	readonly port: number;
}

export interface ReceiverProxyOptions {
	/** Ports of receivers that listen now. */
	receivers(): readonly number[];
	/** How the n-th connection of a delivery is to be cut. */
	cutOf(token: string, attempt: number): Cut | undefined;
}

/** What people read if Redis does not come back in time. */
const WAITING = 'I cannot reach my database';

/** A supervisor keeps the socket of a dead receiver open: nobody is refused. */
const TIMEOUT_MS = 9_000;

export async function startReceiverProxy(options: ReceiverProxyOptions): Promise<ReceiverProxy> {
	const log: ProxyLog = {accepted: new Map(), waiting: new Set(), broken: new Map(), cuts: new Map()};
	const inFlight = new Set<Passage>();
	const clients = new Set<Socket>();
	let turn = 0;

	const server = createServer(client => {
		clients.add(client);
		client.on('error', () => {});
		client.once('close', () => clients.delete(client));
		void pass(client).catch(() => client.destroy());
	});

	async function pass(client: Socket): Promise<void> {
		const {token, request} = await readRequest(client);
		const receiver = await reachReceiver(client);
		if (client.destroyed) {
			// The service has given it up meanwhile: passed on, it would look like a connection that is still open.
			receiver.destroy();
			return;
		}

		const attempt = count(log.accepted, token);
		const cut = options.cutOf(token, attempt);
		const passage = {token, port: receiver.localPort ?? 0};
		inFlight.add(passage);
		const answer = await exchange({client, receiver, request, cut});
		inFlight.delete(passage);
		if (cut) {
			count(log.cuts, cut);
		}

		if (answer === undefined) {
			count(log.broken, token);
		} else if (answer.includes(WAITING)) {
			log.waiting.add(token);
		}
	}

	async function reachReceiver(client: Socket): Promise<Socket> {
		for (const until = performance.now() + TIMEOUT_MS; performance.now() < until && !client.destroyed; ) {
			const ports = options.receivers();
			const port = ports[turn++ % ports.length];
			const socket = port === undefined ? undefined : await connected(port);
			if (socket) {
				return socket;
			}

			await sleep(50);
		}

		throw new Error('no receiver');
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		log,
		inFlight,
		close: () => closeAll(server, clients),
	};
}

export function count<Key>(counts: Map<Key, number>, key: Key): number {
	const next = (counts.get(key) ?? 0) + 1;
	counts.set(key, next);
	return next;
}

async function readRequest(client: Socket): Promise<{token: string; request: Buffer}> {
	let request = Buffer.alloc(0);
	for await (const chunk of client.iterator({destroyOnReturn: false})) {
		request = Buffer.concat([request, chunk as Buffer]);
		const {end} = contentOf(request);
		const token = /\bf\d{4}\b/.exec(request.toString('latin1'))?.[0];
		if (token && end <= request.length) {
			return {token, request};
		}
	}

	throw new Error('no request');
}

/** Where the body of a message with a content-length ends; Infinity while that is not known. */
function contentOf(message: Buffer): {end: number} {
	const head = message.indexOf('\r\n\r\n');
	const length = /content-length: (\d+)/i.exec(message.subarray(0, Math.max(0, head)).toString('latin1'))?.[1];
	return {end: length === undefined ? Number.POSITIVE_INFINITY : head + 4 + Number(length)};
}

async function connected(port: number): Promise<Socket | undefined> {
	const socket = connect(port, '127.0.0.1');
	return new Promise(resolve => {
		socket.once('connect', () => resolve(socket));
		socket.on('error', () => resolve(undefined));
	});
}

interface Exchange {
	readonly client: Socket;
	readonly receiver: Socket;
	readonly request: Buffer;
	readonly cut: Cut | undefined;
}

/** Passes a request on and its answer back, or cuts it; resolves with the answer where the realm got all of it. */
function exchange({client, receiver, request, cut}: Exchange): Promise<Buffer | undefined> {
	return new Promise(resolve => {
		let answer = Buffer.alloc(0);
		const end = (isWhole: boolean) => {
			resolve(isWhole ? answer : undefined);
			if (isWhole && cut !== 'passed') {
				client.end();
				receiver.end();
				return;
			}

			client.resetAndDestroy();
			receiver.resetAndDestroy();
		};
		receiver.on('data', (chunk: Buffer) => {
			answer = Buffer.concat([answer, chunk]);
			if (cut === 'before') {
				end(false);
			} else if (cut === 'middle') {
				client.write(answer.subarray(0, answer.length - 5), () => end(false));
			} else if (contentOf(answer).end <= answer.length) {
				finish();
			}
		});

		/** The receiver has handed its answer over and believes it told. */
		const finish = () => {
			if (cut === 'held') {
				setTimeout(end, 50, false);
			} else {
				// The realm closes when it has it all.
				client.write(answer, () => resolve(answer));
				setTimeout(end, 50, true);
			}
		};
		client.once('close', () => end(false));
		receiver.once('close', () => end(false));
		if (cut === 'request') {
			receiver.write(request.subarray(0, request.length - 40), () => setTimeout(end, 20, false));
		} else {
			receiver.write(request);
		}
	});
}
