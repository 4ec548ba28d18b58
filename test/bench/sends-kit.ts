// A service that takes messages and does nothing else, and lines of messages to post to it.

import {type ChildProcess, fork} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {fileURLToPath} from 'node:url';
import {Queue} from 'bullmq';
import type {Account} from '../../src/config/accounts.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {sends} from '../../src/queue/sends.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connectRedis} from '../../src/redis/connection.js';

const PROGRAM = fileURLToPath(new URL('./sends-process.js', import.meta.url));

export const BARE_QUEUE = 'bare';

export function accountsAt(site: string): Account[] {
	return Array.from({length: 20}, (_, index) => ({
		name: `bot-${index}`,
		email: `bot-${index}@chat.example.com`,
		key: 'k'.repeat(32),
		site,
		tokens: ['t'],
		bot: 'echo',
	}));
}

export interface Service {
	readonly url: string;
	/** Answers after this long. */
	delayMs: number;
	/** Resolves when so many messages came since it was asked; with the seconds between the first and the last. */
	take(count: number): Promise<number>;
	/** When each of them came, milliseconds since 1970, in order. */
	arrivals(): readonly number[];
	close(): void;
}

export async function startService(): Promise<Service> {
	let id = 0;
	let taken = 0;
	let arrivals: number[] = [];
	let wanted = Number.POSITIVE_INFINITY;
	let firstAt = 0;
	let done: (seconds: number) => void = () => {};
	const server: Server = createServer((request, response) => {
		const isMessage = request.url === '/api/v1/messages';
		const answer = (body: object) => {
			response.writeHead(200, {'content-type': 'application/json'});
			response.end(JSON.stringify({result: 'success', msg: '', ...body}));
		};
		request.resume();
		request.on('end', () => {
			if (!isMessage) {
				answer({queue_id: 'q', last_event_id: -1, max_message_id: 0, events: []});
				return;
			}

			arrivals.push(Date.now());
			if (taken === 0) {
				firstAt = performance.now();
			}

			setTimeout(() => {
				answer({id: ++id});
				taken++;
				if (taken === wanted) {
					done((performance.now() - firstAt) / 1000);
				}
			}, service.delayMs);
		});
	});
	server.keepAliveTimeout = 65_000;
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const service: Service = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		delayMs: 0,
		take(count) {
			taken = 0;
			arrivals = [];
			wanted = count;
			return new Promise(resolve => {
				done = resolve;
			});
		},
		arrivals: () => arrivals,
		close: () => server.close(),
	};
	return service;
}

export async function startWorkers(kind: 'bare' | 'bothy', count: number, words: string[]): Promise<ChildProcess[]> {
	const children = Array.from({length: count}, () => fork(PROGRAM, [kind, ...words]));
	await Promise.all(children.map(child => once(child, 'message')));
	return children;
}

const TEXT = 'lorem ipsum '.repeat(20);

/** Puts messages into the line; `dueAt` by index, milliseconds since 1970, 0 for at once. */
export async function enqueueMessages(
	kind: 'bare' | 'bothy',
	count: number,
	{redisUrl, site, dueAt = () => 0}: {redisUrl: string; site: string; dueAt?: (index: number) => number},
): Promise<void> {
	const connection = connectRedis(redisUrl, {listener: {onLost() {}, onBack() {}}});
	if (kind === 'bare') {
		const queue = new Queue(BARE_QUEUE, {connection, prefix: '{bothy}', defaultJobOptions: {removeOnComplete: true}});
		const data = {type: 'channel', to: 'general', topic: 'bench', content: TEXT};
		await queue.addBulk(Array.from({length: count}, () => ({name: 'x', data})));
		await queue.close();
	} else {
		const outboxes = createOutboxStore(connection);
		const queue = openQueue(sends, connection);
		const accounts = accountsAt(site);
		const target = JSON.stringify({channel: 'general', topic: 'bench'});
		await inBatches(count, async index => {
			const account = accounts[index % accounts.length] as Account;
			const ref = {account: accountTag(account), id: randomUUID()};
			const entry = {n: 1, kind: 'send', target, text: TEXT, dueAt: dueAt(index), mayBePosted: false} as const;
			await outboxes.put(ref, entry);
			await queue.add({v: 1, site, email: account.email, delivery: ref.id});
		});
		await queue.close();
	}

	connection.disconnect();
}

async function inBatches(count: number, act: (index: number) => Promise<void>): Promise<void> {
	for (let from = 0; from < count; from += 200) {
		await Promise.all(Array.from({length: Math.min(200, count - from)}, (_, index) => act(from + index)));
	}
}
