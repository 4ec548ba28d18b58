// Emoji that people uploaded to the organization.

import type {Store} from '../store/store.js';

export interface CustomEmojiRow {
	readonly id: number;
	readonly name: string;
	readonly author_id: number;
	readonly deactivated: 0 | 1;
	/** Below `/user_avatars/`. */
	readonly path: string;
}

const columns = 'id, name, author_id, deactivated, path';

export function findCustomEmoji(store: Store, name: string): CustomEmojiRow | undefined {
	return store.get<CustomEmojiRow>(`SELECT ${columns} FROM custom_emoji WHERE name = ? AND NOT deactivated`, name);
}

export function findCustomEmojiById(store: Store, id: string): CustomEmojiRow | undefined {
	return store.get<CustomEmojiRow>(`SELECT ${columns} FROM custom_emoji WHERE id = ?`, id);
}

/** Where its picture is. */
export function pathOfCustomEmoji(store: Store, id: string): string {
	return `/user_avatars/${findCustomEmojiById(store, id)?.path ?? ''}`;
}
