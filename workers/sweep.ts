// Looks after deliveries that nobody holds any more: lapsed leases, answers of which nobody knows that they were written,
// outboxes whose job was lost.

import type {Payload} from '../src/api/index.js';
import type {RedisStore} from '../src/delivery/redis-store.js';
import {accountTag, type DeliveryRef} from '../src/delivery/ref.js';
import {defineWorker, type WorkerLog} from '../src/queue/define-worker.js';
import {sweeps} from '../src/queue/sweeps.js';

export interface SweepTools {
	readonly accounts: readonly {readonly site: string; readonly email: string}[];
	readonly store: RedisStore;
	readonly log: WorkerLog;
	/** False for one lease after Redis came back: holders need the time to say that they live. */
	isSettled(): boolean;
	/** Runs a delivery of one of the accounts again, here; what it says is posted. */
	rerun(account: {site: string; email: string}, delivery: {payload: Payload; text: string}): Promise<void>;
	/** Has the outbox of a delivery worked. */
	wake(ref: DeliveryRef): Promise<void>;
}

/** How many deliveries of one account a sweep looks after. */
const AT_ONCE = 100;

export default defineWorker({
	queue: sweeps,
	concurrency: 1,
	every: {periodMs: 1_000, data: {v: 1}},
	async run(_data, tools: SweepTools) {
		if (!tools.isSettled()) {
			return {found: 0};
		}

		const found = await Promise.all(tools.accounts.map(account => sweepAccount(account, tools)));
		return {found: found.reduce((sum, count) => sum + count, 0)};
	},
});

async function sweepAccount(account: {site: string; email: string}, tools: SweepTools): Promise<number> {
	const due = await tools.store.due(accountTag(account), AT_ONCE);
	for (const ref of due) {
		await lookAfter(ref, {account, tools}).catch((error: Error) => {
			tools.log.warn({delivery: ref.id, reason: error.message}, 'a delivery could not be looked after');
		});
	}

	return due.length;
}

async function lookAfter(
	ref: DeliveryRef,
	{account, tools}: {account: {site: string; email: string}; tools: SweepTools},
): Promise<void> {
	const delivery = await tools.store.read(ref);
	if (!delivery) {
		await tools.store.forget(ref);
		return;
	}

	if (delivery.status === 'running' && delivery.payload !== undefined) {
		tools.log.warn({delivery: ref.id, runs: delivery.runs}, 'a run has lapsed; running it again');
		// What the receiver stored was a payload.
		await tools.rerun(account, {payload: JSON.parse(delivery.payload) as Payload, text: delivery.payload});
		return;
	}

	if (delivery.decision === 'inline' && (await tools.store.turnLate(ref))) {
		tools.log.warn({delivery: ref.id}, 'an answer stayed unspoken; posting it after a look');
	}

	await tools.wake(ref);
}
