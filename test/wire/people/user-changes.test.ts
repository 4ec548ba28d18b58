import {clientCalls} from '../kit/client-calls.js';
import {answers, type Expected, like, notFound, refusal, type Step, story} from '../kit/story.js';

clientCalls('updateUser', {
	'sends name and role': [{user_id: 7, full_name: 'Ann', role: 300}, 'PATCH /api/v1/users/7 full_name=Ann&role=300'],
	'sends profile data as JSON and an email as text': [
		{
			user_id: 7,
			profile_data: [
				{id: 1, value: 'vim'},
				{id: 2, value: [8, 9]},
				{id: 3, value: null},
			],
			new_email: 'ann@chat.example.com',
		},
		'PATCH /api/v1/users/7 profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22vim%22%7D%2C%7B%22id%22%3A2%2C%22value%22%3A%5B8%2C9%5D%7D%2C%7B%22id%22%3A3%2C%22value%22%3Anull%7D%5D&new_email=ann%40chat.example.com',
	],
});

clientCalls('updateUserByEmail', {
	'names the email in the path': [
		{email: 'bob@bothy.example', full_name: 'Bert'},
		'PATCH /api/v1/users/bob%40bothy.example full_name=Bert',
	],
	'sends profile data as JSON and an email as text': [
		{
			email: 'bob@bothy.example',
			role: 300,
			profile_data: [{id: 1, value: null}],
			new_email: 'bert@bothy.example',
		},
		'PATCH /api/v1/users/bob%40bothy.example role=300&profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3Anull%7D%5D&new_email=bert%40bothy.example',
	],
});

const NOT_OWNER = refusal('400 Bad Request', 'Must be an organization owner', {code: 'UNAUTHORIZED_PRINCIPAL'});
const NOT_GUESTS = 'Guests cannot be organization administrators';
const NO_PERMISSION = 'Insufficient permission';
const NO_EMAILS = 'User not authorized to change user emails';
const WRONG_KEY = refusal('401 Unauthorized', 'Invalid API key', {code: 'UNAUTHORIZED'});
const LONG = 'x'.repeat(101);

/** What people hear of a change of somebody. */
const told = (user_id: number, change: {readonly [key: string]: Expected}) => ({
	type: 'realm_user',
	op: 'update',
	person: {user_id, ...change},
});

/** These steps change nobody. */
const unchanged = (...steps: readonly Step[]): Step[] => [
	['olivia GET /api/v1/users?include_custom_profile_fields=true', {members: '$before'}],
	...steps,
	['olivia GET /api/v1/users?include_custom_profile_fields=true', {members: '$before'}],
];

story('updateUser', 'changes name and role, and everybody gets an event', [
	{listen: 'bob', to: 'realm_user'},
	['adam PATCH /api/v1/users/4 full_name=Ann+One', {}],
	['alice GET /api/v1/users/me', like({full_name: 'Ann One'})],
	['adam PATCH /api/v1/users/4 full_name=+Ann+Two+', {}],
	['adam PATCH /api/v1/users/4 full_name=+&role=400', {}],
	['alice GET /api/v1/users/me', like({full_name: 'Ann Two'})],
	['adam PATCH /api/v1/users/4 role=300', {}],
	['alice GET /api/v1/users/me', like({role: 300})],
	['adam PATCH /api/v1/users/4 role=600', {}],
	['alice GET /api/v1/users/me', like({role: 600})],
	{
		heard: 'bob',
		events: [
			told(4, {full_name: 'Ann One'}),
			told(4, {full_name: 'Ann Two'}),
			told(4, {role: 300}),
			told(4, {role: 600}),
		],
	},
]);

story('updateUser', 'moves people with another role to other groups', [
	{listen: 'bob', to: 'user_group'},
	['adam PATCH /api/v1/users/5 role=300', {}],
	{
		heard: 'bob',
		events: [
			{type: 'user_group', op: 'remove_members', group_id: 3, user_ids: [5]},
			{type: 'user_group', op: 'add_members', group_id: 5, user_ids: [5]},
			{type: 'user_group', op: 'remove_members', group_id: 4, user_ids: [5]},
		],
	},
	['adam GET /api/v1/user_groups/5/members?direct_member_only=true', {members: [3, 5]}],
]);

story('updateUser', 'refuses callers, names and roles, and changes nothing', [
	...unchanged(
		['alice PATCH /api/v1/users/5 full_name=Bert', NO_PERMISSION],
		['adam PATCH /api/v1/users/5 role=100', NOT_OWNER],
		['adam PATCH /api/v1/users/1 role=200', NOT_OWNER],
		[
			'olivia PATCH /api/v1/users/1 role=200',
			'The owner permission cannot be removed from the only organization owner.',
		],
		['adam PATCH /api/v1/users/7 role=200', NOT_GUESTS],
		['olivia PATCH /api/v1/users/7 role=100', NOT_GUESTS],
		['adam PATCH /api/v1/users/5 full_name=B%40b', 'Invalid characters in name!'],
		['adam PATCH /api/v1/users/5 role=300&full_name=Bob%7C7', 'Invalid format!'],
		[`adam PATCH /api/v1/users/5 full_name=${LONG}`, 'Name too long!'],
		['adam PATCH /api/v1/users/99999 full_name=X', 'No such user'],
		['adam PATCH /api/v1/users/5 role=500', 'Invalid role: Value error, Not in the list of possible values'],
		['adam PATCH /api/v1/users/5 role=300.5', 'role is not an integer'],
		['adam PATCH /api/v1/users/5 role="300"', 'role is not an integer'],
		['adam PATCH /api/v1/users/5 role=true', 'role is not an integer'],
		['adam PATCH /api/v1/users/5 role=null', 'role is not an integer'],
		['adam PATCH /api/v1/users/5 role=moderator', 'role is not valid JSON'],
	),
]);

story('updateUser', "leaves the system's own bot alone, as the other calls do", [
	['alice GET /api/v1/users/8', {user: like({is_system_bot: true})}],
	...unchanged(
		['olivia PATCH /api/v1/users/8 full_name=Newsroom&role=200', 'No such user'],
		['olivia PATCH /api/v1/users/notification-bot%40bothy.example full_name=Newsroom&role=200', 'No such user'],
		['olivia POST /api/v1/users/8/reactivate', 'No such user'],
	),
]);

story('updateUser', 'changes people who are deactivated', [
	['olivia DELETE /api/v1/users/5'],
	[
		'olivia PATCH /api/v1/users/5 full_name=Bert&role=300&new_email=bert%40bothy.example' +
			'&profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%5D',
		{},
	],
	[
		'alice GET /api/v1/users/5?include_custom_profile_fields=true',
		{
			user: like({
				is_active: false,
				full_name: 'Bert',
				role: 300,
				email: 'bert@bothy.example',
				profile_data: like({1: like({value: 'Roof'})}),
			}),
		},
	],
]);

story('updateUser', 'lets bots that administer change people, but not owners', [
	['echo-bot PATCH /api/v1/users/5 full_name=Bert', NO_PERMISSION],
	['olivia PATCH /api/v1/users/21 role=200', {}],
	['echo-bot PATCH /api/v1/users/5 full_name=Bert', {}],
	['echo-bot PATCH /api/v1/users/5 role=100', NOT_OWNER],
	['alice GET /api/v1/users/5', {user: like({full_name: 'Bert'})}],
]);

story('updateUser', 'lets the owner of a bot rename it, but not give it a role', [
	['echo-bot GET /api/v1/users/me', like({bot_owner_id: 1})],
	['olivia PATCH /api/v1/users/2 role=100'],
	['adam PATCH /api/v1/users/1 role=400'],
	['olivia PATCH /api/v1/users/21 full_name=Reply', {}],
	[
		'olivia PATCH /api/v1/users/21 role=300',
		refusal('400 Bad Request', 'Must be an organization administrator', {code: 'UNAUTHORIZED_PRINCIPAL'}),
	],
	['adam GET /api/v1/users/21', {user: like({full_name: 'Reply', role: 400})}],
]);

story('updateUser', 'sends an event about the new name to people who know the key of the bot', [
	['alice POST /api/v1/bots full_name=Tea+Bot&short_name=tea'],
	{listen: 'alice', to: 'realm_bot'},
	['adam PATCH /api/v1/users/21 full_name=Coffee', {}],
	['adam PATCH /api/v1/users/5 full_name=Bert', {}],
	{heard: 'alice', events: [{type: 'realm_bot', op: 'update', bot: {user_id: 21, full_name: 'Coffee'}}]},
]);

answers('updateUser', {
	'looks at the role first': [
		'olivia PATCH /api/v1/users/7 new_email=bert&profile_data=[{"id":99,"value":"x"}]&full_name=%2A&role=100',
		NOT_GUESTS,
	],
	'looks at the name second': [
		'olivia PATCH /api/v1/users/7 new_email=bert&profile_data=[{"id":99,"value":"x"}]&full_name=%2A',
		'Invalid characters in name!',
	],
	'looks at profile data third': [
		'olivia PATCH /api/v1/users/7 new_email=bert&profile_data=[{"id":99,"value":"x"}]',
		'Field id 99 not found.',
	],
	'looks at the email last': ['olivia PATCH /api/v1/users/7 new_email=bert', 'Invalid new email address.'],
});

// Fields of the demo organization: 1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 external account,
// 8 pronouns, 9 short text for administrators only.
const VALUES: ReadonlyArray<readonly [id: number, sent: string, stored: {value: string; rendered_value?: string}]> = [
	[1, '"In *town*"', {value: 'In *town*', rendered_value: '<p>In <em>town</em></p>'}],
	[2, '"Sings"', {value: 'Sings', rendered_value: '<p>Sings</p>'}],
	[3, '"1"', {value: '1'}],
	[4, '"2000-02-29"', {value: '2000-02-29'}],
	[5, '"https://gus.example/a?b=c"', {value: 'https://gus.example/a?b=c'}],
	[6, '[4,5]', {value: '[4,5]'}],
	[7, '"gus-gray"', {value: 'gus-gray'}],
	[8, '"he/him"', {value: 'he/him'}],
	[9, '"0007"', {value: '0007', rendered_value: '<p>0007</p>'}],
];

story('updateUser', 'stores a value of each kind of profile field, and everybody gets an event', [
	{listen: 'bob', to: 'realm_user'},
	...VALUES.map(([id, sent]): Step => [`adam PATCH /api/v1/users/7 profile_data=[{"id":${id},"value":${sent}}]`, {}]),
	[
		'bob GET /api/v1/users/7?include_custom_profile_fields=true',
		{user: like({profile_data: Object.fromEntries(VALUES.map(([id, , stored]) => [id, stored as Expected]))})},
	],
	{heard: 'bob', events: VALUES.map(([id, , stored]) => told(7, {custom_profile_field: {id, ...stored} as Expected}))},
]);

for (const value of ['null', '""', '[]']) {
	story('updateUser', `removes a profile value for ${value}, and tells everybody once`, [
		{listen: 'bob', to: 'realm_user'},
		[`adam PATCH /api/v1/users/7 profile_data=[{"id":6,"value":${value}}]`, {}],
		['bob GET /api/v1/users/7?include_custom_profile_fields=true', {user: like({profile_data: {}})}],
		[`adam PATCH /api/v1/users/7 profile_data=[{"id":6,"value":${value}}]`, {}],
		{heard: 'bob', events: [told(7, {custom_profile_field: {id: 6, value: null}})]},
	]);
}

const long = (length: number) => 'x'.repeat(length);
const BAD_VALUES: ReadonlyArray<readonly [data: string, msg: string]> = [
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
	['[{"id":1,"value":{}}]', 'profile_data[0]["value"]["str"] is not a string'],
];

story('updateUser', 'refuses bad profile data, and changes nothing', [
	['echo-bot GET /api/v1/users/me'],
	['adam DELETE /api/v1/users/6'],
	...unchanged(
		...BAD_VALUES.map(([data, msg]): Step => [`adam PATCH /api/v1/users/7 role=300&profile_data=${data}`, msg]),
	),
]);

story('updateUser', 'changes an email, by which people sign in and are found', [
	['alice GET /api/v1/users/5?client_gravatar=false', {user: like({avatar_url: '$old'})}],
	['bob GET /api/v1/users/me'],
	{listen: 'alice', to: 'realm_user'},
	['olivia PATCH /api/v1/users/5 new_email=bob%40bothy.example', {}],
	{heard: 'alice', events: []},
	['olivia PATCH /api/v1/users/5 new_email=bert%40bothy.example', {}],
	['bob GET /api/v1/users/me', WRONG_KEY],
	[
		'bert GET /api/v1/users/bert%40bothy.example?client_gravatar=false',
		{user: like({user_id: 5, avatar_url: '$avatar'})},
	],
	async (t, {who, names}) => {
		t.is((await who('bert')).key, (await who('bob')).key);
		t.not(names.get('avatar'), names.get('old'));
	},
	{
		heard: 'alice',
		events: [
			told(5, {new_email: 'bert@bothy.example'}),
			told(5, {delivery_email: 'bert@bothy.example'}),
			told(5, {avatar_url: '$avatar', avatar_url_medium: '$avatar', avatar_source: 'G', avatar_version: 1}),
		],
	},
]);

story('updateUser', 'sends an event about a hidden email only to people who see it, and keeps the picture', [
	['bob PATCH /api/v1/settings email_address_visibility=3'],
	{listen: 'adam', to: 'realm_user'},
	{listen: 'alice', to: 'realm_user'},
	['olivia PATCH /api/v1/users/5 new_email=bert%40bothy.example', {}],
	{heard: 'adam', events: [told(5, {delivery_email: 'bert@bothy.example'})]},
	{heard: 'alice', events: []},
]);

story('updateUser', 'refuses bad emails with a new role, and changes nothing', [
	...unchanged(
		['olivia PATCH /api/v1/users/5 role=300&new_email=bert', 'Invalid new email address.'],
		['olivia PATCH /api/v1/users/5 role=300&new_email=', 'Invalid new email address.'],
		[
			'olivia PATCH /api/v1/users/5 role=300&new_email=CARLA%40bothy.example',
			'New email value error: Already has an account.',
		],
	),
]);

story('updateUser', 'lets only owners with the right change emails, and checks that first', [
	['adam PATCH /api/v1/users/5 full_name=%2A&new_email=bert%40bothy.example', NO_EMAILS],
	['olivia PATCH /api/v1/users/2 role=100', {}],
	['adam PATCH /api/v1/users/5 full_name=%2A&new_email=bert%40bothy.example', NO_EMAILS],
	['adam PATCH /api/v1/users/1 role=200', {}],
	['olivia PATCH /api/v1/users/5 full_name=%2A&new_email=bert%40bothy.example', NO_EMAILS],
]);

story(
	'updateUser',
	'does not know new_email below feature level 285',
	[
		['olivia PATCH /api/v1/users/5 new_email=bert%40bothy.example', {ignored_parameters_unsupported: ['new_email']}],
		['bob GET /api/v1/users/me', like({email: 'bob@bothy.example'})],
	],
	{featureLevel: 284},
);

story('updateUser', 'leaves new bots to the owner of the realm, whose email has changed', [
	['olivia PATCH /api/v1/users/1 new_email=liv%40bothy.example', {}],
	['echo-bot GET /api/v1/users/me', like({bot_owner_id: 1})],
]);

story('updateUserByEmail', 'changes people by email in any case and by placeholder', [
	['adam PATCH /api/v1/users/user5%40bothy.example full_name=Ben', {}],
	['bob GET /api/v1/users/me', like({full_name: 'Ben'})],
	['adam PATCH /api/v1/users/BOB%40bothy.example full_name=Bert&role=300', {}],
	['bob GET /api/v1/users/me', like({full_name: 'Bert', role: 300})],
	[
		'olivia PATCH /api/v1/users/bob%40bothy.example profile_data=[{"id":1,"value":"Roof"}]&new_email=bert%40bothy.example',
		{},
	],
	[
		'alice GET /api/v1/users/5?include_custom_profile_fields=true',
		{user: like({email: 'bert@bothy.example', profile_data: like({1: like({value: 'Roof'})})})},
	],
	['olivia PATCH /api/v1/users/bob%40bothy.example role=300', 'No such user'],
]);

answers('updateUserByEmail', {
	'refuses members': ['alice PATCH /api/v1/users/bob%40bothy.example full_name=Bert', NO_PERMISSION],
	'refuses a new email from administrators': [
		'adam PATCH /api/v1/users/bob%40bothy.example new_email=bert%40bothy.example',
		NO_EMAILS,
	],
	'refuses an unknown email': ['adam PATCH /api/v1/users/x%40bothy.example role=300', 'No such user'],
	'is unknown below feature level 313': [
		'adam PATCH /api/v1/users/bob%40bothy.example full_name=Bert',
		notFound(),
		{featureLevel: 312},
	],
});
