// Changes a person's own flags on messages (service-facts.md 3.3, 5).

import {findChannel, isMuted, isSubscribed} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {Policy} from '../topics/policy.js';
import {topicPolicy} from '../topics/user-topics.js';
import {memberIdsOf} from './conversations.js';
import {type Flag, flagBits, historicalFlags, readFlag} from './flags.js';
import {findReadable, type MessageRow, selectMessages} from './rows.js';

export interface FlagChange {
	readonly messageIds: readonly number[];
	/** `add` or `remove`; everything else is refused. */
	readonly op: string | undefined;
	readonly flag: string;
}

export interface FlagOutcome {
	/** How many messages have changed. */
	readonly updatedCount: number;
	/** Channels that the reader is not subscribed to, where nothing can be unread. */
	readonly ignoredChannelIds: readonly number[];
}

const editable: readonly Flag[] = ['read', 'starred', 'collapsed'];

export function updateFlags(services: Services, reader: Account, {messageIds, op, flag}: FlagChange): FlagOutcome {
	const {store, queues} = services;
	const bit = flagBits([readEditable(flag)]);
	if (op !== 'add' && op !== 'remove') {
		throw badRequest(`Invalid message flag operation: '${op}'`);
	}

	const isReading = flag === 'read' && op === 'add';
	// Changes all or none. A message that the reader never received cannot be unread.
	const rows = [...new Set(messageIds)].flatMap(id =>
		isReading ? findReceived(store, reader, id) : [findReadable(store, reader, id)],
	);
	const ignored = flag === 'read' && op === 'remove' ? rows.filter(row => isElsewhere(store, reader, row)) : [];
	const concerned = rows.filter(row => !ignored.includes(row));
	const changed = concerned.flatMap(row => {
		const before = row.flags ?? historicalFlags;
		const after = op === 'add' ? before | bit : before & ~bit;
		return after === before ? [] : [{id: row.id, flags: after}];
	});
	store.transaction(() => {
		for (const {id, flags} of changed) {
			const sql = 'INSERT OR REPLACE INTO user_messages (user_id, message_id, flags) VALUES (?, ?, ?)';
			store.run(sql, reader.id, id, flags);
		}
	});
	if (messageIds.length > 0) {
		const messages = changed.map(({id}) => id);
		const details = flag === 'read' &&
			op === 'remove' && {
				message_details: unreadDetails(
					store,
					reader,
					concerned.filter(({id}) => messages.includes(id)),
				),
			};
		queues.publishTo(reader.id, {
			type: 'update_message_flags',
			op,
			operation: op,
			flag,
			messages,
			all: false,
			...details,
		});
	}

	const channelIds = new Set(ignored.flatMap(row => row.channel_id ?? []));
	return {updatedCount: changed.length, ignoredChannelIds: [...channelIds].sort((a, b) => a - b)};
}

const FIRST_LEVEL_THAT_NAMES_IGNORED = 355;

/** The answer's list of skipped channels. */
export function presentIgnored({featureLevel}: Services, channelIds: readonly number[]) {
	return featureLevel < FIRST_LEVEL_THAT_NAMES_IGNORED
		? {}
		: {ignored_because_not_subscribed_channels: [...channelIds]};
}

/** The data that a client needs to count messages that became unread, by ID. */
function unreadDetails(store: Store, reader: Account, rows: readonly MessageRow[]) {
	const mentions = flagBits(['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']);
	return Object.fromEntries(
		rows.map(({id, channel_id, topic, member_ids, flags}) => {
			const isMentioned = ((flags ?? 0) & mentions) !== 0 && {mentioned: true};
			if (channel_id === null) {
				const others = memberIdsOf(member_ids ?? '').filter(each => each !== reader.id);
				return [id, {type: 'private', user_ids: others, ...isMentioned}];
			}

			const isUnmuted = !isMutedFor(store, reader, {channelId: channel_id, topic});
			return [id, {type: 'stream', stream_id: channel_id, topic, unmuted_stream_msg: isUnmuted, ...isMentioned}];
		}),
	);
}

function isMutedFor(store: Store, {id}: Account, {channelId, topic}: {channelId: number; topic: string}): boolean {
	const channel = findChannel(store, channelId);
	const policy = channel ? topicPolicy(store, {id}, {channel, topic}) : Policy.none;
	return policy === Policy.none ? isMuted(store, id, channelId) : policy === Policy.muted;
}

function findReceived(store: Store, reader: Account, id: number): MessageRow[] {
	const conditions = [{sql: 'm.id = ? AND um.user_id IS NOT NULL', values: [id]}];
	return selectMessages(store, reader, {conditions, limit: 1});
}

function readEditable(name: string): Flag {
	const flag = readFlag(name);
	if (!flag) {
		throw badRequest(`Invalid flag: '${name}'`);
	}

	if (!editable.includes(flag)) {
		throw badRequest(`Flag not editable: '${name}'`);
	}

	return flag;
}

function isElsewhere(store: Store, reader: Account, {channel_id}: MessageRow): boolean {
	return channel_id !== null && !isSubscribed(store, reader.id, channel_id);
}
