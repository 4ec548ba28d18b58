// A channel with many subscribers.

import type {ExecutionContext} from 'ava';
import type {Realm} from '../../src/realm/index.js';
import {openRealm} from './raw-request.js';
import {changeDatabase, temporaryFile} from './scheduled-kit.js';

/** A realm in which `lunch` has so many subscribers, bots among them. */
export async function openCrowd(t: ExecutionContext, count: number): Promise<Realm> {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	for (let n = 5; n <= count; n += 1) {
		realm.ensureBot({name: `bot${n}`, fullName: `Bot ${n}`, payloadUrl: 'http://127.0.0.1:9/'});
	}

	// Four of the demo organization are there already.
	changeDatabase(
		file,
		`INSERT INTO all_subscriptions (user_id, channel_id, color)
			SELECT id, 2, '#fff' FROM accounts WHERE full_name LIKE 'Bot %' ORDER BY id LIMIT ${count - 4}`,
	);
	return realm;
}
