// What a bot does, told to its host.

import type {Client} from '../client/client.js';
import type {Outbound} from '../delivery/run.js';
import {checkCron} from '../queue/cron.js';
import {Target} from '../queue/sends.js';
import type {AccountSchedules} from '../schedules/schedules.js';
import type {Values} from '../storage/values.js';
import {changeOwn} from './blindness.js';
import type {Actions, BotLog, ScheduleHandle} from './context.js';
import type {Drafts} from './drafts.js';
import {expectFuture, expectKey, expectTarget, expectText} from './expect.js';
import {quote} from './quote.js';
import {createStorage} from './storage.js';

/** What the host does for a bot. Targets are JSON text, times milliseconds since 1970. */
export interface Effects extends Pick<Outbound, 'reply' | 'send' | 'schedule' | 'repeat'> {
	readonly schedules: AccountSchedules;
	readonly values: Values;
	/** Speaks as the account. Throws where it has no API key. */
	api(): Client;
	drafts(account: string): Drafts;
	/** The message that a send became. */
	sent(id: string): Promise<number>;
	now(): number;
}

export interface ActionsOptions<Config> {
	readonly effects: Omit<Effects, 'reply'>;
	readonly log: BotLog;
	readonly config: Config;
}

/** All but `api`, of which a bot may have none, and `signal`, which is made when somebody first looks. */
export function createActions<Config>({
	effects,
	log,
	config,
}: ActionsOptions<Config>): Omit<Actions<Config>, 'signal' | 'api'> {
	const handleOf = (id: string): ScheduleHandle => ({
		id,
		cancel: () => effects.schedules.cancel(id),
		reschedule: when =>
			effects.schedules.reschedule(id, expectFuture(when, {method: 'reschedule', now: effects.now()})),
	});

	return {
		config,
		log,
		storage: createStorage(effects.values),
		async send(target, text) {
			const id = await effects.send(expectMessage({target, text}, 'send'));
			return {
				id,
				get sent() {
					return effects.sent(id);
				},
			};
		},
		async schedule(when, target, text, {key, via} = {}) {
			const name = key === undefined ? undefined : expectKey(key, 'schedule');
			const message = {...expectMessage({target, text}, 'schedule'), name};
			const keyed = async (id: string, kind: 'once' | 'cron') => {
				if (key !== undefined) {
					await effects.schedules.replace(id, kind);
				}

				return handleOf(id);
			};
			if (when instanceof Date) {
				const dueAt = expectFuture(when, {method: 'schedule', now: effects.now()});
				return keyed(await effects.schedule({...message, dueAt, via}), 'once');
			}

			if (via !== undefined) {
				throw new TypeError("Expected ctx.schedule() with a Date, since `via: 'service'` is set, got a cron pattern");
			}

			return keyed(await effects.repeat({...message, cron: checkCron(when)}), 'cron');
		},
		async schedules() {
			const found = await effects.schedules.list();
			return found.flatMap(schedule =>
				schedule.target === undefined || schedule.text === undefined
					? []
					: [
							{
								...handleOf(schedule.id),
								when: new Date(schedule.dueAt),
								target: Target.parse(JSON.parse(schedule.target)),
								text: schedule.text,
								cron: schedule.kind === 'cron' ? schedule.cron : undefined,
							},
						],
			);
		},
		drafts: account => checked(effects.drafts(account)),
		async edit(messageId, text) {
			const client = effects.api();
			const content = expectText(text, 'edit');
			await changeOwn(client, {what: 'ctx.edit()', messageId}, () =>
				client.updateMessage({message_id: messageId, content}),
			);
		},
		async delete(messageId) {
			const client = effects.api();
			await changeOwn(client, {what: 'ctx.delete()', messageId}, () => client.deleteMessage({message_id: messageId}));
		},
		quote,
		now: () => new Date(effects.now()),
		time: when => `<time:${when.toISOString().replace(/\.\d+Z$/, 'Z')}>`,
	};
}

/** Longer ones are cut by services, silently. */
const LONGEST_TOPIC = 60;

function checked(drafts: Drafts): Drafts {
	return {
		async put(key, target, text) {
			const place = expectTarget(target);
			if ('topic' in place && place.topic.length > LONGEST_TOPIC) {
				throw new TypeError(
					`Expected ctx.drafts().put() with a topic of at most ${LONGEST_TOPIC} characters, got ${place.topic.length}`,
				);
			}

			await drafts.put(expectKey(key, 'drafts().put'), place, expectText(text, 'drafts().put'));
		},
		remove: async key => drafts.remove(expectKey(key, 'drafts().remove')),
		list: () => drafts.list(),
	};
}

function expectMessage({target, text}: {target: unknown; text: unknown}, method: string) {
	return {target: JSON.stringify(expectTarget(target)), text: expectText(text, method)};
}
