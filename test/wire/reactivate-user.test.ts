import test from 'ava';
import {queueOf} from './event-kit.js';
import {membersOf} from './group-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the user to bring back in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.reactivateUser({user_id: 7});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/7/reactivate HTTP/1.1');
	t.is(request.body, '');
});

test('the realm lets somebody in again, into the same groups, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice, bob] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	expectSuccess(t, await adam.delete('/api/v1/users/5', ''));
	t.deepEqual(await membersOf(alice, 10), [7]);
	const [users, groups] = [await queueOf(alice, 'realm_user'), await queueOf(alice, 'user_group')];

	const answer = await adam.post('/api/v1/users/5/reactivate', '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.is(at((await bob.get('/api/v1/users/me')).json, 'is_active'), true);
	t.deepEqual(await users(), [{type: 'realm_user', op: 'update', person: {user_id: 5, is_active: true}}]);
	t.deepEqual(
		await groups(),
		[3, 4, 10].map(group => ({type: 'user_group', op: 'add_members', group_id: group, user_ids: [5]})),
	);
	t.deepEqual(await membersOf(alice, 10), [5, 7]);
});

test('the realm brings back a bot', async t => {
	const realm = await openRealm(t);
	const [olivia, adam] = [await signIn(t, 'olivia', realm), await signIn(t, 'adam', realm)];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	expectSuccess(t, await olivia.patch('/api/v1/users/2', 'role=100'));
	expectSuccess(t, await adam.delete('/api/v1/users/1', ''));
	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');

	expectSuccess(t, await adam.post(`/api/v1/users/${bot.userId}/reactivate`, ''));

	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 200 OK');
});

test('the realm says nothing of somebody who is active already', async t => {
	const realm = await openRealm(t);
	const adam = await signIn(t, 'adam', realm);
	const users = await queueOf(adam, 'realm_user');

	expectSuccess(t, await adam.post('/api/v1/users/5/reactivate', ''));

	t.deepEqual(await users(), []);
});

test('the realm lets members bring back nobody, and nobody bring back no one', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	expectSuccess(t, await adam.delete('/api/v1/users/5', ''));

	const refusal = await alice.post('/api/v1/users/5/reactivate', '');

	expectRefusal(t, refusal, badRequest('Insufficient permission'));
	t.is(at((await alice.get('/api/v1/users/5')).json, 'user', 'is_active'), false);
	expectRefusal(t, await adam.post('/api/v1/users/99999/reactivate', ''), badRequest('No such user'));
});

test('the realm gives somebody whose profile was deleted a picture again', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const avatar = async () => at((await alice.get('/api/v1/users/5?client_gravatar=false')).json, 'user', 'avatar_url');
	const before = await avatar();
	expectSuccess(t, await adam.delete('/api/v1/users/5', 'actions=%7B%22delete_profile%22%3Atrue%7D'));
	t.not(await avatar(), before);
	const users = await queueOf(alice, 'realm_user');

	expectSuccess(t, await adam.post('/api/v1/users/5/reactivate', ''));

	t.is(await avatar(), before);
	t.deepEqual(
		(await users()).map(event => at(event, 'person')),
		[
			{user_id: 5, is_active: true},
			{
				user_id: 5,
				avatar_url: before,
				avatar_url_medium: before,
				avatar_source: 'G',
				avatar_version: 1,
			},
		],
	);
	const {json} = await alice.get('/api/v1/users/5');
	t.is(at(json, 'user', 'full_name'), 'Deleted user 5');
	t.false('is_deleted' in Object(at(json, 'user')));
});
