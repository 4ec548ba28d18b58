import {badRequest} from '../errors.js';
import {findGroupByName} from '../people/groups.js';
import type {Store} from '../store/store.js';

const MAX_LENGTH = 100;

/** Prefixes of system groups, and names that would look like another kind of mention. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** The name as it is stored. Throws if a group may not have it, or if another group has it in any case. */
export function checkGroupName(store: Store, text: string, ownId?: number): string {
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

	const other = findGroupByName(store, name);
	if (other && other.id !== ownId) {
		throw badRequest(`User group '${name}' already exists.`);
	}

	return name;
}
