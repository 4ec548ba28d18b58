// What several tests of channels ask for, read off the wire.

import {at, type Caller, type Json} from './raw-request.js';

/** A channel as somebody who sees all sees it; null where there is none. */
export async function channelNamed(caller: Caller, name: string): Promise<Json> {
	const {json} = await caller.get('/api/v1/streams?include_all=true&exclude_archived=false&include_default=true');
	const streams = at(json, 'streams');
	return (Array.isArray(streams) ? streams.find(stream => at(stream, 'name') === name) : undefined) ?? null;
}

export async function subscribersOf(caller: Caller, channelId: number): Promise<Json> {
	return at((await caller.get(`/api/v1/streams/${channelId}/members`)).json, 'subscribers');
}

/** Names of the channels in one of the lists that come with a new event queue. */
export async function channelsIn(
	caller: Caller,
	list: 'subscriptions' | 'unsubscribed' | 'never_subscribed' | 'streams',
	form = '',
): Promise<Json[]> {
	const {json} = await caller.post('/api/v1/register', `event_types=["subscription","stream"]${form}`);
	const rows = at(json, list);
	return (Array.isArray(rows) ? rows : []).map(row => at(row, 'name'));
}

/** The form's part for a client that knows archived channels. */
export const KNOWS_ARCHIVED = '&client_capabilities={"notification_settings_null":true,"archived_channels":true}';

/** The newest message that somebody may read, as it was written. */
export const LAST_MESSAGE =
	'GET /api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&allow_empty_topic_name=true';

/** Parameters of new and changed channels by the level at which they came: a value that is not the default, and what shows below. */
export const CHANNEL_LEVELS: ReadonlyArray<
	readonly [name: string, level: number, value?: boolean | number | string, below?: boolean | number]
> = [
	['is_default_stream', 200, true, false],
	['can_remove_subscribers_group', 320, 5, 6],
	['can_administer_channel_group', 325],
	['can_send_message_group', 333],
	['can_add_subscribers_group', 342],
	['can_subscribe_group', 357],
	['topics_policy', 392, 'disable_empty_topic'],
	['can_move_messages_out_of_channel_group', 396],
	['can_move_messages_within_channel_group', 396],
	['can_resolve_topics_group', 402],
	['can_delete_any_message_group', 407],
	['can_delete_own_message_group', 407],
	['can_create_topic_group', 441],
];
