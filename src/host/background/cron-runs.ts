// Enqueues the runs of a bot's cron handlers.

import {createRedisStore} from '../../delivery/redis-store.js';
import {type Work, workRef, workText} from '../../delivery/work.js';
import type {backgroundDeliveries} from '../../queue/background-deliveries.js';
import type {OpenQueue} from '../../queue/define-queue.js';
import type {RedisConnection} from '../../redis/connection.js';
import {createCronStore, cronTickId} from '../../schedules/cron-store.js';

interface CronRun {
	readonly handler: string;
	/** The due time, milliseconds since 1970. */
	readonly planned: number;
	/** A person asked for it before its time. */
	readonly byHand?: true;
}

/** False while the run of the previous due time still runs. */
export type EnqueueCronRun = (account: {site: string; email: string}, run: CronRun) => Promise<boolean>;

export function createCronRuns(
	connection: RedisConnection,
	queue: OpenQueue<typeof backgroundDeliveries.schema>,
): EnqueueCronRun {
	const crons = createCronStore(connection);
	const store = createRedisStore(connection);

	return async function enqueueCronRun({site, email}, run) {
		const work: Work = {kind: 'cron', ...run};
		const {account, id} = workRef({site, email}, work);
		const name = `cron ${run.handler}`;
		const before = await crons.swapDelivery(account, name, id);
		if (before !== undefined && before !== id) {
			// If no host runs handlers, one delivery waits, not one for each due time.
			const waits = await queue.has(before);
			if (waits || (await store.read({account, id: before}))?.status === 'running') {
				await crons.swapDelivery(account, name, before);
				return false;
			}
		}

		// Another worker may enqueue the run of another due time right now.
		const added = await queue.add(
			{v: 1, site, email, delivery: id, work: workText(work)},
			{id, alone: cronTickId(account, name)},
		);
		if (added !== id) {
			await crons.swapDelivery(account, name, added);
		}

		return added === id;
	};
}
