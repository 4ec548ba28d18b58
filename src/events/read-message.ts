import type {Message} from '../api/index.js';
import {ApiError} from '../client/errors.js';
import {retryUntilAnswered} from './retry.js';
import {SAME, type Scene} from './scene.js';

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
