// The service shows an outgoing-webhook bot no messages, not even its own, in direct messages, groups and private channels with
// protected history (service-facts.md 4.8). There Bothy skips a reaction: a missing emoji must not cost the person the answer. An
// edit or a deletion throws an error that says why, and what to do.

import type {Client} from '../../client/client.js';
import {ApiError} from '../../client/errors.js';
import type {Target} from '../../delivery/target.js';
import {createSight} from '../../outbox/sight.js';
import type {BotLog} from './capabilities.js';

const PLACES = 'in direct messages, groups and private channels with protected history';
const WAY_OUT = 'Use a Generic bot with `receive = events` if you need it';

const BLIND = `ctx.react() cannot add an emoji where an outgoing-webhook bot may not read messages: ${PLACES}. ${WAY_OUT}`;

const sight = createSight(() => performance.now());
const warned = new WeakSet<Client>();

interface Reaction {
	readonly messageId: number;
	readonly here: Target;
	readonly emoji: string;
	readonly log: BotLog;
}

/** Skips the call if the account cannot see the conversation: the service would refuse it. */
export async function addReaction(client: Client, {messageId, here, emoji, log}: Reaction): Promise<void> {
	if ((await sight.of(client, here)) === 'blind') {
		if (!warned.has(client)) {
			warned.add(client);
			log.warn({account: client.email}, BLIND);
		}

		return;
	}

	try {
		await client.addReaction({message_id: messageId, emoji_name: emojiName(emoji)});
	} catch (error) {
		// An earlier run may have added it.
		if (!(error instanceof ApiError && error.code === 'REACTION_ALREADY_EXISTS')) {
			throw error;
		}
	}
}

/** Changes a message of the account. `what` is the method's name, for the error. */
export async function changeOwn(
	client: Client,
	{what, messageId}: {what: string; messageId: number},
	change: () => Promise<unknown>,
): Promise<void> {
	try {
		await change();
	} catch (error) {
		// In direct messages, outgoing-webhook bots see nothing.
		if (!isRefusal(error) || (await sight.of(client, {dm: []})) !== 'blind' || (await sees(client, messageId))) {
			throw error;
		}

		const reason = `the service shows an outgoing-webhook bot no messages ${PLACES}, not even its own`;
		throw new Error(`${what} cannot reach the message: ${reason}. ${WAY_OUT}`, {cause: error});
	}
}

async function sees(client: Client, messageId: number): Promise<boolean> {
	return client.getMessage({message_id: messageId}).then(
		() => true,
		error => !isRefusal(error),
	);
}

function isRefusal(error: unknown): boolean {
	return error instanceof ApiError && error.code === 'BAD_REQUEST';
}

/** People write `:tada:`; the API expects `tada`. */
export function emojiName(emoji: string): string {
	return emoji.replace(/^:(.+):$/, '$1');
}
