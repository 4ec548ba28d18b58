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
