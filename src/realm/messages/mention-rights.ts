// Checks who may mention many people at once (service-facts.md 7.5).

import {type ChannelRow, subscriberIds} from '../channels/channels.js';
import {badRequest, RealmError} from '../errors.js';
import {isInSetting, readGroupSetting} from '../groups/settings.js';
import type {Mentions} from '../markdown/mention-rule.js';
import {organization} from '../organization.js';
import type {Account} from '../people/accounts.js';
import {findGroup, isInGroup} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {topicKey} from './text.js';

/** Up to this many people, everybody may use a wildcard. */
const MANY = 15;

export interface TopicPlace {
	readonly channel: ChannelRow;
	readonly topic: string;
	readonly recipientId: number;
}

/** `place` is absent for direct messages, where wildcards are always allowed. */
export function checkMentions(store: Store, sender: Account, mentions: Mentions, place?: TopicPlace): void {
	if (place) {
		checkWildcards(store, sender, mentions, place);
	}

	if (sender.is_system_bot) {
		return;
	}

	for (const groupId of mentions.groupIds) {
		const group = findGroup(store, groupId);
		if (group && !isInSetting(store, sender, readGroupSetting(store, group, 'can_mention_group'))) {
			throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
		}
	}
}

function checkWildcards(store: Store, sender: Account, mentions: Mentions, place: TopicPlace): void {
	if (isInGroup(store, sender, organization(store).can_mention_many_users_group)) {
		return;
	}

	if (mentions.hasChannelWildcard && subscriberIds(store, place.channel.id).length > MANY) {
		throw new RealmError(
			'You do not have permission to use channel wildcard mentions in this channel.',
			'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
		);
	}

	if (mentions.hasTopicWildcard && participantIds(store, place).length > MANY) {
		throw new RealmError(
			'You do not have permission to use topic wildcard mentions in this topic.',
			'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
		);
	}
}

/** People who have written in a topic, or reacted there. */
export function participantIds(
	store: Store,
	{recipientId, topic}: Pick<TopicPlace, 'recipientId' | 'topic'>,
): number[] {
	const place = [recipientId, topicKey(topic)];
	const rows = store.all<{id: number}>(
		`SELECT sender_id AS id FROM messages WHERE recipient_id = ? AND topic_key = ?
		UNION SELECT x.user_id FROM reactions x JOIN messages m ON m.id = x.message_id
		WHERE m.recipient_id = ? AND m.topic_key = ?`,
		...place,
		...place,
	);
	return rows.map(row => row.id);
}
