import test from 'ava';
import {makeBot} from './bot-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client names the user in the path and writes the rest as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUser({user_id: 7, full_name: 'Ann', role: 300});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/users/7 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'full_name=Ann&role=300');
});

test('the client writes profile data as JSON and an address as text', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUser({
		user_id: 7,
		profile_data: [
			{id: 1, value: 'vim'},
			{id: 2, value: [8, 9]},
			{id: 3, value: null},
		],
		new_email: 'ann@chat.example.com',
	});

	t.is(
		(await server.request()).body,
		'profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22vim%22%7D%2C%7B%22id%22%3A2%2C%22value%22%3A%5B8%2C9%5D%7D%2C' +
			'%7B%22id%22%3A3%2C%22value%22%3Anull%7D%5D&new_email=ann%40chat.example.com',
	);
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

const notSoHigh = badRequest('Guests cannot be organization administrators');

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
	['adam', 'gus', 'role=200', notSoHigh],
	['olivia', 'gus', 'role=100', notSoHigh],
	['adam', 'bob', 'full_name=B%40b', badRequest('Invalid characters in name!')],
	['adam', 'bob', 'role=300&full_name=Bob%7C7', badRequest('Invalid format!')],
	['adam', 'bob', `full_name=${'x'.repeat(101)}`, badRequest('Name too long!')],
] as const) {
	test(`the realm refuses ${as} who sends ${form.slice(0, 40)} for ${whom}, and changes nothing`, async t => {
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

test("the realm lets nobody change or bring back the system's own bot", async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	const before = (await alice.get('/api/v1/users/8')).json;
	t.is(at(before, 'user', 'is_system_bot'), true);

	for (const path of ['8', 'notification-bot%40bothy.example']) {
		expectRefusal(
			t,
			await olivia.patch(`/api/v1/users/${path}`, 'full_name=Newsroom&role=200'),
			badRequest('No such user'),
		);
	}

	expectRefusal(t, await olivia.post('/api/v1/users/8/reactivate', ''), badRequest('No such user'));
	t.deepEqual((await alice.get('/api/v1/users/8')).json, before);
});

test('the realm changes somebody who is deactivated', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	expectSuccess(t, await olivia.delete('/api/v1/users/5', ''));
	const form =
		'full_name=Bert&role=300&new_email=bert%40bothy.example&profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%5D';

	expectSuccess(t, await olivia.patch('/api/v1/users/5', form));

	const {json} = await alice.get('/api/v1/users/5?include_custom_profile_fields=true');
	t.like(Object(at(json, 'user')), {is_active: false, full_name: 'Bert', role: 300, email: 'bert@bothy.example'});
	t.is(at(json, 'user', 'profile_data', '1', 'value'), 'Roof');
});

test('the realm lets a bot change people once it administers, and no owners', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.patch('/api/v1/users/5', 'full_name=Bert'), badRequest('Insufficient permission'));
	expectSuccess(t, await olivia.patch(`/api/v1/users/${bot.userId}`, 'role=200'));
	expectSuccess(t, await bot.patch('/api/v1/users/5', 'full_name=Bert'));
	expectRefusal(t, await bot.patch('/api/v1/users/5', 'role=100'), notOwner);

	t.is(at((await alice.get('/api/v1/users/5')).json, 'user', 'full_name'), 'Bert');
});

// Each the first of what is wrong with all that is sent: role, name, profile data, address.
const allWrong = [
	'role=100',
	'full_name=%2A',
	'profile_data=%5B%7B%22id%22%3A99%2C%22value%22%3A%22x%22%7D%5D',
	'new_email=bert',
];
for (const [index, answer] of [
	notSoHigh,
	badRequest('Invalid characters in name!'),
	badRequest('Field id 99 not found.'),
	badRequest('Invalid new email address.'),
].entries()) {
	test(`the realm looks at ${allWrong[index]?.split('=')[0]} before what comes after it`, async t => {
		const olivia = await signIn(t, 'olivia');

		expectRefusal(t, await olivia.patch('/api/v1/users/7', allWrong.slice(index).toReversed().join('&')), answer);
	});
}

test('whoever knows the key of a bot hears of its new name', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const bot = await makeBot(realm, alice);
	const events = await queueOf(alice, 'realm_bot');

	expectSuccess(t, await adam.patch(`/api/v1/users/${bot.userId}`, 'full_name=Coffee'));
	expectSuccess(t, await adam.patch('/api/v1/users/5', 'full_name=Bert'));

	t.deepEqual(await events(), [{type: 'realm_bot', op: 'update', bot: {user_id: bot.userId, full_name: 'Coffee'}}]);
});

test('the realm moves whoever has another role to other groups', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	const groups = await queueOf(bob, 'user_group');

	expectSuccess(t, await adam.patch('/api/v1/users/5', 'role=300'));

	t.deepEqual(await groups(), [
		{type: 'user_group', op: 'remove_members', group_id: 3, user_ids: [5]},
		{type: 'user_group', op: 'remove_members', group_id: 4, user_ids: [5]},
		{type: 'user_group', op: 'add_members', group_id: 5, user_ids: [5]},
	]);
	const {json} = await adam.get('/api/v1/user_groups/5/members?direct_member_only=true');
	t.deepEqual(at(json, 'members'), [3, 5]);
});

test('the realm lets the owner of a bot rename it, and give it no role', async t => {
	const realm = await openRealm(t);
	const [olivia, adam] = [await signIn(t, 'olivia', realm), await signIn(t, 'adam', realm)];
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	expectSuccess(t, await olivia.patch(`/api/v1/users/${adam.userId}`, 'role=100'));
	expectSuccess(t, await adam.patch(`/api/v1/users/${olivia.userId}`, 'role=400'));

	expectSuccess(t, await olivia.patch(`/api/v1/users/${bot.userId}`, 'full_name=Reply'));
	expectRefusal(
		t,
		await olivia.patch(`/api/v1/users/${bot.userId}`, 'role=300'),
		badRequest('Insufficient permission'),
	);

	const {json} = await adam.get(`/api/v1/users/${bot.userId}`);
	t.is(at(json, 'user', 'full_name'), 'Reply');
	t.is(at(json, 'user', 'role'), 400);
});

test('the realm leaves a name that is blank, and a role as it is, without an event', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	const users = await queueOf(bob, 'realm_user');

	expectSuccess(t, await adam.patch('/api/v1/users/5', 'full_name=+&role=400'));

	t.deepEqual(await users(), []);
	t.is(at((await bob.get('/api/v1/users/me')).json, 'full_name'), 'Bob Birk');
});

// Fields of the demo organization: 1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 external account,
// 8 pronouns, 9 short text for administrators only.
for (const [id, sent, stored] of [
	[1, '"In *town*"', {value: 'In *town*', rendered_value: '<p>In <em>town</em></p>'}],
	[2, '"Sings"', {value: 'Sings', rendered_value: '<p>Sings</p>'}],
	[3, '"1"', {value: '1'}],
	[4, '"2000-02-29"', {value: '2000-02-29'}],
	[5, '"https://gus.example/a?b=c"', {value: 'https://gus.example/a?b=c'}],
	[6, '[4,5]', {value: '[4,5]'}],
	[7, '"gus-gray"', {value: 'gus-gray'}],
	[8, '"he/him"', {value: 'he/him'}],
	[9, '"0007"', {value: '0007', rendered_value: '<p>0007</p>'}],
] as const) {
	test(`the realm puts ${sent} into profile field ${id}, and tells everybody`, async t => {
		const realm = await openRealm(t);
		const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
		const users = await queueOf(bob, 'realm_user');
		const form = `profile_data=${encodeURIComponent(`[{"id":${id},"value":${sent}}]`)}`;

		expectSuccess(t, await adam.patch('/api/v1/users/7', form));

		const {json} = await bob.get('/api/v1/users/7?include_custom_profile_fields=true');
		t.deepEqual(at(json, 'user', 'profile_data', String(id)), stored);
		t.deepEqual(await users(), [
			{type: 'realm_user', op: 'update', person: {user_id: 7, custom_profile_field: {id, ...stored}}},
		]);
	});
}

for (const value of ['null', '""', '[]']) {
	test(`the realm removes a profile value for ${value}, and tells everybody`, async t => {
		const realm = await openRealm(t);
		const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
		const users = await queueOf(bob, 'realm_user');
		const form = `profile_data=${encodeURIComponent(`[{"id":6,"value":${value}}]`)}`;

		expectSuccess(t, await adam.patch('/api/v1/users/7', form));

		const {json} = await bob.get('/api/v1/users/7?include_custom_profile_fields=true');
		t.deepEqual(at(json, 'user', 'profile_data'), {});
		t.deepEqual(await users(), [
			{type: 'realm_user', op: 'update', person: {user_id: 7, custom_profile_field: {id: 6, value: null}}},
		]);
		expectSuccess(t, await adam.patch('/api/v1/users/7', form));
		t.is((await users()).length, 1);
	});
}

const long = (length: number) => 'x'.repeat(length);
for (const [data, text] of [
	['[{"id":99,"value":"x"}]', 'Field id 99 not found.'],
	['[{"id":99,"value":null}]', 'Field id 99 not found.'],
	[`[{"id":1,"value":"${long(51)}"}]`, 'Desk is too long (limit: 50 characters)'],
	['[{"id":1,"value":[4]}]', 'Desk is not a string'],
	[`[{"id":2,"value":"${long(501)}"}]`, 'About me is too long (limit: 500 characters)'],
	['[{"id":3,"value":"9"}]', "'9' is not a valid choice for 'Favourite dish'."],
	['[{"id":3,"value":"toString"}]', "'toString' is not a valid choice for 'Favourite dish'."],
	['[{"id":4,"value":"1.5.2000"}]', 'Birthday is not a date'],
	['[{"id":4,"value":"2001-02-29"}]', 'Birthday is not a date'],
	['[{"id":5,"value":"gus.example"}]', 'Homepage is not a URL'],
	['[{"id":5,"value":"javascript:alert(1)"}]', 'Homepage is not a URL'],
	['[{"id":6,"value":"4"}]', 'User IDs is not a list'],
	['[{"id":6,"value":[4,99999]}]', 'Invalid user IDs: 99999'],
	['[{"id":6,"value":[6]}]', 'User with ID 6 is deactivated'],
	['[{"id":6,"value":[21]}]', 'User with ID 21 is a bot'],
	[`[{"id":7,"value":"${long(51)}"}]`, 'GitHub username is too long (limit: 50 characters)'],
	[`[{"id":8,"value":"${long(51)}"}]`, 'Pronouns is too long (limit: 50 characters)'],
	['[{"id":5,"value":"https://x.example/"},{"id":4,"value":"today"}]', 'Birthday is not a date'],
	['{}', 'profile_data is not a list'],
	['[5]', 'profile_data[0] is not a dict'],
	['[{"value":"x"}]', 'profile_data[0]["id"] field is missing: Field required'],
	['[{"id":1}]', 'profile_data[0]["value"] field is missing: Field required'],
	['[{"id":1,"value":{}}]', 'profile_data[0]["value"] is not a string'],
] as const) {
	test(`the realm refuses profile data of ${data.slice(0, 50)}, and changes nothing`, async t => {
		const realm = await openRealm(t);
		const [adam, gus] = [await signIn(t, 'adam', realm), await signIn(t, 'gus', realm)];
		realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
		expectSuccess(t, await adam.delete('/api/v1/users/6', ''));
		const before = (await gus.get('/api/v1/users/me')).json;

		const answer = await adam.patch('/api/v1/users/7', `role=300&profile_data=${encodeURIComponent(data)}`);

		expectRefusal(t, answer, badRequest(text));
		t.deepEqual((await gus.get('/api/v1/users/me')).json, before);
	});
}

test('the realm gives somebody another address, by which they call and are found', async t => {
	const realm = await openRealm(t);
	const [olivia, alice, bob] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	const users = await queueOf(alice, 'realm_user');
	const before = at((await bob.get('/api/v1/users/me')).json, 'avatar_url');

	expectSuccess(t, await olivia.patch('/api/v1/users/5', 'new_email=bert%40bothy.example'));

	const bert = await signIn(t, 'bert', realm);
	t.is(bert.key, bob.key);
	t.is((await bob.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	const {json} = await alice.get('/api/v1/users/bert%40bothy.example?client_gravatar=false');
	t.is(at(json, 'user', 'user_id'), 5);
	const avatar = at(json, 'user', 'avatar_url');
	t.not(avatar, before);
	t.deepEqual(await users(), [
		{type: 'realm_user', op: 'update', person: {user_id: 5, new_email: 'bert@bothy.example'}},
		{type: 'realm_user', op: 'update', person: {user_id: 5, delivery_email: 'bert@bothy.example'}},
		{
			type: 'realm_user',
			op: 'update',
			person: {
				user_id: 5,
				avatar_url: avatar,
				avatar_url_medium: avatar,
				avatar_source: 'G',
				avatar_version: 1,
			},
		},
	]);
});

test('of a hidden address that changes, those hear who see it, and the picture stays', async t => {
	const realm = await openRealm(t);
	const [olivia, adam, bob] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'bob', realm),
	];
	expectSuccess(t, await bob.patch('/api/v1/settings', 'email_address_visibility=3'));
	const [adams, alices] = [
		await queueOf(adam, 'realm_user'),
		await queueOf(await signIn(t, 'alice', realm), 'realm_user'),
	];

	expectSuccess(t, await olivia.patch('/api/v1/users/5', 'new_email=bert%40bothy.example'));

	t.deepEqual(await adams(), [
		{type: 'realm_user', op: 'update', person: {user_id: 5, delivery_email: 'bert@bothy.example'}},
	]);
	t.deepEqual(await alices(), []);
});

test('the realm says nothing of an address that stays', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);
	const users = await queueOf(olivia, 'realm_user');

	expectSuccess(t, await olivia.patch('/api/v1/users/5', 'new_email=bob%40bothy.example'));

	t.deepEqual(await users(), []);
});

for (const [form, text] of [
	['new_email=bert', 'Invalid new email address.'],
	['new_email=', 'Invalid new email address.'],
	['new_email=CARLA%40bothy.example', 'New email value error: Already has an account.'],
] as const) {
	test(`the realm refuses ${form} with a new role, and changes nothing`, async t => {
		const realm = await openRealm(t);
		const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];

		expectRefusal(t, await olivia.patch('/api/v1/users/5', `role=300&${form}`), badRequest(text));

		t.is(at((await bob.get('/api/v1/users/me')).json, 'role'), 400);
	});
}

const noEmails = badRequest('User not authorized to change user emails');

test('the realm lets only an owner who has the right change addresses, and checks that first', async t => {
	const realm = await openRealm(t);
	const [olivia, adam] = [await signIn(t, 'olivia', realm), await signIn(t, 'adam', realm)];
	const change = 'full_name=%2A&new_email=bert%40bothy.example';

	expectRefusal(t, await adam.patch('/api/v1/users/5', change), noEmails);
	expectSuccess(t, await olivia.patch('/api/v1/users/2', 'role=100'));
	expectRefusal(t, await adam.patch('/api/v1/users/5', change), noEmails);
	expectSuccess(t, await adam.patch('/api/v1/users/1', 'role=200'));
	expectRefusal(t, await olivia.patch('/api/v1/users/5', change), noEmails);
});

test('a realm below feature level 285 does not know new_email', async t => {
	const realm = await openRealm(t, {featureLevel: 284});
	const [olivia, bob] = [await signIn(t, 'olivia', realm), await signIn(t, 'bob', realm)];

	const {json} = await olivia.patch('/api/v1/users/5', 'new_email=bert%40bothy.example');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['new_email']);
	t.is(at((await bob.get('/api/v1/users/me')).json, 'email'), 'bob@bothy.example');
});

for (const [role, text] of [
	['500', 'Invalid role: Value error, Not in the list of possible values'],
	['300.5', 'role is not an integer'],
	['%22300%22', 'role is not an integer'],
	['true', 'role is not an integer'],
	['null', 'role is not an integer'],
	['moderator', 'role is not valid JSON'],
] as const) {
	test(`the realm refuses ${role} as a role`, async t => {
		const adam = await signIn(t, 'adam');

		expectRefusal(t, await adam.patch('/api/v1/users/5', `role=${role}`), badRequest(text));
	});
}

test('the realm gives new bots to its owner, whatever their address has become', async t => {
	const realm = await openRealm(t);
	const olivia = await signIn(t, 'olivia', realm);
	expectSuccess(t, await olivia.patch('/api/v1/users/1', 'new_email=liv%40bothy.example'));

	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const {json} = await (await signIn(t, 'liv', realm)).get(`/api/v1/users/${bot.userId}`);
	t.is(at(json, 'user', 'bot_owner_id'), 1);
});
