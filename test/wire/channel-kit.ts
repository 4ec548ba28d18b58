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
