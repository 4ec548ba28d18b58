import test from 'ava';
import {createAccount, Role} from '../../src/realm/people/accounts.js';
import {readActivity} from '../../src/realm/people/presence.js';
import {listen, openChat} from './realm-kit.js';

const here = {status: 'active', ping_only: true, new_user_input: true};

test('whoever is invisible may ping and leaves no trace', async t => {
	const {realm, alice, gus} = await openChat(t);
	await alice.patch('/settings', {presence_enabled: false});

	const ping = await alice.post('/users/me/presence', here);
	await gus.post('/users/me/presence', here);

	t.is(ping.status, 200);
	t.deepEqual(Object.keys((await gus.get('/realm/presence')).body.presences), ['gus@bothy.example']);
	t.is((await gus.get('/users/4/presence')).body.msg, 'No presence data for 4');
	// What the realm's own statistics hold.
	t.deepEqual(
		readActivity(realm.services.store).map(each => each.user_id),
		[7],
	);
});

test('whoever turns invisible is seen as gone at once, until they are visible and here again', async t => {
	const {alice, gus} = await openChat(t);
	const queue = await listen(gus, {event_types: ['presence']});
	const seen = [];
	for (const isVisible of [true, false, true]) {
		await alice.patch('/settings', {presence_enabled: isVisible});
		await alice.post('/users/me/presence', here);
		seen.push((await gus.get('/users/4/presence')).body.presence.aggregated.status);
	}

	t.deepEqual(seen, ['active', 'offline', 'active']);
	t.deepEqual(
		(await queue.events()).map(event => event.user_id),
		[4, 4, 4],
	);
});

test('in an organization of more than 100 nobody is told that somebody came', async t => {
	const {realm, alice} = await openChat(t);
	const queue = await listen(alice, {event_types: ['presence']});
	for (let n = 0; n < 100; n += 1) {
		const account = {email: `${n}@bothy.example`, full_name: `${n}`, role: Role.member, date_joined: 1};
		createAccount(realm.services.store, account);
	}

	await alice.post('/users/me/presence', here);

	t.deepEqual(await queue.events(), []);
});
