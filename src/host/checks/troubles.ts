// Records why calls of an account fail: logs one warning per unreachable site, and stores the last error of each account in Redis
// for `bothy sends`, `status` and `doctor`.

import {z} from '../../api/zod.js';
import {NetworkError, ResponseError} from '../../client/errors.js';
import {isLockedOut} from '../../client/judge.js';
import type {Log} from '../../log.js';
import {accountKey, accountTag} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {cureOf} from './site-cure.js';

export const Trouble = z.object({at: z.number(), reason: z.string()});

/** `at` is when calls began to fail, in milliseconds since 1970. */
export type Trouble = z.infer<typeof Trouble>;

/** A stored fault expires after this long. */
const KEPT_MS = 24 * 3_600_000;

/** A lasting fault is stored, and its site warned about, at most this often. */
const EVERY_MS = 60_000;

const LONGEST_REASON = 300;

interface AccountName {
	readonly name: string;
	readonly site: string;
	readonly email: string;
}

/** Called by the client of an account after each attempt of a call. Without a key, a success says nothing of the account. */
export type NoteOutcome = (error?: Error, options?: {readonly withKey: boolean}) => void;

export interface Troubles {
	of(account: AccountName): NoteOutcome;
}

export function createTroubles(redis: RedisConnection, log: Log, now = () => Date.now()): Troubles {
	/** Sites that do not answer, with the time of the last warning. */
	const silent = new Set<string>();
	const warnedAt = new Map<string, number>();

	function warn(site: string, reason: string): void {
		const isNew = !silent.has(site) && now() - (warnedAt.get(site) ?? 0) >= EVERY_MS;
		silent.add(site);
		if (isNew) {
			warnedAt.set(site, now());
			log.warn({site, reason, cure: cureOf(reason)}, 'a site does not answer; messages to it wait until it does');
		}
	}

	/** The time of the first fault stays until a call succeeds. */
	async function keep(key: string, reason: string): Promise<void> {
		const {at = now()} = parseTrouble(await redis.get(key)) ?? {};
		const trouble: Trouble = {at, reason};
		await redis.set(key, JSON.stringify(trouble), 'PX', KEPT_MS);
	}

	return {
		of(account) {
			const key = accountKey(redis, accountTag(account), 'trouble');
			let writtenAt = 0;
			// Also delete what an earlier process stored.
			let isClear = false;
			return function note(error, {withKey} = {withKey: true}) {
				const reason = error && reasonOf(error);
				if (error instanceof NetworkError || error instanceof ResponseError) {
					if (reason !== undefined) {
						warn(account.site, reason);
					}
				} else if (silent.delete(account.site)) {
					log.info({site: account.site}, 'a site answers again');
				}

				if (reason !== undefined && now() - writtenAt >= EVERY_MS) {
					isClear = false;
					writtenAt = now();
					keep(key, reason).catch(() => {});
				} else if (reason === undefined && withKey && !isClear) {
					isClear = true;
					writtenAt = 0;
					redis.del(key).catch(() => {});
				}
			};
		},
	};
}

/** The last error of an account's calls. Undefined if they succeed. */
export async function readTrouble(redis: RedisConnection, account: string): Promise<Trouble | undefined> {
	return parseTrouble(await redis.get(accountKey(redis, account, 'trouble')));
}

function parseTrouble(text: string | null): Trouble | undefined {
	return text === null ? undefined : Trouble.parse(JSON.parse(text));
}

/** Undefined if the service answered, even with a refusal. Only a fault of the site or of the whole account counts. */
function reasonOf(error: Error): string | undefined {
	const isSiteDown = error instanceof NetworkError || (error instanceof ResponseError && error.status >= 500);
	const text = error instanceof NetworkError ? causeOf(error) : error.message;
	return isSiteDown || isLockedOut(error) ? text.slice(0, LONGEST_REASON) : undefined;
}

/** The system's error message, and what to do about the most common mistake. */
function causeOf({cause, message}: NetworkError): string {
	const text = cause instanceof Error ? cause.message || cause.name : message;
	return /wrong version number|packet length too long/i.test(text)
		? 'the site answers without TLS: write http:// instead of https://'
		: text;
}
