// An account that is to be shown as present.

import {hash} from 'node:crypto';
import type {Hours} from './hours.js';
import type {PresenceState} from './store.js';

export interface PresentAccount {
	readonly name: string;
	readonly site: string;
	readonly email: string;
	readonly key: string;
	/** Only bots have webhook tokens. */
	readonly tokens: readonly string[];
	readonly presence: {readonly status: 'active' | 'idle'; readonly hours?: Hours};
}

export function isPresent<A extends Partial<PresentAccount>>(
	account: A,
): account is A & Pick<PresentAccount, 'presence'> {
	return account.presence !== undefined;
}

/** Changes with everything that could make a refusal void. A key has 32 random letters: its hash does not betray it. */
function fingerprint({site, email, key, tokens, presence}: PresentAccount): string {
	return hash('sha256', JSON.stringify([site, email, key, tokens, presence]), 'base64url').slice(0, 22);
}

export const BOT = 'it is a bot, and services accept no presence of bots';

/** How an account stands by what was kept of it; what was kept under another configuration does not count. */
export function presenceStateOf(account: PresentAccount, kept: PresenceState | undefined): PresenceState {
	const config = fingerprint(account);
	if (kept?.config === config) {
		return kept;
	}

	// Who has a webhook token is a bot, and the service need not be asked.
	const isBot = account.tokens.length > 0;
	return {v: 1, config, isPerson: false, ...(isBot && {parked: {reason: BOT}})};
}
