// A host of one bot in the memory of this process: the real receiver, dispatch, deliveries and workers, over the memory twins
// of what stands in Redis. Time is the realm's clock, and all that becomes due is done by `work`.

import cronTicksWorker from '../../workers/cron-ticks.js';
import draftsWorker from '../../workers/drafts.js';
import sendsWorker from '../../workers/sends.js';
import {Payload} from '../api/index.js';
import type {Bot} from '../bot/bot.js';
import type {BotLog} from '../bot/context.js';
import {createDraftAccounts, type DraftAccount} from '../bot/draft-accounts.js';
import type {Hook} from '../bot/http.js';
import {runBot} from '../bot/run.js';
import type {Client} from '../client/client.js';
import type {FetchOnce} from '../client/fetch.js';
import {type AccountRules, createDeliveries, type Task} from '../delivery/deliveries.js';
import {type DeliveryRef, deliveryRef, numberOf} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {cronPayload, readWork} from '../delivery/work.js';
import {awaitMessage} from '../outbox/await-message.js';
import {createSight} from '../outbox/sight.js';
import {createReceiver} from '../receiver/receiver.js';
import {accountTag} from '../redis/account-key.js';
import {createSchedules, schedulesOf} from '../schedules/schedules.js';
import {createCronClock} from './cron-clock.js';
import {createJobs} from './jobs.js';
import {Memory} from './memory.js';
import {createMemoryCronStore} from './memory-cron-store.js';
import {createMemoryDraftStore} from './memory-draft-store.js';
import {createMemoryOutboxStore} from './memory-outbox-store.js';
import {createMemoryStore} from './memory-store.js';
import {createMemoryValueStore} from './memory-value-store.js';

/** The account of the bot. */
export interface HostedAccount extends AccountRules {
	readonly name: string;
	readonly tokens: readonly string[];
	readonly hooks: readonly Hook[];
}

export interface HostOptions {
	readonly bot: Bot<unknown, unknown>;
	readonly config: unknown;
	readonly account: HostedAccount;
	/** Accounts in which the bot may keep drafts. */
	readonly draftAccounts: readonly DraftAccount[];
	clientOf(email: string): Client;
	readonly fetchOnce: FetchOnce;
	readonly log: BotLog;
	/** Milliseconds since 1970. */
	now(): number;
	/** Told of what a handler threw and nobody caught, and of what failed in here. */
	report(error: unknown): void;
}

/** As long as a host waits for a receipt before it looks into the conversation, and after which it gives up. */
const SETTLE_MS = 60_000;
const GIVE_UP_MS = 24 * 3_600_000;

const SWEEP_MS = 1_000;

/** What could not be posted, and the payload that it would have answered. */
export interface Failed {
	readonly entry: StoredEntry;
	readonly payload: Payload | undefined;
}

export type TestHost = ReturnType<typeof createHost>;

export function createHost(options: HostOptions) {
	const {bot, account, log, now, report} = options;
	const tag = accountTag(account);
	const memory = new Memory();
	const outboxes = createMemoryOutboxStore(memory, now);
	const crons = createMemoryCronStore(memory);
	const values = createMemoryValueStore(memory);
	const questions = createMemoryValueStore(memory, 'questions');
	const draftStore = createMemoryDraftStore(now);
	const schedules = createSchedules({outboxes, crons, enqueue, now});
	const jobs = createJobs({now, report});
	let newest = 0;
	let latest: Payload | undefined;

	const sendDependencies = {
		clientOf: ({email}: {email: string}) => options.clientOf(email),
		outboxes,
		// A service that gives no event queue: the conversation tells what was posted.
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
		async runBot(_: DeliveryRef, payload: Payload) {
			if (bot.errorHandlers.length > 0 || readWork(payload).kind !== 'sendFailed') {
				await rerun(payload);
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
		store: draftStore,
		log,
		now,
		async enqueue({site, email}: {site: string; email: string}) {
			jobs.start(`drafts ${email}`, () => draftsWorker.run({v: 1, account: {site, email}}, draftDependencies, now()));
		},
	};

	const draftsOf = createDraftAccounts({
		accounts: options.draftAccounts,
		store: draftStore,
		enqueue: draftDependencies.enqueue,
	});

	async function handle(task: Task<HostedAccount>): Promise<void> {
		const {payload, say, session, writer} = task;
		await runBot({
			bot,
			config: options.config,
			payload,
			say,
			session,
			get signal() {
				return task.signal;
			},
			schedules: schedulesOf(schedules, tag),
			values: values(writer),
			questions: questions(writer),
			delivery: {id: writer.ref.id, run: writer.run},
			fetchOnce: options.fetchOnce,
			sees: target => sendDependencies.sight.of(options.clientOf(account.email), target),
			client: options.clientOf(account.email),
			log: {
				...log,
				error(fields, message) {
					// What a handler threw has a reference, unlike what a bot itself logs.
					if ('reference' in fields && 'err' in fields) {
						report(fields.err);
					}

					log.error(fields, message);
				},
			},
			async sent(id) {
				await jobs.ended(`outbox ${writer.ref.id}`);
				return awaitMessage(outboxes, {ref: writer.ref, n: numberOf(id)}, {signal: task.signal});
			},
			now,
			drafts: name => draftsOf(account, name),
		});
	}

	const deliveries = createDeliveries<HostedAccount>({
		process: 'test',
		store: createMemoryStore(now, memory),
		enqueue,
		elapsed: now,
		log: {...log, error: (fields, message) => report(Object.assign(new Error(message), {fields}))},
		isDead: () => false,
		handle,
	});

	/** A copy: slots are kept by account. */
	const unlimited = {...account, perMinute: 0};

	/** Runs a delivery of our own making: nobody who may flood has asked for it. */
	async function rerun(payload: Payload): Promise<void> {
		await runUnawaited(unlimited, payload);
	}

	async function runUnawaited(account: HostedAccount, payload: Payload): Promise<void> {
		await deliveries.rerun({account, payload, text: JSON.stringify(payload)});
	}

	const receiver = createReceiver({
		accounts: [account],
		deliver(arrival) {
			latest = arrival.payload;
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
			const payload = cronPayload({email: account.email, handler, planned});
			const {id} = deliveryRef(account, payload);
			const before = await crons.swapDelivery(tag, `cron ${handler}`, id);
			if (before !== undefined && memory.delivery({account: tag, id: before})?.status === 'running') {
				await crons.swapDelivery(tag, `cron ${handler}`, before);
				return false;
			}

			await rerun(payload);
			return true;
		},
	};

	for (const [handler, {cron}] of bot.crons) {
		memory.account(tag).crons.set(`cron ${handler}`, {cron, what: {kind: 'handler', handler}});
	}

	const plans = createCronClock(memory.account(tag).crons, now);
	let sweptAt = 0;

	/** Deliveries that a sweep finds, and when; what still runs is its run's own. */
	function toSweep(): {ref: DeliveryRef; at: number}[] {
		return [...memory.account(tag).due]
			.map(([id, at]) => ({ref: {account: tag, id}, at: Math.max(at, sweptAt + SWEEP_MS)}))
			.filter(({ref}) => memory.delivery(ref)?.status !== 'running');
	}

	return {
		receiver,
		/** Runs a delivery that came as an event. */
		async deliver(payload: Payload): Promise<void> {
			latest = payload;
			await runUnawaited(account, payload);
		},
		/** The last payload that came. */
		latest: () => latest,
		/** Whether something is under way that ends by itself. */
		isBusy: () => jobs.isBusy(),
		isRunning: () => deliveries.running().length > 0,
		/** Resolves when no job and no handler is under way. */
		async idle(): Promise<void> {
			while (jobs.isBusy() || deliveries.running().length > 0) {
				await Promise.all([deliveries.idle(), jobs.idle()]);
			}
		},
		/** What the bot has scheduled, soonest first. */
		schedules: () => schedules.list(tag),
		/** What could not be posted, or of which nobody knows. */
		async failed(): Promise<Failed[]> {
			const unsettled = await outboxes.unsettled(tag);
			return unsettled.flatMap(({ref, n}) => {
				const kept = memory.outbox(ref).get(n);
				const payload = memory.delivery(ref)?.payload;
				return kept?.state === undefined
					? []
					: [
							{
								entry: {...kept.entry, state: kept.state},
								payload: payload === undefined ? undefined : Payload.parse(JSON.parse(payload)),
							},
						];
			});
		},
		/** When something is due next, milliseconds since 1970. */
		next(): number {
			return Math.min(
				jobs.next(),
				plans.next(),
				...toSweep().map(({at}) => at),
				// Deadlines and leases are looked after every second.
				...(deliveries.running().length > 0 ? [now() + 1_000] : []),
			);
		},
		/** Begins everything that is due. */
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
		/** Looks what people have done with the drafts. */
		lookAtDrafts: () => jobs.start('drafts', () => draftsWorker.run({v: 1}, draftDependencies, now())),
	};
}
