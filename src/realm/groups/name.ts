import {badRequest} from '../errors.js';
import {findGroupByName} from '../people/groups.js';
import type {Store} from '../store/store.js';

const MAX_LENGTH = 100;

/** Prefixes of system groups, and names that would look like another kind of mention. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** The name as it is stored. Throws if no group may have it. */
export function readGroupName(text: string): string {
	const name = text.trim();
	if (name === '') {
		throw badRequest("User group name can't be empty!");
	}

	if ([...name].length > MAX_LENGTH) {
		throw badRequest(`User group name cannot exceed ${MAX_LENGTH} characters.`);
	}

	const prefix = reserved.find(each => name.startsWith(each));
	if (prefix !== undefined) {
		throw badRequest(`User group name cannot start with '${prefix}'.`);
	}

	return name;
}

/** Throws if another group has the name, in any case. */
export function checkFree(store: Store, name: string, ownId?: number): void {
	const other = findGroupByName(store, name);
	if (other && other.id !== ownId) {
		throw badRequest(`User group '${name}' already exists.`);
	}
}
