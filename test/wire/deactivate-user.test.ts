import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the user in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deactivateUser({user_id: 7});

	t.is((await server.request()).line, 'DELETE /api/v1/users/7 HTTP/1.1');
});

test('the realm lets a deactivated person in no more, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice, bob] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	const {json} = await alice.post('/api/v1/register', 'event_types=["realm_user"]');

	expectSuccess(t, await adam.delete(`/api/v1/users/${bob.userId}`, ''));

	t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events', 0, 'person'), {user_id: bob.userId, is_active: false});
	expectRefusal(t, await adam.delete(`/api/v1/users/${bob.userId}`, ''), badRequest('User is deactivated'));
});

test('the realm refuses members, bots as targets, and the only owner', async t => {
	const realm = await openRealm(t);
	const [olivia, adam, alice] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
	];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await alice.delete(`/api/v1/users/${adam.userId}`, ''), badRequest('Insufficient permission'));
	expectRefusal(t, await adam.delete(`/api/v1/users/${bot.userId}`, ''), badRequest('No such user'));
	expectRefusal(t, await adam.delete(`/api/v1/users/${olivia.userId}`, ''), {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL'},
	});
	expectRefusal(
		t,
		await olivia.delete(`/api/v1/users/${olivia.userId}`, ''),
		badRequest('Cannot deactivate the only organization owner'),
	);
});

test("the realm deactivates a person's bots before the person", async t => {
	const realm = await openRealm(t);
	const [olivia, adam, alice] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
	];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	expectSuccess(t, await olivia.patch(`/api/v1/users/${adam.userId}`, 'role=100'));
	const {json} = await alice.post('/api/v1/register', 'event_types=["realm_user"]');

	expectSuccess(t, await adam.delete(`/api/v1/users/${olivia.userId}`, ''));

	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events', 0, 'person'), {user_id: bot.userId, is_active: false});
	t.deepEqual(at(events.json, 'events', 1, 'person'), {user_id: olivia.userId, is_active: false});
});
