import test from 'ava';
import {clientCalls} from '../kit/client-calls.js';
import type {Json} from '../kit/raw-request.js';
import {changeDatabase, temporaryFile} from '../kit/scheduled-kit.js';
import {
	answers,
	including,
	like,
	missingArgument,
	named,
	newest,
	notFound,
	play,
	refusal,
	type Step,
	since,
	story,
} from '../kit/story.js';

const GROUP = `{"id":9,"name":"kitchen","description":"Who cooks","date_created":1691057093,"creator_id":null,\
"members":[4,6],"direct_subgroup_ids":[],"is_system_group":false,"deactivated":false,"can_add_members_group":16,\
"can_join_group":8,"can_leave_group":2,"can_manage_group":{"direct_members":[4],"direct_subgroups":[5,6]},\
"can_mention_group":2,"can_remove_members_group":8}`;

clientCalls('createUserGroup', {
	'writes texts as they are and the rest as JSON': [
		{
			name: 'crew',
			description: 'Who "sails"',
			members: [1, 2],
			subgroups: [11],
			can_manage_group: {direct_members: [10], direct_subgroups: []},
			can_mention_group: 3,
		},
		'POST /api/v1/user_groups/create name=crew&description=Who+%22sails%22&members=%5B1%2C2%5D&subgroups=%5B11%5D&can_manage_group=%7B%22direct_members%22%3A%5B10%5D%2C%22direct_subgroups%22%3A%5B%5D%7D&can_mention_group=3',
		'"group_id":14',
	],
});

clientCalls('getUserGroups', {
	'writes a boolean into the query, and reads every field of a group': [
		{include_deactivated_groups: true},
		'GET /api/v1/user_groups?include_deactivated_groups=true',
		`"user_groups":[${GROUP}]`,
		{user_groups: [JSON.parse(GROUP)]},
	],
});

clientCalls('updateUserGroup', {
	'writes a new permission as an object': [
		{
			user_group_id: 34,
			name: 'crew',
			description: 'x',
			can_mention_group: {new: 11, old: {direct_members: [10], direct_subgroups: []}},
			deactivated: false,
		},
		'PATCH /api/v1/user_groups/34 name=crew&description=x&can_mention_group=%7B%22new%22%3A11%2C%22old%22%3A%7B%22direct_members%22%3A%5B10%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D&deactivated=false',
	],
});

clientCalls('deactivateUserGroup', {
	'writes the ID into the path': [{user_group_id: 34}, 'POST /api/v1/user_groups/34/deactivate'],
});

// IDs of the demo organization's groups and people.
const [EVERYONE, MEMBERS, MODERATORS, ADMINISTRATORS, NOBODY] = [2, 3, 5, 6, 8];
const [KITCHEN, GARDEN, HELPERS, BOARD, PARTY] = [9, 10, 11, 12, 13];
/** Members who are only there to be many. */
const CROWD = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

const LIST = 'GET /api/v1/user_groups?include_deactivated_groups=true';
const CREATE = 'POST /api/v1/user_groups/create';
const path = (id: number) => `/api/v1/user_groups/${id}`;
const KNOWS_DEACTIVATED = '&client_capabilities={"notification_settings_null":true,"include_deactivated_groups":true}';
const DENIED = 'Insufficient permission';
const NO_BOTS = 'This endpoint does not accept bot requests.';
const NO_GUESTS = 'Not allowed for guest users';

/** A group as the list has it. */
const has = (who: string, id: number, fields: Parameters<typeof like>[0]): Step => [
	`${who} ${LIST}`,
	{user_groups: including(like({id, ...fields}))},
];

const SYSTEM = [
	'internet',
	'everyone',
	'members',
	'fullmembers',
	'moderators',
	'administrators',
	'owners',
	'nobody',
].map(role => `role:${role}`);
const ACTIVE = [...SYSTEM, 'kitchen', 'garden', 'helpers', 'board'];

answers('getUserGroups', {
	'lists the groups': ['alice GET /api/v1/user_groups', {user_groups: named(...ACTIVE)}],
	'lists the groups for include_deactivated_groups=false': [
		'alice GET /api/v1/user_groups?include_deactivated_groups=false',
		{user_groups: named(...ACTIVE)},
	],
	'lists deactivated groups if asked': [
		`alice ${LIST}`,
		{user_groups: [...named(...ACTIVE), like({name: 'party', deactivated: true})]},
	],
	'gives every field of a group': [
		'alice GET /api/v1/user_groups',
		{
			user_groups: including({
				id: 11,
				name: 'helpers',
				description: 'Who lends a hand',
				date_created: '<integer>',
				creator_id: 3,
				members: [3],
				direct_subgroup_ids: [9, 10],
				is_system_group: false,
				deactivated: false,
				can_add_members_group: {direct_members: [3], direct_subgroups: []},
				can_join_group: 8,
				can_leave_group: 2,
				can_manage_group: {direct_members: [3], direct_subgroups: []},
				can_mention_group: 2,
				can_remove_members_group: 8,
			}),
		},
	],
	'nests the system groups, each with the users of one role': [
		'alice GET /api/v1/user_groups',
		{
			user_groups: [
				...[
					{members: [], direct_subgroup_ids: [2]},
					{members: [7], direct_subgroup_ids: [3]},
					{members: [4, 5, 6, ...CROWD], direct_subgroup_ids: [4]},
					{members: [4, 5, 6, ...CROWD], direct_subgroup_ids: [5]},
					{members: [3], direct_subgroup_ids: [6]},
					{members: [2], direct_subgroup_ids: [7]},
					{members: [1], direct_subgroup_ids: []},
					{members: [], direct_subgroup_ids: []},
				].map(group =>
					like({...group, is_system_group: true, date_created: null, creator_id: null, can_manage_group: 8}),
				),
				...named('kitchen', 'garden', 'helpers', 'board'),
			],
		},
	],
	'refuses bots at feature level 495': ['echo-bot GET /api/v1/user_groups', NO_BOTS, {featureLevel: 495}],
	'takes bots at feature level 496': ['echo-bot GET /api/v1/user_groups', like({}), {featureLevel: 496}],
	'refuses guests': ['gus GET /api/v1/user_groups', NO_GUESTS],
	'refuses include_deactivated_groups=1': [
		'alice GET /api/v1/user_groups?include_deactivated_groups=1',
		'include_deactivated_groups is not a boolean',
	],
	'refuses include_deactivated_groups=yes': [
		'alice GET /api/v1/user_groups?include_deactivated_groups=yes',
		'include_deactivated_groups is not valid JSON',
	],
});

for (const [featureLevel, name, isRead] of [
	[289, 'allow_deactivated', false],
	[290, 'allow_deactivated', true],
	[293, 'include_deactivated_groups', false],
	[294, 'allow_deactivated', false],
	[294, 'include_deactivated_groups', true],
] as const) {
	answers('getUserGroups', {
		[`${isRead ? 'reads' : 'ignores'} ${name} at feature level ${featureLevel}`]: [
			`alice GET /api/v1/user_groups?${name}=true`,
			like(
				isRead
					? {user_groups: named(...ACTIVE, 'party'), ignored_parameters_unsupported: undefined}
					: {user_groups: named(...ACTIVE), ignored_parameters_unsupported: [name]},
			),
			{featureLevel},
		],
	});
}

const ALICE = {direct_members: [4], direct_subgroups: []};

story('createUserGroup', 'creates a group, and everybody gets an event', [
	{listen: 'gus', to: 'user_group'},
	[`alice ${CREATE} name=crew&description=Who+sails&members=[5,4]&subgroups=[10,9]`, {group_id: 14}],
	['alice GET /api/v1/user_groups', {user_groups: [...named(...ACTIVE), '$crew']}],
	{
		heard: 'gus',
		events: [
			{
				type: 'user_group',
				op: 'add',
				group: {
					id: 14,
					name: 'crew',
					description: 'Who sails',
					date_created: '<integer>',
					creator_id: 4,
					members: [4, 5],
					direct_subgroup_ids: [9, 10],
					is_system_group: false,
					deactivated: false,
					can_add_members_group: ALICE,
					can_join_group: NOBODY,
					can_leave_group: EVERYONE,
					can_manage_group: ALICE,
					can_mention_group: EVERYONE,
					can_remove_members_group: NOBODY,
				},
			},
		],
	},
	{heard: 'gus', events: [like({group: '$crew'})]},
]);

const PERMISSIONS = [
	['can_mention_group', 191],
	['can_manage_group', 283],
	['can_join_group', 301],
	['can_add_members_group', 305],
	['can_leave_group', 308],
	['can_remove_members_group', 324],
] as const;

for (const [name, level] of PERMISSIONS) {
	const create = (group: string, value: string, stored: Parameters<typeof like>[0][string]): Step[] => [
		[`alice ${CREATE} name=${group}&description=&members=[]&${name}=${value}`, like({})],
		[`alice ${LIST}`, {user_groups: including(like({name: group, [name]: stored}))}],
	];
	story('createUserGroup', `takes ${name} as a group, as people and groups, and not for the whole internet`, [
		...create('a', '3', 3),
		...create('b', '{"direct_members":[6,4,6],"direct_subgroups":[10,9]}', {
			direct_members: [4, 6],
			direct_subgroups: [9, 10],
		}),
		...create('c', '{"direct_members":[],"direct_subgroups":[9]}', 9),
		...create('d', '{"direct_members":[],"direct_subgroups":[]}', {direct_members: [], direct_subgroups: []}),
		[
			`alice ${CREATE} name=e&description=&members=[]&${name}=1`,
			`'${name}' setting cannot be set to 'role:internet' group.`,
		],
		[`alice ${LIST}`, {user_groups: named(...ACTIVE, 'party', 'a', 'b', 'c', 'd')}],
	]);

	const field = (value: number | undefined) => ({user_groups: including(like({name: 'crew', [name]: value}))});
	since('createUserGroup', name, {
		level,
		request: `alice ${CREATE} name=crew&description=&members=[]&${name}=6`,
		look: 'alice GET /api/v1/user_groups',
		below: field(undefined),
		from: field(6),
	});
	const kitchen = (value: number | undefined) => ({user_groups: including(like({id: KITCHEN, [name]: value}))});
	since('updateUserGroup', name, {
		level,
		request: `alice PATCH ${path(KITCHEN)} description=a&${name}={"new":${ADMINISTRATORS}}`,
		look: 'alice GET /api/v1/user_groups',
		below: kitchen(undefined),
		from: kitchen(ADMINISTRATORS),
	});
}

const subgroups = (...ids: number[]) => ({user_groups: including(like({name: 'crew', direct_subgroup_ids: ids}))});

since('createUserGroup', 'subgroups', {
	level: 311,
	request: `alice ${CREATE} name=crew&description=&members=[]&subgroups=[6]`,
	look: 'alice GET /api/v1/user_groups',
	below: subgroups(),
	from: subgroups(6),
});

const create = (who: string, name: string, rest = '') => `${who} ${CREATE} name=${name}&description=&members=[]${rest}`;
const TOO_LONG = 'User group name cannot exceed 100 characters.';
const SOUPS = encodeURIComponent('🥣'.repeat(100));

story('createUserGroup', 'a name is the same in another case, and is as long as its characters, in every alphabet', [
	[create('alice', 'K%C3%B6che'), {group_id: 14}],
	[create('alice', 'K%C3%96CHE'), "User group 'KÖCHE' already exists."],
	[create('alice', SOUPS), {group_id: 15}],
	[create('alice', `${SOUPS}x`), TOO_LONG],
]);

story(
	'createUserGroup',
	'does not name the new group at feature level 316',
	[
		[create('alice', 'crew'), {}],
		['alice GET /api/v1/user_groups', {user_groups: including(like({id: 14, name: 'crew'}))}],
	],
	{featureLevel: 316},
);

for (const prefix of ['@', 'role:', 'user:', 'stream:', 'channel:']) {
	answers('createUserGroup', {
		[`refuses the name ${prefix}x`]: [
			create('alice', `${encodeURIComponent(prefix)}x`),
			`User group name cannot start with '${prefix}'.`,
		],
	});
}

answers('createUserGroup', {
	'refuses bots at feature level 495': [create('echo-bot', 'crew'), NO_BOTS, {featureLevel: 495}],
	'takes bots at feature level 496': [create('echo-bot', 'crew'), {group_id: 14}, {featureLevel: 496}],
	'refuses a missing name': [`alice ${CREATE} description=&members=[]`, missingArgument('name')],
	'refuses a missing description': [`alice ${CREATE} name=a&members=[]`, missingArgument('description')],
	'refuses missing members': [`alice ${CREATE} name=a&description=`, missingArgument('members')],
	'refuses a blank name': [create('alice', '+'), "User group name can't be empty!"],
	'refuses a name of 101 characters': [create('alice', 'a'.repeat(101)), TOO_LONG],
	'refuses a name that is taken': [create('alice', 'Kitchen'), "User group 'Kitchen' already exists."],
	'refuses unknown members': [`alice ${CREATE} name=a&description=&members=[4,999]`, 'Invalid user ID: 999'],
	'refuses unknown subgroups': [create('alice', 'a', '&subgroups=[999]'), 'Invalid user group ID: 999'],
	'refuses deactivated subgroups': [create('alice', 'a', `&subgroups=[${PARTY}]`), 'User group is deactivated.'],
	'refuses an unknown group in a permission': [create('alice', 'a', '&can_join_group=999'), 'Invalid user group'],
	'refuses a deactivated group in a permission': [
		create('alice', 'a', `&can_join_group=${PARTY}`),
		'User group is deactivated.',
	],
	'refuses unknown people in a permission': [
		create('alice', 'a', '&can_join_group={"direct_members":[999],"direct_subgroups":[]}'),
		'Invalid user ID: 999',
	],
	'refuses everyone in can_manage_group': [
		create('alice', 'a', `&can_manage_group=${EVERYONE}`),
		"'can_manage_group' setting cannot be set to 'role:everyone' group.",
	],
	'refuses guests': [create('gus', 'a'), NO_GUESTS],
});

const kitchenChanged = {type: 'user_group', op: 'update', group_id: KITCHEN};
const COOKS = 'name=cooks&description=New&can_join_group={"new":{"direct_members":[],"direct_subgroups":[3]}}';

story('updateUserGroup', 'changes name, description and permission, and everybody gets events of what changed', [
	{listen: 'gus', to: 'user_group'},
	[`alice PATCH ${path(KITCHEN)} ${COOKS}`, {}],
	[`alice PATCH ${path(KITCHEN)} ${COOKS}`, {}],
	has('alice', KITCHEN, {name: 'cooks', description: 'New', can_join_group: 3}),
	{
		heard: 'gus',
		events: [
			{...kitchenChanged, data: {name: 'cooks'}},
			{...kitchenChanged, data: {description: 'New'}},
			{...kitchenChanged, data: {can_join_group: 3}},
		],
	},
	[`alice PATCH ${path(KITCHEN)} name=COOKS`, {}],
	has('alice', KITCHEN, {name: 'COOKS'}),
]);

story('updateUserGroup', 'changes a permission only from the old value, if given', [
	[
		`alice PATCH ${path(KITCHEN)} can_mention_group={"new":${MEMBERS},"old":${NOBODY}}`,
		refusal('400 Bad Request', "'old' value does not match the expected value.", {code: 'EXPECTATION_MISMATCH'}),
	],
	has('alice', KITCHEN, {can_mention_group: EVERYONE}),
	[
		`alice PATCH ${path(KITCHEN)} can_mention_group={"new":${MEMBERS},"old":{"direct_members":[],"direct_subgroups":[2]}}`,
		{},
	],
	has('alice', KITCHEN, {can_mention_group: MEMBERS}),
]);

const mention = (who: string, name: string) =>
	`${who} POST /api/v1/messages type=channel&to=general&topic=x&content=%40*${name}*`;
const forbidden = (name: string) => `You are not allowed to mention user group '${name}'.`;

story('updateUserGroup', 'can_mention_group decides who may mention the group', [
	[mention('bob', 'board'), forbidden('board')],
	[mention('mona', 'board')],
	[mention('bob', 'kitchen')],
	[
		`alice PATCH ${path(KITCHEN)} can_mention_group={"new":{"direct_members":[4],"direct_subgroups":[${MODERATORS}]}}`,
		{},
	],
	[mention('bob', 'kitchen'), forbidden('kitchen')],
	[mention('alice', 'kitchen')],
	[mention('mona', 'kitchen')],
	[mention('mona', 'role:nobody'), forbidden('role:nobody')],
	[mention('bob', 'party')],
]);

story('updateUserGroup', 'can_manage_group decides who may change the group, besides owners', [
	[`bob PATCH ${path(KITCHEN)} description=a`, DENIED],
	[`alice PATCH ${path(KITCHEN)} can_manage_group={"new":${GARDEN}}`, {}],
	[`bob PATCH ${path(KITCHEN)} description=b`, {}],
	[`alice PATCH ${path(KITCHEN)} description=c`, DENIED],
	[`olivia PATCH ${path(KITCHEN)} name=d`, {}],
	has('alice', KITCHEN, {name: 'd', description: 'b'}),
]);

story('updateUserGroup', 'reactivates a group, which appears or changes, as clients know deactivated groups', [
	{listen: 'alice', to: 'user_group', as: 'plain'},
	{listen: 'alice', to: 'user_group', form: KNOWS_DEACTIVATED, as: 'aware'},
	[`alice PATCH ${path(PARTY)} description=Again`, {}],
	[`alice PATCH ${path(PARTY)} deactivated=false`, {}],
	['alice GET /api/v1/user_groups', {user_groups: [...named(...ACTIVE), '$party']}],
	{heard: 'plain', events: [{type: 'user_group', op: 'add', group: '$party'}]},
	has('alice', PARTY, {description: 'Again', deactivated: false}),
	{
		heard: 'aware',
		events: [
			{type: 'user_group', op: 'update', group_id: PARTY, data: {description: 'Again'}},
			{type: 'user_group', op: 'update', group_id: PARTY, data: {deactivated: false}},
		],
	},
]);

story(
	'updateUserGroup',
	'does not reactivate a group at feature level 385',
	[
		[`alice PATCH ${path(PARTY)} description=a&deactivated=false`, {ignored_parameters_unsupported: ['deactivated']}],
		has('alice', PARTY, {deactivated: true}),
	],
	{featureLevel: 385},
);

const patch = (form: string) => `alice PATCH ${path(KITCHEN)} ${form}`;

answers('updateUserGroup', {
	'refuses an empty request': [patch(''), 'No new data supplied'],
	'refuses a name that is taken': [patch('name=Garden'), "User group 'Garden' already exists."],
	'refuses a blank name': [patch('name='), "User group name can't be empty!"],
	'refuses a permission that is no object': [patch('can_join_group=3'), 'can_join_group is not a dict'],
	'refuses a permission without a new value': [
		patch('can_join_group={"old":3}'),
		'can_join_group["new"] field is missing: Field required',
	],
	'refuses everyone in can_join_group': [
		patch(`can_join_group={"new":${EVERYONE}}`),
		"'can_join_group' setting cannot be set to 'role:everyone' group.",
	],
	'refuses an unknown subgroup in a permission': [
		patch('can_join_group={"new":{"direct_members":[],"direct_subgroups":[999]}}'),
		'Invalid user group ID: 999',
	],
	'refuses deactivated=true': [
		patch('deactivated=true'),
		'Invalid deactivated: Value error, Not in the list of possible values',
	],
	'refuses a system group, even to owners': [`olivia PATCH ${path(MEMBERS)} description=a`, DENIED],
	'refuses an unknown group': [`alice PATCH ${path(999)} description=a`, 'Invalid user group'],
	'refuses guests': [`gus PATCH ${path(GARDEN)} description=a`, NO_GUESTS],
});

const inUse = (...objections: readonly {readonly [key: string]: Json}[]) =>
	refusal('400 Bad Request', 'Cannot deactivate user group in use.', {
		code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
		objections,
	});

story('deactivateUserGroup', 'deactivates a group, which goes or changes, as clients know deactivated groups', [
	{listen: 'alice', to: 'user_group', as: 'plain'},
	{listen: 'alice', to: 'user_group', form: KNOWS_DEACTIVATED, as: 'aware'},
	[`mona POST ${path(HELPERS)}/deactivate`, {}],
	has('alice', HELPERS, {deactivated: true}),
	['alice GET /api/v1/user_groups', {user_groups: named(...SYSTEM, 'kitchen', 'garden', 'board')}],
	{heard: 'plain', events: [{type: 'user_group', op: 'remove', group_id: HELPERS}]},
	{heard: 'aware', events: [{type: 'user_group', op: 'update', group_id: HELPERS, data: {deactivated: true}}]},
	[mention('mona', 'helpers')],
	newest('alice', {flags: []}),
]);

story('deactivateUserGroup', 'a subgroup is in use until the group around it is deactivated', [
	[`alice POST ${path(KITCHEN)}/deactivate`, inUse({type: 'subgroup', supergroup_ids: [HELPERS]})],
	has('alice', KITCHEN, {deactivated: false}),
	[`mona POST ${path(HELPERS)}/deactivate`, {}],
	[`alice POST ${path(KITCHEN)}/deactivate`, {}],
]);

story('deactivateUserGroup', 'a group in a permission of another is in use', [
	[
		patch(
			`can_join_group={"new":{"direct_members":[4],"direct_subgroups":[${BOARD}]}}&can_mention_group={"new":${BOARD}}`,
		),
		{},
	],
	[
		`olivia POST ${path(BOARD)}/deactivate`,
		inUse({type: 'user_group', group_id: KITCHEN, settings: ['can_join_group', 'can_mention_group']}),
	],
]);

test('deactivateUserGroup: a group in a permission of a channel or of the organization is in use', async t => {
	const file = await temporaryFile(t);
	const steps: Step[] = [
		() =>
			changeDatabase(
				file,
				`INSERT INTO channel_settings
				SELECT id, 'can_send_message_group', '${BOARD}' FROM channels WHERE name IN ('staff', 'attic');
				UPDATE organization SET can_mention_many_users_group = ${BOARD}`,
			),
		// What is archived needs no group.
		[
			`olivia POST ${path(BOARD)}/deactivate`,
			inUse(
				{type: 'channel', channel_id: 4, settings: ['can_send_message_group']},
				{type: 'realm', settings: ['can_mention_many_users_group']},
			),
		],
	];
	await play(t, steps, {file});
});

story('register', 'has deactivated groups only for clients that know them', [
	['alice POST /api/v1/register event_types=["user_group"]', like({realm_user_groups: named(...ACTIVE)})],
	[`alice POST /api/v1/register event_types=["user_group"]${KNOWS_DEACTIVATED}`, like({realm_user_groups: '$groups'})],
	[`alice ${LIST}`, {user_groups: '$groups'}],
	['alice GET /api/v1/user_groups', {user_groups: '$active'}],
	['alice POST /api/v1/register event_types=["realm_user_groups"]', like({realm_user_groups: '$active'})],
]);

story('register', 'a new bot joins the system groups of its role', [
	{listen: 'alice', to: 'user_group'},
	['echo-bot GET /api/v1/users/me', like({user_id: '$echo'})],
	{
		heard: 'alice',
		events: [MEMBERS, 4].map(group_id => ({type: 'user_group', op: 'add_members', user_ids: ['$echo'], group_id})),
	},
]);

const deactivate = (who: string, id: number) => `${who} POST ${path(id)}/deactivate`;

answers('deactivateUserGroup', {
	'is not found at feature level 289': [deactivate('mona', HELPERS), notFound(), {featureLevel: 289}],
	'is found at feature level 290': [deactivate('mona', HELPERS), {}, {featureLevel: 290}],
	'refuses a deactivated group': [deactivate('alice', PARTY), 'User group is deactivated.'],
	'refuses a system group': [deactivate('olivia', NOBODY), DENIED],
	'refuses a group of others': [deactivate('alice', GARDEN), DENIED],
	'refuses an unknown group': [deactivate('alice', 999), 'Invalid user group'],
	'refuses guests': [deactivate('gus', GARDEN), DENIED],
});
