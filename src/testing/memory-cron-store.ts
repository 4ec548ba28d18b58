// An in-memory store of crons.

import type {CronStore} from '../schedules/cron-store.js';
import type {Memory} from './memory.js';

export function createMemoryCronStore(memory: Memory): CronStore {
	const countsOf = (account: string, id: string) => memory.account(account).counts.get(id) ?? {};

	return {
		async putFor({ref, run}, id, cron) {
			const isCurrent = memory.isCurrent(ref, run);
			if (isCurrent) {
				memory.account(ref.account).crons.set(id, cron);
			}

			memory.cronsVersion++;
			return isCurrent ? 'put' : 'stale';
		},
		async put(account, id, cron) {
			memory.account(account).crons.set(id, cron);
			memory.cronsVersion++;
		},
		async remove(account, id) {
			const {crons, counts} = memory.account(account);
			counts.delete(id);
			memory.cronsVersion++;
			return crons.delete(id);
		},
		all: async account => new Map(memory.account(account).crons),
		read: async (account, id) => memory.account(account).crons.get(id),
		async counts(account, id) {
			const {fired = 0, missed = 0, skipped = 0, byHand = 0, firedAt = 0, missedAt = 0} = countsOf(account, id);
			return {fired, missed, skipped, byHand, firedAt, missedAt};
		},
		async count(account, id, {firedAt, missedAt, ...more}) {
			const times = {...(firedAt !== undefined && {firedAt}), ...(missedAt !== undefined && {missedAt})};
			const counts = {...countsOf(account, id), ...times};
			for (const [name, by] of Object.entries(more) as [keyof typeof more, number][]) {
				counts[name] = (counts[name] ?? 0) + by;
			}

			memory.account(account).counts.set(id, counts);
		},
		async swapDelivery(account, id, delivery) {
			const counts = countsOf(account, id);
			memory.account(account).counts.set(id, {...counts, delivery});
			return counts.delivery;
		},
		version: async () => (memory.cronsVersion === 0 ? '' : String(memory.cronsVersion)),
	};
}
