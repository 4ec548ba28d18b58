// Reads the effects of a bot from the realm.

import type {Target} from '../delivery/target.js';
import {findChannel} from '../realm/channels/channels.js';
import {allDrafts} from '../realm/drafts/drafts.js';
import type {OpenRealm} from '../realm/index.js';
import {memberIdsOf} from '../realm/messages/conversations.js';
import {type MessageRow, messagesBy} from '../realm/messages/rows.js';
import {findAccount, findAccountByEmail} from '../realm/people/accounts.js';

export interface SentMessage {
	readonly id: number;
	/** `#general > lunch`; `@alice` for a direct message. */
	readonly where: string;
	readonly text: string;
	readonly at: Date;
	/** Labels of its buttons. */
	readonly choices: readonly string[];
}

/** An emoji that the bot added. */
export interface Reaction {
	readonly emoji: string;
	readonly messageId: number;
	/** The text of the message with the emoji. */
	readonly to: string;
}

export interface PersonsDraft {
	/** `alice` */
	readonly of: string;
	readonly where: string;
	readonly text: string;
}

/** A button under a message: its label, and the text that a press posts. */
export interface Button {
	readonly label: string;
	readonly says: string;
}

type Realm = OpenRealm['services'];

export function sentBy(realm: Realm, botId: number, afterId: number): SentMessage[] {
	return messagesBy(realm.store, botId, afterId).map(row => ({
		id: row.id,
		where: whereOf(realm, botId, row),
		text: row.content,
		at: new Date(row.timestamp * 1000),
		choices: buttonsOf(realm, row.id).map(({label}) => label),
	}));
}

/** The conversation of a message, as text. */
export function whereOf(
	realm: Realm,
	botId: number,
	{channel_name: channel, topic, member_ids: ids}: MessageRow,
): string {
	return channel === null ? peopleOf(realm, botId, memberIdsOf(ids ?? '')) : `#${channel} > ${topic}`;
}

function peopleOf(realm: Realm, botId: number, ids: readonly number[]): string {
	const others = ids.filter(id => id !== botId);
	return others.map(id => `@${nameOf(findAccount(realm.store, id)?.email)}`).join(', ');
}

/** People of the demo organization go by their first names. */
function nameOf(email = 'nobody'): string {
	return email.slice(0, email.includes('@') ? email.indexOf('@') : undefined);
}

/** A target in the form of `where`. */
export function describeTarget(realm: Realm, botId: number, target: Target): string {
	if (!('dm' in target)) {
		const {channel, topic} = target;
		return `#${typeof channel === 'number' ? (findChannel(realm.store, channel)?.name ?? channel) : channel} > ${topic}`;
	}

	const ids = target.dm.map(person =>
		typeof person === 'number' ? person : findAccountByEmail(realm.store, person)?.id,
	);
	return peopleOf(
		realm,
		botId,
		ids.map(id => id ?? 0),
	);
}

export function buttonsOf({store}: Realm, messageId: number): Button[] {
	const widgets = store.all<{content: string}>(
		`SELECT content FROM submessages WHERE message_id = ? AND msg_type = 'widget' ORDER BY id`,
		messageId,
	);
	return widgets.flatMap(({content}) => {
		// ctx.reply() wrote it, or the bot itself through the API.
		const widget = JSON.parse(content) as {extra_data?: {choices?: {long_name?: string; reply?: string}[]}};
		return (widget.extra_data?.choices ?? []).map(({long_name: label = '', reply: says = ''}) => ({label, says}));
	});
}

export function reactionsOf({store}: Realm, botId: number): Reaction[] {
	return store
		.all<{emoji_name: string; message_id: number; content: string}>(
			`SELECT r.emoji_name, r.message_id, m.content FROM reactions r JOIN messages m ON m.id = r.message_id
			WHERE r.user_id = ? ORDER BY r.id`,
			botId,
		)
		.map(({emoji_name: emoji, message_id: messageId, content: to}) => ({emoji, messageId, to}));
}

export function draftsOfPeople(realm: Realm): PersonsDraft[] {
	return allDrafts(realm.store).map(({email, type, to, topic, content: text}) => {
		const target: Target = type === 'stream' ? {channel: to[0] ?? 0, topic} : {dm: [...to]};
		return {of: nameOf(email), where: describeTarget(realm, 0, target), text};
	});
}
