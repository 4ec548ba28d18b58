// Verifies that a payload comes from the service: it contains the account's token. There is no other check.

import {hash, timingSafeEqual} from 'node:crypto';

/** What the receiver must know of an account to verify its payloads. */
export interface Verifiable {
	readonly email: string;
	/** More than one during a rotation. */
	readonly tokens: readonly string[];
}

/**
 * Finds the account of a payload. Undefined both for an unknown bot and for a wrong token. Both take the same time,
 * so that the answer does not show which accounts exist.
 */
export type VerifyToken<Account extends Verifiable> = (email: string, token: string) => Account | undefined;

/** Prepares the look-up by email (case-insensitive). One email may have accounts on several sites. */
export function createTokenVerifier<Account extends Verifiable>(accounts: readonly Account[]): VerifyToken<Account> {
	const byEmail = new Map<string, Account[]>();
	for (const account of accounts) {
		const email = account.email.toLowerCase();
		byEmail.set(email, [...(byEmail.get(email) ?? []), account]);
	}

	const digests = new Map(accounts.map(account => [account, account.tokens.map(digest)]));
	const nobody = [digest('')];

	return function verifyToken(email, token) {
		// An empty token verifies nothing, whatever the config says.
		if (token === '') {
			return undefined;
		}

		const given = digest(token);
		const candidates = byEmail.get(email.toLowerCase());
		if (!candidates) {
			matches(nobody, given);
			return undefined;
		}

		let found: Account | undefined;
		for (const account of candidates) {
			if (matches(digests.get(account) ?? nobody, given)) {
				found = account;
			}
		}

		return found;
	};
}

/** How many times the word `token` is looked at in one body, and how many bytes after it. */
const MOST_TOKENS = 100;
const LONGEST_TOKEN = 1_000;

/** Checks whether the JSON of a payload contains a token of any account, without decoding or parsing it. */
export function createTokenFinder(accounts: readonly Verifiable[]): (json: Buffer) => boolean {
	const known = new Set(accounts.flatMap(({tokens}) => tokens.map(token => digest(token).toString('hex'))));

	return function holdsToken(json) {
		let at = json.indexOf(FIELD);
		for (let n = 0; n < MOST_TOKENS && at !== -1; n++) {
			const value = at + FIELD.length;
			const [, quoted] = /^\s*:\s*("[^"\n]*")/.exec(json.subarray(value, value + LONGEST_TOKEN).toString()) ?? [];
			if (quoted !== undefined && known.has(digest(unquote(quoted)).toString('hex'))) {
				return true;
			}

			at = json.indexOf(FIELD, value);
		}

		return false;
	};
}

const FIELD = '"token"';

function unquote(json: string): string {
	try {
		return JSON.parse(json) as string;
	} catch {
		return '';
	}
}

/** Digests have the same length for any input, so comparing them does not show the token's length. */
function digest(token: string): Buffer {
	return hash('sha256', token, 'buffer');
}

function matches(expected: readonly Buffer[], given: Buffer): boolean {
	let isMatch = false;
	for (const one of expected) {
		isMatch = timingSafeEqual(one, given) || isMatch;
	}

	return isMatch;
}
