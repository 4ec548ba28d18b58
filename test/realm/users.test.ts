// Who sees whose address, which address stands where, and who is seen to be here.

import test from 'ava';
import {createAccount, Role} from '../../src/realm/people/accounts.js';
import {readActivity} from '../../src/realm/people/presence.js';
import {type Caller, callAsBot, cause, listen, openChat, send} from './realm-kit.js';

const REAL = 'alice@bothy.example';
const PLACEHOLDER = 'user4@bothy.example';

const setVisibility = (caller: Caller, value: number) => caller.patch('/settings', {email_address_visibility: value});

for (const [visibility, who] of [
	[1, ['olivia', 'adam', 'mona', 'alice', 'bob', 'gus']],
	[2, ['olivia', 'adam', 'mona', 'alice', 'bob']],
	[5, ['olivia', 'adam', 'mona', 'alice']],
	[3, ['olivia', 'adam', 'alice']],
	[4, ['alice']],
] as const) {
	test(`with email_address_visibility ${visibility} the real address is seen by ${who.join(', ')}`, async t => {
		const {olivia, adam, mona, alice, bob, gus} = await openChat(t);
		await setVisibility(alice, visibility);
		await alice.post('/users/me/presence', {status: 'active', ping_only: true});

		for (const [name, person] of Object.entries({olivia, adam, mona, alice, bob, gus})) {
			const sees = who.some(each => each === name);
			const seen = {email: visibility === 1 ? REAL : PLACEHOLDER, delivery_email: sees ? REAL : null};
			t.like((await person.get('/users', {user_ids: [4]})).body.members[0], seen, name);
			const {state} = await listen(person, {event_types: ['realm_user']});
			t.like(
				state.realm_users.find((user: {user_id: number}) => user.user_id === 4),
				seen,
				name,
			);

			t.is((await person.get(`/users/${REAL}/presence`)).body.msg, sees ? '' : 'No such user', name);
			t.is((await person.get(`/users/${PLACEHOLDER}/presence`)).status, 200, name);
		}
	});
}

test('a hidden address appears nowhere: messages, conversations, presence, typing, the own account', async t => {
	const {alice, bob} = await openChat(t);
	await setVisibility(alice, 4);
	const queue = await listen(bob, {event_types: ['message', 'presence', 'typing'], client_gravatar: false});
	await alice.say({channel: 'lunch', topic: 'soup'}, 'hello');
	const direct = await alice.say({dm: [5]}, 'hello you');
	await alice.post('/users/me/presence', {status: 'active', ping_only: true});
	await alice.post('/typing', {op: 'start', to: [5]});

	const events = await queue.events();
	const {body: message} = await bob.get(`/messages/${direct}`);
	const {body: presence} = await bob.get('/realm/presence');

	for (const found of [...events, message, presence]) {
		t.false(JSON.stringify(found).includes(REAL));
		t.true(JSON.stringify(found).includes(PLACEHOLDER));
	}

	t.deepEqual(
		events.map(({type}) => type),
		['message', 'message', 'presence', 'typing'],
	);
	t.is(message.message.sender_email, PLACEHOLDER);
	t.deepEqual(Object.keys(presence.presences), [PLACEHOLDER]);
	t.like((await alice.get('/users/me')).body, {email: PLACEHOLDER, delivery_email: REAL});
});

test('messages are addressed, and narrows name people, by the address that everybody sees', async t => {
	const {alice, bob} = await openChat(t);
	await setVisibility(alice, 2);
	const write = (to: string) => bob.post('/messages', {type: 'direct', to, content: 'x'});
	const narrow = (email: string) =>
		bob.get('/messages', {anchor: 'newest', num_before: 9, narrow: [{operator: 'dm', operand: email}]});

	t.is((await write(REAL)).body.msg, `Invalid email '${REAL}'`);
	t.is((await write('USER4@bothy.example')).status, 200);
	t.is((await narrow(PLACEHOLDER)).body.messages.length, 1);
	t.is((await narrow(REAL)).body.code, 'BAD_NARROW');

	await setVisibility(alice, 1);
	t.is((await write(REAL)).status, 200);
	t.is((await write(PLACEHOLDER)).body.msg, `Invalid email '${PLACEHOLDER}'`);
});

test('a queue with a narrow knows a sender by the address that everybody sees', async t => {
	const {alice, bob} = await openChat(t);
	await setVisibility(alice, 3);
	const queues = [];
	for (const sender of [PLACEHOLDER, REAL]) {
		queues.push(await listen(bob, {event_types: ['message'], narrow: [['sender', sender]]}));
	}

	await alice.say({channel: 'lunch', topic: 'soup'}, 'hello');

	t.deepEqual(await Promise.all(queues.map(async queue => (await queue.events()).length)), [1, 0]);
});

test('a person who hides their address still logs in with it', async t => {
	const {realm, alice} = await openChat(t);
	await setVisibility(alice, 4);

	const {body} = await send(realm, {method: 'POST', path: '/dev_fetch_api_key', values: {username: REAL}});

	t.is(body.api_key, alice.key);
	t.is((await alice.get('/users/me')).body.user_id, 4);
});

test('after a change of visibility, each person gets an event with the address that they see now', async t => {
	const {mona, alice, gus} = await openChat(t);
	const queues = [];
	for (const person of [alice, mona, gus]) {
		queues.push(await listen(person, {event_types: ['realm_user', 'user_settings']}));
	}

	for (const visibility of [5, 3, 1]) {
		await setVisibility(alice, visibility);
	}

	const told = await Promise.all(
		queues.map(async queue =>
			(await queue.events()).map(({type, person, value}) => (type === 'user_settings' ? value : person)),
		),
	);
	const hidden = {user_id: 4, new_email: PLACEHOLDER};
	const shown = {user_id: 4, new_email: REAL};
	const [plain, picture] = told[0]?.filter(change => 'avatar_url' in Object(change)) ?? [];
	t.not(plain.avatar_url, picture.avatar_url);
	const [unknown, known] = [null, REAL].map(email => ({user_id: 4, delivery_email: email}));
	t.deepEqual(told, [
		[5, hidden, plain, 3, 1, shown, picture],
		[hidden, plain, unknown, shown, known, picture],
		[hidden, unknown, plain, shown, known, picture],
	]);
});

test('a change by address finds people by a placeholder, and by a real address that one may see', async t => {
	const {adam, alice} = await openChat(t);
	await setVisibility(alice, 4);

	t.is((await adam.patch(`/users/${REAL}`, {full_name: 'Ann'})).body.msg, 'No such user');
	t.is((await adam.patch(`/users/${PLACEHOLDER}`, {full_name: 'Ann'})).status, 200);
	t.is((await adam.patch('/users/user99@bothy.example', {full_name: 'Ann'})).body.msg, 'No such user');
	t.is((await alice.get('/users/me')).body.full_name, 'Ann');
});

test('a bot sees addresses by its role', async t => {
	const {realm, alice} = await openChat(t);
	const bot = callAsBot(realm);
	const seen = async () => (await bot.get('/users', {user_ids: [4]})).body.members[0].delivery_email;

	await setVisibility(alice, 2);
	t.is(await seen(), REAL);
	await setVisibility(alice, 5);
	t.is(await seen(), null);
});

test('a viewer who may not see an address gets the link to its gravatar', async t => {
	const {realm, alice, bob} = await openChat(t, {publicAccess: true});
	const id = await alice.say({channel: 'general'}, 'x');
	const pictures = async () => {
		const [one, list, message] = [
			(await bob.get('/users/4')).body.user,
			(await bob.get('/users', {user_ids: [4]})).body.members[0],
			(await bob.get(`/messages/${id}`)).body.message,
		];
		const {state} = await listen(bob, {event_types: ['realm_user'], client_gravatar: true});
		const stated = state.realm_users.find((user: {user_id: number}) => user.user_id === 4);
		return [one, list, message, stated].map(found => found.avatar_url);
	};

	t.deepEqual(await pictures(), [null, null, null, null]);
	await setVisibility(alice, 4);
	const hidden = await pictures();

	t.true(hidden.every(url => url === hidden[0] && url.startsWith('https://')));
	const {body} = await send(realm, {method: 'GET', path: '/users'});
	t.true(body.members.every((user: {avatar_url: unknown}) => typeof user.avatar_url === 'string'));
});

const here = {status: 'active', ping_only: true, new_user_input: true};

test('an invisible person may ping, and nothing is recorded', async t => {
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

test('a person who turns invisible looks offline at once, until they turn visible and ping again', async t => {
	const {realm, alice, gus} = await openChat(t, {now: Date.UTC(2026, 2, 1)});
	// Who came just now would count as here.
	await cause(realm, '/clock', {advance_ms: 3_600_000});
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

test('in an organization of more than 100 people, nobody gets a notice about a new person', async t => {
	const {realm, alice} = await openChat(t);
	const queue = await listen(alice, {event_types: ['presence']});
	for (let n = 0; n < 100; n += 1) {
		const account = {email: `${n}@bothy.example`, full_name: `${n}`, role: Role.member, date_joined: 1};
		createAccount(realm.services.store, account);
	}

	await alice.post('/users/me/presence', here);

	t.deepEqual(await queue.events(), []);
});
