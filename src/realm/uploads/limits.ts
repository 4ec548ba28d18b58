// Limits for uploads. They are lower than a real server's, because all uploads are in the realm's one database file.

import {badRequest, RealmError} from '../errors.js';
import type {Store} from '../store/store.js';

export const MAX_UPLOAD_MIB = 10;
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MIB * 1024 * 1024;

/** Limit for all uploads of the organization together. */
const QUOTA_BYTES = 5 * MAX_UPLOAD_BYTES;

export function uploadTooLarge(): RealmError {
	return badRequest(`Uploaded file is larger than the allowed limit of ${MAX_UPLOAD_MIB} MiB`);
}

/** The size of all uploads of people. Emoji count only towards the quota. */
export function usedBytes(store: Store): number {
	return store.get<{used: number}>('SELECT coalesce(sum(size), 0) AS used FROM uploads')?.used ?? 0;
}

export function checkQuota(store: Store, bytes: number): void {
	const emoji =
		store.get<{used: number}>('SELECT coalesce(sum(length(bytes)), 0) AS used FROM custom_emoji')?.used ?? 0;
	if (usedBytes(store) + emoji + bytes > QUOTA_BYTES) {
		throw new RealmError("Upload would exceed your organization's upload quota.", 'REALM_UPLOAD_QUOTA');
	}
}
