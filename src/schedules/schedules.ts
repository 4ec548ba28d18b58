// What an account will say at set times, once or again and again: listed, moved, cancelled.

import {z} from 'zod';
import type {DeliveryRef} from '../delivery/ref.js';
import type {EntryState} from '../outbox/entry-state.js';
import type {OutboxStore} from '../outbox/store.js';
import type {CheckedCron} from '../queue/cron.js';
import {nextAfter} from '../queue/cron.js';
import type {CronCounts, CronStore} from './cron-store.js';

/** What the text of a handler's entry says, among other things. */
const Later = z.object({name: z.string()});

interface Base {
	/** The bot's own key where it gave one. */
	readonly id: string;
	/** When it is due next, milliseconds since 1970. */
	readonly dueAt: number;
}

export type Schedule = Base &
	(
		| {
				readonly kind: 'once';
				/** JSON text; absent where a handler runs. */
				readonly target?: string;
				readonly text?: string;
				/** The handler that runs then. */
				readonly handler?: string;
				readonly state: EntryState;
		  }
		| {
				readonly kind: 'cron';
				readonly cron: CheckedCron;
				readonly counts: CronCounts;
				/** JSON text; absent where a handler runs. */
				readonly target?: string;
				readonly text?: string;
				readonly handler?: string;
		  }
	);

export interface Schedules {
	/** Soonest first. */
	list(account: string): Promise<Schedule[]>;
	/** False when there is none of that id, or when it is too late. */
	cancel(account: string, id: string): Promise<boolean>;
	/** Moves a one-off to another time; false as with `cancel`. */
	reschedule(account: string, id: string, dueAt: number): Promise<boolean>;
	/** Ends what has an id beside the one that was just scheduled under it, and is not of its kind. */
	replace(account: string, id: string, kind: Schedule['kind']): Promise<void>;
}

/** Those of one account. */
export interface AccountSchedules {
	list(): Promise<Schedule[]>;
	cancel(id: string): Promise<boolean>;
	reschedule(id: string, dueAt: number): Promise<boolean>;
	replace(id: string, kind: Schedule['kind']): Promise<void>;
}

export function schedulesOf(schedules: Schedules, account: string): AccountSchedules {
	return {
		list: () => schedules.list(account),
		cancel: id => schedules.cancel(account, id),
		reschedule: (id, dueAt) => schedules.reschedule(account, id, dueAt),
		replace: (id, kind) => schedules.replace(account, id, kind),
	};
}

export interface SchedulesOptions {
	readonly outboxes: OutboxStore;
	readonly crons: CronStore;
	/** Has an outbox worked: what stands in it has changed. */
	enqueue(ref: DeliveryRef): Promise<void>;
	now(): number;
}

export function createSchedules({outboxes, crons, enqueue, now}: SchedulesOptions): Schedules {
	async function oneOffs(account: string): Promise<Schedule[]> {
		const named = await outboxes.named(account);
		const found = await Promise.all(
			[...named].map(async ([id, {ref, n}]) => {
				const entry = (await outboxes.read(ref)).find(candidate => candidate.n === n);
				return entry && {id, entry};
			}),
		);
		return (
			found
				.filter(named => named !== undefined)
				.filter(({entry}) => !/^(sent|failed|cancelled|retracting)/.test(entry.state))
				// The service says nothing when it delivers what it has kept.
				.filter(({entry}) => !entry.state.startsWith('scheduled') || entry.dueAt > now())
				.map(({id, entry: {kind, dueAt, target, text, state}}) => {
					const what = kind === 'later' ? {handler: Later.parse(JSON.parse(text)).name} : {target, text};
					return {kind: 'once', id, dueAt, state, ...what};
				})
		);
	}

	async function repeated(account: string): Promise<Schedule[]> {
		const stored = await crons.all(account);
		return Promise.all(
			[...stored].map(async ([id, {cron, what}]) => ({
				kind: 'cron' as const,
				id,
				cron,
				dueAt: nextAfter(cron, now()),
				counts: await crons.counts(account, id),
				...(what.kind === 'send' ? {target: what.target, text: what.text} : {handler: what.handler}),
			})),
		);
	}

	async function cancelOneOff(account: string, id: string): Promise<boolean> {
		const entry = (await outboxes.named(account)).get(id);
		const isCancelled = entry !== undefined && (await outboxes.cancel(entry, id));
		if (entry && isCancelled) {
			await enqueue(entry.ref);
		}

		return isCancelled;
	}

	/** A handler's due times stand in the bot's code. */
	async function endTexts(account: string, id: string): Promise<boolean> {
		const cron = await crons.read(account, id);
		return cron?.what.kind === 'send' && crons.remove(account, id);
	}

	return {
		async list(account) {
			const found = await Promise.all([oneOffs(account), repeated(account)]);
			return found.flat().toSorted((a, b) => a.dueAt - b.dueAt);
		},
		async cancel(account, id) {
			const isCancelled = await cancelOneOff(account, id);
			const isEnded = await endTexts(account, id);
			return isCancelled || isEnded;
		},
		async reschedule(account, id, dueAt) {
			const entry = (await outboxes.named(account)).get(id);
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
