// The queue of syncs: each one makes our copy of an account's drafts and the service's copy equal.

import {hash} from 'node:crypto';
import {z} from '../api/zod.js';
import {defineQueue, type OpenQueue} from './define-queue.js';

export const drafts = defineQueue({
	name: 'drafts',
	schema: z.object({
		v: z.literal(1),
		/** Absent: find the accounts that have drafts to sync. */
		account: z.object({site: z.string(), email: z.string()}).optional(),
	}),
	result: z.object({}),
});

/** Bots often change several drafts at once. */
const DEBOUNCE_MS = 500;

/** Merges many calls in a short time into one sync. */
export async function enqueueSync(
	queue: OpenQueue<typeof drafts.schema>,
	{site, email}: {site: string; email: string},
): Promise<void> {
	const debounce = hash('sha1', `${site} ${email.toLowerCase()}`);
	await queue.add({v: 1, account: {site, email}}, {delayMs: DEBOUNCE_MS, debounce});
}
