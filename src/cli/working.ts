// The workers as a process runs them.

import sendsWorker from '../../workers/sends.js';
import sweepWorker from '../../workers/sweep.js';
import type {Account} from '../config.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {sendId} from '../delivery/ref.js';
import {LEASE_MS} from '../delivery/store.js';
import {openQueue} from '../queue/define-queue.js';
import {startWorker} from '../queue/define-worker.js';
import {reruns} from '../queue/reruns.js';
import {sends} from '../queue/sends.js';
import {type Host, openClients, openConnection} from './parts.js';
import {lineUp} from './receiving.js';

export async function openWorkers(
	host: Host,
	{redisUrl, accounts}: {redisUrl: string; accounts: readonly Account[]},
): Promise<void> {
	const {log, teardown} = host;
	let settledAt = performance.now() + LEASE_MS;
	const onBack = () => {
		settledAt = performance.now() + LEASE_MS;
	};
	const connection = openConnection(host, redisUrl, {onBack});
	const sending = openQueue(sends, connection);
	const rerunning = openQueue(reruns, connection);
	const wake = lineUp(sending, accounts);
	const rerun = lineUp(rerunning, accounts);
	const tools = {
		accounts,
		store: createRedisStore(connection),
		log,
		clientOf: openClients(host, accounts),
		wake,
		wakeLater: wake,
		ledgerTextMs: host.settings.LEDGER_TEXT_HOURS * 3600 * 1000,
		isSettled: () => performance.now() >= settledAt,
		rerun: (ref: Parameters<typeof rerun>[0]) => rerun(ref, {id: sendId(ref, 0)}),
	};

	const running = await Promise.all([
		startWorker(sendsWorker, openConnection(host, redisUrl), tools),
		startWorker(sweepWorker, openConnection(host, redisUrl), tools),
	]);
	teardown.add(async () => {
		await Promise.all(running.map(worker => worker.close()));
		await Promise.all([sending.close(), rerunning.close()]);
	});
}
