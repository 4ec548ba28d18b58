// The effects of a bot, in arrays that are updated in place, so that tests may keep them.

import {conversationOf, Target} from '../delivery/target.js';
import {readState} from '../outbox/entry-state.js';
import type {Cron} from '../queue/cron.js';
import type {OpenRealm} from '../realm/index.js';
import type {Schedule} from '../schedules/schedules.js';
import type {Failed, TestHost} from './host.js';
import {
	describeTarget,
	draftsOfPeople,
	type PersonsDraft,
	type Reaction,
	reactionsOf,
	type SentMessage,
	sentBy,
} from './realm-queries.js';

/** A message that the bot has scheduled. */
export interface Scheduled {
	/** The key that the bot gave, or else the ID of the send. */
	readonly id: string;
	readonly where: string;
	readonly text: string;
	/** When it is due next. */
	readonly at: Date;
	readonly cron?: Cron;
}

/** A message that could not be posted. */
export interface FailedSend {
	readonly where: string;
	readonly text: string;
	/** The reason, as in the ledger. */
	readonly reason: string;
}

export interface FindingsOptions {
	readonly realm: OpenRealm['services'];
	readonly host: Pick<TestHost, 'schedules' | 'failed'>;
	readonly botId: number;
	/** The newest message when the kit started. */
	readonly begunAt: number;
}

export function createFindings({realm, host, botId, begunAt}: FindingsOptions) {
	const sent: SentMessage[] = [];
	const scheduled: Scheduled[] = [];
	const drafts: PersonsDraft[] = [];
	const reactions: Reaction[] = [];
	const failed: FailedSend[] = [];
	const placeOf = (target: string) => describeTarget(realm, botId, Target.parse(JSON.parse(target)));

	/** Reads from the realm, which people may have changed. */
	function refresh(): void {
		fill(sent, sentBy(realm, botId, begunAt));
		fill(drafts, draftsOfPeople(realm));
		fill(reactions, reactionsOf(realm, botId));
	}

	function presentSchedule(schedule: Schedule): Scheduled[] {
		const {id, target, text, dueAt} = schedule;
		if (target === undefined || text === undefined) {
			// A handler of `ctx.later()`.
			return [];
		}

		const where = placeOf(target);
		return [{id, where, text, at: new Date(dueAt), ...(schedule.kind === 'cron' && {cron: schedule.cron})}];
	}

	function presentFailed({entry, payload}: Failed): FailedSend {
		const {target, text, state} = entry;
		const parts = readState(state);
		const reason = parts.kind === 'failed' ? parts.reason : state;
		return {
			where: target === '' && payload ? placeOf(JSON.stringify(conversationOf(payload))) : placeOf(target),
			text,
			reason,
		};
	}

	return {
		sent,
		scheduled,
		drafts,
		reactions,
		failed,
		refresh,
		/** Also reads from the host. */
		async refreshAll(): Promise<void> {
			fill(scheduled, (await host.schedules()).flatMap(presentSchedule));
			fill(failed, (await host.failed()).map(presentFailed));
			refresh();
		},
	};
}

function fill<Item>(list: Item[], items: readonly Item[]): void {
	list.splice(0, list.length, ...items);
}
