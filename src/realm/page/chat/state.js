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
	/** Key → {messages, hasOlder, hasNewer, isLoading, error}. */
	conversations: new Map(),
	/** Key of a direct conversation → {place, id of its last message}. */
	directs: new Map(),
	/** Key → IDs. */
	unread: new Map(),
	/** Own messages on their way: {localId, place, content, timestamp, status, id, error}. */
	pending: [],
	/** Key → IDs of people who type there. */
	typing: new Map(),
	/** IDs of people who are active. */
	present: new Set(),
	/** User ID → status_text and emoji. */
	statuses: new Map(),
	/** The realm's own emoji. */
	emoji: [],
	drafts: [],
	scheduled: [],
	openPlace: undefined,
	/** The message to show, from a link. */
	nearId: undefined,
	/** Text for the compose box, {text, number}: a new number means a new request. */
	insertion: undefined,
	/** Why the last action failed. */
	notice: undefined,
	/** What a screen reader is told. */
	announcement: '',
};

const emptyConversation = {messages: [], hasOlder: false, hasNewer: false, isLoading: false};

export function changeConversation(state, key, changes) {
	const before = state.conversations.get(key) ?? emptyConversation;
	const conversations = new Map(state.conversations).set(key, {...before, ...changes});
	return {...state, conversations};
}

/** Adds fetched messages to a conversation. Events may have added some of them already. */
export function addPage(state, key, {messages, ...ends}) {
	const known = state.conversations.get(key)?.messages ?? [];
	const changes = {messages: mergeMessages(known, messages), ...ends, isLoading: false, error: undefined};
	return settlePending(changeConversation(state, key, changes), messages);
}

/** The newest messages after a break. What is older stays only if nothing is missing between them. */
export function renewConversation(state, key, {messages, hasOlder}) {
	const before = state.conversations.get(key) ?? emptyConversation;
	const [first] = messages;
	const overlaps = first && !before.hasNewer && before.messages.some(({id}) => id >= first.id);
	const older = overlaps ? before.messages.filter(({id}) => id < first.id) : [];
	const ends = {hasOlder: older.length > 0 ? before.hasOlder : hasOlder, hasNewer: false};
	const changes = {messages: [...older, ...messages], ...ends, isLoading: false, error: undefined};
	return settlePending(changeConversation(state, key, changes), messages);
}

export function mergeMessages(known, messages) {
	const merged = new Map([...known, ...messages].map(message => [message.id, message]));
	return [...merged.values()].sort((a, b) => a.id - b.id);
}

/** Adds a new message. */
export function addMessage(state, message, localId) {
	const myId = state.me.user_id;
	let next = noteConversation(state, message);
	for (const key of keysOf(message, myId)) {
		const conversation = next.conversations.get(key);
		// With newer messages missing, it comes when they are fetched.
		const isNewer = !(conversation?.messages.at(-1)?.id >= message.id);
		if (conversation && !conversation.hasNewer && isNewer) {
			next = changeConversation(next, key, {messages: [...conversation.messages, message]});
		}
	}

	return settlePending(next, [{...message, localId}]);
}

/** Moves the message's conversation to the front of its list, if no newer message is known there. */
export function noteConversation(state, message) {
	const place = placeOf(message, state.me.user_id);
	if (place.kind === 'direct') {
		const lastId = Math.max(message.id, state.directs.get(keyOf(place))?.lastId ?? 0);
		return {...state, directs: new Map(state.directs).set(keyOf(place), {place, lastId})};
	}

	const before = state.topics.get(place.channelId) ?? [];
	const isSame = topic => topic.name.toLowerCase() === place.topic?.toLowerCase();
	const known = before.find(isSame);
	if (known?.max_id >= message.id) {
		return state;
	}

	const latest = {name: known?.name ?? place.topic, max_id: message.id};
	const topics = [latest, ...before.filter(topic => !isSame(topic))].sort((a, b) => b.max_id - a.max_id);
	return {...state, topics: new Map(state.topics).set(place.channelId, topics)};
}

export function addUnread(state, message) {
	const key = keyOf(placeOf(message, state.me.user_id));
	const before = state.unread.get(key) ?? [];
	return before.includes(message.id)
		? state
		: {...state, unread: new Map(state.unread).set(key, [...before, message.id])};
}

/** Keys with unread messages that a place shows. */
export function unreadKeys(state, place) {
	if (place.kind === 'search') {
		return [];
	}

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
