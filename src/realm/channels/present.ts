// The API object of a channel (spec.md, "Channel object").

import type {Channel} from '../../api/index.js';
import {renderMarkdown} from '../markdown/markdown.js';
import {findGroup} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type ChannelRow, subscriberIds} from './channels.js';
import {channelSettings, readChannelSetting} from './settings.js';

const DAY_SECONDS = 24 * 3600;
const DAYS_OF_ACTIVITY = 180;

/** Traffic is averaged over the last weeks. It is unknown for channels younger than the shorter time. */
const DAYS_OF_TRAFFIC = 28;
const MIN_DAYS_OF_TRAFFIC = 7;

export function presentChannel(services: Pick<Services, 'store' | 'clock'>, channel: ChannelRow): Channel {
	const {store, clock} = services;
	const policy = postPolicy(store, channel);
	const {first, last} = store.get<{first: number | null; last: number | null}>(
		`SELECT min(m.id) AS first, max(m.timestamp) AS last
		FROM messages m JOIN recipients r ON r.id = m.recipient_id WHERE r.channel_id = ?`,
		channel.id,
	) ?? {first: null, last: null};
	const activeUntil = Math.max(channel.date_created, last ?? 0) + DAYS_OF_ACTIVITY * DAY_SECONDS;

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
		message_retention_days: channel.message_retention_days,
		history_public_to_subscribers: channel.history_public_to_subscribers === 1,
		topics_policy: channel.topics_policy,
		first_message_id: first,
		folder_id: null,
		is_recently_active: clock.seconds() <= activeUntil,
		...Object.fromEntries(channelSettings.map(name => [name, readChannelSetting(store, channel.id, name)])),
		subscriber_count: subscriberIds(store, channel.id).length,
		stream_weekly_traffic: weeklyTraffic(services, channel),
	};
}

/** Messages per week. Null for a channel that is too young. */
function weeklyTraffic({store, clock}: Pick<Services, 'store' | 'clock'>, channel: ChannelRow): number | null {
	const days = Math.min((clock.seconds() - channel.date_created) / DAY_SECONDS, DAYS_OF_TRAFFIC);
	if (days < MIN_DAYS_OF_TRAFFIC) {
		return null;
	}

	const {count} = store.get<{count: number}>(
		`SELECT count(*) AS count FROM messages m JOIN recipients r ON r.id = m.recipient_id
		WHERE r.channel_id = ? AND m.timestamp > ?`,
		channel.id,
		clock.seconds() - DAYS_OF_TRAFFIC * DAY_SECONDS,
	) ?? {count: 0};
	return Math.ceil((count * 7) / days);
}

/** The older form of `can_send_message_group`: a number. */
export function postPolicy(store: Store, {id}: Pick<ChannelRow, 'id'>): number {
	const value = readChannelSetting(store, id, 'can_send_message_group');
	const policies: Record<string, number> = {
		'role:administrators': 2,
		'role:fullmembers': 3,
		'role:moderators': 4,
	};

	return (typeof value === 'number' ? policies[findGroup(store, value)?.name ?? ''] : undefined) ?? 1;
}
