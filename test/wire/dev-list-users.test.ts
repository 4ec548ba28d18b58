import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, expectSuccess, type Json, openRealm, sendLines, signIn} from './raw-request.js';

test('the client asks whom one may sign in as', async t => {
	const body = `{"result":"success","msg":"","direct_admins":[{"email":"iago@chat.example.com",\
"realm_url":"https://chat.example.com"}],"direct_users":[{"email":"hamlet@chat.example.com"},\
{"email":"cordelia@chat.example.com"}]}\n`;
	const {client, server} = await clientAnswered(t, body);

	const {direct_admins, direct_users} = await client.devListUsers();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/dev_list_users HTTP/1.1');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
	t.deepEqual(
		direct_admins.map(({email}) => email),
		['iago@chat.example.com'],
	);
	t.deepEqual(
		direct_users.map(({email}) => email),
		['hamlet@chat.example.com', 'cordelia@chat.example.com'],
	);
});

const emailsIn = (json: Json) => (Array.isArray(json) ? json.map(each => at(each, 'email')) : []);

const listUsers = (url: string) =>
	sendLines(url, ['GET /api/v1/dev_list_users HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', '', '']);

test('the realm lists administrators and other people by email without login, and no bots', async t => {
	const realm = await openRealm(t);
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const answer = await listUsers(realm.url);

	expectSuccess(t, answer);
	t.deepEqual(Object.keys(answer.json ?? {}), ['result', 'msg', 'direct_admins', 'direct_users']);
	t.deepEqual(emailsIn(at(answer.json, 'direct_admins')).sort(), ['adam@bothy.example', 'olivia@bothy.example']);
	t.deepEqual(emailsIn(at(answer.json, 'direct_users')).sort(), [
		'alice@bothy.example',
		'bob@bothy.example',
		'carla@bothy.example',
		'dora@bothy.example',
		'emil@bothy.example',
		'fay@bothy.example',
		'gus@bothy.example',
		'hugo@bothy.example',
		'iris@bothy.example',
		'jonas@bothy.example',
		'kira@bothy.example',
		'leo@bothy.example',
		'mona@bothy.example',
		'nina@bothy.example',
		'otto@bothy.example',
		'pia@bothy.example',
		'rosa@bothy.example',
	]);
});

test('the realm lists an account by its email, name, role and ID, and nobody who is deactivated', async t => {
	const realm = await openRealm(t);
	const [olivia, adam] = [await signIn(t, 'olivia', realm), await signIn(t, 'adam', realm)];
	await olivia.delete(`/api/v1/users/${adam.userId}`, '');

	const {json} = await listUsers(realm.url);

	t.deepEqual(at(json, 'direct_admins'), [
		{email: 'olivia@bothy.example', realm_url: realm.url, full_name: 'Olivia Owens', role: 100, user_id: 1},
	]);
});
