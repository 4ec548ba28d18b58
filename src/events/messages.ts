// Delivers the messages that call a bot, each once: from the history what no queue reported, then from the queue.

import type {Event, Payload} from '../api/index.js';
import {ApiError} from '../client/errors.js';
import {type Received, readHistory, readMessage} from './message-events.js';
import {payloadFromMessage} from './payload-from-message.js';
import {retryUntilAnswered} from './retry.js';
import type {Scene} from './scene.js';

/** `newest` is the newest message when the queue was opened. */
export function createMessageWatch(scene: Scene) {
	const {tag, client, inbox, reader, people, retry, wanted} = scene;
	const isAll = wanted.includes('channel_message');
	let allSince: number | undefined;

	async function take({message, flags}: Received): Promise<void> {
		retry.signal.throwIfAborted();
		const payload = payloadFromMessage(message, flags, {reader, allSince});
		if (!payload || (await inbox.isHandled(tag, message.id)) || (await people.isBot(message.sender_id))) {
			return;
		}

		await scene.deliver({kind: 'message', payload: await withHtml(payload, scene)});
		await inbox.markHandled(tag, message.id);
	}

	return {
		async catchUp(newest: number): Promise<void> {
			const {latest, earliest} = await inbox.begin(tag, newest);
			allSince = isAll ? await inbox.since(tag, newest) : undefined;
			const missed = await readHistory(client, latest, retry, {isAll});
			for (const received of missed.filter(found => isMissed(found, {latest, earliest}))) {
				await take(received);
			}
		},
		take: async (event: Event) => take(readMessage(event)),
	};
}

/** A later edit may have added the mention. Such a message does not call the bot, as with webhooks. */
function isMissed({message}: Received, {latest, earliest}: {latest: number; earliest: number}): boolean {
	return message.id > latest || (message.id > earliest && message.last_edit_timestamp === undefined);
}

/** A mention by ID alone contains no name: the HTML shows who is meant. Without the HTML the bot sees the mention in its text. */
async function withHtml(payload: Payload, {client, retry}: Scene): Promise<Payload> {
	if (!payload.data.includes('@**|')) {
		return payload;
	}

	const asked = {message_id: payload.message.id, apply_markdown: true};
	try {
		const {message} = await retryUntilAnswered(retry, () => client.getMessage(asked, {signal: retry.signal}));
		return {...payload, message: {...payload.message, rendered_content: message.content}};
	} catch (error) {
		if (error instanceof ApiError) {
			// The message was deleted since.
			return payload;
		}

		throw error;
	}
}
