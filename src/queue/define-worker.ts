// What a worker is: the queue it takes jobs from and what it does with one.

import type {Job} from 'bullmq';
import type {z} from 'zod';
import {DelayedError, Queue, UnrecoverableError, Worker} from './bullmq.js';
import {type RedisConnection, whileAnswering} from './connection.js';
import {PREFIX, type QueueDefinition, settings} from './define-queue.js';

/** The part of the process's log that workers use. */
export interface WorkerLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

/** Thrown by a worker's code: the job is to be tried again after a while. */
export class TryLater extends Error {
	override name = 'TryLater' as const;

	constructor(readonly delayMs: number) {
		super(`To be tried again in ${delayMs} ms`);
	}
}

export interface WorkerDefinition<Data extends z.ZodType, Result extends z.ZodType, Tools> {
	readonly queue: QueueDefinition<Data, Result>;
	/** How many jobs one process does side by side, unless it is told otherwise. */
	readonly concurrency: number;
	/** Has these jobs made every so often, spread over the period, however many processes there are. */
	readonly every?: {readonly periodMs: number; readonly data: readonly z.input<Data>[]};
	/**
	 * `planned` is when the job was due, milliseconds since 1970.
	 *
	 * Throws `TryLater` to have the job again; any other error ends it as failed.
	 */
	run(data: z.output<Data>, tools: Tools, planned: number): Promise<z.input<Result>>;
}

export function defineWorker<Data extends z.ZodType, Result extends z.ZodType, Tools>(
	definition: WorkerDefinition<Data, Result, Tools>,
): WorkerDefinition<Data, Result, Tools> {
	return definition;
}

export interface RunningWorker {
	/** Finishes the jobs at hand, takes no new ones. While Redis is away it does not wait for them. */
	close(): Promise<void>;
}

export async function startWorker<Data extends z.ZodType, Result extends z.ZodType, Tools extends {log: WorkerLog}>(
	definition: WorkerDefinition<Data, Result, Tools>,
	connection: RedisConnection,
	tools: Tools,
	{concurrency = definition.concurrency}: {concurrency?: number} = {},
): Promise<RunningWorker> {
	const {queue, every} = definition;
	if (every) {
		const scheduling = new Queue(queue.name, {connection, prefix: PREFIX});
		scheduling.on('error', () => {});
		for (const [index, data] of every.data.entries()) {
			const id = index === 0 ? queue.name : `${queue.name}-${index}`;
			const offset = Math.floor((index * every.periodMs) / every.data.length);
			const job = {name: queue.name, data, opts: {removeOnComplete: true, removeOnFail: 10}};
			await scheduling.upsertJobScheduler(id, {every: every.periodMs, ...(offset > 0 && {offset})}, job);
		}

		await scheduling.close();
	}

	const worker = new Worker(queue.name, (job, token) => work(definition, job, {token, tools}), {
		connection,
		prefix: PREFIX,
		settings,
		concurrency,
		lockDuration: 10_000,
		stalledInterval: 5_000,
		// The default of 1 turns a job whose worker was killed twice into a failed one.
		maxStalledCount: 1_000_000,
	});
	// BullMQ passes the connection's errors on; the connection's own listener logs them.
	worker.on('error', () => {});
	worker.on('failed', (job, error) => {
		tools.log.warn({queue: queue.name, job: job?.id, reason: error.message}, 'a job failed');
	});
	await worker.waitUntilReady();
	return {
		async close() {
			await whileAnswering(connection, worker.close());
			// Where that did not wait, BullMQ's second connection would live on.
			worker
				.getBackend()
				.close(true)
				.catch(() => {});
		},
	};
}

async function work<Data extends z.ZodType, Result extends z.ZodType, Tools>(
	definition: WorkerDefinition<Data, Result, Tools>,
	job: Job,
	{token, tools}: {token: string | undefined; tools: Tools},
): Promise<unknown> {
	const data = definition.queue.schema.safeParse(job.data);
	if (!data.success) {
		throw new UnrecoverableError(`Job ${job.id} of ${definition.queue.name} has a shape that this version cannot read`);
	}

	try {
		return definition.queue.result.parse(await definition.run(data.data, tools, plannedTime(job)));
	} catch (error) {
		if (!(error instanceof TryLater)) {
			throw error;
		}

		await job.moveToDelayed(Date.now() + error.delayMs, token);
		throw new DelayedError();
	}
}

/** A scheduler's job says itself for when it was made. */
function plannedTime({timestamp, opts}: Job): number {
	return opts.prevMillis ?? timestamp + (opts.delay ?? 0);
}
