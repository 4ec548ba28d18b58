// Checks whether a Redis is fit for Bothy: latency, durability, clock and rights.

import {accountKey, channelName, sharedKey} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import {redisTime} from '../announce.js';
import {checkState} from '../state-version.js';
import type {Finding} from './check-account.js';

/** Expected latency, in milliseconds: a delivery asks Redis three times. */
const SLOW_MS = 20;

/** Accepted difference between clocks. */
export const SKEW_MS = 2_000;

export async function checkRedis(redis: RedisConnection): Promise<Finding[]> {
	const lacking = await checkRights(redis);
	if (lacking.length > 0) {
		return lacking;
	}

	const text = await redis.info();
	const latencies: number[] = [];
	for (let count = 0; count < 20; count++) {
		const since = performance.now();
		await redis.ping();
		latencies.push(performance.now() - since);
	}

	// Most of the others also count how long this process waited for a processor.
	const ms = latencies.toSorted((a, b) => a - b)[5] ?? 0;
	const skewMs = Math.abs((await redisTime(redis)) - Date.now());
	return [...judgeRedis({info: text, ms, skewMs}), ...(await checkState(redis))];
}

/** What the answer to INFO, the latency in milliseconds and the difference between the clocks say. */
export function judgeRedis({info: text, ms, skewMs}: {info: string; ms: number; skewMs: number}): Finding[] {
	const about = 'Redis';
	const info = new Map(
		text.split(/\r?\n/).map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
	);
	const isSlow = ms > SLOW_MS;
	const findings: Finding[] = [
		{
			status: isSlow ? 'warning' : 'ok',
			about,
			text: `version ${info.get('redis_version')}, answers in ${ms.toFixed(1)} ms`,
			...(isSlow && {cure: 'Run Redis near the receivers. Look for slow commands with SLOWLOG GET.'}),
		},
	];
	const policy = info.get('maxmemory_policy') ?? 'noeviction';
	if (policy !== 'noeviction') {
		findings.push({
			status: 'error',
			about,
			text: `maxmemory-policy is ${policy}: Redis may drop deliveries`,
			cure: 'CONFIG SET maxmemory-policy noeviction',
		});
	}

	if (info.get('aof_enabled') === '0') {
		findings.push({
			status: 'warning',
			about,
			text: 'the append-only file is off: a restart of Redis loses deliveries and sends',
			cure: 'CONFIG SET appendonly yes',
		});
	}

	if (info.get('aof_last_write_status') === 'err' || info.get('rdb_last_bgsave_status') === 'err') {
		findings.push({
			status: 'error',
			about,
			text: 'it cannot write to its disk',
			cure: 'Make room on the disk of Redis.',
		});
	}

	if (skewMs > SKEW_MS) {
		findings.push({
			status: 'warning',
			about,
			text: `its clock and that of this machine differ by ${Math.round(skewMs / 1000)} s`,
			cure: 'Run a time service (chrony, systemd-timesyncd) on both.',
		});
	}

	return findings;
}

/** Tries the rights that Bothy needs, on a key of its own. */
async function checkRights(redis: RedisConnection): Promise<Finding[]> {
	const key = accountKey(redis, 'doctor', 'probe');
	const shared = sharedKey(redis, 'doctor');
	const tries: [string, () => Promise<unknown>][] = [
		[`to write ${key}`, () => redis.set(key, '1', 'PX', 1_000)],
		[`to write ${shared}`, () => redis.set(shared, '1', 'PX', 1_000)],
		['to run scripts', () => redis.eval("return redis.call('GET', KEYS[1])", 1, key)],
		['to publish', () => redis.publish(channelName(redis, 'doctor'), '1')],
		['for INFO', () => redis.info('server')],
		['for CLIENT LIST, which counts workers', () => redis.client('LIST')],
	];
	const findings: Finding[] = [];
	for (const [right, act] of tries) {
		await act().catch((error: Error) => {
			findings.push({
				status: 'error',
				about: 'Redis',
				text: `no right ${right}: ${error.message}`,
				cure: 'Give the user in REDIS_URL the rights that docs/operating.md lists.',
			});
		});
	}

	return findings;
}
