import {clientCalls} from '../kit/client-calls.js';
import {expectSuccess, sendRequest} from '../kit/raw-request.js';
import {answers, type Expected, including, like, missingArgument, notFound, refusal, story} from '../kit/story.js';

const MEMBERS = `[{"user_id":5,"email":"user5@chat.example.com","delivery_email":null,"full_name":"Iago",\
"avatar_url":null,"avatar_version":1,"date_joined":"2024-05-01T09:30+00:00","timezone":"","role":200,"is_active":true,\
"is_admin":true,"is_owner":false,"is_guest":false,"is_bot":false,"is_imported_stub":false,\
"profile_data":{"1":{"value":"+1-234","rendered_value":"<p>+1-234</p>"},"4":{"value":"vim"}}},\
{"user_id":6,"email":"echo-bot@chat.example.com","delivery_email":"echo-bot@chat.example.com","full_name":"Echo",\
"avatar_url":"https://chat.example.com/6.png","avatar_version":2,"date_joined":"2019-10-20T07:50:53.728864+00:00",\
"timezone":"Europe/Berlin","role":400,"is_active":false,"is_admin":false,"is_owner":false,"is_guest":false,\
"is_bot":true,"is_imported_stub":false,"bot_type":3,"bot_owner_id":5}]`;

clientCalls('getUsers', {
	'sends lists and booleans as JSON in the query': [
		{client_gravatar: false, include_custom_profile_fields: true, user_ids: [5, 6]},
		'GET /api/v1/users?client_gravatar=false&include_custom_profile_fields=true&user_ids=%5B5%2C6%5D',
		'"members":[]',
	],
	'asks for all without a query, and reads every field of people and bots': [
		{},
		'GET /api/v1/users',
		`"members":${MEMBERS}`,
		{members: JSON.parse(MEMBERS)},
	],
});

const ME = {
	user_id: 6,
	email: 'echo-bot@chat.example.com',
	delivery_email: 'echo-bot@chat.example.com',
	full_name: 'Echo',
	avatar_url: 'https://chat.example.com/6.png',
	avatar_version: 1,
	date_joined: '2024-05-01T09:30+00:00',
	timezone: '',
	role: 400,
	is_active: true,
	is_admin: false,
	is_owner: false,
	is_guest: false,
	is_bot: true,
	is_imported_stub: false,
	bot_type: 3,
	bot_owner_id: 5,
	max_message_id: 30,
};

clientCalls('getOwnUser', {
	'reads an account at top level': [
		{},
		'GET /api/v1/users/me',
		JSON.stringify({result: 'success', msg: '', ...ME}),
		ME,
	],
	'reads a person with null as kind of bot': [
		{},
		'GET /api/v1/users/me',
		JSON.stringify({result: 'success', msg: '', ...ME, is_bot: false, bot_type: null, bot_owner_id: undefined}),
		{bot_type: null},
	],
});

clientCalls('getUser', {
	'names the user in the path and asks in the query': [
		{user_id: 7, client_gravatar: false, include_custom_profile_fields: true},
		'GET /api/v1/users/7?client_gravatar=false&include_custom_profile_fields=true',
		`"user":{"user_id":7,"email":"user7@chat.example.com","delivery_email":null,\
"full_name":"Ann","avatar_url":null,"avatar_version":1,"date_joined":"2024-05-01T09:30+00:00","timezone":"","role":400,\
"is_active":true,"is_admin":false,"is_owner":false,"is_guest":false,"is_bot":false,"is_deleted":true,\
"profile_data":{"3":{"value":"vim"}}}`,
	],
});

clientCalls('getUserByEmail', {
	'names the email in the path and asks in the query': [
		{
			email: 'ann@chat.example.com',
			client_gravatar: false,
			include_custom_profile_fields: true,
		},
		'GET /api/v1/users/ann%40chat.example.com?client_gravatar=false&include_custom_profile_fields=true',
		`"user":{"user_id":7,"email":"ann@chat.example.com","full_name":"Ann",\
"avatar_url":"https://chat.example.com/7.png","date_joined":"2024-05-01T09:30+00:00","timezone":"","role":400,\
"is_active":true,"is_admin":false,"is_owner":false,"is_guest":false,"is_bot":false}`,
	],
});

const NORA = 'email=nora%40bothy.example&password=s3cret&full_name=Nora+North';
const nora = {email: 'nora@bothy.example', password: 's3cret', full_name: 'Nora North'};

clientCalls('createUser', {
	'sends a form': [nora, `POST /api/v1/users ${NORA}`, '"user_id":25'],
	'reads the answer of a server that names no user': [
		async client => ({id: (await client.createUser(nora)).user_id}),
		`POST /api/v1/users ${NORA}`,
		'',
		{id: undefined},
	],
});

/** The realm's clock stands still. */
const STILL = {now: 1_753_600_000_500};

/** Somebody of the demo organization, or who joined when it was made. */
const person = (user_id: number, name: string, full_name: string, role = 400) => ({
	user_id,
	email: `${name}@bothy.example`,
	delivery_email: `${name}@bothy.example`,
	full_name,
	date_joined: '2025-07-27T07:06+00:00',
	timezone: '',
	avatar_url: null as Expected,
	avatar_version: 1,
	is_active: true,
	is_bot: false,
	is_imported_stub: false,
	role,
	is_owner: role === 100,
	is_admin: role <= 200,
	is_guest: role === 600,
});

const ALICE = person(4, 'alice', 'Alice Ahn');
const BOB = person(5, 'bob', 'Bob Birk');
const ECHO = {...person(21, 'echo-bot', 'echo'), is_bot: true, bot_type: 3, bot_owner_id: 1};
const ADDRESS = /^https?:\/\//;
/** Beside it, one's own account has these fields. */
const OWN = {avatar_url: ADDRESS, max_message_id: '<integer>'};
const ALICES_PROFILE = {
	1: {value: 'By the *window*', rendered_value: '<p>By the <em>window</em></p>'},
	2: {value: 'Bakes. Ask about **rye**.', rendered_value: '<p>Bakes. Ask about <strong>rye</strong>.</p>'},
	9: {value: '0004', rendered_value: '<p>0004</p>'},
};

story(
	'getUsers',
	'lists people of every role, and bots with kind and owner',
	[
		['echo-bot GET /api/v1/users/me'],
		[
			'alice GET /api/v1/users',
			{
				members: including(
					person(1, 'olivia', 'Olivia Owens', 100),
					person(2, 'adam', 'Adam Addo', 200),
					person(3, 'mona', 'Mona Moss', 300),
					ALICE,
					person(7, 'gus', 'Gus Gray', 600),
					ECHO,
				),
			},
		],
		['alice GET /api/v1/users?user_ids=%5B4%5D', {members: [ALICE]}],
		['alice GET /api/v1/users?user_ids=[4]&client_gravatar=false', {members: [{...ALICE, avatar_url: ADDRESS}]}],
		[
			'alice GET /api/v1/users?include_custom_profile_fields=true',
			{
				members: including(
					{
						...BOB,
						profile_data: {
							1: {value: 'Second floor', rendered_value: '<p>Second floor</p>'},
							5: {value: 'https://bob.bothy.example/'},
							6: {value: '[3,4]'},
						},
					},
					like({email: 'olivia@bothy.example', profile_data: {}}),
				),
			},
		],
	],
	STILL,
);

answers('getUsers', {
	'names unknown parameters': [
		'alice GET /api/v1/users?colour=red',
		like({ignored_parameters_unsupported: ['colour']}),
	],
	'does not know user_ids below feature level 384': [
		'alice GET /api/v1/users?user_ids=[4]',
		{members: including(like({user_id: 4}), like({user_id: 5})), ignored_parameters_unsupported: ['user_ids']},
		{featureLevel: 383},
	],
	'does not name unknown parameters below feature level 167': [
		'alice GET /api/v1/users?colour=red',
		{members: '<any>'},
		{featureLevel: 166},
	],
	'refuses an object as IDs': ['alice GET /api/v1/users?user_ids={}', 'user_ids is not a list'],
	'refuses IDs that are not JSON': ['alice GET /api/v1/users?user_ids=alice', 'user_ids is not valid JSON'],
	'refuses a word as ID': ['alice GET /api/v1/users?user_ids=["a"]', 'user_ids[0] is not an integer'],
	'refuses client_gravatar=True': ['alice GET /api/v1/users?client_gravatar=True', 'client_gravatar is not valid JSON'],
	'refuses client_gravatar=1': ['alice GET /api/v1/users?client_gravatar=1', 'client_gravatar is not a boolean'],
});

story(
	'getUsers',
	'lists everybody without login where the organization has public access, but no addresses and no system bot',
	[
		['echo-bot GET /api/v1/users/me'],
		[
			'nobody GET /api/v1/users?client_gravatar=false',
			{
				members: Array.from({length: 21}, (_, index) => index + 1)
					.filter(id => id !== 8)
					.map(id => like({user_id: id, email: `user${id}@bothy.example`, delivery_email: null})),
			},
		],
		async (t, {realm}) => {
			const answer = await sendRequest(realm.url, 'GET /api/v1/users?client_gravatar=false', ['Accept: text/html']);
			expectSuccess(t, answer);
			t.true(answer.body.includes('"Alice Ahn"'));
			t.false(/(olivia|alice|echo-bot)@/.test(answer.body));
		},
	],
	{publicAccess: true},
);

story('getUsers', 'needs a login where the organization has no public access', [
	[
		'nobody GET /api/v1/users',
		refusal('401 Unauthorized', 'Not logged in: API authentication or user session required', {code: 'UNAUTHORIZED'}),
	],
	['alice GET /api/v1/users'],
]);

story('getUsers', 'refuses a wrong key, although it needs none', [
	{enter: 'mallory', email: 'alice@bothy.example', key: 'abcdefghijklmnopqrstuvwxyz012345'},
	['mallory GET /api/v1/users', refusal('401 Unauthorized', 'Invalid API key', {code: 'UNAUTHORIZED'})],
]);

story(
	'getOwnUser',
	'gives people and bots their own account at top level',
	[
		['alice GET /api/v1/users/me', {...ALICE, ...OWN, profile_data: ALICES_PROFILE}],
		['echo-bot GET /api/v1/users/me', {...ECHO, ...OWN}],
		['alice POST /api/v1/messages type=channel&to=general&topic=x&content=x', like({id: '$id'})],
		[
			'alice GET /api/v1/users/me?colour=red',
			like({max_message_id: '$id', ignored_parameters_unsupported: ['colour']}),
		],
	],
	STILL,
);

story(
	'getUser',
	'gives one user, with avatar and profile when asked',
	[
		['alice GET /api/v1/users/2', {user: person(2, 'adam', 'Adam Addo', 200)}],
		[
			'alice GET /api/v1/users/4?client_gravatar=false&include_custom_profile_fields=true',
			{user: {...ALICE, avatar_url: ADDRESS, profile_data: ALICES_PROFILE}},
		],
		['echo-bot GET /api/v1/users/21?include_custom_profile_fields=true', {user: ECHO}],
	],
	STILL,
);

answers('getUser', {
	'refuses an unknown ID': ['alice GET /api/v1/users/99999', 'No such user'],
	'refuses client_gravatar=1': ['alice GET /api/v1/users/4?client_gravatar=1', 'client_gravatar is not a boolean'],
	'refuses include_custom_profile_fields=yes': [
		'alice GET /api/v1/users/4?include_custom_profile_fields=yes',
		'include_custom_profile_fields is not valid JSON',
	],
});

story(
	'getUserByEmail',
	'finds users by email in any case and by placeholder, with avatar and profile when asked',
	[
		['alice GET /api/v1/users/bob%40bothy.example', {user: BOB}],
		['alice GET /api/v1/users/BOB%40Bothy.example', {user: BOB}],
		['alice GET /api/v1/users/user5%40bothy.example', {user: BOB}],
		['alice GET /api/v1/users/bob@bothy.example', {user: BOB}],
		[
			'alice GET /api/v1/users/carla%40bothy.example?client_gravatar=false&include_custom_profile_fields=true',
			{user: {...person(6, 'carla', 'Carla Cruz'), avatar_url: ADDRESS, profile_data: {3: {value: '0'}}}},
		],
	],
	STILL,
);

answers('getUserByEmail', {
	'refuses an unknown email': ['alice GET /api/v1/users/x%40bothy.example', 'No such user'],
	'refuses a placeholder of nobody': ['alice GET /api/v1/users/user99999%40bothy.example', 'No such user'],
	'refuses a placeholder of another domain': ['alice GET /api/v1/users/user5%40elsewhere.example', 'No such user'],
	'is unknown below feature level 39': ['alice GET /api/v1/users/bob%40bothy.example', notFound(), {featureLevel: 38}],
});

const JOINED = person(21, 'nora', 'Nora North');

story(
	'createUser',
	'makes an account in the default channels, and tells everybody',
	[
		{listen: 'bob', to: 'realm_user'},
		{listen: 'bob', to: 'user_group'},
		{listen: 'bob', to: 'subscription'},
		['olivia POST /api/v1/users email=nora%40bothy.example&password=s3cret&full_name=Nora+North', {user_id: 21}],
		['nora GET /api/v1/users/me', {...JOINED, ...OWN, profile_data: {}}],
		['nora GET /api/v1/get_stream_id?stream=general', {stream_id: 1}],
		['nora GET /api/v1/users/me/subscriptions', like({subscriptions: [like({name: 'general'})]})],
		{
			heard: 'bob',
			of: 'realm_user',
			events: [{type: 'realm_user', op: 'add', person: {...JOINED, profile_data: {}}}],
		},
		{
			heard: 'bob',
			of: 'user_group',
			events: [3, 4].map(group_id => ({type: 'user_group', op: 'add_members', group_id, user_ids: [21]})),
		},
		{
			heard: 'bob',
			of: 'subscription',
			events: [{type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [21]}],
		},
	],
	STILL,
);

story('createUser', 'trims name and email', [
	['olivia POST /api/v1/users email=+nora%40bothy.example&password=p&full_name=+Nora+', {user_id: 21}],
	['olivia GET /api/v1/users/21', {user: like({email: 'nora@bothy.example', full_name: 'Nora'})}],
]);

const NOT_ADMINISTRATOR = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});

answers('createUser', {
	'does not name the user below feature level 30': [`olivia POST /api/v1/users ${NORA}`, {}, {featureLevel: 29}],
	'refuses members': [`alice POST /api/v1/users ${NORA}`, NOT_ADMINISTRATOR],
	'refuses bots': [`echo-bot POST /api/v1/users ${NORA}`, NOT_ADMINISTRATOR],
	'refuses administrators without the right': [
		`adam POST /api/v1/users ${NORA}`,
		'User not authorized to create users',
	],
	'needs an email': ['olivia POST /api/v1/users password=p', missingArgument('email')],
	'needs a password': ['olivia POST /api/v1/users email=n%40b.example', missingArgument('password')],
	'needs a name': ['olivia POST /api/v1/users email=n%40b.example&password=p', missingArgument('full_name')],
});

story('createUser', 'refuses bad emails and names', [
	[
		'olivia POST /api/v1/users email=ALICE%40bothy.example&password=p&full_name=Alice',
		"Email 'ALICE@bothy.example' already in use",
	],
	['olivia POST /api/v1/users email=nora&password=p&full_name=Nora', 'Bad name or username'],
	['olivia POST /api/v1/users email=n%40b.example&password=p&full_name=+', 'Name too short!'],
	[`olivia POST /api/v1/users email=n%40b.example&password=p&full_name=${'n'.repeat(101)}`, 'Name too long!'],
	['olivia POST /api/v1/users email=n%40b.example&password=p&full_name=N%2Aa', 'Invalid characters in name!'],
	['olivia POST /api/v1/users email=n%40b.example&password=p&full_name=Nora%7C7', 'Invalid format!'],
]);

story('muteUser', 'mutes once, and the own clients get an event', [
	{listen: 'alice', to: 'muted_users'},
	['alice POST /api/v1/users/me/muted_users/5', {}],
	['alice POST /api/v1/users/me/muted_users/5', 'User already muted'],
	['alice POST /api/v1/users/me/muted_users/4', 'Cannot mute self'],
	['alice POST /api/v1/users/me/muted_users/999', 'No such user'],
	{heard: 'alice', events: [{type: 'muted_users', muted_users: [{id: 5, timestamp: '<integer>'}]}]},
	['alice POST /api/v1/register event_types=["muted_users"]', like({muted_users: [{id: 5, timestamp: '<integer>'}]})],
]);

story('unmuteUser', 'unmutes a muted user, and refuses others', [
	['alice DELETE /api/v1/users/me/muted_users/5', 'User is not muted'],
	['alice DELETE /api/v1/users/me/muted_users/4', 'User is not muted'],
	['alice POST /api/v1/users/me/muted_users/5', {}],
	{listen: 'alice', to: 'muted_users'},
	['alice DELETE /api/v1/users/me/muted_users/5', {}],
	{heard: 'alice', events: [{type: 'muted_users', muted_users: []}]},
]);

clientCalls('muteUser', {
	'writes the ID into the path': [{muted_user_id: 12}, 'POST /api/v1/users/me/muted_users/12'],
});

clientCalls('unmuteUser', {
	'writes the ID into the path': [{muted_user_id: 12}, 'DELETE /api/v1/users/me/muted_users/12'],
});
