// Adds emoji to messages, where the account sees them: elsewhere the service refuses, and a decoration must not cost the
// asker the answer.

import type {Payload} from '../api/index.js';
import type {Client} from '../client/client.js';
import type {Sight} from '../queue/sight.js';
import type {BotLog} from './context.js';
import {conversationOf} from './place.js';

/** Adds an emoji to a message that a bot was called by. That it is there already is no error. */
export type React = (client: Client, reaction: {payload: Payload; emoji: string; log: BotLog}) => Promise<void>;

/** Where the account is blind nothing is added; the log says so once for each account. */
export function createReact(sight: Sight): React {
	const warned = new WeakSet<Client>();
	return async function react(client, {payload, emoji, log}) {
		if ((await sight.of(client, conversationOf(payload))) === 'blind') {
			if (!warned.has(client)) {
				warned.add(client);
				log.warn({account: client.email}, BLIND);
			}

			return;
		}

		await client.addReaction({message_id: payload.message.id, emoji_name: emoji}).catch(ignoreRepeated);
	};
}

const BLIND =
	'ctx.react() adds nothing in direct messages, groups and private channels with protected history: the service lets ' +
	'outgoing-webhook bots see no messages there. Use a Generic bot with `receive = events` if you need it';

/** A rerun of the handler finds what the run before left. */
function ignoreRepeated(error: {code?: unknown}): void {
	if (error.code !== 'REACTION_ALREADY_EXISTS') {
		throw error;
	}
}
