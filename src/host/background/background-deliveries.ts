// Runs deliveries that no webhook waits for, in a separate process: abandoned ones, crons, and those of polled accounts. A
// delivery that crashed one receiver may crash the next process that runs it, so that must not be a receiver. The last run of a
// delivery has a process of its own, so no delivery is parked because of another one.

import {setTimeout as sleep} from 'node:timers/promises';
import backgroundDeliveriesWorker from '../../../workers/background-deliveries.js';
import type {z} from '../../api/zod.js';
import {eventTriggersOf} from '../../bot/event-triggers.js';
import {createDeliveries} from '../../delivery/deliveries.js';
import {createRedisStore} from '../../delivery/redis-store.js';
import type {DeliveryRef} from '../../delivery/ref.js';
import {MAX_RUNS} from '../../delivery/store.js';
import {NewerWorkError, readWork, type Work, WorkError} from '../../delivery/work.js';
import {createInbox, type Inbox} from '../../events/inbox.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {openQueue} from '../../queue/define-queue.js';
import {startWorker} from '../../queue/define-worker.js';
import {sends} from '../../queue/sends.js';
import {accountTag} from '../../redis/account-key.js';
import {type CronStore, createCronStore} from '../../schedules/cron-store.js';
import {Semaphore} from '../../semaphore.js';
import {type BotAccount, handleWith} from '../bots.js';
import {noteBots} from '../checks/noted.js';
import {type Host, openAvailability, openConnection} from '../connections.js';
import {openDependencies} from '../dependencies.js';
import {publish} from '../metrics/diagnostics.js';
import {observeDeliveries} from '../metrics/observed.js';
import {openPauses} from '../paused-bots.js';
import {watched} from '../processes/watched.js';
import type {ReceiverConnections} from '../receiving.js';
import {GRACE_MS} from '../run.js';
import {createEnqueue, enqueueOrWarn} from './enqueue.js';
import {createLastRuns} from './last-runs.js';
import {createTyping} from './typing.js';

type Rerun = z.output<typeof backgroundDeliveries.schema>;
type BackgroundConnections = Omit<ReceiverConnections, 'listen'>;

/** How many deliveries that have lost a run start at a time. If one of them crashes the process, the others lose no run. */
const SUSPECTS = 20;

/** A run that has lasted this long counts as safe, and the next one starts. */
const TRIED_MS = 10_000;

export async function openBackgroundRunner(
	host: Host,
	connections: BackgroundConnections,
	{triedMs = TRIED_MS}: {readonly triedMs?: number | undefined} = {},
): Promise<void> {
	const {log, teardown} = host;
	const stored = openConnection(host, connections.redisUrl);
	await keepCrons(createCronStore(stored), connections.accounts);
	await keepWanted(createInbox(stored), connections.accounts);
	await noteBots(stored, connections.accounts);
	const again = await openBackgroundDeliveries(host, connections);
	const suspects = new Semaphore(SUSPECTS);
	const rerunSuspect = async (rerun: () => Promise<{readonly ended: Promise<void>} | undefined>) => {
		await suspects.enter();
		const run = await rerun().catch(error => {
			suspects.leave();
			throw error;
		});
		void Promise.race([run?.ended, sleep(triedMs, undefined, {ref: false})]).then(() => suspects.leave());
	};
	const lastRuns = createLastRuns(log, async (job, deadHolder) => {
		const bot = connections.accounts.find(account => accountTag(account) === accountTag(job))?.name ?? '';
		publish('delivery', {bot, delivery: job.delivery, trigger: '', outcome: 'parked', answer: 'late'});
		// The delivery has no run left, so this parks it and notifies its author.
		const found = await again.find({...job, deadHolder});
		await found?.rerun();
	});
	const worker = await startWorker(backgroundDeliveriesWorker, openConnection(host, connections.redisUrl), {
		log,
		async rerun(job) {
			const found = await again.find(job);
			if (found?.crashes === MAX_RUNS - 1) {
				lastRuns.start(job);
			} else if (found?.crashes) {
				await rerunSuspect(found.rerun);
			} else {
				await found?.rerun();
			}
		},
	});
	teardown.add(async () => {
		await worker.close();
		await Promise.all([lastRuns.close(), again.close(GRACE_MS)]);
	});
}

/** Runs one delivery to its end, even if the process that started it has died. SIGTERM stops it early. */
export async function runLast(host: Host, connections: BackgroundConnections, job: string): Promise<void> {
	const again = await openBackgroundDeliveries(host, connections);
	// A terminal sends it to the whole group; the primary decides what follows.
	process.on('SIGINT', () => {});
	process.once('SIGTERM', () => again.close(GRACE_MS));
	const found = await again.find(backgroundDeliveries.schema.parse(JSON.parse(job)));
	await found?.rerun();
	await again.close(Number.POSITIVE_INFINITY);
}

/** Stores what the bots declare for the pollers, which load no bots. Keeps what a plugin declared that failed to load. */
async function keepWanted(inbox: Inbox, accounts: readonly BotAccount[]): Promise<void> {
	for (const account of accounts) {
		if (account.work) {
			await inbox.want(accountTag(account), eventTriggersOf(account.work));
		}
	}
}

/** Updates the stored crons to what the bots declare. Keeps those of a plugin that failed to load. */
async function keepCrons(crons: CronStore, accounts: readonly BotAccount[]): Promise<void> {
	for (const account of accounts) {
		const declared = account.work?.crons;
		if (!declared) {
			continue;
		}

		const tag = accountTag(account);
		const stored = await crons.all(tag);
		for (const [id, {what}] of stored) {
			if (what.kind === 'handler' && !declared.has(what.handler)) {
				await crons.remove(tag, id);
			}
		}

		for (const [handler, {cron}] of declared) {
			await crons.put(tag, `cron ${handler}`, {cron, what: {kind: 'handler', handler}});
		}
	}
}

async function openBackgroundDeliveries(host: Host, connections: BackgroundConnections) {
	const {log} = host;
	const {redisUrl, accounts} = connections;
	// As in a receiver: a handler waits for Redis only until its time limit.
	const connection = openConnection(host, redisUrl, {failFast: true});
	const availability = openAvailability(host, connection);
	let isClosed = false;
	let hasLeft = false;
	const queue = openQueue(sends, connection);
	const store = createRedisStore(connection);
	const enqueue = enqueueOrWarn(log, createEnqueue(queue, accounts));
	const dependencies = openDependencies(host, {...connections, connection, enqueue});
	const {isHeld, unlessPaused} = await openPauses(host, connection);
	const handle = unlessPaused(watched(handleWith(dependencies), connections.watchdog));
	const deliveries = createDeliveries<BotAccount>({
		process: connections.process,
		...observeDeliveries(accounts, {store, handle}),
		isHeld,
		availability,
		log,
		enqueue,
		isDead: holder => connections.isDead(holder.split(' ')[0] ?? ''),
		showTyping: createTyping(dependencies.clientOf),
	});

	/**
	 * Damaged work would be found again and again, so its delivery is parked.
	 *
	 * @throws NewerWorkError
	 */
	async function readOrPark(ref: DeliveryRef, text: string): Promise<Work | undefined> {
		try {
			return readWork(text);
		} catch (error) {
			if (error instanceof NewerWorkError && !hasLeft) {
				hasLeft = true;
				log.warn(
					{account: ref.account, delivery: ref.id, reason: error.message},
					'a newer version of Bothy stored a delivery; leaving it to a newer process',
				);
			}

			if (!(error instanceof WorkError) || error instanceof NewerWorkError) {
				throw error;
			}

			log.error(
				{account: ref.account, delivery: ref.id, reason: error.message},
				'cannot read the stored work of a delivery; parked it',
			);
			await store.park(ref, error.message);
			return undefined;
		}
	}

	return {
		/** The delivery of a job, unless its account or its work is gone. */
		async find({site, email, delivery, work: fresh, deadHolder}: Rerun) {
			const account = accounts.find(candidate => candidate.site === site && candidate.email === email);
			const ref = account && {account: accountTag(account), id: delivery};
			const stored =
				ref &&
				(await availability.retry(
					() => store.read(ref),
					() => isClosed,
				));
			if (!account && fresh !== undefined) {
				throw new Error(`No account ${email} on ${site} in this host's configuration`);
			}

			const text = stored?.work ?? fresh;
			const work = ref && text !== undefined ? await readOrPark(ref, text) : undefined;
			if (!account || !work || (work.kind === 'sendFailed' && !account.work?.errorHandlers.length)) {
				return undefined;
			}

			return {
				crashes: stored ? stored.runs - stored.stops : 0,
				rerun: () => deliveries.rerun({account, work, ...(text !== undefined && {text}), deadHolder}),
			};
		},
		async close(graceMs: number) {
			isClosed = true;
			await deliveries.close(graceMs);
			await queue.close();
		},
	};
}
