// How an account is named in Redis.

/** What keys of an account are tagged with. */
export function accountTag({site, email}: {site: string; email: string}): string {
	return `${site}|${email.toLowerCase()}`;
}

/** The account in braces: all of its keys share a slot, whichever script asks. */
export function accountKey(account: string, what: string): string {
	return `bothy:{${account}}:${what}`;
}
