import test from 'ava';
import {queueOf} from './event-kit.js';
import {profileOf} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {badRequest, callerOf, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';

test('the client writes values as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateProfileData({data: [{id: 1, value: 'Roof'}]});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/users/me/profile_data HTTP/1.1');
	t.is(request.body, 'data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%5D');
});

test('the realm lets one fill in a profile, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [bob, gus] = [await signIn(t, 'bob', realm), await signIn(t, 'gus', realm)];
	const users = await queueOf(bob, 'realm_user');
	const data = '[{"id":4,"value":"1999-12-31"},{"id":6,"value":null},{"id":1,"value":"Roof"}]';

	const answer = await gus.patch('/api/v1/users/me/profile_data', `data=${encodeURIComponent(data)}`);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	const desk = {value: 'Roof', rendered_value: '<p>Roof</p>'};
	t.deepEqual(await profileOf(bob, 7), {1: desk, 4: {value: '1999-12-31'}});
	t.deepEqual(
		await users(),
		[
			{id: 4, value: '1999-12-31'},
			{id: 6, value: null},
			{id: 1, ...desk},
		].map(value => ({
			type: 'realm_user',
			op: 'update',
			person: {user_id: 7, custom_profile_field: value},
		})),
	);
});

test('the realm lets administrators only fill in what is theirs', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const form = 'data=%5B%7B%22id%22%3A9%2C%22value%22%3A%220002%22%7D%5D';

	expectRefusal(
		t,
		await alice.patch('/api/v1/users/me/profile_data', form),
		badRequest('You are not allowed to change this field. Contact an administrator to update it.'),
	);
	expectSuccess(t, await adam.patch('/api/v1/users/me/profile_data', form));

	t.deepEqual(await profileOf(alice, 2), {
		7: {value: 'adam-addo'},
		9: {value: '0002', rendered_value: '<p>0002</p>'},
	});
});

for (const [form, answer] of [
	['', missing('data')],
	['data=5', badRequest('data is not a list')],
	['data=%5B%7B%22id%22%3A99%2C%22value%22%3A%22x%22%7D%5D', badRequest('Field id 99 not found.')],
	[
		'data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%2C%7B%22id%22%3A5%2C%22value%22%3A%22x%22%7D%5D',
		badRequest('Homepage is not a URL'),
	],
] as const) {
	test(`the realm refuses ${form || 'nothing'} for a profile, and changes nothing`, async t => {
		const bob = await signIn(t, 'bob');
		const before = await profileOf(bob, 5);

		expectRefusal(t, await bob.patch('/api/v1/users/me/profile_data', form), answer);

		t.deepEqual(await profileOf(bob, 5), before);
	});
}

test('the realm lets no bot fill in a profile', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.patch('/api/v1/users/me/profile_data', 'data=%5B%5D'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});
