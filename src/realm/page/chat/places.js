// Places: a topic, a channel, or a direct conversation, and their form in the address.

/**
 * @typedef {{kind: string, channelId?: number, topic?: string, userIds?: number[]}} Place
 * A `topic` has `channelId` and `topic`, a `channel` has `channelId`, a `direct` conversation has `userIds`: the others
 * in ascending order, and oneself only in a conversation with oneself.
 */

/** The key of a conversation. Case does not matter in topics. */
export function keyOf(place) {
	if (place.kind === 'topic') {
		return `${topicPrefix(place.channelId)}${place.topic.toLowerCase()}`;
	}

	return place.kind === 'channel' ? `channel:${place.channelId}` : `direct:${place.userIds.join(',')}`;
}

export function topicPrefix(channelId) {
	return `topic:${channelId}:`;
}

/** @returns {Place} */
export function directPlace(ids, myId) {
	const others = [...new Set(ids)].filter(id => id !== myId).sort((a, b) => a - b);
	return {kind: 'direct', userIds: others.length > 0 ? others : [myId]};
}

/**
 * The narrowest place of a message.
 * @returns {Place}
 */
export function placeOf(message, myId) {
	if (message.type === 'stream') {
		return {kind: 'topic', channelId: message.stream_id, topic: message.subject};
	}

	return directPlace(
		message.display_recipient.map(person => person.id),
		myId,
	);
}

/** Keys of all places that show a message. */
export function keysOf(message, myId) {
	const place = placeOf(message, myId);
	return place.kind === 'topic' ? [keyOf(place), keyOf({...place, kind: 'channel'})] : [keyOf(place)];
}

export function narrowOf(place) {
	if (place.kind === 'direct') {
		return [{operator: 'dm', operand: place.userIds}];
	}

	// Every feature level has this word.
	const channel = {operator: 'stream', operand: place.channelId};
	return place.kind === 'topic' ? [channel, {operator: 'topic', operand: place.topic}] : [channel];
}

export function hashOf(place, channels) {
	if (place.kind === 'direct') {
		return `#dm/${place.userIds.join(',')}`;
	}

	const name = channels.find(channel => channel.stream_id === place.channelId)?.name ?? '';
	const base = `#channel/${encodeURIComponent(name)}`;
	return place.kind === 'topic' ? `${base}/${encodeURIComponent(place.topic)}` : base;
}

/** @returns {Place | undefined} nothing when the address names no place that this person knows */
export function placeFromHash(hash, {channels, users, me}) {
	const [kind, ...parts] = hash.replace(/^#/, '').split('/');
	if (kind === 'dm') {
		const ids = (parts[0] ?? '').split(',').map(Number);
		return ids.every(id => users.has(id)) ? directPlace(ids, me.user_id) : undefined;
	}

	const read = kind === 'narrow' ? readNarrow(parts) : kind === 'channel' && readChannel(parts);
	const channel = read && channels.find(read.isChannel);
	if (!channel) {
		return undefined;
	}

	const channelId = channel.stream_id;
	return read.topic === undefined ? {kind: 'channel', channelId} : {kind: 'topic', channelId, topic: read.topic};
}

function readChannel(parts) {
	const [name, topic] = parts.map(decode);
	return {isChannel: channel => channel.name.toLowerCase() === name?.toLowerCase(), topic};
}

/** Links in messages, as the service writes them: `#narrow/channel/7-general/topic/free.20lunch`. */
function readNarrow([, channel = '', , topic]) {
	const id = Number.parseInt(channel, 10);
	return {isChannel: one => one.stream_id === id, topic: topic && decode(topic.replaceAll('.', '%'))};
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
