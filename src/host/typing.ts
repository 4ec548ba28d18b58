// Shows bots as typing while people wait for a late answer.

import type {Payload} from '../api/index.js';
import {conversationOf} from '../bot/target-of.js';
import type {Client} from '../client/client.js';
import {isUnasked} from '../delivery/work.js';
import type {BotAccount} from './bots.js';

/** Conversations of one account that show it at once: each costs calls of the account's allowance. */
const AT_ONCE = 3;

/** How long such a call counts. */
const SHOWN_MS = 20_000;

/** An account whose calls fail is left alone for so long. */
const REFUSED_MS = 10 * 60_000;

export function createTyping(clientOf: (account: BotAccount) => Client | undefined) {
	const shown = new Map<string, number[]>();
	const refused = new Map<string, number>();

	return function showTyping({account, payload}: {account: BotAccount; payload: Payload}): void {
		const now = performance.now();
		const recent = (shown.get(account.name) ?? []).filter(at => now - at < SHOWN_MS);
		const isLeftAlone = now - (refused.get(account.name) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS;
		const client = isLeftAlone || recent.length >= AT_ONCE || isUnasked(payload) ? undefined : clientOf(account);
		if (!client) {
			return;
		}

		shown.set(account.name, [...recent, now]);
		const here = conversationOf(payload);
		client
			.setTypingStatus({
				op: 'start',
				...('dm' in here
					? {type: 'direct', to: here.dm as number[]}
					: {type: 'stream', stream_id: here.channel as number, topic: here.topic}),
			})
			// Some services, people and channels refuse it; nothing depends on it.
			.catch(() => refused.set(account.name, performance.now()));
	};
}
