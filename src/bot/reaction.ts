// Adds an emoji to the message that called a bot. Where the service shows the account no messages it adds none: a decoration
// that is missing must not cost the asker the answer (service-facts.md 4.8).

import type {Client} from '../client/client.js';
import {ApiError} from '../client/errors.js';
import type {BotLog} from './context.js';

const BLIND =
	'ctx.react() adds nothing where the service shows an outgoing-webhook bot no messages: in direct messages, groups and ' +
	'private channels with protected history. Use a Generic bot with `receive = events` if you need it';

const warned = new WeakSet<Client>();

export async function addReaction(
	client: Client,
	{messageId, emoji, log}: {messageId: number; emoji: string; log: BotLog},
): Promise<void> {
	try {
		await client.addReaction({message_id: messageId, emoji_name: emojiName(emoji)});
	} catch (error) {
		// A rerun of the handler finds what the run before left.
		if (error instanceof ApiError && error.code === 'REACTION_ALREADY_EXISTS') {
			return;
		}

		if (!(error instanceof ApiError && error.code === 'BAD_REQUEST') || (await sees(client, messageId))) {
			throw error;
		}

		if (!warned.has(client)) {
			warned.add(client);
			log.warn({account: client.email}, BLIND);
		}
	}
}

/** `:tada:` is how people write it. */
export function emojiName(emoji: string): string {
	return emoji.replace(/^:(.+):$/, '$1');
}

async function sees(client: Client, messageId: number): Promise<boolean> {
	return client.getMessage({message_id: messageId}).then(
		() => true,
		error => !(error instanceof ApiError && error.code === 'BAD_REQUEST'),
	);
}
