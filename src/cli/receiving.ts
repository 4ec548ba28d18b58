// The receiver as a process runs it: deliveries kept in Redis, or in memory while Redis is away.

import {randomUUID} from 'node:crypto';
import type {AddressInfo} from 'node:net';
import {createDeliveries} from '../delivery/deliveries.js';
import {createFallbackStore} from '../delivery/fallback-store.js';
import {createRedisStore} from '../delivery/redis-store.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {openQueue} from '../queue/define-queue.js';
import {sends} from '../queue/sends.js';
import {createReceiver} from '../receiver/receiver.js';
import {type BotAccount, handleWith} from './bots.js';
import {portError} from './explain.js';
import {type Host, openConnection} from './parts.js';

export interface ReceiverParts {
	readonly redisUrl: string;
	readonly accounts: readonly BotAccount[];
}

/** Handlers get this long to end when the host stops; what they had not said by then is run again elsewhere. */
const GRACE_MS = 10_000;

/** Listens for webhooks; resolves with the address. */
export async function openReceiver(host: Host, {redisUrl, accounts}: ReceiverParts): Promise<string> {
	const {settings, log, teardown} = host;
	const connection = openConnection(host, redisUrl, {failFast: true});
	const queue = openQueue(sends, connection);
	const wake = wakeWith(queue, accounts);
	const store = createFallbackStore({
		redis: createRedisStore(connection),
		ping: () => connection.ping(),
		now: Date.now,
		wake,
		log,
	});
	const deliveries = createDeliveries({
		process: randomUUID(),
		store,
		log,
		isDead: () => false,
		handle: handleWith(log),
		wake: ref =>
			wake(ref).catch((error: Error) => {
				// A sweep finds it.
				log.warn({delivery: ref.id, reason: error.message}, 'no worker could be told of an outbox');
			}),
	});

	const server = createReceiver({
		accounts,
		deliver: arrival => deliveries.receive(arrival),
		async missing() {
			if (store.isAway || connection.status !== 'ready') {
				return ['Redis is away'];
			}

			const workers = await queue.countWorkers();
			return workers > 0 ? [] : ['no worker takes sends (start one with `bothy worker`)'];
		},
		report: error => log.error({err: error}, 'the receiver failed'),
	});

	await new Promise<void>((listening, failed) => {
		server.once('error', error => failed(portError(error, settings.PORT, 'PORT')));
		server.listen(settings.PORT, settings.HOST, listening);
	});
	teardown.add(async () => {
		const closed = new Promise(resolve => server.close(resolve));
		server.closeIdleConnections();
		await deliveries.close(GRACE_MS);
		await closed;
		store.close();
		await queue.close();
	});

	const {port} = server.address() as AddressInfo;
	return `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${port}`;
}

/** Puts an outbox into the line of sends. */
export function wakeWith(queue: ReturnType<typeof openQueue<typeof sends.schema>>, accounts: readonly BotAccount[]) {
	const byTag = new Map(accounts.map(account => [`${account.site}|${account.email.toLowerCase()}`, account]));
	return async function wake(ref: DeliveryRef, options: {id?: string; delayMs?: number} = {}): Promise<void> {
		const account = byTag.get(ref.account);
		if (account) {
			await queue.add({v: 1, site: account.site, email: account.email, delivery: ref.id}, options);
		}
	};
}
