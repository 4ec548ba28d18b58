// After a 429, pauses the account in all processes: the process that got it notifies the others.

import type {Pause} from '../client/client.js';
import {accountKey, accountTag, channelName} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {listenTo} from '../redis/listen-to.js';

/** The account without its API key, which never enters Redis. */
interface AccountName {
	readonly site: string;
	readonly email: string;
}

export interface Pauses {
	of(account: AccountName): Pause;
}

/** Says how long from now on, whatever the clocks of the processes show. */
const CHANNEL = 'pauses:v2';

/** The longest rate-limit window of a service (service-facts.md 2.1). A longer pause is an error, or malicious. */
const LONGEST_PAUSE_MS = 3_600_000;

/** `subscriber` is a connection that does nothing else. Pauses that began before are read once, when an account is first asked for. */
export function createPauses(
	redis: RedisConnection,
	subscriber: RedisConnection,
	/** A monotonic clock, in milliseconds. */
	now = () => performance.now(),
): Pauses {
	const until = new Map<string, number>();
	const known = new Set<string>();
	const ours = channelName(redis, CHANNEL);

	function note(account: string, ms: number): void {
		until.set(account, Math.max(now() + ms, until.get(account) ?? 0));
	}

	// Away or not, the pause holds in this process.
	void listenTo(subscriber, ours, text => {
		const [ms, account] = splitOnce(text);
		note(account, Number(ms));
	});

	async function readEarlier(account: string): Promise<void> {
		const ms = await redis.pttl(accountKey(redis, account, 'pause'));
		if (ms > 0) {
			note(account, ms);
		}
	}

	return {
		of(name) {
			const account = accountTag(name);
			if (!known.has(account)) {
				known.add(account);
				readEarlier(account).catch(() => {});
			}

			return {
				remainingMs: () => Math.max(0, (until.get(account) ?? 0) - now()),
				begin(asked) {
					const ms = Math.min(asked, LONGEST_PAUSE_MS);
					note(account, ms);
					const told = Promise.all([
						redis.set(accountKey(redis, account, 'pause'), '1', 'PX', Math.max(1, Math.ceil(ms))),
						redis.publish(ours, `${ms} ${account}`),
					]);
					told.catch(() => {});
				},
			};
		},
	};
}

function splitOnce(text: string): [string, string] {
	const space = text.indexOf(' ');
	return [text.slice(0, space), text.slice(space + 1)];
}
