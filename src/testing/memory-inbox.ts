// The inbox of a polled account in memory: one account, and one poller.

import type {Inbox} from '../events/inbox.js';

type Stored = Omit<Inbox, 'hold' | 'release' | 'wanted' | 'want'>;

export function createMemoryInbox(): Stored {
	const handled = new Set<number>();
	const seen = new Set<string>();
	const members = new Map<string, string>();
	let since: number | undefined;
	return {
		async begin(_, newest) {
			if (handled.size === 0) {
				handled.add(newest);
			}

			return {latest: Math.max(...handled), earliest: Math.min(...handled)};
		},
		isHandled: async (_, messageId) => handled.has(messageId),
		async markHandled(_, messageId) {
			handled.add(messageId);
		},
		async since(_, newest) {
			since ??= newest;
			return since;
		},
		async beginSeen(_, trigger, keys) {
			const isNew = !seen.has(trigger);
			const unseen = keys.filter(key => !seen.has(`${trigger} ${key}`));
			for (const key of isNew ? unseen : []) {
				seen.add(`${trigger} ${key}`);
			}

			seen.add(trigger);
			return isNew ? [] : unseen;
		},
		isSeen: async (_, trigger, key) => seen.has(`${trigger} ${key}`),
		async markSeen(_, trigger, key) {
			seen.add(trigger).add(`${trigger} ${key}`);
		},
		members: async () => Object.fromEntries(members),
		async changeMembers(_, put, drop) {
			for (const [field, value] of Object.entries(put)) {
				members.set(field, value);
			}

			for (const field of drop) {
				members.delete(field);
			}
		},
		async forgetAllBut() {},
	};
}
