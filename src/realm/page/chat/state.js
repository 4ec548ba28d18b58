// The state of the page, and its changes. Every function takes a state and returns the next one.

import {keyOf, keysOf, placeOf, topicPrefix} from './places.js';

export const emptyState = {
	/** False until the realm is loaded. */
	isLoaded: false,
	/** `connecting`, `connected` or `reconnecting`. */
	connection: 'connecting',
	realmName: '',
	maxTopicLength: 60,
	me: undefined,
	users: new Map(),
	channels: [],
	/** Channel ID → topics, latest first. */
	topics: new Map(),
	/** Key → {messages, hasOlder, isLoading, error}. */
	conversations: new Map(),
	/** Key of a direct conversation → {place, id of its last message}. */
	directs: new Map(),
	/** Key → IDs. */
	unread: new Map(),
	/** Own messages on their way: {localId, place, content, timestamp, status, id, error}. */
	pending: [],
	openPlace: undefined,
	/** What a screen reader is told. */
	announcement: '',
};

export function changeConversation(state, key, changes) {
	const before = state.conversations.get(key) ?? {messages: [], hasOlder: false, isLoading: false};
	const conversations = new Map(state.conversations).set(key, {...before, ...changes});
	return {...state, conversations};
}

/** Adds fetched messages to a conversation. Events may have added some of them already. */
export function addPage(state, key, {messages, hasOlder}) {
	const known = new Map();
	for (const message of [...(state.conversations.get(key)?.messages ?? []), ...messages]) {
		known.set(message.id, message);
	}

	const merged = [...known.values()].sort((a, b) => a.id - b.id);
	const changes = {messages: merged, hasOlder, isLoading: false, error: undefined};
	return settlePending(changeConversation(state, key, changes), messages);
}

/** Adds a new message. */
export function addMessage(state, message, localId) {
	const myId = state.me.user_id;
	let next = noteConversation(state, message);
	for (const key of keysOf(message, myId)) {
		const conversation = next.conversations.get(key);
		if (conversation && !conversation.messages.some(({id}) => id === message.id)) {
			next = changeConversation(next, key, {messages: [...conversation.messages, message]});
		}
	}

	return settlePending(next, [{...message, localId}]);
}

/** Moves the message's conversation to the front of its list. */
export function noteConversation(state, message) {
	const place = placeOf(message, state.me.user_id);
	if (place.kind === 'direct') {
		return {...state, directs: new Map(state.directs).set(keyOf(place), {place, lastId: message.id})};
	}

	const before = state.topics.get(place.channelId) ?? [];
	const isSame = topic => topic.name.toLowerCase() === place.topic.toLowerCase();
	const latest = {name: before.find(isSame)?.name ?? place.topic, max_id: message.id};
	const topics = [latest, ...before.filter(topic => !isSame(topic))];
	return {...state, topics: new Map(state.topics).set(place.channelId, topics)};
}

export function addUnread(state, message) {
	const key = keyOf(placeOf(message, state.me.user_id));
	return {...state, unread: new Map(state.unread).set(key, [...(state.unread.get(key) ?? []), message.id])};
}

/** Keys with unread messages that a place shows. */
export function unreadKeys(state, place) {
	const prefix = place.kind === 'channel' ? topicPrefix(place.channelId) : undefined;
	return [...state.unread.keys()].filter(key => (prefix ? key.startsWith(prefix) : key === keyOf(place)));
}

export function countUnread(state, place) {
	return unreadKeys(state, place).reduce((sum, key) => sum + state.unread.get(key).length, 0);
}

export function countAllUnread(state) {
	return [...state.unread.values()].reduce((sum, ids) => sum + ids.length, 0);
}

export function changePending(state, localId, changes) {
	const pending = state.pending.map(one => (one.localId === localId ? {...one, ...changes} : one));
	return {...state, pending};
}

export function dropPending(state, localId) {
	return {...state, pending: state.pending.filter(one => one.localId !== localId)};
}

/** Removes messages that have arrived from those being sent. */
export function settlePending(state, messages) {
	const arrived = new Set(messages.flatMap(({id, localId}) => [id, localId]));
	const pending = state.pending.filter(one => !arrived.has(one.localId) && !(one.id && arrived.has(one.id)));
	return pending.length === state.pending.length ? state : {...state, pending};
}
