// Places: a topic, a channel, a direct conversation, or the results of a search, and their form in the address.

/**
 * @typedef {{kind: string, channelId?: number, topic?: string, userIds?: number[], query?: string}} Place
 * A `topic` has `channelId` and `topic`, a `channel` has `channelId`, a `search` has `query`. A `direct` conversation has
 * `userIds`: the others in ascending order, and oneself only in a conversation with oneself.
 */

/** The key of a conversation. Case does not matter in topics. */
export function keyOf(place) {
	if (place.kind === 'topic') {
		return `${topicPrefix(place.channelId)}${place.topic.toLowerCase()}`;
	}

	if (place.kind === 'search') {
		return `search:${place.query}`;
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

	if (place.kind === 'search') {
		return [{operator: 'search', operand: place.query}];
	}

	return narrowOfChannel(place.channelId, place.topic);
}

/** @param channel its ID or its name */
function narrowOfChannel(channel, topic) {
	// Every feature level has this word.
	const terms = [{operator: 'stream', operand: channel}];
	return topic === undefined ? terms : [...terms, {operator: 'topic', operand: topic}];
}

export function hashOf(place, channels) {
	if (place.kind === 'direct') {
		return `#dm/${place.userIds.join(',')}`;
	}

	if (place.kind === 'search') {
		return `#search/${encodeURIComponent(place.query)}`;
	}

	const name = channels.find(channel => channel.stream_id === place.channelId)?.name ?? '';
	const base = `#channel/${encodeURIComponent(name)}`;
	return place.kind === 'topic' ? `${base}/${encodeURIComponent(place.topic)}` : base;
}

/** A link to one message, as the service writes it. */
export function hashOfMessage(message, state) {
	const {user_id: myId} = state.me;
	const place = placeOf(message, myId);
	if (place.userIds) {
		return `#narrow/dm/${[...new Set([...place.userIds, myId])].join(',')}/near/${message.id}`;
	}

	const name = state.channels.find(channel => channel.stream_id === place.channelId)?.name ?? '';
	const slug = `${place.channelId}-${name.replaceAll(' ', '-')}`;
	return `#narrow/channel/${encode(slug)}/topic/${encode(place.topic)}/near/${message.id}`;
}

/** The address of the same conversation for somebody else who takes part in it. */
export function hashForOthers(place, state) {
	const everybody = place.kind === 'direct' ? {...place, userIds: [...place.userIds, state.me.user_id]} : place;
	return hashOf(everybody, state.channels);
}

/** @returns {Place | undefined} nothing when the address names no place that this person knows */
export function placeFromHash(hash, {channels, users, me}) {
	const said = readHash(hash);
	if (said?.userIds) {
		return said.userIds.every(id => users.has(id)) ? directPlace(said.userIds, me.user_id) : undefined;
	}

	if (said?.query !== undefined) {
		return {kind: 'search', query: said.query};
	}

	if (!said) {
		return undefined;
	}

	const isSaid = ({stream_id: id, name}) =>
		typeof said.channel === 'number' ? id === said.channel : name.toLowerCase() === said.channel?.toLowerCase();
	const channel = channels.find(isSaid);
	if (!channel) {
		return undefined;
	}

	const channelId = channel.stream_id;
	return said.topic === undefined ? {kind: 'channel', channelId} : {kind: 'topic', channelId, topic: said.topic};
}

/** The same as `narrowOf`, before people and channels are known. */
export function narrowFromHash(hash) {
	const said = readHash(hash);
	if (!said) {
		return undefined;
	}

	return said.channel === undefined
		? narrowOf({...said, kind: said.userIds ? 'direct' : 'search'})
		: narrowOfChannel(said.channel, said.topic);
}

/** The message that the address names. */
export function nearFromHash(hash) {
	const [, id] = /^#narrow\/.*\/(?:near|with)\/(\d+)$/.exec(hash) ?? [];
	return id && Number(id);
}

/** @returns {{channel?: string | number, topic?: string, userIds?: number[], query?: string} | undefined} */
function readHash(hash) {
	const [kind, ...parts] = hash.replace(/^#/, '').split('/');
	if (kind === 'narrow') {
		return readNarrow(parts);
	}

	const [first, second] = parts.map(decode);
	if (first === undefined) {
		return undefined;
	}

	const said = {
		dm: {userIds: first.split(',').map(Number)},
		search: {query: first},
		channel: {channel: first, topic: second},
	};
	return said[kind];
}

/** Links in messages, as the service writes them: `#narrow/channel/7-general/topic/free.20lunch`. */
function readNarrow([kind, operand = '', , topic]) {
	if (kind === 'dm' || kind === 'pm-with') {
		return {userIds: operand.replace(/-.*/, '').split(',').map(Number)};
	}

	const channel = Number.parseInt(operand, 10);
	return Number.isNaN(channel) ? undefined : {channel, topic: topic && decode(topic.replaceAll('.', '%'))};
}

/** As the service encodes parts of an address. */
function encode(text) {
	return encodeURIComponent(text)
		.replaceAll('.', '%2E')
		.replaceAll('%', '.')
		.replace(/[()]/g, sign => (sign === '(' ? '.28' : '.29'));
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
