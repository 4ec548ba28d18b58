// Changes somebody's own flags on messages (service-facts.md 3.3, 5).

import {isSubscribed} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type Flag, flagBits, historicalFlags, readFlag} from './flags.js';
import {findReadable, type MessageRow} from './rows.js';

export interface FlagChange {
	readonly messageIds: readonly number[];
	readonly op: 'add' | 'remove';
	readonly flag: string;
}

export interface FlagOutcome {
	/** On how many messages the flag is another one now. */
	readonly updatedCount: number;
	/** Channels without the reader, where nothing can be unread. */
	readonly ignoredChannelIds: readonly number[];
}

const editable: readonly Flag[] = ['read', 'starred', 'collapsed'];

export function updateFlags(services: Services, reader: Account, {messageIds, op, flag}: FlagChange): FlagOutcome {
	const {store, queues} = services;
	const bit = flagBits([readEditable(flag)]);
	// All of them, or none is changed.
	const rows = [...new Set(messageIds)].map(id => findReadable(store, reader, id));
	const ignored = flag === 'read' && op === 'remove' ? rows.filter(row => isElsewhere(store, reader, row)) : [];
	const changed = rows
		.filter(row => !ignored.includes(row))
		.flatMap(row => {
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
	if (changed.length > 0) {
		const messages = changed.map(({id}) => id);
		queues.publishTo(reader.id, {type: 'update_message_flags', op, operation: op, flag, messages, all: false});
	}

	const channelIds = new Set(ignored.flatMap(row => row.channel_id ?? []));
	return {updatedCount: changed.length, ignoredChannelIds: [...channelIds].sort((a, b) => a - b)};
}

const FIRST_LEVEL_THAT_NAMES_IGNORED = 355;

/** What an answer says of the channels that were passed over. */
export function presentIgnored({featureLevel}: Services, channelIds: readonly number[]) {
	return featureLevel < FIRST_LEVEL_THAT_NAMES_IGNORED
		? {}
		: {ignored_because_not_subscribed_channels: [...channelIds]};
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
