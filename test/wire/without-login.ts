// A call that brings no credentials.

import type {Realm} from '../../src/realm/index.js';
import {type RawAnswer, sendLines} from './raw-request.js';

export function getWithoutLogin(realm: Realm, path: string, headers: readonly string[] = []): Promise<RawAnswer> {
	return sendLines(realm.url, [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', '']);
}

export const NOT_LOGGED_IN = {
	status: '401 Unauthorized',
	json: {
		result: 'error',
		msg: 'Not logged in: API authentication or user session required',
		code: 'UNAUTHORIZED',
	},
};
