// What is due again and again: puts a text into its outbox, or has a bot's handler run.

import type {CronStore} from '../src/delivery/crons.js';
import {cronOutbox} from '../src/delivery/crons.js';
import {isPending} from '../src/delivery/entry-state.js';
import type {OutboxStore} from '../src/delivery/outbox-store.js';
import {accountTag, type DeliveryRef} from '../src/delivery/ref.js';
import {decideFiring} from '../src/queue/cron.js';
import {defineWorker, type WorkerLog} from '../src/queue/define-worker.js';
import {firings} from '../src/queue/firings.js';

export interface FiringTools {
	readonly crons: CronStore;
	readonly outboxes: OutboxStore;
	readonly log: WorkerLog;
	now(): number;
	/** Has an outbox worked. */
	wake(ref: DeliveryRef): Promise<void>;
	/** Has a bot's handler run for a due time; false while that of the one before still runs. */
	runHandler(account: {site: string; email: string}, handler: string, planned: number): Promise<boolean>;
}

export default defineWorker({
	queue: firings,
	concurrency: 20,
	async run({site, email, cron: id}, tools: FiringTools, planned: number) {
		const {crons, log} = tools;
		const account = accountTag({site, email});
		const stored = await crons.read(account, id);
		if (!stored) {
			return {fired: false};
		}

		const {fires, missed} = decideFiring(stored.cron, {planned, now: tools.now()});
		if (missed > 0) {
			log.warn({cron: id, account, missed, madeUpFor: fires}, 'crons were due while no worker ran');
			await crons.count(account, id, {missed});
		}

		if (!fires) {
			return {fired: false};
		}

		const {what} = stored;
		const fired =
			what.kind === 'send'
				? await putText(cronOutbox(account, id), {...what, planned}, tools)
				: await tools.runHandler({site, email}, what.handler, planned);
		await crons.count(account, id, fired ? {fired: 1, firedAt: planned} : {skipped: 1});
		return {fired};
	},
});

/** False while the text of the due time before is not posted yet. */
async function putText(
	ref: DeliveryRef,
	{target, text, planned}: {target: string; text: string; planned: number},
	{outboxes, wake}: FiringTools,
): Promise<boolean> {
	const n = Math.floor(planned / 1000);
	const entries = await outboxes.read(ref);
	if (entries.some(entry => entry.n !== n && isPending(entry.state))) {
		return false;
	}

	await outboxes.put(ref, {n, kind: 'send', target, text, dueAt: 0, mayBePosted: false});
	await outboxes.trim(ref);
	await wake(ref);
	return true;
}
