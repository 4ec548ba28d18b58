import test from 'ava';
import {queueOf} from './event-kit.js';
import {profileOf} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';

test('the client writes the fields as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.removeProfileData({data: [1, 5]});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/users/me/profile_data HTTP/1.1');
	t.is(request.body, 'data=%5B1%2C5%5D');
});

test('the realm removes what one had filled in, and tells everybody once', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const users = await queueOf(alice, 'realm_user');

	const answer = await bob.delete('/api/v1/users/me/profile_data', 'data=%5B1%2C5%2C2%5D');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(await profileOf(alice, 5), {6: {value: '[3,4]'}});
	t.deepEqual(
		await users(),
		[1, 5].map(id => ({
			type: 'realm_user',
			op: 'update',
			person: {user_id: 5, custom_profile_field: {id, value: null}},
		})),
	);
});

for (const [form, answer] of [
	['', missing('data')],
	['data=1', badRequest('data is not a list')],
	['data=%5B%22x%22%5D', badRequest('data[0] is not an integer')],
	['data=%5B1%2C99%5D', badRequest('Field id 99 not found.')],
	['data=%5B1%2C9%5D', badRequest('You are not allowed to change this field. Contact an administrator to update it.')],
] as const) {
	test(`the realm refuses to remove ${form || 'nothing'} from a profile, and changes nothing`, async t => {
		const alice = await signIn(t, 'alice');
		const before = await profileOf(alice, 4);

		expectRefusal(t, await alice.delete('/api/v1/users/me/profile_data', form), answer);

		t.deepEqual(await profileOf(alice, 4), before);
	});
}

test('the realm lets no bot remove anything from a profile', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.delete('/api/v1/users/me/profile_data', 'data=%5B%5D'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});
