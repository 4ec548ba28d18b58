// Private channels whose history newcomers do not see: people and bots alike.

import test from 'ava';
import {type Caller, callAs, openRealm, signIn} from './realm-kit.js';

test('of a channel with protected history newcomers and generic bots see the topics since they came', async t => {
	const realm = await openRealm(t);
	const [mona, alice] = [await signIn(realm, 'mona'), await signIn(realm, 'alice')];
	const echo = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const outgoing = callAs(realm, echo.email, echo.key);
	const made = await alice.post('/bots', {full_name: 'Genny', short_name: 'genny', bot_type: 1});
	const generic = callAs(realm, 'genny-bot@bothy.example', made.body.api_key);
	const staff = await findStaff(mona);
	await mona.say({channel: 'staff', topic: 'old'}, 'x');
	const refusal = await generic.get(`/users/me/${staff}/topics`);

	await mona.post('/users/me/subscriptions', {
		subscriptions: [{name: 'staff'}],
		principals: ['alice@bothy.example', generic.email, outgoing.email],
	});
	await mona.say({channel: 'staff', topic: 'new'}, 'x');

	t.like(refusal, {status: 400, body: {msg: 'Invalid channel ID', code: 'BAD_REQUEST'}});
	t.deepEqual(await topicsOf(mona, staff), ['new', 'old']);
	t.deepEqual(await topicsOf(alice, staff), ['new']);
	t.deepEqual(await topicsOf(generic, staff), ['new']);
	t.deepEqual(await topicsOf(outgoing, staff), [], 'the service keeps no rows for it');
});

async function findStaff(caller: Caller): Promise<number> {
	const {body} = await caller.get('/get_stream_id', {stream: 'staff'});
	return body.stream_id;
}

async function topicsOf(caller: Caller, channel: number): Promise<string[]> {
	const {body} = await caller.get(`/users/me/${channel}/topics`);
	return body.topics.map(({name}: {name: string}) => name);
}
