// The version of the state in Redis. It grows if an older build cannot read the new state.

import {sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import type {Finding} from './checks/check-account.js';
import {version} from './version.js';

const STATE_VERSION = 1;

const keyOf = (redis: RedisConnection) => sharedKey(redis, 'state');

async function readState(redis: RedisConnection) {
	const [stored, writtenBy] = await redis.hmget(keyOf(redis), 'version', 'writtenBy');
	return {stored: Number(stored ?? 0), writtenBy: writtenBy ?? ''};
}

/** From now on, an older build reports that it cannot read the state. */
export async function noteState(redis: RedisConnection): Promise<void> {
	if ((await readState(redis)).stored < STATE_VERSION) {
		await redis.hset(keyOf(redis), {version: STATE_VERSION, writtenBy: version});
	}
}

export async function checkState(redis: RedisConnection): Promise<Finding[]> {
	const {stored, writtenBy} = await readState(redis);
	if (stored <= STATE_VERSION) {
		return [];
	}

	return [
		{
			status: 'error',
			about: 'Redis',
			text: `Bothy ${writtenBy} stored state of version ${stored}; this build (${version}) reads up to ${STATE_VERSION}`,
			cure: `Run Bothy ${writtenBy} or newer, or restore a backup from before the upgrade.`,
		},
	];
}
