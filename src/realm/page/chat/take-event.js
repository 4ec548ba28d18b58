// What an event of the realm changes. `takeEvent` takes a state and an event, and returns the next state.

import {directPlace, keyOf, keysOf} from './places.js';
import {mergeMessages} from './state.js';

/** Event types of which only what this file does matters. */
const takers = {
	update_message: takeUpdate,
	delete_message: takeDeletion,
	reaction: takeReaction,
	typing: takeTyping,
	presence: takePresence,
	user_status: takeStatus,
	drafts: takeDrafts,
	scheduled_messages: takeScheduled,
};

export function takeEvent(state, event) {
	return takers[event.type]?.(state, event) ?? state;
}

/** Whether a message went to another topic or channel. */
export function isMove(event) {
	return event.type === 'update_message' && (event.subject !== undefined || event.new_stream_id !== undefined);
}

function takeUpdate(state, event) {
	const {message_id: id, rendered_content: content, is_me_message, edit_timestamp, flags} = event;
	const text =
		content === undefined
			? {}
			: {content, is_me_message, last_edit_timestamp: edit_timestamp, flags, match_content: undefined};
	const next = changeMessages(state, new Set([id]), message => ({...message, ...text}));
	return isMove(event) ? move(next, event) : next;
}

function move(state, {message_ids, subject, new_stream_id: channelId}) {
	const ids = new Set(message_ids);
	const known = new Map();
	for (const {messages} of state.conversations.values()) {
		for (const message of messages.filter(({id}) => ids.has(id))) {
			const place = {subject: subject ?? message.subject, stream_id: channelId ?? message.stream_id};
			known.set(message.id, {...message, ...place});
		}
	}

	const conversations = new Map(withoutMessages(state, ids).conversations);
	for (const message of known.values()) {
		for (const key of keysOf(message, state.me.user_id)) {
			const conversation = conversations.get(key);
			if (conversation) {
				conversations.set(key, {...conversation, messages: mergeMessages(conversation.messages, [message])});
			}
		}
	}

	return {...state, conversations};
}

function takeDeletion(state, {message_id: id, message_ids: ids = [id]}) {
	return withoutMessages(state, new Set(ids));
}

function withoutMessages(state, ids) {
	const conversations = mapValues(state.conversations, conversation => {
		const messages = conversation.messages.filter(({id}) => !ids.has(id));
		return messages.length === conversation.messages.length ? conversation : {...conversation, messages};
	});
	const unread = mapValues(state.unread, list => list.filter(id => !ids.has(id)));
	return {...state, conversations, unread: new Map([...unread].filter(([, list]) => list.length > 0))};
}

function takeReaction(state, event) {
	const {op, message_id: id, user_id, emoji_name, emoji_code, reaction_type} = event;
	const isSame = one => one.user_id === user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type;
	return changeMessages(state, new Set([id]), message => {
		const others = message.reactions.filter(one => !isSame(one));
		const reaction = {user_id, emoji_name, emoji_code, reaction_type};
		return {...message, reactions: op === 'add' ? [...others, reaction] : others};
	});
}

/** Who types where: conversation key → IDs of people. */
function takeTyping(state, {op, sender, ...event}) {
	const {user_id: myId} = state.me;
	if (sender.user_id === myId) {
		return state;
	}

	const place =
		event.message_type === 'stream'
			? {kind: 'topic', channelId: event.stream_id, topic: event.topic}
			: directPlace(
					event.recipients.map(person => person.user_id),
					myId,
				);
	return op === 'start' ? startTyping(state, keyOf(place), sender.user_id) : stopTyping(state, sender.user_id);
}

function startTyping(state, key, userId) {
	const before = state.typing.get(key) ?? [];
	return before.includes(userId) ? state : {...state, typing: new Map(state.typing).set(key, [...before, userId])};
}

export function stopTyping(state, userId) {
	if (![...state.typing.values()].some(ids => ids.includes(userId))) {
		return state;
	}

	const left = mapValues(state.typing, ids => ids.filter(id => id !== userId));
	return {...state, typing: new Map([...left].filter(([, ids]) => ids.length > 0))};
}

function takePresence(state, {user_id: id, presence}) {
	const sites = Object.values(presence ?? {});
	const isActive = sites.some(({status}) => status === 'active');
	const present = new Set(state.present);
	present[isActive ? 'add' : 'delete'](id);
	return {...state, present};
}

function takeStatus(state, {user_id: id, status_text: text, emoji_code: code, reaction_type: type, emoji_name: name}) {
	const before = state.statuses.get(id) ?? {};
	const emoji = code === undefined ? {} : {emoji_code: code, reaction_type: type, emoji_name: name};
	const status = {...before, ...(text === undefined ? {} : {status_text: text}), ...emoji};
	return {...state, statuses: new Map(state.statuses).set(id, status)};
}

function takeDrafts(state, {op, drafts = [], draft, draft_id: id}) {
	const changed = op === 'add' ? drafts : op === 'update' ? [draft] : [];
	const gone = new Set(op === 'remove' ? [id] : changed.map(one => one.id));
	return {...state, drafts: [...state.drafts.filter(one => !gone.has(one.id)), ...changed]};
}

function takeScheduled(state, {op, scheduled_messages: added = [], scheduled_message: one, scheduled_message_id: id}) {
	const changed = op === 'add' ? added : op === 'update' ? [one] : [];
	const gone = new Set(op === 'remove' ? [id] : changed.map(each => each.scheduled_message_id));
	const scheduled = [...state.scheduled.filter(each => !gone.has(each.scheduled_message_id)), ...changed];
	return {
		...state,
		scheduled: scheduled.sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp),
	};
}

function changeMessages(state, ids, change) {
	const conversations = mapValues(state.conversations, conversation =>
		conversation.messages.some(({id}) => ids.has(id))
			? {...conversation, messages: conversation.messages.map(one => (ids.has(one.id) ? change(one) : one))}
			: conversation,
	);
	return {...state, conversations};
}

function mapValues(map, change) {
	return new Map([...map].map(([key, value]) => [key, change(value)]));
}
