// Changes the text, the topic or the channel of messages (service-facts.md 5).

import {createHash} from 'node:crypto';
import {findChannel} from '../../channels/channels.js';
import {badRequest, RealmError} from '../../errors.js';
import {type NewText, publishEdit} from '../../events/publish-edit.js';
import {renderMarkdown} from '../../markdown/markdown.js';
import type {Account} from '../../people/accounts.js';
import {findAlerted} from '../../people/alert-words.js';
import type {Services} from '../../services.js';
import type {Store} from '../../store/store.js';
import {carryPolicies, movesWholeTopic} from '../../topics/carry.js';
import {type DetachedUpload, detachedUploads, showUploads} from '../../uploads/uploads.js';
import {channelRecipientId} from '../conversations.js';
import {mentionFlags} from '../deliver.js';
import {type Flag, flagBits} from '../flags.js';
import {checkMentions} from '../mention-rights.js';
import {type MessageRow, receiverIds, selectMessages} from '../rows.js';
import {checkTopic} from '../send.js';
import {cleanContent, cleanTopic, readTopic} from '../text.js';
import {recordEdit} from './edit-history.js';
import {checkMayEdit, checkMoveTime, findChangeable, findMoveTarget} from './edit-rights.js';
import {type Move, moveMessages} from './move.js';
import {announceMove} from './move-notice.js';

export interface EditRequest {
	readonly editor: Account;
	readonly messageId: number;
	readonly content: string | undefined;
	readonly topic: string | undefined;
	readonly channelId: number | undefined;
	readonly mode: 'change_one' | 'change_later' | 'change_all';
	readonly noticeInOldPlace: boolean;
	readonly noticeInNewPlace: boolean;
	/** SHA-256 of the text that the editor saw. */
	readonly expectedSha256: string | undefined;
}

/** All checks come before the first change. Answers the editor's uploads that no message shows any more. */
export function editMessage(services: Services, wanted: EditRequest): DetachedUpload[] {
	const {store, clock} = services;
	const {editor} = wanted;
	return store.transaction(() => {
		const message = findChangeable(store, editor, wanted.messageId);
		if (wanted.content !== undefined) {
			checkMayEdit(services, editor, message);
		}

		const named = wanted.topic === undefined ? undefined : readTopic(wanted.topic.trim(), services);
		// The topic that it has already is none to move to.
		const request = {...wanted, topic: named === message.topic ? undefined : named};
		checkShape(message, request);
		const text = readText(services, message, request);
		const move = readMove(services, message, request);
		if (!text && !move) {
			throw badRequest('Nothing to change');
		}

		const timestamp = clock.seconds();
		for (const row of move?.messages ?? [message]) {
			const isNamed = row.id === message.id;
			recordEdit(store, {
				message_id: row.id,
				user_id: editor.id,
				timestamp,
				prev_content: isNamed && text ? row.content : null,
				prev_rendered_content: isNamed && text ? row.rendered_content : null,
				prev_channel_id: move?.channel ? row.channel_id : null,
				channel_id: move?.channel?.id ?? null,
				prev_topic: move?.topic === undefined ? null : row.topic,
				topic: move?.topic ?? null,
			});
		}

		if (text) {
			replaceText(store, message, text);
		}

		const isWholeTopic = move !== undefined && movesWholeTopic(store, move);
		const unlinked = text ? showUploads(store, editor, {id: message.id, content: text.content}) : [];

		const losers = move ? moveMessages(store, move) : new Map<number, number[]>();
		if (move && isWholeTopic) {
			carryPolicies(services, move);
		}

		publishEdit(services, {editor, message, text, move, timestamp, losers});
		if (move) {
			announceMove(services, {...move, isWholeTopic}, request);
		}

		return detachedUploads(store, editor, unlinked);
	});
}

function checkShape(message: MessageRow, {content, topic, channelId, mode}: EditRequest): void {
	if (content === undefined && topic === undefined && channelId === undefined) {
		throw badRequest('Nothing to change');
	}

	if (message.channel_id === null && channelId !== undefined) {
		throw badRequest('Direct messages cannot be moved to channels.');
	}

	if (message.channel_id === null && topic !== undefined) {
		throw badRequest('Direct messages cannot have topics.');
	}

	if (mode !== 'change_one' && topic === undefined && channelId === undefined) {
		throw badRequest('Invalid propagate_mode without topic edit');
	}
}

/** The new text, even if it equals the old one. */
function readText(services: Services, message: MessageRow, request: EditRequest): NewText | undefined {
	const {store} = services;
	if (request.content === undefined) {
		return undefined;
	}

	if (request.channelId !== undefined) {
		throw badRequest('Cannot change message content while changing channel');
	}

	if (store.get('SELECT 1 AS found FROM submessages WHERE message_id = ?', message.id)) {
		throw badRequest('Widgets cannot be edited.');
	}

	const sha256 = createHash('sha256').update(message.content).digest('hex');
	if (request.expectedSha256 !== undefined && request.expectedSha256 !== sha256) {
		throw new RealmError(
			"'prev_content_sha256' value does not match the expected value.",
			'EXPECTATION_MISMATCH',
			400,
			{field_name: 'prev_content_sha256'},
		);
	}

	const content = request.content.trim() === '' ? '(deleted)' : cleanContent(request.content);
	const rendered = renderMarkdown(store, content, request.editor);
	const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
	const place = channel && {channel, topic: message.topic, recipientId: message.recipient_id};
	checkMentions(store, request.editor, rendered.mentions, place);

	return {content, rendered};
}

/** The target of the move. Undefined if the messages stay. */
function readMove(services: Services, message: MessageRow, request: EditRequest): Move | undefined {
	const {store} = services;
	const {editor} = request;
	if (message.channel_id === null) {
		return undefined;
	}

	const wanted = request.topic === undefined ? undefined : cleanTopic(request.topic, services);
	const topic = wanted === message.topic ? undefined : wanted;
	const isOther = request.channelId !== undefined && request.channelId !== message.channel_id;
	const channel =
		isOther && request.channelId
			? findMoveTarget(store, editor, {from: message.channel_id, to: request.channelId})
			: undefined;
	const from = findChannel(store, message.channel_id);
	if (!from || (topic === undefined && !channel)) {
		return undefined;
	}

	const messages = movedMessages(store, message, request);
	checkMoveTime(services, editor, {message, messages, isToOtherTopic: topic !== undefined});
	const target = channel ?? from;
	checkTopic(
		services,
		{sender: editor},
		{channel: target, topic: topic ?? message.topic, recipientId: channelRecipientId(store, target.id)},
	);

	return {editor, message, messages, from, topic, channel, mode: request.mode};
}

/** The messages of the topic that the editor may read, by ID. */
function movedMessages(store: Store, message: MessageRow, {editor, mode}: EditRequest): MessageRow[] {
	if (mode === 'change_one') {
		return [message];
	}

	return selectMessages(store, editor, {
		conditions: [
			{sql: 'm.recipient_id = ? AND m.topic_key = ?', values: [message.recipient_id, message.topic_key]},
			{sql: 'm.id >= ?', values: [mode === 'change_later' ? message.id : 0]},
		],
		limit: Number.MAX_SAFE_INTEGER,
	});
}

/** Flags that depend on the text. */
const textBits = flagBits(['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'has_alert_word']);

/** Receivers keep flags such as `read`, and get the mentions and alert words of the new text. */
function replaceText(store: Store, message: MessageRow, {content, rendered}: NewText): void {
	store.run('UPDATE messages SET content = ?, rendered_content = ? WHERE id = ?', content, rendered.html, message.id);
	const channel = message.channel_id === null ? undefined : findChannel(store, message.channel_id);
	const flagsFor = mentionFlags(store, {
		rendered,
		channel,
		recipientId: message.recipient_id,
		topic: message.topic,
	});
	const alerted = findAlerted(store, content);
	const sql = 'UPDATE user_messages SET flags = (flags & ~?) | ? WHERE user_id = ? AND message_id = ?';
	for (const userId of receiverIds(store, message.id)) {
		const alert: Flag[] = alerted.has(userId) ? ['has_alert_word'] : [];
		store.run(sql, textBits, flagBits([...flagsFor(userId), ...alert]), userId, message.id);
	}
}
