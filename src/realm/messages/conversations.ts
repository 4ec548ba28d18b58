// A conversation is a channel or a set of people; each has one recipient ID.

import type {Store} from '../store/store.js';

export function channelRecipientId(store: Store, channelId: number): number {
	const row = store.get<{id: number}>('SELECT id FROM recipients WHERE channel_id = ?', channelId);
	return row?.id ?? store.run('INSERT INTO recipients (channel_id) VALUES (?)', channelId);
}

/** `memberIds` has all members, including the sender. */
export function directRecipientId(store: Store, memberIds: readonly number[]): number {
	const key = memberKey(memberIds);
	const row = store.get<{id: number}>('SELECT id FROM recipients WHERE member_ids = ?', key);
	return row?.id ?? store.run('INSERT INTO recipients (member_ids) VALUES (?)', key);
}

/** The normal form: the same set gives the same text. */
export function memberKey(memberIds: readonly number[]): string {
	return [...new Set(memberIds)].sort((a, b) => a - b).join(',');
}

export function memberIdsOf(key: string): number[] {
	return key.split(',').map(Number);
}
