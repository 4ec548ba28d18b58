// Flags on messages: a bit each in the database, a name each in the API.

const bits = {
	read: 1,
	starred: 2,
	collapsed: 4,
	mentioned: 8,
	stream_wildcard_mentioned: 16,
	topic_wildcard_mentioned: 32,
	has_alert_word: 64,
	historical: 128,
} as const;
export type Flag = keyof typeof bits;

export function flagBits(flags: readonly Flag[]): number {
	return flags.reduce((sum, flag) => sum | bits[flag], 0);
}

/** The flag with this name, if there is one. */
export function readFlag(name: string): Flag | undefined {
	return Object.hasOwn(bits, name) ? (name as Flag) : undefined;
}

/** Names in the order of their bits. The deprecated `wildcard_mentioned` is derived from the two that replaced it. */
export function flagNames(sum: number): string[] {
	const names: string[] = (Object.keys(bits) as Flag[]).filter(flag => sum & bits[flag]);
	const isWildcard = sum & (bits.stream_wildcard_mentioned | bits.topic_wildcard_mentioned);
	return isWildcard ? [...names, 'wildcard_mentioned'] : names;
}

/** The flags of a message that the reader did not receive. */
export const historicalFlags = bits.read | bits.historical;
