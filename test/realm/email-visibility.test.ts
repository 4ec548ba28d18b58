import test from 'ava';
import {type Caller, callAsBot, openRealm, send, signIn} from './realm-kit.js';

const REAL = 'alice@bothy.example';
const PLACEHOLDER = 'user4@bothy.example';
const EVERYONE = ['olivia', 'adam', 'mona', 'alice', 'bob', 'gus'] as const;

async function signInAll(t: Parameters<typeof openRealm>[0]) {
	const realm = await openRealm(t);
	const people = new Map<string, Caller>();
	for (const name of EVERYONE) {
		people.set(name, await signIn(realm, name));
	}

	const alice = people.get('alice');
	const bob = people.get('bob');
	const gus = people.get('gus');
	if (!alice || !bob || !gus) {
		throw new Error('Expected alice, bob and gus');
	}

	return {realm, people, alice, bob, gus};
}

for (const [visibility, who] of [
	[1, ['olivia', 'adam', 'mona', 'alice', 'bob', 'gus']],
	[2, ['olivia', 'adam', 'mona', 'alice', 'bob']],
	[5, ['olivia', 'adam', 'mona', 'alice']],
	[3, ['olivia', 'adam', 'alice']],
	[4, ['alice']],
] as const) {
	test(`with email_address_visibility ${visibility} the real address is seen by ${who.join(', ')}`, async t => {
		const {people, alice} = await signInAll(t);
		await alice.patch('/settings', {email_address_visibility: visibility});
		const shown = visibility === 1 ? REAL : PLACEHOLDER;

		for (const [name, person] of people) {
			const sees = who.some(each => each === name);
			const {body} = await person.get('/users', {user_ids: [4]});
			t.like(body.members[0], {email: shown, delivery_email: sees ? REAL : null}, name);
			const {body: state} = await person.post('/register', {event_types: ['realm_user']});
			const found = state.realm_users.find((user: {user_id: number}) => user.user_id === 4);
			t.like(found, {email: shown, delivery_email: sees ? REAL : null}, name);

			await alice.post('/users/me/presence', {status: 'active', ping_only: true});
			const byReal = await person.get(`/users/${REAL}/presence`);
			t.is(byReal.body.msg, sees ? '' : 'No such user', name);
			t.is((await person.get(`/users/${PLACEHOLDER}/presence`)).status, 200, name);
		}
	});
}

test('a hidden address stands nowhere: messages, conversations, presence, typing, the own account', async t => {
	const {alice, bob} = await signInAll(t);
	await alice.patch('/settings', {email_address_visibility: 4});
	const {body: queue} = await bob.post('/register', {
		event_types: ['message', 'presence', 'typing'],
		client_gravatar: false,
	});
	await alice.say({channel: 'lunch', topic: 'soup'}, 'hello');
	const direct = await alice.say({dm: [5]}, 'hello you');
	await alice.post('/users/me/presence', {status: 'active', ping_only: true});
	await alice.post('/typing', {op: 'start', to: [5]});

	const events = await bob.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});
	const message = await bob.get(`/messages/${direct}`);
	const presence = await bob.get('/realm/presence');
	const me = await alice.get('/users/me');

	for (const {body} of [events, message, presence]) {
		t.false(JSON.stringify(body).includes(REAL));
		t.true(JSON.stringify(body).includes(PLACEHOLDER));
	}

	t.deepEqual(
		events.body.events.map((event: {type: string}) => event.type),
		['message', 'message', 'presence', 'typing'],
	);
	t.is(message.body.message.sender_email, PLACEHOLDER);
	t.deepEqual(Object.keys(presence.body.presences), [PLACEHOLDER]);
	t.like(me.body, {email: PLACEHOLDER, delivery_email: REAL});
});

test('messages are addressed, and narrows name people, by the address that everybody sees', async t => {
	const {alice, bob} = await signInAll(t);
	await alice.patch('/settings', {email_address_visibility: 2});
	const send = (to: string) => bob.post('/messages', {type: 'direct', to, content: 'x'});
	const narrow = (email: string) =>
		bob.get('/messages', {anchor: 'newest', num_before: 9, narrow: [{operator: 'dm', operand: email}]});

	t.is((await send(REAL)).body.msg, `Invalid email '${REAL}'`);
	t.is((await send('USER4@bothy.example')).status, 200);
	t.is((await narrow(PLACEHOLDER)).body.messages.length, 1);
	t.is((await narrow(REAL)).body.code, 'BAD_NARROW');

	await alice.patch('/settings', {email_address_visibility: 1});
	t.is((await send(REAL)).status, 200);
	t.is((await send(PLACEHOLDER)).body.msg, `Invalid email '${PLACEHOLDER}'`);
});

test('a queue with a narrow knows a sender by the address that everybody sees', async t => {
	const {alice, bob} = await signInAll(t);
	await alice.patch('/settings', {email_address_visibility: 3});
	const heard = async (sender: string) => {
		const {body} = await bob.post('/register', {event_types: ['message'], narrow: [['sender', sender]]});
		await alice.say({channel: 'lunch', topic: 'soup'}, 'hello');
		const answer = await bob.get('/events', {queue_id: body.queue_id, last_event_id: -1, dont_block: true});
		return answer.body.events.length;
	};

	t.is(await heard(PLACEHOLDER), 1);
	t.is(await heard(REAL), 0);
});

test('whoever hides the address still signs in with it', async t => {
	const {realm, alice} = await signInAll(t);
	await alice.patch('/settings', {email_address_visibility: 4});

	const again = await signIn(realm, 'alice');

	t.is((await again.get('/users/me')).body.user_id, 4);
});

test('everybody is told of the address that they see now, each of their own', async t => {
	const {people, alice, gus} = await signInAll(t);
	const bot = people.get('mona') as Caller;
	const queues = await Promise.all(
		[alice, bot, gus].map(async person => {
			const {body} = await person.post('/register', {event_types: ['realm_user', 'user_settings']});
			return async () => {
				const answer = await person.get('/events', {queue_id: body.queue_id, last_event_id: -1, dont_block: true});
				return answer.body.events.map(({type, person: change, value}: {type: string; person: object; value: number}) =>
					type === 'user_settings' ? value : change,
				);
			};
		}),
	);

	await alice.patch('/settings', {email_address_visibility: 5});
	await alice.patch('/settings', {email_address_visibility: 3});
	await alice.patch('/settings', {email_address_visibility: 1});

	const [own, moderators, guests] = await Promise.all(queues.map(read => read()));
	const hidden = {user_id: 4, new_email: PLACEHOLDER};
	const shown = {user_id: 4, new_email: REAL};
	const [plain, picture] = own.filter((change: object) => 'avatar_url' in Object(change));
	t.not(plain.avatar_url, picture.avatar_url);
	t.deepEqual(own, [5, hidden, plain, 3, 1, shown, picture]);
	const [unknown, known] = [null, REAL].map(email => ({user_id: 4, delivery_email: email}));
	t.deepEqual(moderators, [hidden, plain, unknown, shown, known, picture]);
	t.deepEqual(guests, [hidden, unknown, plain, shown, known, picture]);
});

test('a change by address finds people by a placeholder, and by a real address that one may see', async t => {
	const {people, alice} = await signInAll(t);
	const adam = people.get('adam') as Caller;
	await alice.patch('/settings', {email_address_visibility: 4});

	t.is((await adam.patch(`/users/${REAL}`, {full_name: 'Ann'})).body.msg, 'No such user');
	t.is((await adam.patch(`/users/${PLACEHOLDER}`, {full_name: 'Ann'})).status, 200);
	t.is((await adam.patch('/users/user99@bothy.example', {full_name: 'Ann'})).body.msg, 'No such user');
	t.is((await alice.get('/users/me')).body.full_name, 'Ann');
});

test('a bot sees addresses by its role', async t => {
	const {realm, alice} = await signInAll(t);
	const bot = callAsBot(realm, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	const seen = async () => (await bot.get('/users', {user_ids: [4]})).body.members[0].delivery_email;

	await alice.patch('/settings', {email_address_visibility: 2});
	t.is(await seen(), REAL);
	await alice.patch('/settings', {email_address_visibility: 5});
	t.is(await seen(), null);
});

test('whoever does not know an address gets the picture of it, which they could not find themselves', async t => {
	const {realm, alice, bob} = await signInAll(t);
	const id = await alice.say({channel: 'general'}, 'x');
	const pictures = async () => {
		const [{body: one}, {body: list}, {body: message}, {body: state}] = [
			await bob.get('/users/4'),
			await bob.get('/users', {user_ids: [4]}),
			await bob.get(`/messages/${id}`),
			await bob.post('/register', {event_types: ['realm_user'], client_gravatar: true}),
		];
		const stated = state.realm_users.find((user: {user_id: number}) => user.user_id === 4);
		return [one.user, list.members[0], message.message, stated].map(found => found.avatar_url);
	};

	t.deepEqual(await pictures(), [null, null, null, null]);
	await alice.patch('/settings', {email_address_visibility: 4});
	const hidden = await pictures();

	t.true(hidden.every(url => url === hidden[0] && url.startsWith('https://')));
	const {body} = await send(realm, {method: 'GET', path: '/users'});
	t.true(body.members.every((user: {avatar_url: unknown}) => typeof user.avatar_url === 'string'));
});
