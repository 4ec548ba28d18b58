// A bot that Alice makes for herself.

import type {Realm} from '../../src/realm/index.js';
import {at, type Caller, callerOf} from './raw-request.js';

export const MINE = 'full_name=Tea+Bot&short_name=tea';

export async function makeBot(realm: Realm, owner: Caller, more = ''): Promise<Caller> {
	const {json} = await owner.post('/api/v1/bots', `${MINE}${more}`);
	return callerOf(realm.url, {
		email: 'tea-bot@bothy.example',
		key: String(at(json, 'api_key')),
		userId: Number(at(json, 'user_id')),
	});
}
