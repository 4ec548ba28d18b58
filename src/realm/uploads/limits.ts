// How much may be uploaded: less than a real server takes, for all of it stands in the realm's one file.

import {badRequest, RealmError} from '../errors.js';

export const MAX_UPLOAD_MIB = 10;
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MIB * 1024 * 1024;

/** For all uploads of the organization together. */
export const QUOTA_BYTES = 5 * MAX_UPLOAD_BYTES;

export function uploadTooLarge(): RealmError {
	return badRequest(`Uploaded file is larger than the allowed limit of ${MAX_UPLOAD_MIB} MiB`);
}

export function quotaExceeded(): RealmError {
	return new RealmError("Upload would exceed your organization's upload quota.", 'REALM_UPLOAD_QUOTA');
}
