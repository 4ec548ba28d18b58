// The displayed names of people, channels and topics.

import {directPlace, keyOf} from './places.js';

export const emptyTopicName = 'general chat';

export function topicName(topic) {
	return topic === '' ? emptyTopicName : topic;
}

export function channelName(state, channelId) {
	return state.channels.find(channel => channel.stream_id === channelId)?.name ?? 'unknown';
}

/** What the service calls the roles, highest first. */
export const roles = new Map([
	[100, 'Owners'],
	[200, 'Administrators'],
	[300, 'Moderators'],
	[400, 'Members'],
	[600, 'Guests'],
]);

export function personName(state, id) {
	const name = state.users.get(id)?.full_name ?? 'Somebody';
	return id === state.me.user_id ? `${name} (you)` : name;
}

export function placeName(state, place) {
	if (place.kind === 'direct') {
		return place.userIds.map(id => personName(state, id)).join(', ');
	}

	if (place.kind === 'search') {
		return `Search: ${place.query}`;
	}

	const channel = `#${channelName(state, place.channelId)}`;
	return place.kind === 'topic' ? `${channel} › ${topicName(place.topic)}` : channel;
}

/**
 * Everybody else who can be written to, by name; `isBot` says which half. The service's own bots only show once they
 * wrote.
 */
export function others(state, {isBot}) {
	const {user_id: myId} = state.me;
	const isShown = user => !user.is_system_bot || state.directs.has(keyOf(directPlace([user.user_id], myId)));
	return [...state.users.values()]
		.filter(user => user.is_active && user.is_bot === isBot && user.user_id !== myId && isShown(user))
		.sort((a, b) => a.full_name.localeCompare(b.full_name));
}
