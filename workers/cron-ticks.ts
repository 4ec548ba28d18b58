// Handles cron ticks: puts a text into its outbox, or runs a bot's handler.

import type {DeliveryRef} from '../src/delivery/ref.js';
import type {OutboxStore} from '../src/outbox/store.js';
import {decideTick} from '../src/queue/cron.js';
import {cronTicks} from '../src/queue/cron-ticks.js';
import {defineWorker, type WorkerLog} from '../src/queue/define-worker.js';
import {accountTag} from '../src/redis/account-key.js';
import type {CronStore} from '../src/schedules/cron-store.js';
import {cronOutbox} from '../src/schedules/cron-store.js';
import {putCronText} from '../src/schedules/cron-text.js';

export interface CronTickDependencies {
	readonly crons: CronStore;
	readonly outboxes: OutboxStore;
	readonly log: WorkerLog;
	now(): number;
	/** Enqueues a job for an outbox. */
	enqueue(ref: DeliveryRef): Promise<void>;
	/** Runs a bot's handler for a due time. False while the run of the previous due time still runs. */
	runHandler(account: {site: string; email: string}, handler: string, planned: number): Promise<boolean>;
}

export default defineWorker({
	queue: cronTicks,
	concurrency: 20,
	async run({site, email, cron: id}, dependencies: CronTickDependencies, planned: number) {
		const {crons, log} = dependencies;
		const account = accountTag({site, email});
		const stored = await crons.read(account, id);
		if (!stored) {
			return {fired: false};
		}

		const {fires, missed} = decideTick(stored.cron, {planned, now: dependencies.now()});
		if (missed > 0) {
			log.warn({cron: id, account, missed, madeUpFor: fires}, 'crons were due while no worker ran');
			await crons.count(account, id, {missed, missedAt: dependencies.now()});
		}

		if (!fires) {
			return {fired: false};
		}

		const {what} = stored;
		const fired =
			what.kind === 'send'
				? await putCronText(cronOutbox(account, id), {...what, planned}, dependencies)
				: await dependencies.runHandler({site, email}, what.handler, planned);
		await crons.count(account, id, fired ? {fired: 1, firedAt: planned} : {skipped: 1});
		return {fired};
	},
});
