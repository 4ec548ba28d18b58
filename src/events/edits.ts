// Delivers the edits of messages that called the bot, each once.

import {hash} from 'node:crypto';
import type {Event, Message} from '../api/index.js';
import {z} from '../api/zod.js';
import {conversationOf} from '../delivery/target.js';
import type {EventWork} from '../delivery/work.js';
import {CALLS} from './message-events.js';
import {readMessageNow, readNewest} from './read-message.js';
import type {Scene, Watch} from './scene.js';

const EditEvent = z.looseObject({
	message_id: z.int(),
	edit_timestamp: z.int().optional(),
	rendering_only: z.boolean().optional(),
	orig_content: z.string().optional(),
	content: z.string().optional(),
});

type Edit = Pick<Extract<EventWork, {kind: 'edit'}>, 'oldText' | 'newText' | 'at'>;

interface Found {
	readonly message: Message;
	readonly edit: Edit;
}

export function createEdits(scene: Scene): Watch {
	const {tag, reader, people, inbox, retry} = scene;

	async function hand({message, edit}: Found): Promise<void> {
		retry.signal.throwIfAborted();
		const by = await people.person(message.sender_id);
		if (by) {
			await scene.deliver({
				kind: 'edit',
				by,
				...edit,
				message: message.id,
				here: conversationOf({message, bot_email: reader.email}),
				fullName: reader.full_name,
			});
		}

		await inbox.markSeen(tag, 'edit', keyOf(message.id, edit));
	}

	/** Edited messages among the newest that called the bot. */
	async function editedMessages(): Promise<Message[]> {
		const found = new Map<number, Message>();
		for (const narrow of scene.wanted.includes('channel_message') ? [[]] : CALLS) {
			for (const message of await readNewest(scene, narrow)) {
				if (message.edit_history !== undefined && (await inbox.isHandled(tag, message.id))) {
					found.set(message.id, message);
				}
			}
		}

		return [...found.values()];
	}

	return {
		eventType: 'update_message',
		async catchUp() {
			const found = (await editedMessages()).flatMap(message => editsOf(message).map(edit => ({message, edit})));
			const keys = found.map(({message, edit}) => keyOf(message.id, edit));
			const unseen = new Set(await inbox.beginSeen(tag, 'edit', keys));
			for (const edited of found.filter(({message, edit}) => unseen.has(keyOf(message.id, edit)))) {
				await hand(edited);
			}
		},
		async take(event: Event) {
			const {message_id: id, edit_timestamp: at, rendering_only, orig_content, content} = EditEvent.parse(event);
			const isText = orig_content !== undefined && content !== undefined && at !== undefined && !rendering_only;
			if (!isText || !(await inbox.isHandled(tag, id))) {
				return;
			}

			const edit = {oldText: orig_content, newText: content, at};
			const message = (await inbox.isSeen(tag, 'edit', keyOf(id, edit))) ? undefined : await readMessageNow(scene, id);
			if (message) {
				await hand({message, edit});
			}
		},
	};
}

/** Oldest first. The history has the texts that were replaced, newest first. */
function editsOf({content, edit_history: history = []}: Message): Edit[] {
	const edits: Edit[] = [];
	let newText = content;
	for (const {prev_content: oldText, timestamp: at} of history) {
		if (typeof oldText === 'string') {
			edits.unshift({oldText, newText, at});
			newText = oldText;
		}
	}

	return edits;
}

/** Contains no text. */
function keyOf(messageId: number, {oldText, newText, at}: Edit): string {
	return `${messageId} ${at} ${hash('sha1', JSON.stringify([oldText, newText])).slice(0, 12)}`;
}
