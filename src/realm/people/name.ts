// Checks the name of a person (service-facts.md 6.11).

import {badRequest} from '../errors.js';

const MAX_NAME_LENGTH = 100;

/** Throws if a trimmed name could not be mentioned. */
export function checkName(name: string): void {
	if (name === '') {
		throw badRequest('Name too short!');
	}

	if ([...name].length > MAX_NAME_LENGTH) {
		throw badRequest('Name too long!');
	}

	if (/[*`\\>"@\p{C}]/u.test(name)) {
		throw badRequest('Invalid characters in name!');
	}

	// If a name is ambiguous, mentions are written as `Name|ID`.
	if (/\|\d+$/.test(name)) {
		throw badRequest('Invalid format!');
	}
}
