// The workers as a process runs them.

import {randomUUID} from 'node:crypto';
import sendsWorker from '../../workers/sends.js';
import sweepWorker from '../../workers/sweep.js';
import type {Payload} from '../api/index.js';
import {createDeliveries} from '../delivery/deliveries.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {LEASE_MS} from '../delivery/store.js';
import {openQueue} from '../queue/define-queue.js';
import {startWorker} from '../queue/define-worker.js';
import {sends} from '../queue/sends.js';
import {type BotAccount, handleWith} from './bots.js';
import {type Host, openClients, openConnection} from './parts.js';
import {wakeWith} from './receiving.js';

/** Handlers that run again get this long to end when the host stops. */
const GRACE_MS = 10_000;

export async function openWorkers(
	host: Host,
	{redisUrl, accounts}: {redisUrl: string; accounts: readonly BotAccount[]},
): Promise<void> {
	const {log, teardown} = host;
	let settledAt = performance.now() + LEASE_MS;
	const onBack = () => {
		settledAt = performance.now() + LEASE_MS;
	};
	const connection = openConnection(host, redisUrl, {onBack});
	const queue = openQueue(sends, connection);
	const wake = wakeWith(queue, accounts);
	const store = createRedisStore(connection);
	const deliveries = createDeliveries({
		process: randomUUID(),
		store,
		log,
		isDead: () => false,
		handle: handleWith(log),
		wake,
	});
	const tools = {
		accounts,
		store,
		log,
		clientOf: openClients(host, accounts),
		wake,
		wakeLater: wake,
		isSettled: () => performance.now() >= settledAt,
		async rerun({site, email}: {site: string; email: string}, delivery: {payload: Payload; text: string}) {
			const account = accounts.find(candidate => candidate.site === site && candidate.email === email);
			if (account) {
				await deliveries.rerun({account, ...delivery});
			}
		},
	};

	const running = await Promise.all([
		startWorker(sendsWorker, openConnection(host, redisUrl), tools),
		startWorker(sweepWorker, openConnection(host, redisUrl), tools),
	]);
	teardown.add(async () => {
		await Promise.all(running.map(worker => worker.close()));
		await deliveries.close(GRACE_MS);
		await queue.close();
	});
}
