// Checks the privacy of a channel: which properties go together, and who may set them.

import {badRequest} from '../errors.js';
import {type Account, isGuest, Role} from '../people/accounts.js';

export interface Privacy {
	readonly isPrivate: boolean;
	readonly isWebPublic: boolean;
	readonly isHistoryPublic: boolean;
	readonly isDefault: boolean;
}

export function checkPrivacy({isPrivate, isWebPublic, isHistoryPublic, isDefault}: Privacy): void {
	if ((isWebPublic || !isPrivate) && !isHistoryPublic) {
		throw badRequest('Invalid parameters');
	}

	if (isWebPublic && isPrivate) {
		throw badRequest('Invalid parameters');
	}

	if (isDefault && isPrivate) {
		throw badRequest('A default channel cannot be private.');
	}
}

/** Members may make a channel public, owners also web-public. */
export function checkMayOpen(caller: Account, {isWebPublic}: {readonly isWebPublic: boolean}): void {
	if (isGuest(caller) || (isWebPublic && caller.role !== Role.owner)) {
		throw badRequest('Insufficient permission');
	}
}
