// When an account's ping is due, and which job sends it. Both follow from the account alone. So all processes
// agree without communication, and nothing shifts when other accounts are added or removed.

import {hash} from 'node:crypto';

/** How many jobs share the accounts of all sites. At most this many processes can share the work. */
export const SLICES = 6;

/** The slice of an account. */
export function sliceOf(tag: string): number {
	return Number.parseInt(digest(tag).slice(0, 8), 16) % SLICES;
}

/** The times from `from` up to but not including `until` at which a ping is due, one in each interval. */
export function dueTimes(
	tag: string,
	{intervalMs, from, until}: {intervalMs: number; from: number; until: number},
): number[] {
	const phaseMs = Math.floor((Number.parseInt(digest(tag).slice(8, 16), 16) / 2 ** 32) * intervalMs);
	const first = Math.ceil((from - phaseMs) / intervalMs) * intervalMs + phaseMs;
	const count = Math.max(0, Math.ceil((until - first) / intervalMs));
	return Array.from({length: count}, (_, n) => first + n * intervalMs);
}

function digest(tag: string): string {
	return hash('sha1', tag);
}
