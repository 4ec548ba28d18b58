import {join} from 'node:path';
import test from 'ava';
import {createAccount, Role} from '../../src/realm/people/accounts.js';
import {openStore} from '../../src/realm/store/store.js';
import {dataFolder} from '../helpers/bothy.js';
import {openRealm, signIn} from './realm-kit.js';

test('whoever is invisible may ping and leaves no trace', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(realm, 'alice'), await signIn(realm, 'gus')];
	await alice.patch('/settings', {presence_enabled: false});

	const ping = await alice.post('/users/me/presence', {status: 'active', ping_only: true, new_user_input: true});
	await gus.post('/users/me/presence', {status: 'active', ping_only: true, new_user_input: true});
	const {body} = await gus.get('/realm/presence');

	t.is(ping.status, 200);
	t.deepEqual(Object.keys(body.presences), ['gus@bothy.example']);
	t.is((await gus.get('/users/4/presence')).body.msg, 'No presence data for 4');
	const response = await fetch(`${realm.url}/trouble/activity`);
	// What the realm's own statistics hold.
	const {activity} = (await response.json()) as {activity: Array<{user_id: number}>};
	t.deepEqual(
		activity.map(each => each.user_id),
		[7],
	);
});

test('whoever turns invisible is seen as gone at once, until they are visible and here again', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(realm, 'alice'), await signIn(realm, 'gus')];
	const {body: queue} = await gus.post('/register', {event_types: ['presence']});
	const ping = () => alice.post('/users/me/presence', {status: 'active', ping_only: true});
	const seen = async () => (await gus.get('/users/4/presence')).body.presence.aggregated.status;
	await ping();
	t.is(await seen(), 'active');

	await alice.patch('/settings', {presence_enabled: false});
	await ping();
	t.is(await seen(), 'offline');

	await alice.patch('/settings', {presence_enabled: true});
	await ping();
	t.is(await seen(), 'active');
	const {body} = await gus.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});
	t.deepEqual(
		body.events.map((event: {user_id: number}) => event.user_id),
		[4, 4, 4],
	);
});

test('in an organization of more than 100 nobody is told that somebody came', async t => {
	const folder = await dataFolder(t);
	const file = join(folder, 'realm.db');
	const realm = await openRealm(t, {file});
	const alice = await signIn(realm, 'alice');
	const {body: queue} = await alice.post('/register', {event_types: ['presence']});
	const store = openStore(file);
	for (let n = 0; n < 100; n += 1) {
		createAccount(store, {email: `${n}@bothy.example`, full_name: `${n}`, role: Role.member, date_joined: 1});
	}

	store.close();
	await alice.post('/users/me/presence', {status: 'active', ping_only: true});
	const {body} = await alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});

	t.deepEqual(body.events, []);
});
