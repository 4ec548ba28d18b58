// Keeps BullMQ's schedulers equal to the accounts' crons, and handles ticks.

import cronTicksWorker from '../../../workers/cron-ticks.js';
import type {Account} from '../../config/accounts.js';
import {createOutboxStore} from '../../outbox/store.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {cronTicks} from '../../queue/cron-ticks.js';
import {type OpenQueue, openQueue} from '../../queue/define-queue.js';
import {type RunningWorker, startWorker} from '../../queue/define-worker.js';
import {onceAMinute} from '../../queue/once-a-minute.js';
import {sends} from '../../queue/sends.js';
import {accountTag} from '../../redis/account-key.js';
import {whileAnswering} from '../../redis/connection.js';
import {type CronStore, createCronStore, cronTickId} from '../../schedules/cron-store.js';
import {type Host, openConnection} from '../connections.js';
import {createCronRuns} from './cron-runs.js';
import {createEnqueue} from './enqueue.js';

/** How often to check whether crons have changed. */
const LOOK_MS = 2_000;

/** After this long, check even if the version is the same. */
const LOOK_ALL_MS = 60_000;

export async function openCronTicks(
	host: Host,
	{redisUrl, accounts}: {redisUrl: string; accounts: readonly Account[]},
): Promise<void> {
	const {log, teardown} = host;
	const connection = openConnection(host, redisUrl);
	const crons = createCronStore(connection);
	const queue = openQueue(cronTicks, connection);
	const sending = openQueue(sends, connection);
	const running = openQueue(backgroundDeliveries, connection);
	const enqueueRun = createCronRuns(connection, running);
	// Most hosts have no crons, and even an idle worker costs Redis commands. Its connection must close after it.
	const workerConnection = openConnection(host, redisUrl);
	let worker: RunningWorker | undefined;
	const dependencies: Parameters<typeof cronTicksWorker.run>[1] = {
		crons,
		outboxes: createOutboxStore(connection),
		log,
		now: Date.now,
		enqueue: createEnqueue(sending, accounts),
		runHandler: (account, handler, planned) => enqueueRun(account, {handler, planned}),
	};

	let version: string | undefined;
	let lookedAt = 0;
	let isClosed = false;
	let looking = Promise.resolve();
	const look = async () => {
		const current = await crons.version();
		if (current !== version || performance.now() - lookedAt > LOOK_ALL_MS) {
			if (await keepSchedulers(queue, {crons, accounts})) {
				worker ??= await startWorker(cronTicksWorker, workerConnection, dependencies);
			}

			version = current;
			lookedAt = performance.now();
		}
	};
	const isNewFailure = onceAMinute();
	const lookAgain = () => {
		looking = looking
			.then(() => (isClosed ? undefined : look()))
			.catch((error: Error) => {
				if (!isClosed && isNewFailure('look')) {
					log.warn({reason: error.message}, 'could not look for due crons');
				}
			});
	};
	lookAgain();
	const timer = setInterval(lookAgain, LOOK_MS);
	teardown.add(async () => {
		isClosed = true;
		clearInterval(timer);
		await whileAnswering(
			connection,
			looking.then(() => worker?.close()),
		);
		await Promise.all([queue.close(), sending.close(), running.close()]);
	});
}

/** Returns whether there is any scheduler: then a worker must take its jobs. Leaves those of other accounts alone: they belong to other hosts. */
async function keepSchedulers(
	queue: OpenQueue<typeof cronTicks.schema>,
	{crons, accounts}: {crons: CronStore; accounts: readonly Account[]},
): Promise<boolean> {
	const kept = new Set<string>();
	const ours = new Set(accounts.map(accountTag));
	const repeated = await queue.repeated();
	for (const account of accounts) {
		const tag = accountTag(account);
		for (const [id, {cron}] of await crons.all(tag)) {
			const key = cronTickId(tag, id);
			kept.add(key);
			const found = repeated.get(key);
			if (found?.pattern !== cron.pattern || found.tz !== cron.tz) {
				const {site, email} = account;
				await queue.repeat(key, cron, {v: 1, site, email, cron: id});
			}
		}
	}

	for (const [key, {data}] of repeated) {
		if (!kept.has(key) && ours.has(accountTag(data))) {
			await queue.endRepeat(key);
		}
	}

	return kept.size > 0 || repeated.size > 0;
}
