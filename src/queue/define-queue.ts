// Defines a queue: a name, and the shape of its jobs. The shape is checked when a job is added and when it is taken.

import {type Job, Queue} from 'bullmq';
import type {z} from '../api/zod.js';
import {queuePrefix} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {nextAfter} from './cron.js';

export interface QueueDefinition<Data extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
	readonly name: string;
	/** Shape of a job. It contains a version, since a job may be older than the code. */
	readonly schema: Data;
	readonly result: Result;
}

export function defineQueue<Data extends z.ZodType, Result extends z.ZodType>(
	definition: QueueDefinition<Data, Result>,
): QueueDefinition<Data, Result> {
	return definition;
}

/** Set by our own schedulers: BullMQ's due times differ from ours where clocks leap. */
export const settings = {
	repeatStrategy: (time: number, {pattern = '', tz = 'UTC'}: {pattern?: string; tz?: string}) =>
		nextAfter({pattern, tz}, time),
};

export interface AddOptions {
	/** How long to wait before the job starts, in milliseconds. Default 0. */
	readonly delayMs?: number;
	/** A job with the ID of an existing one is not added. The ID must not be an integer, and must not contain a colon. */
	readonly id?: string;
	/** Jobs with the same name here become one until it starts. While it runs, one more is queued. */
	readonly debounce?: string;
	/** Not added while another job with the same name here waits or runs. */
	readonly alone?: string;
}

export interface Repeated<Data> {
	readonly pattern: string;
	readonly tz: string;
	readonly data: Data;
}

/** An open queue to which jobs can be added. */
export interface OpenQueue<Data extends z.ZodType> {
	/**
	 * Resolves with the job's id once Redis has the job; with the other job's id if that is why it was not added. Throws if `data`
	 * does not fit the queue's schema.
	 */
	add(data: z.input<Data>, options?: AddOptions): Promise<string>;
	/** Whether the job with this id has not ended yet. */
	has(id: string): Promise<boolean>;
	/** Makes a job at each due time of a cron pattern, until it is removed. `id` follows the rules of a job's id. */
	repeat(id: string, cron: {readonly pattern: string; readonly tz: string}, data: z.input<Data>): Promise<void>;
	endRepeat(id: string): Promise<void>;
	/** All schedulers, by id. */
	repeated(): Promise<ReadonlyMap<string, Repeated<z.output<Data>>>>;
	/** How many worker processes take jobs from it now. */
	countWorkers(): Promise<number>;
	/** The number of jobs by state, and since when the oldest waits for a worker. */
	standing(): Promise<QueueStanding>;
	/** ID of the job that has waited for a worker for the shortest time. */
	newest(): Promise<string | undefined>;
	/** Whether a job still waits for a worker. */
	waits(id: string): Promise<boolean>;
	readonly name: string;
	close(): Promise<void>;
}

export interface QueueStanding {
	readonly counts: Readonly<Record<string, number>>;
	/** Milliseconds since 1970. */
	readonly oldestAt: number | undefined;
}

export function openQueue<Data extends z.ZodType>(
	definition: QueueDefinition<Data>,
	connection: RedisConnection,
): OpenQueue<Data> {
	const queue = new Queue(definition.name, {
		connection,
		prefix: queuePrefix(connection),
		settings,
		// BullMQ sends some commands only once, when a queue opens. If they get no answer, the queue would fail permanently.
		skipWaitingForReady: true,
		skipVersionCheck: true,
		defaultJobOptions: {
			removeOnComplete: true,
			removeOnFail: {age: 7 * 24 * 3600, count: 10_000},
		},
	});
	// BullMQ forwards the connection's errors. The connection's own listener logs them.
	queue.on('error', () => {});

	return {
		async add(data, {delayMs = 0, id, debounce, alone} = {}) {
			const job: Job = await queue.add(definition.name, definition.schema.parse(data), {
				delay: delayMs,
				// If a failed job stayed, it would block the next one with its id.
				...(id === undefined ? {} : {jobId: id, removeOnFail: true}),
				...(debounce === undefined ? {} : {deduplication: {id: debounce, keepLastIfActive: true}}),
				...(alone === undefined ? {} : {deduplication: {id: alone}}),
			});
			return String(job.id);
		},
		async has(id) {
			return (await queue.getJob(id)) !== undefined;
		},
		async repeat(id, {pattern, tz}, data) {
			const job = {
				name: definition.name,
				data: definition.schema.parse(data),
				opts: {removeOnComplete: true, removeOnFail: 100},
			};
			await queue.upsertJobScheduler(id, {pattern, tz}, job);
		},
		async endRepeat(id) {
			await queue.removeJobScheduler(id);
		},
		async repeated() {
			const found = await queue.getJobSchedulers(0, -1);
			return new Map(
				found.flatMap(({key, pattern = '', tz = '', template}) => {
					const {data} = definition.schema.safeParse(template?.data);
					return data === undefined ? [] : [[key, {pattern, tz, data}]];
				}),
			);
		},
		async standing() {
			const [counts, [oldest]] = await Promise.all([
				queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
				queue.getJobs(['waiting'], 0, 0, true),
			]);
			return {counts, oldestAt: oldest && oldest.timestamp + (oldest.opts.delay ?? 0)};
		},
		async newest() {
			const [newest] = await queue.getJobs(['waiting'], 0, 0, false);
			return newest?.id;
		},
		async waits(id) {
			return (await queue.getJobState(id)) === 'waiting';
		},
		name: definition.name,
		countWorkers: () => queue.getWorkersCount(),
		close: () => queue.close(),
	};
}
