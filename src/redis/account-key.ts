// Names what Bothy stores in Redis. All names on a connection begin with its prefix, so that several installations can share
// a server.

export const DEFAULT_PREFIX = 'bothy';

const prefixes = new WeakMap<object, string>();

/** Has all names on this connection begin with the prefix. */
export function setPrefix(redis: object, prefix: string): void {
	prefixes.set(redis, prefix);
}

function prefixOf(redis: object): string {
	return prefixes.get(redis) ?? DEFAULT_PREFIX;
}

/** The tag in all keys of an account. */
export function accountTag({site, email}: {site: string; email: string}): string {
	return `${site}|${email.toLowerCase()}`;
}

/** The tag in braces: all keys of the account share a slot of a Cluster, so any script may use them together. */
export function accountKey(redis: object, account: string, what: string): string {
	return `${prefixOf(redis)}:{${account}}:${what}`;
}

/** What belongs to no account. These keys share a slot, as those of all queues do. */
export function sharedKey(redis: object, what: string): string {
	return `${queuePrefix(redis)}:${what}`;
}

/** In braces, because BullMQ's scripts use several keys of a queue together. */
export function queuePrefix(redis: object): string {
	return `{${prefixOf(redis)}}`;
}

export function channelName(redis: object, what: string): string {
	return `${prefixOf(redis)}:${what}`;
}
