// Names an account in Redis.

/** The tag in all keys of an account. */
export function accountTag({site, email}: {site: string; email: string}): string {
	return `${site}|${email.toLowerCase()}`;
}

/** The tag in braces: all keys of the account share a slot, so any script may use them together. */
export function accountKey(account: string, what: string): string {
	return `bothy:{${account}}:${what}`;
}
