import test from 'ava';
import {queueOf} from './event-kit.js';
import {clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client deletes its own account', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deactivateOwnUser();

	t.is((await server.request()).line, 'DELETE /api/v1/users/me HTTP/1.1');
});

test('the client reads why the last one must stay', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		`{"result":"error","msg":"Cannot deactivate the only user.","code":"CANNOT_DEACTIVATE_LAST_USER",\
"is_last_owner":false,"entity":"user"}\n`,
	);

	t.deepEqual(await refusalOf(t, client.deactivateOwnUser()), {
		code: 'CANNOT_DEACTIVATE_LAST_USER',
		status: 400,
		reason: 'Cannot deactivate the only user.',
		fields: {is_last_owner: false, entity: 'user'},
	});
});

test('the realm lets one go, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [users, groups] = [await queueOf(alice, 'realm_user'), await queueOf(alice, 'user_group')];

	const answer = await bob.delete('/api/v1/users/me', '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.is(at((await bob.get('/api/v1/users/me')).json, 'msg'), 'Account is deactivated');
	t.deepEqual(await users(), [{type: 'realm_user', op: 'update', person: {user_id: 5, is_active: false}}]);
	t.deepEqual(
		await groups(),
		[3, 4, 10].map(group => ({type: 'user_group', op: 'remove_members', group_id: group, user_ids: [5]})),
	);
});

const last = (entity: string, isLastOwner: boolean) => ({
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: `Cannot deactivate the only ${entity}.`,
		code: 'CANNOT_DEACTIVATE_LAST_USER',
		is_last_owner: isLastOwner,
		entity,
	},
});

test('the realm keeps the only owner', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);

	expectRefusal(t, await olivia.delete('/api/v1/users/me', ''), last('organization owner', true));

	expectSuccess(t, await olivia.patch('/api/v1/users/2', 'role=100'));
	expectSuccess(t, await olivia.delete('/api/v1/users/me', ''));
});

test('the realm keeps the only user', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);
	const {json} = await olivia.get('/api/v1/users');
	const members = at(json, 'members');
	for (const {user_id: id, is_bot: isBot} of (Array.isArray(members) ? members : []).map(Object)) {
		if (id !== olivia.userId && !isBot) {
			expectSuccess(t, await olivia.delete(`/api/v1/users/${id}`, ''));
		}
	}

	expectRefusal(t, await olivia.delete('/api/v1/users/me', ''), last('user', false));
});

test('the realm lets no bot go by itself', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.delete('/api/v1/users/me', ''), badRequest('This endpoint does not accept bot requests.'));
});
