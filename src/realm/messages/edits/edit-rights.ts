// Checks who may change, move or delete a message, and for how long.

import {checkMayPost, mayReadChannel} from '../../channels/access.js';
import {type ChannelRow, findChannel} from '../../channels/channels.js';
import {isTrusted} from '../../channels/settings.js';
import {badRequest, RealmError} from '../../errors.js';
import {type Account, findAccount, isAdministrator, isGuest, Role} from '../../people/accounts.js';
import type {Services} from '../../services.js';
import type {Store} from '../../store/store.js';
import {findReadable, type MessageRow} from '../rows.js';

const EDIT_SECONDS = 600;
const DELETE_SECONDS = 600;
const MOVE_SECONDS = 7 * 24 * 3600;

/** Lets a person who began in time finish. */
const GRACE_SECONDS = 20;

/** Finds a message that can still be changed. Any other message looks as if it did not exist. */
export function findChangeable(store: Store, account: Account, id: number): MessageRow {
	const row = findReadable(store, account, id);
	const channel = row.channel_id === null ? undefined : findChannel(store, row.channel_id);
	if (channel?.is_archived) {
		throw badRequest('Invalid message(s)');
	}

	return row;
}

export function checkMayEdit({clock}: Services, editor: Account, message: MessageRow): void {
	if (message.sender_id !== editor.id) {
		throw badRequest("You don't have permission to edit this message");
	}

	if (clock.seconds() - message.timestamp > EDIT_SECONDS + GRACE_SECONDS) {
		throw badRequest('The time limit for editing this message has passed');
	}
}

export function checkMayDelete({store, clock}: Services, account: Account, message: MessageRow): void {
	const channelId = message.channel_id;
	const isTrustedThere = channelId !== null && isTrusted(store, account, channelId, 'can_delete_any_message_group');
	if (isAdministrator(account) || isTrustedThere) {
		return;
	}

	const sender = findAccount(store, message.sender_id);
	if (sender?.id !== account.id && sender?.bot_owner_id !== account.id) {
		throw badRequest("You don't have permission to delete this message");
	}

	if (clock.seconds() - message.timestamp > DELETE_SECONDS) {
		throw badRequest('The time limit for deleting this message has passed');
	}
}

/** The target channel of a move. */
export function findMoveTarget(
	store: Store,
	editor: Account,
	{from, to: channelId}: {readonly from: number; readonly to: number},
): ChannelRow {
	const channel = findChannel(store, channelId);
	if (!channel || channel.is_archived || !mayReadChannel(store, editor, channel)) {
		throw badRequest('Invalid channel ID');
	}

	if (isGuest(editor) && !isTrusted(store, editor, from, 'can_move_messages_out_of_channel_group')) {
		throw badRequest("You don't have permission to move this message");
	}

	checkMayPost(store, editor, channel);
	return channel;
}

/** Everybody may move within a channel, for a week; moderators always. */
export function checkMoveTime({clock}: Services, editor: Account, {message, messages, isToOtherTopic}: MovePlan): void {
	if (editor.role <= Role.moderator) {
		return;
	}

	const isInTime = (row: MessageRow) => clock.seconds() - row.timestamp <= MOVE_SECONDS + GRACE_SECONDS;
	if (!isInTime(message)) {
		throw badRequest(
			isToOtherTopic
				? "The time limit for editing this message's topic has passed."
				: "The time limit for editing this message's channel has passed",
		);
	}

	const allowed = messages.filter(isInTime);
	const [first] = allowed;
	if (first && allowed.length < messages.length) {
		throw new RealmError(
			`You only have permission to move the ${allowed.length}/${messages.length} most recent messages in this topic.`,
			'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
			400,
			{
				first_message_id_allowed_to_move: first.id,
				total_messages_in_topic: messages.length,
				total_messages_allowed_to_move: allowed.length,
			},
		);
	}
}

interface MovePlan {
	/** The message that the request names. */
	readonly message: MessageRow;
	/** All messages that move, by ID. */
	readonly messages: readonly MessageRow[];
	/** Or only to another channel. */
	readonly isToOtherTopic: boolean;
}
