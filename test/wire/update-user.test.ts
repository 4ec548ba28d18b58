import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the user in the path and writes the rest as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUser({user_id: 7, full_name: 'Ann', role: 300});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/users/7 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'full_name=Ann&role=300');
});

for (const [form, field, value] of [
	['full_name=Ann+One', 'full_name', 'Ann One'],
	['full_name=+Ann+Two+', 'full_name', 'Ann Two'],
	['role=300', 'role', 300],
	['role=600', 'role', 600],
] as const) {
	test(`the realm obeys ${form} and tells everybody`, async t => {
		const realm = await openRealm(t);
		const [adam, alice, bob] = [
			await signIn(t, 'adam', realm),
			await signIn(t, 'alice', realm),
			await signIn(t, 'bob', realm),
		];
		const {json} = await bob.post('/api/v1/register', 'event_types=["realm_user"]');

		const answer = await adam.patch(`/api/v1/users/${alice.userId}`, form);

		expectSuccess(t, answer);
		t.deepEqual(answer.json, {result: 'success', msg: ''});
		t.is(at((await alice.get('/api/v1/users/me')).json, field), value);
		const events = await bob.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
		t.deepEqual(at(events.json, 'events', 0), {
			type: 'realm_user',
			op: 'update',
			person: {user_id: alice.userId, [field]: value},
			id: at(events.json, 'events', 0, 'id'),
		});
	});
}

const notOwner = {
	status: '400 Bad Request',
	json: {result: 'error', msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL'},
};

for (const [as, whom, form, answer] of [
	['alice', 'bob', 'full_name=Bert', badRequest('Insufficient permission')],
	['adam', 'bob', 'role=100', notOwner],
	['adam', 'olivia', 'role=200', notOwner],
	[
		'olivia',
		'olivia',
		'role=200',
		badRequest('The owner permission cannot be removed from the only organization owner.'),
	],
	['adam', 'bob', 'full_name=B%40b', badRequest('Invalid characters in name!')],
	['adam', 'bob', 'role=300&full_name=Bob%7C7', badRequest('Invalid format!')],
] as const) {
	test(`the realm refuses ${as} who sends ${form} for ${whom}, and changes nothing`, async t => {
		const realm = await openRealm(t);
		const [caller, target] = [await signIn(t, as, realm), await signIn(t, whom, realm)];
		const before = (await target.get('/api/v1/users/me')).json;

		expectRefusal(t, await caller.patch(`/api/v1/users/${target.userId}`, form), answer);

		t.deepEqual((await target.get('/api/v1/users/me')).json, before);
	});
}

test('the realm refuses to change nobody', async t => {
	const adam = await signIn(t, 'adam');

	expectRefusal(t, await adam.patch('/api/v1/users/99999', 'full_name=X'), badRequest('No such user'));
});
