// Recovers deliveries that no process holds any more: lapsed leases, answers without a confirmation, and
// outboxes whose job was lost. Keeps the ledger small.

import {SILENCE} from '../src/delivery/answers.js';
import type {RedisStore} from '../src/delivery/redis-store.js';
import type {DeliveryRef} from '../src/delivery/ref.js';
import {isReplay} from '../src/delivery/replay.js';
import type {WorkerLog} from '../src/queue/define-worker.js';
import {accountTag} from '../src/redis/account-key.js';

export interface SweepDependencies {
	readonly accounts: readonly {readonly site: string; readonly email: string}[];
	readonly store: RedisStore;
	/** How long the ledger keeps the text of messages. */
	readonly ledgerTextMs: number;
	readonly log: WorkerLog;
	/** Tags of the accounts whose bots are paused. */
	paused(): Promise<ReadonlyMap<string, unknown>>;
	/** Accounts in Redis that are not in this config. Returns none if they were looked up a short while ago. */
	strays?(): Promise<readonly string[]>;
	/** Enqueues a delivery to run again in the background. A worker posts its output. */
	rerun(ref: DeliveryRef): Promise<void>;
	/** Enqueues a job for the outbox of a delivery. */
	enqueue(ref: DeliveryRef): Promise<void>;
}

/** Maximum number of deliveries per account and sweep. */
const AT_ONCE = 100;

/** Maximum number of deliveries per account that keep their text: the latest ones. */
const TEXTS = 10_000;

/** The same in bytes. */
const TEXT_BYTES = 64 * 1024 * 1024;

/** The maximum of LEDGER_TEXT_HOURS. */
const LONGEST_TEXT_MS = 168 * 3_600_000;

/** `isTrimming`: also trims the ledger, and wakes deliveries that were held for bots that are no longer paused. */
export default async function sweep(dependencies: SweepDependencies, {isTrimming = false} = {}): Promise<void> {
	const {accounts, store, ledgerTextMs, log} = dependencies;
	await Promise.all(accounts.map(account => sweepAccount(account, dependencies)));
	if (isTrimming) {
		const limits = {texts: TEXTS, bytes: TEXT_BYTES};
		await Promise.all(accounts.map(account => store.trim(accountTag(account), {...limits, textMs: ledgerTextMs})));
		for (const account of (await dependencies.strays?.()) ?? []) {
			// Another host may have it, with other settings.
			await store.trim(account, {...limits, textMs: LONGEST_TEXT_MS});
		}

		const paused = await dependencies.paused();
		for (const account of accounts.map(accountTag).filter(tag => !paused.has(tag))) {
			const woken = await store.wakeHeld(account);
			if (woken.length > 0) {
				log.info({account, deliveries: woken.length}, 'running the deliveries that waited for a paused bot');
			}
		}
	}
}

async function sweepAccount(account: {site: string; email: string}, dependencies: SweepDependencies): Promise<void> {
	const due = await dependencies.store.due(accountTag(account), AT_ONCE);
	for (const ref of due) {
		await lookAfter(ref, dependencies).catch((error: Error) => {
			dependencies.log.warn(
				{account: ref.account, delivery: ref.id, reason: error.message},
				'could not recover a delivery; the next sweep tries again',
			);
		});
	}
}

async function lookAfter(ref: DeliveryRef, dependencies: SweepDependencies): Promise<void> {
	const delivery = await dependencies.store.read(ref);
	if (!delivery) {
		// A post that no run of a bot sent has only an outbox.
		const isSaid = await dependencies.store.hasOutbox(ref);
		await (isSaid ? dependencies.enqueue(ref) : dependencies.store.forget(ref));
		return;
	}

	if (delivery.status === 'running' && isReplay(ref)) {
		// The operator saw the replay fail, and may repeat it.
		await dependencies.store.decideLate(ref);
		const error = 'The process that replayed it ended before its handler did';
		await dependencies.store.finish(ref, {run: delivery.runs, answer: SILENCE, canAnswer: false, replies: [], error});
		return;
	}

	if (delivery.status === 'running') {
		if (!delivery.isHeld) {
			dependencies.log.warn(
				{account: ref.account, delivery: ref.id, runs: delivery.runs},
				'a lease expired; running the delivery again',
			);
		}

		await dependencies.rerun(ref);
		return;
	}

	if (delivery.decision === 'inline' && (await dependencies.store.turnLate(ref))) {
		dependencies.log.warn(
			{account: ref.account, delivery: ref.id},
			'no connection confirmed an answer; posting it after a look-up',
		);
	}

	await dependencies.enqueue(ref);
}
