// A host of one bot in this process: the real receiver, dispatch, deliveries and workers, with in-memory stores instead of Redis.
// Its time is the realm's clock. `work` runs everything that is due.

import cronTicksWorker from '../../workers/cron-ticks.js';
import draftsWorker from '../../workers/drafts.js';
import sendsWorker from '../../workers/sends.js';
import type {Payload} from '../api/index.js';
import type {Bot} from '../bot/bot.js';
import type {BotLog} from '../bot/context/capabilities.js';
import {createDraftAccounts, type DraftAccount} from '../bot/context/draft-accounts.js';
import type {Hook} from '../bot/context/http.js';
import {runBot} from '../bot/run.js';
import type {Client} from '../client/client.js';
import type {FetchOnce} from '../client/fetch.js';
import {createDeliveries} from '../delivery/deliveries.js';
import {type DeliveryRef, numberOf} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import type {AccountRules, Task} from '../delivery/task.js';
import {answeredBy, readWork, type Work, workRef} from '../delivery/work.js';
import {awaitMessage} from '../outbox/await-message.js';
import {createSight} from '../outbox/sight.js';
import {createReceiver} from '../receiver/receiver.js';
import {accountTag} from '../redis/account-key.js';
import {createSchedules, schedulesOf} from '../schedules/schedules.js';
import {createCronClock} from './cron-clock.js';
import {createJobs} from './jobs.js';
import {createMemoryStores, type MemoryStores} from './memory-stores.js';

export interface HostedAccount extends AccountRules {
	readonly name: string;
	readonly tokens: readonly string[];
	readonly hooks: readonly Hook[];
}

export interface HostOptions {
	readonly bot: Bot<unknown, unknown>;
	readonly config: unknown;
	readonly account: HostedAccount;
	/** Accounts in which the bot may put drafts. */
	readonly draftAccounts: readonly DraftAccount[];
	clientOf(email: string): Client;
	readonly fetchOnce: FetchOnce;
	readonly log: BotLog;
	/** Milliseconds since 1970. */
	now(): number;
	/** Gets uncaught errors of handlers, and errors of the kit. */
	report(error: unknown): void;
	/** What an earlier host has stored. Default: nothing. */
	readonly stores?: MemoryStores;
	/** Distinguishes hosts that share their stores. */
	readonly process?: string;
}

/** The settling time and the retry time of a real host. */
const SETTLE_MS = 60_000;
const GIVE_UP_MS = 24 * 3_600_000;

const SWEEP_MS = 1_000;

/** A message that could not be posted, and the payload that it answered. */
export interface Failed {
	readonly entry: StoredEntry;
	readonly payload: Payload | undefined;
}

export type TestHost = ReturnType<typeof createHost>;

export function createHost(options: HostOptions) {
	const {bot, account, log, now, report} = options;
	const tag = accountTag(account);
	const {stores = createMemoryStores(now), process = 'test'} = options;
	const {memory, outboxes, crons, values, questions} = stores;
	const schedules = createSchedules({outboxes, crons, enqueue, now});
	const jobs = createJobs({now, report});
	let newest = 0;
	let latest: Work | undefined;

	const sendDependencies = {
		clientOf: ({email}: {email: string}) => options.clientOf(email),
		outboxes,
		// As with a service without event queues: look-ups in the conversation find the messages.
		receipts: {
			before: async () => ({queue: '', after: newest}),
			sawMessage: (_: Client, id: number) => {
				newest = Math.max(newest, id);
			},
			find: async () => 'gap' as const,
		},
		sight: createSight(now),
		log,
		now,
		settleMs: SETTLE_MS,
		giveUpMs: GIVE_UP_MS,
		async runBot(_: DeliveryRef, work: Work) {
			if (bot.errorHandlers.length > 0 || work.kind !== 'sendFailed') {
				await rerun(work);
			}
		},
		enqueueLater: async (ref: DeliveryRef, {id, delayMs}: {id: string; delayMs: number}) =>
			jobs.later(id, delayMs, () => enqueue(ref)),
	};

	async function enqueue(ref: DeliveryRef): Promise<void> {
		const {site, email} = account;
		jobs.start(`outbox ${ref.id}`, () =>
			sendsWorker.run({v: 1, site, email, delivery: ref.id}, sendDependencies, now()),
		);
	}

	const draftDependencies = {
		accounts: options.draftAccounts,
		clientOf: sendDependencies.clientOf,
		store: stores.drafts,
		log,
		now,
		async enqueue({site, email}: {site: string; email: string}) {
			jobs.start(`drafts ${email}`, () => draftsWorker.run({v: 1, account: {site, email}}, draftDependencies, now()));
		},
	};

	const draftsOf = createDraftAccounts({
		accounts: options.draftAccounts,
		store: stores.drafts,
		enqueue: draftDependencies.enqueue,
	});

	async function handle(task: Task<HostedAccount>): Promise<void> {
		const {work, session, run} = task;
		const {writer} = run;
		await runBot({
			bot,
			config: options.config,
			email: account.email,
			work,
			run,
			session,
			schedules: schedulesOf(schedules, tag, run.retry),
			values: values(writer),
			questions: questions(writer),
			fetchOnce: options.fetchOnce,
			sees: target => sendDependencies.sight.of(options.clientOf(account.email), target),
			client: options.clientOf(account.email),
			log: {
				...log,
				error(fields, message) {
					// Errors that a handler throws have a reference; lines that a bot logs have none.
					if ('reference' in fields && 'err' in fields) {
						report(fields.err);
					}

					log.error(fields, message);
				},
			},
			async sent(id) {
				await jobs.ended(`outbox ${writer.ref.id}`);
				return awaitMessage(outboxes, {ref: writer.ref, n: numberOf(id)}, run);
			},
			now,
			drafts: name => draftsOf(account, name),
		});
	}

	const deliveries = createDeliveries<HostedAccount>({
		process,
		store: stores.deliveries,
		enqueue,
		elapsed: now,
		log: {...log, error: (fields, message) => report(Object.assign(new Error(message), {fields}))},
		isDead: () => false,
		handle,
	});

	/** Runs a delivery for which no webhook waits. */
	async function rerun(work: Work): Promise<void> {
		await deliveries.rerun({account, work});
	}

	const receiver = createReceiver({
		accounts: [account],
		deliver(arrival) {
			latest = arrival.work.kind === 'message' ? arrival.work : undefined;
			return deliveries.receive({...arrival, arrivedAt: now()});
		},
		now,
		readiness: async () => ({missing: [], degraded: []}),
		report,
	});

	const cronTickDependencies = {
		crons,
		outboxes,
		log,
		now,
		enqueue,
		async runHandler(_: unknown, handler: string, planned: number) {
			const work: Work = {kind: 'cron', handler, planned};
			const {id} = workRef(account, work);
			const before = await crons.swapDelivery(tag, `cron ${handler}`, id);
			if (before !== undefined && memory.delivery({account: tag, id: before})?.status === 'running') {
				await crons.swapDelivery(tag, `cron ${handler}`, before);
				return false;
			}

			await rerun(work);
			return true;
		},
	};

	for (const [handler, {cron}] of bot.crons) {
		memory.account(tag).crons.set(`cron ${handler}`, {cron, what: {kind: 'handler', handler}});
	}

	const plans = createCronClock(memory.account(tag).crons, now);
	let sweptAt = 0;

	/** Deliveries for the sweep, with their times. Running ones are left to their run. */
	function toSweep(): {ref: DeliveryRef; at: number}[] {
		return [...memory.account(tag).due]
			.map(([id, at]) => ({ref: {account: tag, id}, at: Math.max(at, sweptAt + SWEEP_MS)}))
			.filter(({ref}) => memory.delivery(ref)?.status !== 'running');
	}

	return {
		receiver,
		/** Runs a delivery that came as an event. */
		async deliver(work: Work): Promise<void> {
			latest = work;
			await rerun(work);
		},
		/** The last message or event that came. */
		latest: () => latest,
		/** Whether jobs are running. */
		isBusy: () => jobs.isBusy(),
		isRunning: () => deliveries.running().length > 0,
		/** Resolves when no job and no handler is running. */
		async idle(): Promise<void> {
			while (jobs.isBusy() || deliveries.running().length > 0) {
				await Promise.all([deliveries.idle(), jobs.idle()]);
			}
		},
		/** The bot's schedules, soonest first. */
		schedules: () => schedules.list(tag),
		/** Messages that could not be posted, or whose outcome is unknown. */
		async failed(): Promise<Failed[]> {
			const unsettled = await outboxes.unsettled(tag);
			return unsettled.flatMap(({ref, n}) => {
				const kept = memory.outbox(ref).get(n);
				const work = memory.delivery(ref)?.work;
				return kept?.state === undefined
					? []
					: [
							{
								entry: {...kept.entry, state: kept.state},
								payload: work === undefined ? undefined : answeredBy(readWork(work)),
							},
						];
			});
		},
		/** The next due time, in milliseconds since 1970. */
		next(): number {
			return Math.min(
				jobs.next(),
				plans.next(),
				...toSweep().map(({at}) => at),
				// Deadlines and leases are checked every second.
				...(deliveries.running().length > 0 ? [now() + 1_000] : []),
			);
		},
		/** Starts everything that is due. */
		work(): void {
			deliveries.tick();
			jobs.startDue();
			const due = toSweep().filter(({at}) => at <= now());
			sweptAt = due.length > 0 ? now() : sweptAt;
			for (const {ref} of due) {
				void enqueue(ref);
			}

			const {site, email} = account;
			for (const {id, at} of plans.takeDue()) {
				jobs.start(`cron ${id}`, () => cronTicksWorker.run({v: 1, site, email, cron: id}, cronTickDependencies, at));
			}
		},
		/** Reads what people have changed in the drafts. */
		lookAtDrafts: () => jobs.start('drafts', () => draftsWorker.run({v: 1}, draftDependencies, now())),
	};
}
