// Delivers the emoji that people add to messages of the bot, each once.

import {type Event, type Message, Reaction} from '../api/index.js';
import {z} from '../api/zod.js';
import {conversationOf} from '../delivery/target.js';
import {readMessageNow, readNewest} from './read-message.js';
import type {Scene, Watch} from './scene.js';

const ReactionEvent = z.looseObject({op: z.string(), message_id: z.int(), ...Reaction.shape});

/** How many messages of others are remembered, so that the service is not asked again whose they are. */
const REMEMBERED = 1_000;

export function createReactions(scene: Scene): Watch {
	const {tag, client, reader, people, inbox, retry} = scene;
	/** Messages that are not the bot's. */
	const others = new Set<number>();

	async function hand(message: Message, reaction: Reaction): Promise<void> {
		retry.signal.throwIfAborted();
		const by = await people.person(reaction.user_id);
		if (by && by.id !== reader.user_id) {
			const {emoji_name: emoji, emoji_code: code, reaction_type: type} = reaction;
			await scene.deliver({
				kind: 'reaction',
				by,
				...{emoji, code, type},
				message: {id: message.id, text: message.content},
				here: conversationOf({message, bot_email: reader.email}),
			});
		}

		await inbox.markSeen(tag, 'reaction', keyOf(message.id, reaction));
	}

	return {
		eventType: 'reaction',
		async catchUp() {
			const messages = await readNewest(scene, [['sender', client.email]]);
			const found = messages.flatMap(message =>
				(message.reactions ?? []).map(reaction => ({message, reaction, key: keyOf(message.id, reaction)})),
			);
			const unseen = new Set(
				await inbox.beginSeen(
					tag,
					'reaction',
					found.map(({key}) => key),
				),
			);
			for (const {message, reaction} of found.filter(({key}) => unseen.has(key))) {
				await hand(message, reaction);
			}
		},
		async take(event: Event) {
			const {op, message_id: id, ...reaction} = ReactionEvent.parse(event);
			if (op !== 'add' || others.has(id) || (await inbox.isSeen(tag, 'reaction', keyOf(id, reaction)))) {
				return;
			}

			const message = await readMessageNow(scene, id);
			if (message?.sender_id === reader.user_id) {
				await hand(message, reaction);
			} else {
				remember(others, id);
			}
		},
	};
}

function keyOf(messageId: number, {user_id: user, emoji_code: code, reaction_type: type}: Reaction): string {
	return `${messageId} ${user} ${type} ${code}`;
}

function remember(ids: Set<number>, id: number): void {
	ids.add(id);
	const [oldest] = ids;
	if (ids.size > REMEMBERED && oldest !== undefined) {
		ids.delete(oldest);
	}
}
