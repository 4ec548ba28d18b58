// Custom emoji: those that people uploaded to the organization.

import type {Store} from '../store/store.js';

/** Path of the pictures. Anybody may read them. */
export const PICTURES = '/user_avatars/';

export interface CustomEmojiRow {
	readonly id: number;
	readonly name: string;
	readonly author_id: number;
	readonly deactivated: 0 | 1;
	/** Path below `/user_avatars/`. */
	readonly path: string;
}

export const columns = 'id, name, author_id, deactivated, path';

export function findCustomEmoji(store: Store, name: string): CustomEmojiRow | undefined {
	return store.get<CustomEmojiRow>(`SELECT ${columns} FROM custom_emoji WHERE name = ? AND NOT deactivated`, name);
}

export function findCustomEmojiById(store: Store, id: string): CustomEmojiRow | undefined {
	return store.get<CustomEmojiRow>(`SELECT ${columns} FROM custom_emoji WHERE id = ?`, id);
}

/** Path of its picture. */
export function pathOfCustomEmoji(store: Store, id: string): string {
	return `${PICTURES}${findCustomEmojiById(store, id)?.path ?? ''}`;
}

export function findPicture(store: Store, path: string): {type: string; bytes: Uint8Array} | undefined {
	return store.get('SELECT type, bytes FROM custom_emoji WHERE path = ?', path);
}
