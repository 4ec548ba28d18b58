// Proves that a payload comes from the service: the account's token stands in it. There is no other proof.

import {hash, timingSafeEqual} from 'node:crypto';

/** What the receiver must know of an account to prove its payloads. */
export interface Verifiable {
	readonly email: string;
	/** Several during a rotation. */
	readonly tokens: readonly string[];
}

/**
 * Finds the account that a payload is for. Undefined both for an unknown bot and for a wrong token, and as slow in
 * either case, so that an answer tells nobody which accounts exist.
 */
export type VerifyToken<Account extends Verifiable> = (email: string, token: string) => Account | undefined;

/** Prepares the look-up by email (case-insensitive; one email may have an account on several sites). */
export function createTokenVerifier<Account extends Verifiable>(accounts: readonly Account[]): VerifyToken<Account> {
	const byEmail = new Map<string, Account[]>();
	for (const account of accounts) {
		const email = account.email.toLowerCase();
		byEmail.set(email, [...(byEmail.get(email) ?? []), account]);
	}

	const digests = new Map(accounts.map(account => [account, account.tokens.map(digest)]));
	const nobody = [digest('')];

	return function verifyToken(email, token) {
		// Whatever the config says: an empty token proves nothing.
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

/** Fields called `token` that are looked at in one text. */
const MOST_TOKENS = 10;

/** Says whether the JSON text of a payload holds a token of any account, without parsing the text. */
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

/** Digests have one length, whatever is sent: comparing them tells nothing of the token's. */
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
