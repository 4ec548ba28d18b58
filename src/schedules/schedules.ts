// The schedules of an account, one-off or recurring: list, move and cancel them.

import {z} from '../api/zod.js';
import type {DeliveryRef} from '../delivery/ref.js';
import type {StoredEntry} from '../delivery/store.js';
import {type EntryState, readState} from '../outbox/entry-state.js';
import type {OutboxStore} from '../outbox/store.js';
import type {CheckedCron} from '../queue/cron.js';
import {nextAfter} from '../queue/cron.js';
import type {Retry} from '../redis/availability.js';
import type {CronCounts, CronStore, StoredCron} from './cron-store.js';

/** The field of a handler's entry that names the handler. */
const Later = z.object({name: z.string()});

interface Base {
	/** The bot's own key, if it gave one. */
	readonly id: string;
	/** The next due time, milliseconds since 1970. */
	readonly dueAt: number;
}

export type Schedule = Base &
	(
		| {
				readonly kind: 'once';
				/** JSON text. Absent if a handler runs. */
				readonly target?: string;
				readonly text?: string;
				/** The handler to run. */
				readonly handler?: string;
				readonly state: EntryState;
		  }
		| {
				readonly kind: 'cron';
				readonly cron: CheckedCron;
				readonly counts: CronCounts;
				/** JSON text. Absent if a handler runs. */
				readonly target?: string;
				readonly text?: string;
				readonly handler?: string;
		  }
	);

export interface Schedules {
	/** Soonest first. */
	list(account: string): Promise<Schedule[]>;
	/** False if there is none with that id, or if it is too late. */
	cancel(account: string, id: string): Promise<boolean>;
	/** Moves a one-off to another time. False as with `cancel`. */
	reschedule(account: string, id: string, dueAt: number): Promise<boolean>;
	/** Cancels another kind of schedule with the same id as the one that was just made. */
	replace(account: string, id: string, kind: Schedule['kind']): Promise<void>;
}

export interface StoredSchedules extends Schedules {
	find(account: string, id: string): Promise<Schedule | undefined>;
}

/** Those of one account. */
export interface AccountSchedules {
	list(): Promise<Schedule[]>;
	cancel(id: string): Promise<boolean>;
	reschedule(id: string, dueAt: number): Promise<boolean>;
	replace(id: string, kind: Schedule['kind']): Promise<void>;
}

/** Each step goes through `retry`. */
export function schedulesOf(schedules: Schedules, account: string, retry: Retry): AccountSchedules {
	return {
		list: () => retry(() => schedules.list(account)),
		cancel: id => retry(() => schedules.cancel(account, id)),
		reschedule: (id, dueAt) => retry(() => schedules.reschedule(account, id, dueAt)),
		replace: (id, kind) => retry(() => schedules.replace(account, id, kind)),
	};
}

export interface SchedulesOptions {
	readonly outboxes: OutboxStore;
	readonly crons: CronStore;
	/** Wakes an outbox whose entries have changed. */
	enqueue(ref: DeliveryRef): Promise<void>;
	now(): number;
}

export function createSchedules({outboxes, crons, enqueue, now}: SchedulesOptions): StoredSchedules {
	async function oneOffs(account: string): Promise<Schedule[]> {
		const named = [...(await outboxes.named(account))];
		const refs = new Map(named.map(([, {ref}]) => [ref.id, ref]));
		const read = async (ref: DeliveryRef) =>
			[ref.id, new Map((await outboxes.read(ref)).map(entry => [entry.n, entry]))] as const;
		const entries = new Map(await Promise.all([...refs.values()].map(read)));
		return named.flatMap(([id, {ref, n}]) => asOneOff(id, entries.get(ref.id)?.get(n)) ?? []);
	}

	/** Undefined if it is over. */
	function asOneOff(id: string, entry: StoredEntry | undefined): Schedule | undefined {
		if (!entry || ['sent', 'failed', 'cancelled', 'retracting'].includes(readState(entry.state).kind)) {
			return undefined;
		}

		const {kind, dueAt, target, text, state} = entry;
		const what = kind === 'later' ? {handler: Later.parse(JSON.parse(text)).name} : {target, text};
		// The service does not report when it posts a scheduled message.
		const isDelivered = readState(state).kind === 'scheduled' && dueAt <= now();
		return isDelivered ? undefined : {kind: 'once', id, dueAt, state, ...what};
	}

	async function asRepeated(account: string, id: string, {cron, what}: StoredCron): Promise<Schedule> {
		return {
			kind: 'cron',
			id,
			cron,
			dueAt: nextAfter(cron, now()),
			counts: await crons.counts(account, id),
			...(what.kind === 'send' ? {target: what.target, text: what.text} : {handler: what.handler}),
		};
	}

	async function repeated(account: string): Promise<Schedule[]> {
		const stored = await crons.all(account);
		return Promise.all([...stored].map(([id, cron]) => asRepeated(account, id, cron)));
	}

	async function cancelOneOff(account: string, id: string): Promise<boolean> {
		const entry = await outboxes.findNamed(account, id);
		const isCancelled = entry !== undefined && (await outboxes.cancel(entry, id));
		if (entry && isCancelled) {
			await enqueue(entry.ref);
		}

		return isCancelled;
	}

	/** A handler's due times are part of the bot's code. */
	async function endTexts(account: string, id: string): Promise<boolean> {
		const cron = await crons.read(account, id);
		return cron?.what.kind === 'send' && crons.remove(account, id);
	}

	return {
		async list(account) {
			const found = await Promise.all([oneOffs(account), repeated(account)]);
			return found.flat().toSorted((a, b) => a.dueAt - b.dueAt);
		},
		async find(account, id) {
			const named = await outboxes.findNamed(account, id);
			const oneOff = named && asOneOff(id, await outboxes.readEntry(named));
			const cron = oneOff ? undefined : await crons.read(account, id);
			return oneOff ?? (cron && asRepeated(account, id, cron));
		},
		async cancel(account, id) {
			const isCancelled = await cancelOneOff(account, id);
			const isEnded = await endTexts(account, id);
			return isCancelled || isEnded;
		},
		async reschedule(account, id, dueAt) {
			const entry = await outboxes.findNamed(account, id);
			if (!entry || !(await outboxes.move(entry, dueAt))) {
				return false;
			}

			await enqueue(entry.ref);
			return true;
		},
		async replace(account, id, kind) {
			await (kind === 'once' ? endTexts(account, id) : cancelOneOff(account, id));
		},
	};
}
