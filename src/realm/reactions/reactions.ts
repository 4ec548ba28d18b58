// Emoji reactions to messages.

import {findChannel, subscriberIds} from '../channels/channels.js';
import {badRequest, RealmError} from '../errors.js';
import {findChangeable} from '../messages/edits/edit-rights.js';
import {historicalFlags} from '../messages/flags.js';
import type {MessageRow} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {raiseForReaction} from '../topics/automatic.js';
import {checkEmoji, type Emoji, findEmoji, readType} from './emoji.js';

interface WantedReaction {
	readonly messageId: number;
	readonly name: string | undefined;
	readonly code: string | undefined;
	readonly type: string | undefined;
}

export function addReaction(
	services: Services,
	caller: Account,
	wanted: WantedReaction & {readonly name: string},
): void {
	const {store} = services;
	const message = findChangeable(store, caller, wanted.messageId);
	const emoji = settle(store, wanted);
	if (hasReacted(store, caller, message, emoji)) {
		throw new RealmError('Reaction already exists.', 'REACTION_ALREADY_EXISTS');
	}

	// The first reaction decides the name of the emoji.
	const first = store.get<{emoji_name: string}>(
		'SELECT emoji_name FROM reactions WHERE message_id = ? AND emoji_code = ? AND reaction_type = ? ORDER BY id',
		message.id,
		emoji.code,
		emoji.type,
	);
	if (!first) {
		checkEmoji(store, emoji);
	}

	const name = first?.emoji_name ?? emoji.name;
	store.transaction(() => {
		keepForReader(store, caller, message);
		store.run(
			'INSERT INTO reactions (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (?, ?, ?, ?, ?)',
			message.id,
			caller.id,
			name,
			emoji.code,
			emoji.type,
		);
		const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
		if (channel) {
			raiseForReaction(services, caller, {channel, topic: message.topic});
		}
	});
	publish(services, message, {op: 'add', caller, emoji: {...emoji, name}});
}

export function removeReaction(
	services: Services,
	caller: Account,
	wanted: WantedReaction & {readonly type: string},
): void {
	const {store} = services;
	const message = findChangeable(store, caller, wanted.messageId);
	const type = readType(wanted.type);
	const code = wanted.code ?? codeOf(store, wanted.name);
	const reaction = store.get<{id: number; emoji_name: string}>(
		`SELECT id, emoji_name FROM reactions
		WHERE message_id = ? AND user_id = ? AND emoji_code = ? AND reaction_type = ?`,
		message.id,
		caller.id,
		code,
		type,
	);
	if (!reaction) {
		throw new RealmError("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST');
	}

	store.run('DELETE FROM reactions WHERE id = ?', reaction.id);
	publish(services, message, {op: 'remove', caller, emoji: {name: reaction.emoji_name, code, type}});
}

/** The name determines code and type if they are missing. */
function settle(store: Store, {name, code, type}: WantedReaction & {readonly name: string}): Emoji {
	if (code !== undefined && type !== undefined) {
		return {name, code, type: readType(type)};
	}

	const known = findEmoji(store, name);
	return {name, code: code ?? known.code, type: type === undefined ? known.type : readType(type)};
}

function codeOf(store: Store, name: string | undefined): string {
	if (name === undefined) {
		throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
	}

	return findEmoji(store, name).code;
}

function hasReacted(store: Store, {id}: Account, message: MessageRow, {code, type}: Emoji): boolean {
	const row = store.get(
		'SELECT 1 AS found FROM reactions WHERE message_id = ? AND user_id = ? AND emoji_code = ? AND reaction_type = ?',
		message.id,
		id,
		code,
		type,
	);
	return row !== undefined;
}

/** If a person reacts to a channel message that they did not receive, they get a row for it, and so its events. */
function keepForReader(store: Store, reader: Account, message: MessageRow): void {
	store.run(
		'INSERT OR IGNORE INTO user_messages (user_id, message_id, flags) VALUES (?, ?, ?)',
		reader.id,
		message.id,
		historicalFlags,
	);
}

interface Change {
	readonly op: 'add' | 'remove';
	readonly caller: Account;
	readonly emoji: Emoji;
}

function publish({store, queues}: Services, message: MessageRow, {op, caller, emoji}: Change): void {
	for (const userId of audience(store, message)) {
		queues.publishTo(userId, {
			type: 'reaction',
			op,
			message_id: message.id,
			user_id: caller.id,
			user: {user_id: caller.id, email: shownEmail(store, caller), full_name: caller.full_name},
			emoji_name: emoji.name,
			emoji_code: emoji.code,
			reaction_type: emoji.type,
		});
	}
}

/** Everybody who received the message, or who may read it in the channel's history. */
function audience(store: Store, message: MessageRow): Set<number> {
	const rows = store.all<{user_id: number}>('SELECT user_id FROM user_messages WHERE message_id = ?', message.id);
	const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
	const readers = channel?.history_public_to_subscribers ? subscriberIds(store, channel.id) : [];

	return new Set([...rows.map(row => row.user_id), ...readers]);
}
