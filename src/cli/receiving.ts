// The receiver as a process runs it: deliveries kept in Redis, or in memory while Redis is away.

import type {AddressInfo} from 'node:net';
import {createDeliveries} from '../delivery/deliveries.js';
import {createFallbackStore} from '../delivery/fallback-store.js';
import {createRedisStore} from '../delivery/redis-store.js';
import type {RedisConnection} from '../queue/connection.js';
import {openQueue} from '../queue/define-queue.js';
import {reruns} from '../queue/reruns.js';
import {sends} from '../queue/sends.js';
import {createReceiver} from '../receiver/receiver.js';
import {type BotAccount, handleWith} from './bots.js';
import {lineUp, wakeOrWarn} from './line-up.js';
import type {ListenTarget} from './listening-socket.js';
import {type Host, openConnection} from './parts.js';
import {GRACE_MS} from './run.js';
import {openTools} from './tools.js';
import {type Watchdog, watched} from './watchdog.js';

export interface ReceiverParts {
	readonly redisUrl: string;
	readonly accounts: readonly BotAccount[];
	readonly listen: ListenTarget;
	/** Names this process in leases. */
	readonly process: string;
	/** Whether a process of that name is known to be gone. */
	isDead(process: string): boolean;
	readonly watchdog?: Watchdog;
}

/** Listens for webhooks; resolves with the address. */
export async function openReceiver(host: Host, parts: ReceiverParts): Promise<string> {
	const {log, teardown} = host;
	const {accounts} = parts;
	const connection = openConnection(host, parts.redisUrl, {failFast: true});
	const queue = openQueue(sends, connection);
	const rerunning = openQueue(reruns, connection);
	const lineUpRerun = lineUp(rerunning, accounts);
	const wake = wakeOrWarn(log, lineUp(queue, accounts));
	const store = createFallbackStore({
		redis: createRedisStore(connection),
		ping: () => connection.ping(),
		now: Date.now,
		wake,
		log,
	});
	const deliveries = createDeliveries<BotAccount>({
		process: parts.process,
		store,
		log,
		wake,
		isDead: holder => parts.isDead(holder.split(' ')[0] ?? ''),
		recover: (ref, deadHolder) => lineUpRerun(ref, {deadHolder}),
		handle: watched(handleWith(openTools(host, {...parts, connection, wake})), parts.watchdog),
	});

	const server = createReceiver({
		accounts,
		async deliver(arrival) {
			const answer = await deliveries.receive(arrival);
			const ms = Math.round(performance.now() - arrival.arrivedAt);
			log.info({bot: arrival.account.name, message: arrival.payload.message.id, ms}, 'answered');
			return answer;
		},
		async missing() {
			if (store.isAway || connection.status !== 'ready') {
				return ['Redis is away'];
			}

			const workers = await queue.countWorkers();
			return workers > 0 ? [] : ['no worker takes sends (start one with `bothy worker`)'];
		},
		report: error => log.error({err: error}, 'the receiver failed'),
	});
	await readyWithin(connection, REDIS_MS);
	await new Promise<void>((listening, failed) => {
		server.once('error', failed);
		server.listen(parts.listen, listening);
	});
	teardown.add(async () => {
		const closed = new Promise(resolve => server.close(resolve));
		server.closeIdleConnections();
		await deliveries.close(GRACE_MS);
		await closed;
		store.close();
		await Promise.all([queue.close(), rerunning.close()]);
	});

	const {address, port} = server.address() as AddressInfo;
	return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** How long a start waits for Redis; then it begins without. */
const REDIS_MS = 5_000;

/** Who takes a dead receiver's place gets its deliveries again at once, and must know what Redis knows of them. */
function readyWithin(connection: RedisConnection, ms: number): Promise<void> {
	return new Promise(resolve => {
		if (connection.status === 'ready') {
			resolve();
			return;
		}

		// An attempt that fails is followed by another.
		const timer = setTimeout(resolve, ms);
		connection.once('ready', () => {
			clearTimeout(timer);
			resolve();
		});
	});
}
