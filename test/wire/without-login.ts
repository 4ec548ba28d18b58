// A call that brings no credentials.

import type {Realm} from '../../src/realm/index.js';
import {type RawAnswer, sendRequest} from './raw-request.js';

export {NOT_LOGGED_IN} from './raw-request.js';

export function getWithoutLogin(realm: Realm, path: string, headers: readonly string[] = []): Promise<RawAnswer> {
	return sendRequest(realm.url, `GET ${path}`, headers);
}
