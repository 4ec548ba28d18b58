// Shows bots as typing while people wait for a late answer.

import {showTyping} from '../../bot/context/typing.js';
import type {Client} from '../../client/client.js';
import {conversationOf} from '../../delivery/target.js';
import {isUnasked, type Work} from '../../delivery/work.js';
import type {BotAccount} from '../bots.js';

/** How many conversations of an account show typing at once. Each costs API calls. */
const AT_ONCE = 3;

/** How long one typing notification lasts. */
const SHOWN_MS = 20_000;

/** After a failed call, an account sends no typing notifications for this long. */
const REFUSED_MS = 10 * 60_000;

export function createTyping(clientOf: (account: BotAccount) => Client | undefined) {
	const shown = new Map<string, number[]>();
	const refused = new Map<string, number>();

	return function startTyping({account, work}: {account: BotAccount; work: Work}): void {
		const now = performance.now();
		const recent = (shown.get(account.name) ?? []).filter(at => now - at < SHOWN_MS);
		const isLeftAlone = now - (refused.get(account.name) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS;
		const client = isLeftAlone || recent.length >= AT_ONCE ? undefined : clientOf(account);
		if (!client || work.kind !== 'message' || isUnasked(work)) {
			return;
		}

		shown.set(account.name, [...recent, now]);
		showTyping(client, conversationOf(work.payload))
			// Some services, people and channels do not allow it. Nothing depends on it.
			.catch(() => refused.set(account.name, performance.now()));
	};
}
