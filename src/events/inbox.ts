// What is stored of a polled account: who polls it now, and which messages became deliveries already.

import type {Cluster, Redis} from 'ioredis';
import {KEPT_MS} from '../delivery/scripts.js';
import {accountKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';

/** If a poller is silent for this long, another one may take over. */
const LEASE_MS = 6_000;

/** How many messages are remembered individually. Far more than may arrive out of order. */
const REMEMBERED = 1_000;

export interface Inbox {
	/** Becomes or stays the account's only poller. False while another process polls. */
	hold(account: string, holder: string): Promise<boolean>;
	release(account: string, holder: string): Promise<void>;
	/**
	 * Where to continue. If nothing is stored, or the history is another one, everything up to `newest` counts as old.
	 */
	begin(account: string, newest: number): Promise<{readonly latest: number; readonly earliest: number}>;
	isHandled(account: string, messageId: number): Promise<boolean>;
	markHandled(account: string, messageId: number): Promise<void>;
}

/** Message ids in ascending order. Ids are assigned before a message is visible, so a smaller one may appear later. */
const HANDLED = 'inbox:v1:handled';
const POLLER = 'inbox:v1:poller';

const scripts = {
	/** Keys: poller, handled. */
	hold: `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ${LEASE_MS})
redis.call('PEXPIRE', KEYS[2], ${KEPT_MS})
return 1
`,
	/** Keys: poller. */
	release: `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`,
	/** Keys: handled. A realm that was reset starts at one again. */
	begin: `
local latest = redis.call('ZREVRANGE', KEYS[1], 0, 0)[1]
if not latest or tonumber(latest) > tonumber(ARGV[1]) then
	redis.call('DEL', KEYS[1])
	redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
	redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
	latest = ARGV[1]
end
return {latest, redis.call('ZRANGE', KEYS[1], 0, 0)[1]}
`,
	/** Keys: handled. */
	markHandled: `
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${REMEMBERED + 1})
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return 1
`,
};

export function createInbox(redis: Redis | Cluster): Inbox {
	const run = createScripts(redis, scripts);
	return {
		async hold(account, holder) {
			return (
				(await run('hold', [accountKey(redis, account, POLLER), accountKey(redis, account, HANDLED)], [holder])) === 1
			);
		},
		async release(account, holder) {
			await run('release', [accountKey(redis, account, POLLER)], [holder]);
		},
		async begin(account, newest) {
			const [latest, earliest] = (await run('begin', [accountKey(redis, account, HANDLED)], [newest])) as [
				string,
				string,
			];
			return {latest: Number(latest), earliest: Number(earliest)};
		},
		async isHandled(account, messageId) {
			return (await redis.zscore(accountKey(redis, account, HANDLED), messageId)) !== null;
		},
		async markHandled(account, messageId) {
			await run('markHandled', [accountKey(redis, account, HANDLED)], [messageId]);
		},
	};
}
