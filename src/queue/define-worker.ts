// What a worker is: the queue it takes jobs from and what it does with one.

import {DelayedError, type Job, UnrecoverableError, Worker} from 'bullmq';
import type {z} from 'zod';
import type {Client} from '../client/client.js';
import type {RedisConnection} from './connection.js';
import {PREFIX, type QueueDefinition} from './define-queue.js';

/** What a worker's code is handed. */
export interface WorkerTools {
	/** The client of one of our accounts; undefined when the configuration no longer has it. */
	clientOf(account: {site: string; email: string}): Client | undefined;
	readonly log: WorkerLog;
}

/** The part of the process's log that workers use. */
export interface WorkerLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
}

/** Thrown by a worker's code: the job is to be tried again after a while. */
export class TryLater extends Error {
	override name = 'TryLater' as const;

	constructor(
		readonly delayMs: number,
		options: {cause: unknown},
	) {
		super(`To be tried again in ${delayMs} ms`, options);
	}
}

export interface WorkerDefinition<Data extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
	readonly queue: QueueDefinition<Data, Result>;
	/** How many jobs one process does side by side. */
	readonly concurrency: number;
	/** Throws `TryLater` to have the job again; any other error ends it as failed. */
	run(data: z.output<Data>, tools: WorkerTools): Promise<z.input<Result>>;
}

export function defineWorker<Data extends z.ZodType, Result extends z.ZodType>(
	definition: WorkerDefinition<Data, Result>,
): WorkerDefinition<Data, Result> {
	return definition;
}

export interface RunningWorker {
	/** Finishes the jobs at hand, takes no new ones. */
	close(): Promise<void>;
}

export async function startWorker<Data extends z.ZodType, Result extends z.ZodType>(
	definition: WorkerDefinition<Data, Result>,
	connection: RedisConnection,
	tools: WorkerTools,
): Promise<RunningWorker> {
	const worker = new Worker(definition.queue.name, (job, token) => process(definition, job, {token, tools}), {
		connection,
		prefix: PREFIX,
		concurrency: definition.concurrency,
		lockDuration: 10_000,
		stalledInterval: 5_000,
		// The default of 1 turns a job whose worker was killed twice into a failed one.
		maxStalledCount: 1_000_000,
	});
	worker.on('error', () => {});
	worker.on('failed', (job, error) => {
		tools.log.warn({queue: definition.queue.name, job: job?.id, reason: error.message}, 'a job failed');
	});
	await worker.waitUntilReady();
	return {close: () => worker.close()};
}

async function process<Data extends z.ZodType, Result extends z.ZodType>(
	definition: WorkerDefinition<Data, Result>,
	job: Job,
	{token, tools}: {token: string | undefined; tools: WorkerTools},
): Promise<unknown> {
	const data = definition.queue.schema.safeParse(job.data);
	if (!data.success) {
		throw new UnrecoverableError(`Job ${job.id} of ${definition.queue.name} has a shape that this version cannot read`);
	}

	try {
		return definition.queue.result.parse(await definition.run(data.data, tools));
	} catch (error) {
		if (!(error instanceof TryLater)) {
			throw error;
		}

		await job.moveToDelayed(Date.now() + error.delayMs, token);
		throw new DelayedError();
	}
}
