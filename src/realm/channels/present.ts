// A channel as callers see it (spec.md, "Channel object").

import type {Channel} from '../../api/index.js';
import {renderMarkdown} from '../messages/markdown.js';
import {findGroup, systemGroupId} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, subscriberIds} from './channels.js';

export function presentChannel(store: Store, channel: ChannelRow): Channel {
	const administrators = systemGroupId(store, 'role:administrators');
	const everyone = systemGroupId(store, 'role:everyone');
	const policy = postPolicy(store, channel);
	const {first} = store.get<{first: number | null}>(
		'SELECT min(m.id) AS first FROM messages m JOIN recipients r ON r.id = m.recipient_id WHERE r.channel_id = ?',
		channel.id,
	) ?? {first: null};

	return {
		stream_id: channel.id,
		name: channel.name,
		is_archived: channel.is_archived === 1,
		description: channel.description,
		rendered_description: renderMarkdown(store, channel.description).html,
		date_created: channel.date_created,
		creator_id: channel.creator_id,
		invite_only: channel.invite_only === 1,
		is_web_public: channel.is_web_public === 1,
		stream_post_policy: policy,
		is_announcement_only: policy === 2,
		message_retention_days: null,
		history_public_to_subscribers: channel.history_public_to_subscribers === 1,
		topics_policy: channel.topics_policy,
		first_message_id: first,
		folder_id: null,
		is_recently_active: channel.is_archived === 0,
		can_add_subscribers_group: everyone,
		can_remove_subscribers_group: administrators,
		can_administer_channel_group: administrators,
		can_delete_any_message_group: administrators,
		can_delete_own_message_group: everyone,
		can_move_messages_out_of_channel_group: administrators,
		can_move_messages_within_channel_group: administrators,
		can_create_topic_group: channel.can_create_topic_group,
		can_resolve_topics_group: everyone,
		can_send_message_group: channel.can_send_message_group,
		can_subscribe_group: administrators,
		subscriber_count: subscriberIds(store, channel.id).length,
		stream_weekly_traffic: null,
	};
}

/** The older number for what `can_send_message_group` says. */
function postPolicy(store: Store, channel: ChannelRow): number {
	const policies: Record<string, number> = {
		'role:administrators': 2,
		'role:fullmembers': 3,
		'role:moderators': 4,
	};

	return policies[findGroup(store, channel.can_send_message_group)?.name ?? ''] ?? 1;
}
