// Subscriptions that begin even if Redis refuses them at first.

import {setTimeout as sleep} from 'node:timers/promises';
import type {RedisConnection} from './connection.js';

const AGAIN_MS = 500;

/**
 * Calls `hear` with each text that is published to a channel. Resolves once Redis has accepted the subscription, or the connection was
 * closed. ioredis refuses one on a Cluster as long as it knows no node for it, and then forgets it.
 */
export async function listenTo(
	subscriber: RedisConnection,
	channel: string,
	hear: (text: string) => void,
): Promise<void> {
	subscriber.on('message', (heard: string, text: string) => {
		if (heard === channel) {
			hear(text);
		}
	});
	while (subscriber.status !== 'end') {
		try {
			await subscriber.subscribe(channel);
			return;
		} catch {
			await sleep(AGAIN_MS, undefined, {ref: false});
		}
	}
}
