// Checks Redis and each account in the background, after the start and once an hour. Nothing waits for a check, and no finding
// stops the process.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../client/client.js';
import type {Account} from '../../config/accounts.js';
import type {RedisConnection} from '../../redis/connection.js';
import {type Host, openConnection} from '../connections.js';
import {noteState} from '../state-version.js';
import {checkAccount} from './check-account.js';
import {checkRedis} from './check-redis.js';
import {noteCheck} from './noted.js';

const EVERY_MS = 3_600_000;

/** Pause between two accounts, so that many accounts cause no burst of calls. */
const BETWEEN_MS = 100;

interface CheckConnections {
	/** Redis is not checked if this is absent. */
	readonly redisUrl?: string;
	readonly accounts: readonly Account[];
	clientOf(account: Account): Client | undefined;
}

/** For the console. A service that does not answer has no level. */
async function note(
	redis: RedisConnection,
	{account, client, problems}: {account: Account; client: Client; problems: readonly string[]},
): Promise<void> {
	const settings = await client.getServerSettings().catch(() => undefined);
	const served = settings && {level: settings.zulip_feature_level, version: settings.zulip_version};
	await noteCheck(redis, account, {problems: [...problems], ...served}).catch(() => {});
}

export function openAccountChecks(host: Host, {accounts, clientOf, redisUrl}: CheckConnections): void {
	const {log, teardown} = host;
	const redis = redisUrl === undefined ? undefined : openConnection(host, redisUrl);
	const stopping = new AbortController();
	const {signal} = stopping;

	async function checkAll(): Promise<void> {
		const findings = redis ? await checkRedis(redis) : [];
		for (const {status, text, cure} of findings) {
			if (status !== 'ok') {
				log[status === 'error' ? 'error' : 'warn']({cure}, `Redis (REDIS_URL) needs attention: ${text}`);
			}
		}

		if (redis && findings.every(({status}) => status !== 'error')) {
			await noteState(redis);
		}

		for (const account of accounts) {
			const client = clientOf(account);
			const found = client ? await checkAccount(account, client) : [];
			if (client && redis) {
				await note(redis, {account, client, problems: found.map(({text}) => text)});
			}

			for (const {about, text, cure} of found) {
				log.warn(
					{account: about, site: account.site, cure},
					`an account does not match its section in the config: ${text}`,
				);
			}

			await sleep(BETWEEN_MS, undefined, {signal});
		}
	}

	async function go(): Promise<void> {
		for (;;) {
			await checkAll();
			await sleep(EVERY_MS, undefined, {signal});
		}
	}

	go().catch(error => {
		if (!signal.aborted) {
			log.error({err: error}, 'could not check the accounts; `bothy doctor` checks them');
		}
	});
	teardown.add(async () => stopping.abort());
}
