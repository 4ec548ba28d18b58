// The event queue that gets an account's own messages: opening it, and which posts it covers.

import type {Client} from '../client/client.js';
import {findChannel} from '../client/directory.js';
import {ApiError} from '../client/errors.js';

/** Opens a queue of the account's own messages, and finds the newest message. Without a queue the id is empty. */
export async function register(client: Client): Promise<{queue: string; all: number; last: number; max: number}> {
	const asked = {
		event_types: ['message'],
		narrow: [['sender', client.email] as [string, string]],
		queue_lifespan_secs: 3_600,
	};
	try {
		return await openQueue(client, {...asked, all_public_streams: true});
	} catch (error) {
		if (!(error instanceof ApiError) || [401, 429].includes(error.status)) {
			throw error;
		}
	}

	try {
		// Guests may not request all public channels.
		return await openQueue(client, asked);
	} catch (error) {
		if (!(error instanceof ApiError) || [401, 429].includes(error.status)) {
			throw error;
		}

		return {queue: '', all: 0, last: -1, max: 0};
	}
}

async function openQueue(client: Client, asked: Parameters<Client['register']>[0]) {
	const {queue_id: queue, last_event_id: last, max_message_id: max} = await client.register(asked);
	return {queue, all: asked?.all_public_streams ? 1 : 0, last, max: max ?? 0};
}

/**
 * Whether the queue covers this account's posts in a channel. An account may post without being subscribed, and then it
 * gets no events of a private channel.
 */
export async function hears(
	client: Client,
	{channel, all}: {channel: string | number | undefined; all: boolean},
): Promise<boolean> {
	if (channel === undefined) {
		return true;
	}

	const {streams} = await client.getStreams({include_public: all, include_subscribed: true});
	return findChannel(streams, channel) !== undefined;
}
