// When an account's ping is due, and which job sees to it. Both follow from the account alone, so that all processes
// agree without asking each other, and stay as they are when other accounts come or go.

import {hash} from 'node:crypto';

/** Jobs that share the accounts of all sites between them, and so the most processes that can share the work. */
export const SLICES = 6;

/** Which slice an account belongs to. */
export function sliceOf(tag: string): number {
	return Number.parseInt(digest(tag).slice(0, 8), 16) % SLICES;
}

/** The instants from `from` up to but not including `until` at which a ping is due, one in each interval. */
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
