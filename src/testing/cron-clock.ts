// Computes when crons are due next.

import {nextAfter} from '../queue/cron.js';
import type {StoredCron} from '../schedules/cron-store.js';

interface Plan {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly at: number;
}

/** `crons` is the live map of one account's crons. */
export function createCronClock(crons: ReadonlyMap<string, StoredCron>, now: () => number) {
	const planned = new Map<string, {readonly pattern: string; readonly at: number}>();

	/** The first due time of a new or changed cron comes after now. */
	function all(): Plan[] {
		for (const id of planned.keys()) {
			if (!crons.has(id)) {
				planned.delete(id);
			}
		}

		return [...crons].map(([id, {cron}]) => {
			const pattern = `${cron.pattern} ${cron.tz}`;
			const known = planned.get(id);
			const plan = known?.pattern === pattern ? known : {pattern, at: nextAfter(cron, now())};
			planned.set(id, plan);
			return {id, at: plan.at};
		});
	}

	return {
		next: () => Math.min(...all().map(({at}) => at)),
		/** Takes the crons that are due, and plans the next due time of each. */
		takeDue(): Plan[] {
			const due = all().filter(({at}) => at <= now());
			for (const {id, at} of due) {
				const {cron} = crons.get(id) as StoredCron;
				planned.set(id, {pattern: `${cron.pattern} ${cron.tz}`, at: nextAfter(cron, at)});
			}

			return due;
		},
	};
}
