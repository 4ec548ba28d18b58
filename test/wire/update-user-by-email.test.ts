import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the address in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserByEmail({email: 'bob@bothy.example', full_name: 'Bert'});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/users/bob%40bothy.example HTTP/1.1');
	t.is(request.body, 'full_name=Bert');
});

test('the client writes profile data for an email as JSON and a new address as text', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserByEmail({
		email: 'bob@bothy.example',
		role: 300,
		profile_data: [{id: 1, value: null}],
		new_email: 'bert@bothy.example',
	});

	t.is(
		(await server.request()).body,
		'role=300&profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3Anull%7D%5D&new_email=bert%40bothy.example',
	);
});

test('the realm changes profile and address of whoever has the address', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	const form = 'profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%5D&new_email=bert%40bothy.example';

	expectSuccess(t, await olivia.patch('/api/v1/users/bob%40bothy.example', form));

	const {json} = await alice.get('/api/v1/users/5?include_custom_profile_fields=true');
	t.is(at(json, 'user', 'email'), 'bert@bothy.example');
	t.is(at(json, 'user', 'profile_data', '1', 'value'), 'Roof');
	expectRefusal(t, await olivia.patch('/api/v1/users/bob%40bothy.example', 'role=300'), badRequest('No such user'));
});

test('the realm changes whoever has the placeholder address', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];

	expectSuccess(t, await adam.patch('/api/v1/users/user5%40bothy.example', 'full_name=Bert'));

	t.is(at((await bob.get('/api/v1/users/me')).json, 'full_name'), 'Bert');
});

test('the realm lets members change nobody by address, and only owners change addresses', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];

	expectRefusal(
		t,
		await alice.patch('/api/v1/users/bob%40bothy.example', 'full_name=Bert'),
		badRequest('Insufficient permission'),
	);
	expectRefusal(
		t,
		await adam.patch('/api/v1/users/bob%40bothy.example', 'new_email=bert%40bothy.example'),
		badRequest('User not authorized to change user emails'),
	);
});

test('a realm below feature level 313 changes nobody by address', async t => {
	const adam = await signIn(t, 'adam', await openRealm(t, {featureLevel: 312}));

	const answer = await adam.patch('/api/v1/users/bob%40bothy.example', 'full_name=Bert');

	t.is(answer.statusLine, 'HTTP/1.1 404 Not Found');
});

test('the realm changes whoever has the address', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];

	expectSuccess(t, await adam.patch('/api/v1/users/BOB%40bothy.example', 'full_name=Bert&role=300'));

	const {json} = await bob.get('/api/v1/users/me');
	t.is(at(json, 'full_name'), 'Bert');
	t.is(at(json, 'role'), 300);
});

test('the realm refuses an address that nobody has', async t => {
	const adam = await signIn(t, 'adam');

	expectRefusal(t, await adam.patch('/api/v1/users/x%40bothy.example', 'role=300'), badRequest('No such user'));
});
