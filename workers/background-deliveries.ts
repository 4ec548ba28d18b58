// Runs deliveries for which no connection of a receiver waits: those whose holder is gone, those of cron ticks, and those that
// came as events.

import type {z} from '../src/api/zod.js';
import {NewerWorkError} from '../src/delivery/work.js';
import {backgroundDeliveries} from '../src/queue/background-deliveries.js';
import {defineWorker, TryLater, type WorkerLog} from '../src/queue/define-worker.js';

export interface BackgroundDependencies {
	/** Starts the run of a delivery. */
	rerun(job: z.output<typeof backgroundDeliveries.schema>): Promise<void>;
	readonly log: WorkerLog;
}

/** Delay before a process tries again to read work of a newer version of Bothy. Another process may take the job first. */
const LEFT_MS = 5_000;

/** Delay before a delivery that could not be started is tried again, here or on another host. */
const NOT_BEGUN_MS = 1_000;

export default defineWorker({
	queue: backgroundDeliveries,
	concurrency: 10,
	async run(job, {rerun, log}: BackgroundDependencies) {
		try {
			await rerun(job);
			return {};
		} catch (error) {
			if (error instanceof NewerWorkError) {
				throw new TryLater(LEFT_MS);
			}

			if (job.work === undefined) {
				throw error;
			}

			// If the delivery has never run, nothing but this job has its work.
			log.warn({delivery: job.delivery, reason: String(error)}, 'could not start a background delivery; retrying');
			throw new TryLater(NOT_BEGUN_MS);
		}
	},
});
