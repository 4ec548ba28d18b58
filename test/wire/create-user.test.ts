import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	missing,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const FORM = 'email=nora%40bothy.example&password=s3cret&full_name=Nora+North';

test('the client writes address, password and name as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","user_id":25}\n');

	const {user_id: id} = await client.createUser({
		email: 'nora@bothy.example',
		password: 's3cret',
		full_name: 'Nora North',
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, FORM);
	t.is(id, 25);
});

test('the client reads the answer of a server that names no user', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	t.deepEqual(await client.createUser({email: 'a@b.example', password: 'p', full_name: 'A'}), {
		result: 'success',
		msg: '',
	});
});

test('the realm makes an account that may call at once, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];
	const [users, groups, channels] = [
		await queueOf(bob, 'realm_user'),
		await queueOf(bob, 'user_group'),
		await queueOf(bob, 'subscription'),
	];

	const answer = await olivia.post('/api/v1/users', FORM);

	expectSuccess(t, answer);
	const id = at(answer.json, 'user_id');
	t.deepEqual(answer.json, {result: 'success', msg: '', user_id: id});
	const nora = await signIn(t, 'nora', realm);
	const {json} = await nora.get('/api/v1/users/me');
	t.is(nora.userId, Number(id));
	t.is(at(json, 'full_name'), 'Nora North');
	t.is(at(json, 'role'), 400);
	t.deepEqual(at((await nora.get('/api/v1/get_stream_id?stream=general')).json, 'stream_id'), 1);
	t.deepEqual(await users(), [
		{
			type: 'realm_user',
			op: 'add',
			person: {
				user_id: Number(id),
				email: 'nora@bothy.example',
				delivery_email: 'nora@bothy.example',
				full_name: 'Nora North',
				date_joined: at(json, 'date_joined'),
				is_active: true,
				is_owner: false,
				is_admin: false,
				is_guest: false,
				is_bot: false,
				role: 400,
				timezone: '',
				avatar_url: null,
				avatar_version: 1,
				is_imported_stub: false,
				profile_data: {},
			},
		},
	]);
	t.deepEqual(
		await groups(),
		[3, 4].map(group => ({type: 'user_group', op: 'add_members', group_id: group, user_ids: [Number(id)]})),
	);
	t.deepEqual(await channels(), [{type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [Number(id)]}]);
});

test('the realm subscribes a new user to the default channels and no others', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);

	expectSuccess(t, await olivia.post('/api/v1/users', FORM));

	const {json} = await (await signIn(t, 'nora', realm)).get('/api/v1/users/me/subscriptions');
	const subscriptions = at(json, 'subscriptions');
	t.deepEqual(Array.isArray(subscriptions) && subscriptions.map(each => at(each, 'name')), ['general']);
});

test('the realm trims name and address of a new user', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);

	const {json} = await olivia.post('/api/v1/users', 'email=+nora%40bothy.example&password=p&full_name=+Nora+');

	const created = (await olivia.get(`/api/v1/users/${at(json, 'user_id')}`)).json;
	t.is(at(created, 'user', 'email'), 'nora@bothy.example');
	t.is(at(created, 'user', 'full_name'), 'Nora');
});

test('a realm below feature level 30 does not name the new user', async t => {
	const olivia = await signIn(t, 'olivia', await openRealm(t, {featureLevel: 29}));

	t.deepEqual((await olivia.post('/api/v1/users', FORM)).json, {result: 'success', msg: ''});
});

const post = (form: string) => (caller: Caller) => caller.post('/api/v1/users', form);

test('a member who would create a user', refused, {
	ask: post(FORM),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
test('an administrator without the right to create users', refused, {
	as: 'adam',
	ask: post(FORM),
	answer: badRequest('User not authorized to create users'),
});
test('a new user without address', refused, {as: 'olivia', ask: post('password=p'), answer: missing('email')});
test('a new user without password', refused, {
	as: 'olivia',
	ask: post('email=n%40b.example'),
	answer: missing('password'),
});
test('a new user without name', refused, {
	as: 'olivia',
	ask: post('email=n%40b.example&password=p'),
	answer: missing('full_name'),
});

for (const [form, text] of [
	['email=ALICE%40bothy.example&password=p&full_name=Alice', "Email 'ALICE@bothy.example' already in use"],
	['email=nora&password=p&full_name=Nora', 'Bad name or username'],
	['email=n%40b.example&password=p&full_name=+', 'Name too short!'],
	[`email=n%40b.example&password=p&full_name=${'n'.repeat(101)}`, 'Name too long!'],
	['email=n%40b.example&password=p&full_name=N%2Aa', 'Invalid characters in name!'],
	['email=n%40b.example&password=p&full_name=Nora%7C7', 'Invalid format!'],
] as const) {
	test(`a new user of ${form.slice(0, 60)}`, refused, {as: 'olivia', ask: post(form), answer: badRequest(text)});
}

test('the realm refuses a bot that would create a user', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.post('/api/v1/users', FORM), {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	});
});
