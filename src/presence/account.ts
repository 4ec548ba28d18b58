// An account that Bothy shows as present.

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

/** Changes when a setting changes that could make a refusal obsolete. A key has 32 random letters, so its hash is safe. */
function fingerprint({site, email, key, tokens, presence}: PresentAccount): string {
	return hash('sha256', JSON.stringify([site, email, key, tokens, presence]), 'base64url').slice(0, 22);
}

export const BOT = 'it is a bot, and services accept no presence of bots';

/** The stored state of an account. A state stored under another configuration does not count. */
export function presenceStateOf(account: PresentAccount, kept: PresenceState | undefined): PresenceState {
	const config = fingerprint(account);
	if (kept?.config === config) {
		return kept;
	}

	// An account with a webhook token is a bot, so we need not ask the service.
	const isBot = account.tokens.length > 0;
	return {v: 1, config, isPerson: false, ...(isBot && {parked: {reason: BOT}})};
}
