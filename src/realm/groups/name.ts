import {badRequest} from '../errors.js';
import {findGroupByName} from '../people/groups.js';
import type {Store} from '../store/store.js';

const MAX_LENGTH = 100;

/** What system groups begin with, and what would read as another kind of mention. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** The name as it is kept; refuses one that no group may have, or that another has. Case does not matter. */
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
