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

/** How many fields called `token` are checked in one text. */
const MOST_TOKENS = 10;

/** Checks whether the JSON text of a payload contains a token of any account, without parsing the text. */
export function createTokenFinder(accounts: readonly Verifiable[]): (text: string) => boolean {
	const known = new Set(accounts.flatMap(({tokens}) => tokens.map(token => digest(token).toString('hex'))));

	return function holdsToken(text) {
		const fields = text.matchAll(/"token"\s*:\s*("[^"\n]*")/g);
		for (let n = 0; n < MOST_TOKENS; n++) {
			const field = fields.next().value?.[1];
			if (field === undefined) {
				return false;
			}

			if (known.has(digest(unquote(field)).toString('hex'))) {
				return true;
			}
		}

		return false;
	};
}

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
