// A look at what the hosts still mean to do. It says when to count, never what was counted.

import {Redis} from 'ioredis';
import {accountTag} from '../../src/redis/account-key.js';
import type {BrokenScripts} from './trouble/broken-scripts.js';

export interface LedgerOptions {
	readonly accounts: readonly {readonly site: string; readonly email: string}[];
	readonly broken: BrokenScripts;
}

export async function openLedger(url: string, {accounts, broken}: LedgerOptions) {
	const redis = new Redis(url, {
		maxRetriesPerRequest: null,
		retryStrategy: () => 50,
		// A demoted Redis refuses writes. Reconnect and send the command again.
		reconnectOnError: error => (error.message.startsWith('READONLY') ? 2 : false),
	});
	redis.on('error', () => {});
	const load = () => broken.load(redis);
	await load();
	// A Redis that was started again has forgotten them.
	redis.on('ready', () => void load().catch(() => {}));
	const keysOf = (name: string) => accounts.map(account => `bothy:{${accountTag(account)}}:${name}`);

	return {
		/** Whether nothing waits for anybody. */
		async isQuiet(): Promise<boolean> {
			const sets = [...keysOf('due'), ...keysOf('unconfirmed'), '{bothy}:sends:delayed'];
			const lists = ['{bothy}:sends:wait', '{bothy}:sends:active'];
			const left = await Promise.all([...sets.map(key => redis.zcard(key)), ...lists.map(key => redis.llen(key))]);
			return left.every(count => count === 0);
		},
		/** Makes the sweep handle unconfirmed answers now instead of in a minute. */
		async hurry(): Promise<void> {
			for (const key of keysOf('unconfirmed')) {
				for (const id of await redis.zrange(key, '0', '-1')) {
					await redis.call('ZADD', key, 'XX', '1', id);
				}
			}
		},
		close() {
			redis.disconnect();
		},
	};
}
