// Private channels whose history newcomers do not see: people and bots alike.

import {join} from 'node:path';
import test from 'ava';
import {insertSubscription} from '../../src/realm/channels/channels.js';
import {startRealm} from '../../src/realm/index.js';
import {openStore} from '../../src/realm/store/store.js';
import {dataFolder} from '../helpers/bothy.js';
import {type Caller, callAs, openRealm, signIn} from './realm-kit.js';

const echo = {name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'};

test('of a channel with protected history newcomers and bots see the topics since they came', async t => {
	const file = join(await dataFolder(t), 'realm.db');
	const before = await startRealm({file, port: 0});
	const staff = await findStaff(await signIn(before, 'mona'));
	const {email, key} = before.ensureBot(echo);
	await (await signIn(before, 'mona')).say({channel: 'staff', topic: 'old'}, 'x');
	const refusal = await callAs(before, email, key).get(`/users/me/${staff}/topics`);
	const alice = (await (await signIn(before, 'alice')).get('/users/me')).body.user_id as number;
	const bot = (await callAs(before, email, key).get('/users/me')).body.user_id as number;
	await before.close();
	const store = openStore(file);
	insertSubscription(store, alice, staff);
	insertSubscription(store, bot, staff);
	store.close();

	const realm = await openRealm(t, {file});
	const mona = await signIn(realm, 'mona');
	await mona.say({channel: 'staff', topic: 'new'}, 'x');

	t.like(refusal, {status: 400, body: {msg: 'Invalid channel ID', code: 'BAD_REQUEST'}});
	t.deepEqual(await topicsOf(mona, staff), ['new', 'old']);
	t.deepEqual(await topicsOf(await signIn(realm, 'alice'), staff), ['new']);
	t.deepEqual(await topicsOf(callAs(realm, email, key), staff), ['new']);
});

async function findStaff(caller: Caller): Promise<number> {
	const {body} = await caller.get('/get_stream_id', {stream: 'staff'});
	return body.stream_id;
}

async function topicsOf(caller: Caller, channel: number): Promise<string[]> {
	const {body} = await caller.get(`/users/me/${channel}/topics`);
	return body.topics.map(({name}: {name: string}) => name);
}
