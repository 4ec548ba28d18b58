// When crons are due next.

import {nextAfter} from '../queue/cron.js';
import type {StoredCron} from '../schedules/cron-store.js';

interface Plan {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly at: number;
}

/** `crons` are those of one account, as they stand. */
export function createCronClock(crons: ReadonlyMap<string, StoredCron>, now: () => number) {
	const planned = new Map<string, {readonly pattern: string; readonly at: number}>();

	/** One that is new or was changed counts from now on. */
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
		/** Those whose time has come; each is planned for its next. */
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
