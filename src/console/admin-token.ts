// What operators sign in with.

import {ConfigError} from '../config/error.js';
import type {Settings} from '../config/settings.js';

/** Shorter tokens can be guessed. */
const SHORTEST_TOKEN = 16;

/** @throws ConfigError if ADMIN_TOKEN is missing or too short. */
export function needToken({ADMIN_TOKEN: token}: Settings): string {
	if (token.length < SHORTEST_TOKEN) {
		const found = token === '' ? 'none' : `${token.length}`;
		throw new ConfigError(
			`ADMIN_TOKEN: expected at least ${SHORTEST_TOKEN} characters, found ${found}. Operators sign in to the console with it. ` +
				'Make one with `openssl rand -base64 24`, and set ADMIN_TOKEN, or ADMIN_TOKEN_FILE to the path of a file with it.',
		);
	}

	return token;
}
