// Reads messages as they are now.

import type {Message} from '../api/index.js';
import {ApiError} from '../client/errors.js';
import type {Narrow} from './message-events.js';
import {retryUntilAnswered} from './retry.js';
import {SAME, type Scene} from './scene.js';

/** How many of the newest messages are searched for what happened while nobody polled. */
const LOOKED_BACK = 500;

/** The newest messages that match, for what happened to them while nobody polled. */
export async function readNewest({client, retry}: Scene, narrow: Narrow): Promise<readonly Message[]> {
	const asked = {
		anchor: 'newest',
		num_before: LOOKED_BACK,
		num_after: 0,
		narrow,
		allow_empty_topic_name: true,
	} as const;
	const {messages} = await retryUntilAnswered(retry, () =>
		client.getMessages({...asked, ...SAME}, {signal: retry.signal}),
	);
	return messages;
}

/** The message as it is now; undefined if it was deleted since, or the account may not read it. */
export async function readMessageNow({client, retry}: Scene, id: number): Promise<Message | undefined> {
	try {
		const asked = {message_id: id, allow_empty_topic_name: true, apply_markdown: SAME.apply_markdown};
		const {message} = await retryUntilAnswered(retry, () => client.getMessage(asked, {signal: retry.signal}));
		return message;
	} catch (error) {
		if (error instanceof ApiError && error.status < 500 && error.status !== 401) {
			return undefined;
		}

		throw error;
	}
}
