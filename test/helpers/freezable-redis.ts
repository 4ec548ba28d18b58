// A Redis that a test can freeze, with the connection that receivers have. A frozen Redis answers nothing, and later runs
// every command that it received.

import type {Redis} from 'ioredis';
import {connectRedis} from '../../src/redis/connection.js';
import type {Scope} from './bothy.js';
import {connect} from './redis.js';

export interface FreezableRedis {
	/** A connection of the test's own, whose commands wait while Redis is frozen. */
	readonly redis: Redis;
	/** Its commands fail after two seconds without an answer. */
	readonly connection: ReturnType<typeof connectRedis>;
	freeze(): void;
	thaw(): void;
}

export async function openFreezable(t: Scope, url: string): Promise<FreezableRedis> {
	const redis = await connect(t, url);
	const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
	const thaw = () => void process.kill(pid, 'SIGCONT');
	t.teardown(thaw);
	const connection = connectRedis(url, {failFast: true, listener: {onLost() {}, onBack() {}}});
	t.teardown(() => connection.disconnect());
	await new Promise(resolve => connection.once('ready', resolve));
	return {redis, connection, freeze: () => void process.kill(pid, 'SIGSTOP'), thaw};
}
