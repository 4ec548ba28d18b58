// Flags on messages, a bit each in the database and a name each on the wire.

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

/** The flag of that name, if there is one. */
export function readFlag(name: string): Flag | undefined {
	return Object.hasOwn(bits, name) ? (name as Flag) : undefined;
}

/** Names in the order of their bits; the deprecated `wildcard_mentioned` follows from the two that replaced it. */
export function flagNames(sum: number): string[] {
	const names: string[] = (Object.keys(bits) as Flag[]).filter(flag => sum & bits[flag]);
	const isWildcard = sum & (bits.stream_wildcard_mentioned | bits.topic_wildcard_mentioned);
	return isWildcard ? [...names, 'wildcard_mentioned'] : names;
}

/** What somebody sees on a message that was not sent to them. */
export const historicalFlags = bits.read | bits.historical;
