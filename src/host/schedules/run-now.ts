// Runs something at once that is due later. No clock moves: a one-off gets a new time, a recurring one an additional run.

import type {Account} from '../../config/accounts.js';
import {readState} from '../../outbox/entry-state.js';
import {createOutboxStore} from '../../outbox/store.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {openQueue} from '../../queue/define-queue.js';
import {sends} from '../../queue/sends.js';
import {accountTag} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {createCronStore, cronOutbox} from '../../schedules/cron-store.js';
import {putCronText} from '../../schedules/cron-text.js';
import type {StoredSchedules} from '../../schedules/schedules.js';
import {createCronRuns} from '../background/cron-runs.js';
import {createEnqueue} from '../background/enqueue.js';
import {openSchedules} from './open-schedules.js';

/** `busy`: it is being posted, or its previous run still runs. */
export type RunNow = (account: Account, id: string) => Promise<'running' | 'unknown' | 'busy'>;

/** The service refuses a scheduled message for a time that has passed when the call arrives. */
const SERVICE_MS = 2_000;

type Enqueue = ReturnType<typeof createEnqueue>;

export interface Planned {
	readonly schedules: StoredSchedules;
	readonly runNow: RunNow;
	/** Wakes a worker for what a delivery posts. */
	readonly enqueue: Enqueue;
	/** Has a process run a delivery. */
	readonly rerun: Enqueue;
	close(): Promise<void>;
}

export function openPlanned(connection: RedisConnection, accounts: readonly Account[]): Planned {
	const sending = openQueue(sends, connection);
	const running = openQueue(backgroundDeliveries, connection);
	const enqueue = createEnqueue(sending, accounts);
	const schedules = openSchedules(connection, enqueue);
	const outboxes = createOutboxStore(connection);
	const crons = createCronStore(connection);
	const enqueueCronRun = createCronRuns(connection, running);

	async function runOneOff(tag: string, id: string, isScheduled: boolean): Promise<boolean> {
		const entry = await outboxes.findNamed(tag, id);
		const dueAt = Date.now() + (isScheduled ? SERVICE_MS : 0);
		if (!entry || !(await outboxes.move(entry, dueAt, {byHand: true}))) {
			return false;
		}

		await enqueue(entry.ref);
		return true;
	}

	async function runCron(account: Account, id: string): Promise<boolean> {
		const tag = accountTag(account);
		const what = (await crons.read(tag, id))?.what;
		const run = {planned: Date.now(), byHand: true} as const;
		const isRunning =
			what?.kind === 'handler'
				? await enqueueCronRun(account, {...run, handler: what.handler})
				: what !== undefined && (await putCronText(cronOutbox(tag, id), {...what, ...run}, {outboxes, enqueue}));
		if (isRunning) {
			await crons.count(tag, id, {byHand: 1});
		}

		return isRunning;
	}

	return {
		schedules,
		enqueue,
		rerun: createEnqueue(running, accounts),
		async runNow(account, id) {
			const found = await schedules.find(accountTag(account), id);
			if (!found) {
				return 'unknown';
			}

			const isRunning =
				found.kind === 'cron'
					? await runCron(account, id)
					: await runOneOff(accountTag(account), id, readState(found.state).kind === 'scheduled');
			return isRunning ? 'running' : 'busy';
		},
		async close() {
			await Promise.all([sending.close(), running.close()]);
		},
	};
}
