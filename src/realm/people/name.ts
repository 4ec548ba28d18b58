// What a person may be called (service-facts.md 6.11).

import {badRequest} from '../errors.js';

const MAX_NAME_LENGTH = 100;

/** Refuses a name, already trimmed, that could not be mentioned. */
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

	// Mentions write `Name|ID` where a name is ambiguous.
	if (/\|\d+$/.test(name)) {
		throw badRequest('Invalid format!');
	}
}
