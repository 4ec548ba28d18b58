// Opens the workers of a process: those of some roles, or of all.

import {setMaxListeners} from 'node:events';
import draftsWorker from '../../workers/drafts.js';
import presenceWorker from '../../workers/presence.js';
import sendsWorker from '../../workers/sends.js';
import sweep from '../../workers/sweep.js';
import type {Account} from '../config/accounts.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {type DeliveryRef, sendId} from '../delivery/ref.js';
import {workRef, workText} from '../delivery/work.js';
import {createDraftStore} from '../drafts/store.js';
import {createReceipts} from '../outbox/receipts.js';
import {createSight} from '../outbox/sight.js';
import {createOutboxStore} from '../outbox/store.js';
import {isPresent} from '../presence/account.js';
import {clock} from '../presence/clock.js';
import {createSites} from '../presence/sites.js';
import {createPresenceStore} from '../presence/store.js';
import {backgroundDeliveries} from '../queue/background-deliveries.js';
import {openQueue} from '../queue/define-queue.js';
import {startWorker} from '../queue/define-worker.js';
import {drafts, enqueueSync} from '../queue/drafts.js';
import {onceAMinute} from '../queue/once-a-minute.js';
import {sends} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import {whileAnswering} from '../redis/connection.js';
import {dueStrays} from '../redis/stored-accounts.js';
import {openCronTicks} from './background/cron-ticks.js';
import {createEnqueue} from './background/enqueue.js';
import {openEvents} from './background/polling.js';
import {watchSettling} from './background/settling.js';
import {startSweeping} from './background/sweeping.js';
import type {openClients} from './clients.js';
import {type Host, openConnection} from './connections.js';
import {observeJobs, observeSends} from './metrics/observed.js';
import {readPaused} from './paused-bots.js';
import {ROLES, type RoleName} from './roles.js';
import {createTeardown} from './teardown.js';

export interface WorkerConnections {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	readonly clientOf: ReturnType<typeof openClients>;
}

/** Opens a role. The host's teardown closes it. */
type Role = (host: Host, connections: WorkerConnections) => Promise<void>;

const roles = {
	sends: openSends,
	drafts: openDraftSyncs,
	presence: openPresence,
	events: openEvents,
	sweep: openSweep,
} satisfies Record<RoleName, Role>;

export async function openWorkers(
	host: Host,
	connections: WorkerConnections,
	names: readonly RoleName[] = ROLES,
): Promise<void> {
	const opening = names.map(name => {
		const teardown = createTeardown(error => host.log.warn({err: error}, 'could not close a part of this process'));
		return {teardown, opened: roles[name]({...host, teardown}, connections)};
	});
	host.teardown.add(() => Promise.all(opening.map(({teardown}) => teardown.run())));
	await Promise.all(opening.map(({opened}) => opened));
}

async function openSends(host: Host, {redisUrl, accounts, clientOf}: WorkerConnections): Promise<void> {
	await openCronTicks(host, {redisUrl, accounts});
	const connection = openConnection(host, redisUrl);
	const queue = openQueue(sends, connection);
	const backgroundQueue = openQueue(backgroundDeliveries, connection);
	const worker = await startWorker(
		observeJobs(accounts, sendsWorker),
		openConnection(host, redisUrl),
		{
			outboxes: observeSends(accounts, createOutboxStore(connection)),
			receipts: createReceipts(connection),
			sight: createSight(Date.now),
			log: host.log,
			now: Date.now,
			clientOf,
			settleMs: host.settings.SEND_SETTLE_SECONDS * 1000,
			giveUpMs: host.settings.SEND_RETRY_HOURS * 3600 * 1000,
			enqueueLater: createEnqueue(queue, accounts),
			async runBot(ref, work) {
				const account = accounts.find(candidate => accountTag(candidate) === ref.account);
				if (account) {
					const {site, email} = account;
					const {id: delivery} = workRef(account, work);
					await backgroundQueue.add({v: 1, site, email, delivery, work: workText(work)}, {id: delivery});
				}
			},
		},
		{concurrency: host.settings.SEND_CONCURRENCY},
	);
	host.teardown.add(async () => {
		await worker.close();
		await Promise.all([queue.close(), backgroundQueue.close()]);
	});
}

async function openDraftSyncs(host: Host, {redisUrl, accounts, clientOf}: WorkerConnections): Promise<void> {
	const connection = openConnection(host, redisUrl);
	const queue = openQueue(drafts, connection);
	const worker = await startWorker(draftsWorker, openConnection(host, redisUrl), {
		accounts,
		store: createDraftStore(connection),
		log: host.log,
		now: Date.now,
		clientOf,
		enqueue: account => enqueueSync(queue, account),
	});
	host.teardown.add(async () => {
		await worker.close();
		await queue.close();
	});
}

async function openPresence(host: Host, {redisUrl, accounts, clientOf}: WorkerConnections): Promise<void> {
	const present = accounts.filter(isPresent);
	if (present.length === 0) {
		return;
	}

	const stopping = new AbortController();
	// All sites wait for this.
	setMaxListeners(0, stopping.signal);
	const worker = await startWorker(presenceWorker, openConnection(host, redisUrl), {
		accounts: present,
		clientOf,
		siteOf: createSites(() => performance.now()),
		store: createPresenceStore(openConnection(host, redisUrl)),
		log: host.log,
		clock,
		signal: stopping.signal,
	});
	host.teardown.add(() => {
		stopping.abort();
		return worker.close();
	});
}

/** Every this many sweeps, the ledger is trimmed. */
const TRIMMED_EVERY = 5;

async function openSweep(host: Host, {redisUrl, accounts}: WorkerConnections): Promise<void> {
	const connection = openConnection(host, redisUrl, {onBack: () => settling.restart()});
	const settling = watchSettling({ping: () => connection.ping()});
	const sending = openQueue(sends, connection);
	const backgroundQueue = openQueue(backgroundDeliveries, connection);
	const rerun = createEnqueue(backgroundQueue, accounts);
	const enqueue = createEnqueue(sending, accounts);
	const dependencies = {
		accounts,
		store: createRedisStore(connection),
		log: host.log,
		// Even if several sweeps find an outbox, it has only one job.
		enqueue: (ref: DeliveryRef) => enqueue(ref, {debounce: sendId(ref, 0)}),
		strays: () => dueStrays(connection, accounts),
		ledgerTextMs: host.settings.LEDGER_TEXT_HOURS * 3600 * 1000,
		paused: () => readPaused(connection),
		rerun: (ref: DeliveryRef) => rerun(ref, {id: sendId(ref, 0)}),
	};
	const isNewFailure = onceAMinute();
	let sweeps = 0;
	const sweeping = startSweeping({
		redis: connection,
		sweep: () => sweep(dependencies, {isTrimming: ++sweeps % TRIMMED_EVERY === 0}),
		isSettled: settling.isSettled,
		report(error) {
			if (isNewFailure('sweep')) {
				host.log.warn({reason: error.message}, 'could not sweep for lost work; trying again');
			}
		},
	});
	host.teardown.add(async () => {
		settling.stop();
		await whileAnswering(connection, sweeping.stop());
		await Promise.all([sending.close(), backgroundQueue.close()]);
	});
}
