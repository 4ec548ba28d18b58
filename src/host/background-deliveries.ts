// A process apart that runs again what nobody holds any more. What ended one receiver may end whoever runs it next, and
// those who answer people should not be among them. The last run of a delivery has a process to itself, so that none is
// parked for what another one did.

import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {z} from 'zod';
import {Payload} from '../api/index.js';
import {eventTriggersOf} from '../bot/event-triggers.js';
import {createAccountSlots} from '../delivery/account-slots.js';
import {createDeliveries, firstHolder} from '../delivery/deliveries.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {MAX_RUNS} from '../delivery/store.js';
import {isByPerson, readWork, UnknownWork, type Work} from '../delivery/work.js';
import {createInbox, type Inbox} from '../events/inbox.js';
import {backgroundDeliveries} from '../queue/background-deliveries.js';
import {openQueue} from '../queue/define-queue.js';
import {defineWorker, startWorker, TryLater} from '../queue/define-worker.js';
import {sends} from '../queue/sends.js';
import {accountTag} from '../redis/account-key.js';
import {type CronStore, createCronStore} from '../schedules/cron-store.js';
import {type BotAccount, handleWith} from './bots.js';
import {type Host, openAvailability, openConnection} from './connections.js';
import {openDependencies} from './dependencies.js';
import {createEnqueue, enqueueOrWarn} from './enqueue.js';
import {observeDeliveries} from './observed.js';
import {LAST_RUN, RERUNS} from './processes/primary-messages.js';
import {watched} from './processes/watchdog.js';
import type {ReceiverConnections} from './receiving.js';
import {GRACE_MS} from './run.js';
import {createTyping} from './typing.js';
import {packageFolder} from './version.js';

type Rerun = z.output<typeof backgroundDeliveries.schema>;
type BackgroundConnections = Omit<ReceiverConnections, 'listen'>;

/** Last runs, each in a process of its own, that go on side by side; a sweep finds the others again. */
const LAST_RUNS = 2;

/** Of deliveries that lost a run so many begin together. Should one of them end the process, the others have lost nothing. */
const SUSPECTS = 20;

/** A run that has lasted for so long makes room for the next. */
const TRIED_MS = 10_000;

/** Wait before a delivery is looked at again that this version of Bothy cannot read. */
const LEFT_MS = 5_000;

/** Wait before a delivery that could not be begun is tried again, here or by another host. */
const NOT_BEGUN_MS = 1_000;

const backgroundWorker = defineWorker({
	queue: backgroundDeliveries,
	concurrency: 10,
	async run(job, {rerun, log}: {rerun(job: Rerun): Promise<void>; log: Host['log']}) {
		try {
			await rerun(job);
			return {};
		} catch (error) {
			if (error instanceof UnknownWork) {
				throw new TryLater(LEFT_MS);
			}

			if (job.payload === undefined) {
				throw error;
			}

			// Of a delivery that nobody has run yet this job is all there is.
			log.warn({delivery: job.delivery, reason: String(error)}, 'could not start a background delivery; retrying');
			throw new TryLater(NOT_BEGUN_MS);
		}
	},
});

export async function openBackgroundRunner(host: Host, connections: BackgroundConnections): Promise<void> {
	const {log, teardown} = host;
	const stored = openConnection(host, connections.redisUrl);
	await keepCrons(createCronStore(stored), connections.accounts);
	await keepWanted(createInbox(stored), connections.accounts);
	const again = openBackgroundDeliveries(host, connections);
	const suspects = createAccountSlots<string>();
	const rerunSuspect = async (rerun: () => Promise<{readonly ended: Promise<void>} | undefined>) => {
		await suspects.enter('all', SUSPECTS);
		const run = await rerun().catch(error => {
			suspects.leave('all');
			throw error;
		});
		void Promise.race([run?.ended, sleep(TRIED_MS, undefined, {ref: false})]).then(() => suspects.leave('all'));
	};
	const lastRuns = createLastRuns(log, async (job, deadHolder) => {
		// It has no run left: this parks it, and has its author told.
		const found = await again.find({...job, deadHolder});
		await found?.rerun();
	});
	const worker = await startWorker(backgroundWorker, openConnection(host, connections.redisUrl), {
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

/** Runs one delivery to its end, also when the process that asked for it has died; SIGTERM ends it sooner. */
export async function runLast(host: Host, connections: BackgroundConnections, job: string): Promise<void> {
	const again = openBackgroundDeliveries(host, connections);
	// A terminal sends it to the whole group; the primary decides what follows.
	process.on('SIGINT', () => {});
	process.once('SIGTERM', () => again.close(GRACE_MS));
	const found = await again.find(backgroundDeliveries.schema.parse(JSON.parse(job)));
	await found?.rerun();
	await again.close(Number.POSITIVE_INFINITY);
}

/** Pollers load no bots: here they read what today's code declares. What a broken plugin declared stays. */
async function keepWanted(inbox: Inbox, accounts: readonly BotAccount[]): Promise<void> {
	for (const account of accounts) {
		if (account.work) {
			await inbox.want(accountTag(account), eventTriggersOf(account.work));
		}
	}
}

/** The due times of bots' handlers are as today's code has them; those of a broken plugin stay. */
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

function openBackgroundDeliveries(host: Host, connections: BackgroundConnections) {
	const {log} = host;
	const {redisUrl, accounts} = connections;
	// As in a receiver: a handler waits for Redis no longer than its own time.
	const connection = openConnection(host, redisUrl, {failFast: true});
	const availability = openAvailability(host, connection);
	// What we make ourselves is no sender who may flood. One copy each: logs and slots are kept by account.
	const unlimited = new Map(accounts.map(account => [account, {...account, perMinute: 0}]));
	let isClosed = false;
	let hasLeft = false;
	const queue = openQueue(sends, connection);
	const store = createRedisStore(connection);
	const enqueue = enqueueOrWarn(log, createEnqueue(queue, accounts));
	const dependencies = openDependencies(host, {...connections, connection, enqueue});
	const deliveries = createDeliveries<BotAccount>({
		process: connections.process,
		...observeDeliveries(accounts, {store, handle: watched(handleWith(dependencies), connections.watchdog)}),
		availability,
		log,
		enqueue,
		isDead: holder => connections.isDead(holder.split(' ')[0] ?? ''),
		showTyping: createTyping(dependencies.clientOf),
	});

	/** @throws UnknownWork */
	function readOrLeave(payload: Payload, delivery: string): Work {
		try {
			return readWork(payload);
		} catch (error) {
			if (!hasLeft) {
				hasLeft = true;
				log.warn({delivery, reason: String(error)}, 'leaving a delivery to a newer version of this process');
			}

			throw error;
		}
	}

	return {
		/** The delivery of a job, unless its account or its payload is gone. */
		async find({site, email, delivery, payload: fresh, deadHolder}: Rerun) {
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

			const text = stored?.payload ?? fresh;
			if (!account || text === undefined) {
				return undefined;
			}

			const payload = Payload.parse(JSON.parse(text));
			const work = readOrLeave(payload, delivery);
			if (work.kind === 'sendFailed' && !account.work?.errorHandlers.length) {
				return undefined;
			}

			const asked = isByPerson(payload) ? account : unlimited.get(account);
			return {
				crashes: stored ? stored.runs - stored.stops : 0,
				rerun: () => deliveries.rerun({account: asked ?? account, payload, text, deadHolder}),
			};
		},
		async close(graceMs: number) {
			isClosed = true;
			await deliveries.close(graceMs);
			await queue.close();
		},
	};
}

/** `onCrash` is told of a last run that ended its process, and of its holder. */
function createLastRuns(log: Host['log'], onCrash: (job: Rerun, deadHolder: string) => Promise<void>) {
	const running = new Set<ChildProcess>();

	function start(job: Rerun): void {
		if (running.size >= LAST_RUNS) {
			return;
		}

		const program = fileURLToPath(new URL('dist/src/cli.js', packageFolder));
		const name = randomUUID();
		const child = spawn(process.execPath, [...process.execArgv, program, 'receiver'], {
			env: {...process.env, [RERUNS]: JSON.stringify(job), [LAST_RUN]: name},
			stdio: ['ignore', 'inherit', 'inherit'],
		});
		running.add(child);
		log.warn(
			{delivery: job.delivery, receiver: child.pid},
			'a delivery ended two processes; running it a last time in a process of its own',
		);
		child.once('exit', (code, signal) => {
			running.delete(child);
			if (code !== 0) {
				log.error(
					{delivery: job.delivery, ended: signal ?? `code ${code}`},
					'the last run of a delivery ended its process',
				);
				onCrash(job, firstHolder(name)).catch((error: Error) => {
					log.warn({delivery: job.delivery, reason: error.message}, 'could not park a delivery; the sweep will');
				});
			}
		});
		child.on('error', error => {
			running.delete(child);
			log.error({delivery: job.delivery, reason: error.message}, 'could not start the last run of a delivery');
		});
	}

	return {
		start,
		/** Has them end within the grace that handlers get. */
		async close(): Promise<void> {
			await Promise.all(
				[...running].map(async child => {
					child.kill('SIGTERM');
					const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
					await once(child, 'exit');
					clearTimeout(timer);
				}),
			);
		},
	};
}
