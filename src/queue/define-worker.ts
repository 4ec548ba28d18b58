// Defines a worker: the queue it takes jobs from, and what it does with a job.

import {setTimeout as sleep} from 'node:timers/promises';
import {DelayedError, type Job, Queue, UnrecoverableError, Worker} from 'bullmq';
import type {z} from '../api/zod.js';
import {queuePrefix} from '../redis/account-key.js';
import {type RedisConnection, whileAnswering} from '../redis/connection.js';
import {type QueueDefinition, settings} from './define-queue.js';
import {onceAMinute} from './once-a-minute.js';
import {type Turns, takeTurns} from './turns.js';

/** The part of the process's logger that workers use. */
export interface WorkerLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

/** Thrown by a worker to retry the job after a delay. */
export class TryLater extends Error {
	override name = 'TryLater' as const;

	constructor(readonly delayMs: number) {
		super(`Retry in ${delayMs} ms`);
	}
}

/** How many jobs are made in each period, spread over it. */
interface Every<Data extends z.ZodType> {
	readonly periodMs: number;
	readonly data: readonly z.input<Data>[];
	/** Whether to make a job while the previous one is not done yet. Default false. */
	readonly overlaps?: boolean;
}

export interface WorkerDefinition<Data extends z.ZodType, Result extends z.ZodType, Dependencies> {
	readonly queue: QueueDefinition<Data, Result>;
	/** How many jobs one process runs concurrently. A setting may override it. */
	readonly concurrency: number;
	/** Makes these jobs periodically, spread over the period, however many processes there are. */
	readonly every?: Every<Data>;
	/**
	 * `planned` is when the job was due, milliseconds since 1970.
	 *
	 * Throw `TryLater` to get the job again. Any other error ends the job as failed.
	 */
	run(data: z.output<Data>, dependencies: Dependencies, planned: number): Promise<z.input<Result>>;
}

export function defineWorker<Data extends z.ZodType, Result extends z.ZodType, Dependencies>(
	definition: WorkerDefinition<Data, Result, Dependencies>,
): WorkerDefinition<Data, Result, Dependencies> {
	return definition;
}

export interface RunningWorker {
	/** Finishes the current jobs and takes no new ones. While Redis is away it does not wait for them. */
	close(): Promise<void>;
}

export async function startWorker<
	Data extends z.ZodType,
	Result extends z.ZodType,
	Dependencies extends {log: WorkerLog},
>(
	definition: WorkerDefinition<Data, Result, Dependencies>,
	connection: RedisConnection,
	dependencies: Dependencies,
	{concurrency = definition.concurrency}: {concurrency?: number} = {},
): Promise<RunningWorker> {
	const {queue, every} = definition;
	const worker = new HostWorker(queue.name, (job, token) => work(definition, job, {token, dependencies}), {
		connection,
		prefix: queuePrefix(connection),
		settings,
		concurrency,
		lockDuration: 10_000,
		stalledInterval: 5_000,
		// How long it waits in Redis for a job, in seconds. Each wait costs ten commands, and may last longer than the worker.
		drainDelay: 10,
		// The default of 1 turns a job whose worker was killed twice into a failed one.
		maxStalledCount: 1_000_000,
	});
	// BullMQ forwards the connection's errors. The connection's own listener logs them.
	worker.on('error', () => {});
	worker.on('failed', (job, error) => {
		dependencies.log.warn({queue: queue.name, job: job?.id, reason: error.message}, 'a job failed');
	});
	await worker.waitUntilReady();
	const turns = every && (await makeJobs(queue, {every, connection, log: dependencies.log}));
	return {
		async close() {
			const closing = Promise.all([turns?.stop(), worker.close()]).then(() => {});
			const timer = new AbortController();
			// After a failover of a Cluster, BullMQ may wait forever for a command that is on no connection.
			const limit = sleep(LONGEST_CLOSE_MS, undefined, {signal: timer.signal, ref: false}).catch(() => {});
			await Promise.race([whileAnswering(connection, closing), limit]);
			timer.abort();
			worker.abandon();
		},
	};
}

/** Longer than a job takes. */
const LONGEST_CLOSE_MS = 30_000;

class HostWorker extends Worker {
	/** Ends what stays alive if Redis did not let `close` finish: BullMQ's second connection and its timer. */
	abandon(): void {
		const backend = this.getBackend();
		for (const part of [this.lockManager, backend]) {
			part.close(true).catch(() => {});
		}

		// On a Cluster, BullMQ may be opening it again: it takes its end for a fault. Or it waits for a node that does not answer.
		backend.blockingClient?.then(client => client.disconnect()).catch(() => {});
	}
}

/** Makes the jobs that are due. The process that notices first makes them. */
async function makeJobs<Data extends z.ZodType, Result extends z.ZodType>(
	queue: QueueDefinition<Data, Result>,
	{every, connection, log}: {every: Every<Data>; connection: RedisConnection; log: WorkerLog},
): Promise<Turns> {
	const {periodMs, data, overlaps = false} = every;
	const adding = new Queue(queue.name, {connection, prefix: queuePrefix(connection)});
	adding.on('error', () => {});
	// In older versions BullMQ made them, by the clock of the machine that was first.
	for (const {key} of await adding.getJobSchedulers(0, -1)) {
		await adding.removeJobScheduler(key);
	}

	const isNew = onceAMinute();
	const turns = takeTurns({
		redis: connection,
		name: queue.name,
		periodMs,
		count: data.length,
		async act(index) {
			const once = overlaps ? {} : {deduplication: {id: `turn-${index}`}};
			await adding.add(queue.name, data[index], {removeOnComplete: true, removeOnFail: 10, ...once});
		},
		report(error) {
			if (isNew(queue.name)) {
				log.warn({queue: queue.name, reason: error.message}, 'could not create jobs; trying again');
			}
		},
	});
	return {
		async stop() {
			await turns.stop();
			await adding.close();
		},
	};
}

async function work<Data extends z.ZodType, Result extends z.ZodType, Dependencies>(
	definition: WorkerDefinition<Data, Result, Dependencies>,
	job: Job,
	{token, dependencies}: {token: string | undefined; dependencies: Dependencies},
): Promise<unknown> {
	const data = definition.queue.schema.safeParse(job.data);
	if (!data.success) {
		throw new UnrecoverableError(`Job ${job.id} of ${definition.queue.name} cannot be read by this version`);
	}

	try {
		return definition.queue.result.parse(await definition.run(data.data, dependencies, plannedTime(job)));
	} catch (error) {
		if (!(error instanceof TryLater)) {
			throw error;
		}

		await job.moveToDelayed(Date.now() + error.delayMs, token);
		throw new DelayedError();
	}
}

/** A scheduler's job contains the time for which it was made. */
function plannedTime({timestamp, opts}: Job): number {
	return opts.prevMillis ?? timestamp + (opts.delay ?? 0);
}
