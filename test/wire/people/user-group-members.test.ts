import test from 'ava';
import {clientCalls} from '../kit/client-calls.js';
import {at, type Json} from '../kit/raw-request.js';
import {changeDatabase, temporaryFile} from '../kit/scheduled-kit.js';
import {answers, like, methodNotAllowed, notFound, play, type Step, story} from '../kit/story.js';

clientCalls('updateUserGroupMembers', {
	'names users and groups as JSON': [
		{
			user_group_id: 34,
			add: [12, 13],
			delete: [10],
			add_subgroups: [9],
			delete_subgroups: [8],
		},
		'POST /api/v1/user_groups/34/members add=%5B12%2C13%5D&delete=%5B10%5D&add_subgroups=%5B9%5D&delete_subgroups=%5B8%5D',
	],
});

clientCalls('getUserGroupMembers', {
	'reads IDs': [
		{user_group_id: 33, direct_member_only: true},
		'GET /api/v1/user_groups/33/members?direct_member_only=true',
		'"members":[5,7]',
	],
});

clientCalls('getIsUserGroupMember', {
	'writes both IDs into the path': [
		{user_group_id: 33, user_id: 12, direct_member_only: true},
		'GET /api/v1/user_groups/33/members/12?direct_member_only=true',
		'"is_user_group_member":false',
	],
});

clientCalls('updateUserGroupSubgroups', {
	'names groups as JSON': [
		{user_group_id: 34, add: [1, 2], delete: [3]},
		'POST /api/v1/user_groups/34/subgroups add=%5B1%2C2%5D&delete=%5B3%5D',
	],
});

clientCalls('getUserGroupSubgroups', {
	'reads IDs': [
		{user_group_id: 33, direct_subgroup_only: true},
		'GET /api/v1/user_groups/33/subgroups?direct_subgroup_only=true',
		'"subgroups":[5,7]',
	],
});

// IDs of the demo organization's groups and people. Kitchen and garden stand within helpers; party is deactivated.
const [INTERNET, EVERYONE, MEMBERS, MODERATORS, ADMINISTRATORS, OWNERS, NOBODY] = [1, 2, 3, 5, 6, 7, 8];
const [KITCHEN, GARDEN, HELPERS, BOARD, PARTY] = [9, 10, 11, 12, 13];
const [OLIVIA, ADAM, MONA, ALICE, BOB, CARLA, GUS] = [1, 2, 3, 4, 5, 6, 7];

const DENIED = 'Insufficient permission';
const NO_BOTS = 'This endpoint does not accept bot requests.';
const NO_GUESTS = 'Not allowed for guest users';
const DEACTIVATED = 'User group is deactivated.';
const path = (id: number) => `/api/v1/user_groups/${id}`;
const update = (who: string, id: number, form: string) => `${who} POST ${path(id)}/members ${form}`;
const nest = (who: string, id: number, form: string) => `${who} POST ${path(id)}/subgroups ${form}`;
const membersAre = (who: string, id: number, ...members: Array<number | string>): Step => [
	`${who} GET ${path(id)}/members?direct_member_only=true`,
	{members},
];
const subgroupsAre = (who: string, id: number, ...subgroups: number[]): Step => [
	`${who} GET ${path(id)}/subgroups?direct_subgroup_only=true`,
	{subgroups},
];
const kitchen = {type: 'user_group', group_id: KITCHEN};

story('updateUserGroupMembers', 'adds and removes members and subgroups in one call, and everybody gets events', [
	[update('alice', KITCHEN, `add_subgroups=[${BOARD}]`)],
	{listen: 'gus', to: 'user_group'},
	[
		update(
			'alice',
			KITCHEN,
			`add=[${BOB},${GUS}]&delete=[${CARLA}]&add_subgroups=[${GARDEN}]&delete_subgroups=[${BOARD}]`,
		),
		{},
	],
	membersAre('alice', KITCHEN, ALICE, BOB, GUS),
	subgroupsAre('alice', KITCHEN, GARDEN),
	{
		heard: 'gus',
		events: [
			{...kitchen, op: 'add_members', user_ids: [BOB, GUS]},
			{...kitchen, op: 'remove_members', user_ids: [CARLA]},
			{...kitchen, op: 'add_subgroups', direct_subgroup_ids: [GARDEN]},
			{...kitchen, op: 'remove_subgroups', direct_subgroup_ids: [BOARD]},
		],
	},
]);

story('updateUserGroupMembers', 'changes nothing if one part is refused', [
	{listen: 'alice', to: 'user_group'},
	[update('alice', KITCHEN, `add=[${BOB}]&delete=[${GUS}]`), `There is no member '${GUS}' in this user group`],
	membersAre('alice', KITCHEN, ALICE, CARLA),
	{heard: 'alice', events: []},
]);

story('updateUserGroupMembers', 'can_join_group lets users add themselves, but nobody else', [
	[update('carla', GARDEN, `add=[${CARLA},${ALICE}]`), DENIED],
	[update('carla', GARDEN, `add=[${CARLA}]`), {}],
	[update('carla', HELPERS, `add=[${CARLA}]`), DENIED],
	membersAre('alice', GARDEN, BOB, CARLA, GUS),
]);

story('updateUserGroupMembers', 'can_leave_group lets users remove themselves, but nobody else', [
	[update('carla', KITCHEN, `delete=[${ALICE}]`), DENIED],
	[`alice PATCH ${path(KITCHEN)} can_leave_group={"new":${NOBODY}}`, {}],
	[update('carla', KITCHEN, `delete=[${CARLA}]`), DENIED],
	[`alice PATCH ${path(KITCHEN)} can_leave_group={"new":${MEMBERS}}`, {}],
	[update('carla', KITCHEN, `delete=[${CARLA}]`), {}],
	membersAre('alice', KITCHEN, ALICE),
]);

const just = (id: number) => `{"new":{"direct_members":[${id}],"direct_subgroups":[]}}`;

story('updateUserGroupMembers', 'users who may add members may not remove them, and the reverse', [
	[`alice PATCH ${path(KITCHEN)} can_add_members_group=${just(BOB)}&can_remove_members_group=${just(MONA)}`, {}],
	[update('bob', KITCHEN, `add=[${ADAM}]`), {}],
	[update('bob', KITCHEN, `delete=[${ADAM}]`), DENIED],
	[update('mona', KITCHEN, `add=[${MONA}]`), DENIED],
	[update('mona', KITCHEN, `delete=[${ADAM},${CARLA}]`), {}],
	membersAre('alice', KITCHEN, ALICE),
]);

story('updateUserGroupMembers', 'a bot that is a member is mentioned with its group', [
	// The bot itself may write between them that its receiver does not answer.
	{listen: 'echo-bot', to: 'message', form: '&narrow=[["sender","alice@bothy.example"]]'},
	['echo-bot GET /api/v1/users/me', like({user_id: '$echo'})],
	['alice POST /api/v1/messages type=direct&to=[$echo]&content=%40*kitchen*'],
	[update('alice', KITCHEN, 'add=[$echo]'), {}],
	membersAre('alice', KITCHEN, ALICE, CARLA, '$echo'),
	['alice POST /api/v1/messages type=direct&to=[$echo]&content=%40*kitchen*'],
	{heard: 'echo-bot', events: [like({flags: []}), like({flags: ['mentioned']})]},
]);

for (const [featureLevel, answer, subgroups] of [
	[310, {ignored_parameters_unsupported: ['add_subgroups']}, []],
	[311, {}, [GARDEN]],
] as const) {
	story(
		'updateUserGroupMembers',
		`${subgroups.length > 0 ? 'reads' : 'ignores'} add_subgroups at feature level ${featureLevel}`,
		[
			[update('alice', KITCHEN, `add=[${BOB}]&add_subgroups=[${GARDEN}]`), answer],
			subgroupsAre('alice', KITCHEN, ...subgroups),
		],
		{featureLevel},
	);
}

answers('updateUserGroupMembers', {
	'refuses a request that names nobody': [
		update('alice', KITCHEN, 'add=[]'),
		'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
	],
	'refuses to add a member again': [
		update('alice', KITCHEN, `add=[${CARLA}]`),
		`User ${CARLA} is already a member of this group`,
	],
	'refuses to add an unknown member': [update('alice', KITCHEN, 'add=[999]'), 'Invalid user ID: 999'],
	'refuses to remove an unknown member': [update('alice', KITCHEN, 'delete=[999]'), 'Invalid user ID: 999'],
	'refuses an unknown group': [update('alice', 999, 'add=[5]'), 'Invalid user group'],
	'refuses a system group, even to owners': [update('olivia', OWNERS, `add=[${BOB}]`), DENIED],
	'refuses guests': [update('gus', GARDEN, `delete=[${GUS}]`), NO_GUESTS],
	'refuses a member outside a list': [update('alice', KITCHEN, 'add=5'), 'add is not a list'],
});

const ALL_HELPERS = {members: [MONA, ALICE, BOB, CARLA, GUS]};

answers('getUserGroupMembers', {
	'lists the members of subgroups too': [`alice GET ${path(HELPERS)}/members`, ALL_HELPERS],
	'lists direct members only, if asked': [
		`alice GET ${path(HELPERS)}/members?direct_member_only=true`,
		{members: [MONA]},
	],
	'lists the members of a system group': [`alice GET ${path(OWNERS)}/members`, {members: [OLIVIA]}],
	'is not found at feature level 126': [
		`alice GET ${path(HELPERS)}/members`,
		methodNotAllowed('POST'),
		{featureLevel: 126},
	],
	'is found at feature level 127': [`alice GET ${path(HELPERS)}/members`, ALL_HELPERS, {featureLevel: 127}],
	'refuses bots at feature level 495': [`echo-bot GET ${path(HELPERS)}/members`, NO_BOTS, {featureLevel: 495}],
	'takes bots at feature level 496': [`echo-bot GET ${path(HELPERS)}/members`, ALL_HELPERS, {featureLevel: 496}],
	'refuses an unknown group': [`alice GET ${path(999)}/members`, 'Invalid user group'],
	'refuses a deactivated group': [`alice GET ${path(PARTY)}/members`, DEACTIVATED],
	'refuses guests': [`gus GET ${path(GARDEN)}/members`, NO_GUESTS],
});

const isMember = (group: number, user: number | string, query = '') =>
	`GET ${path(group)}/members/${user}${query && `?direct_member_only=${query}`}`;

story('getIsUserGroupMember', 'counts members of subgroups unless asked for direct members', [
	[`alice ${isMember(HELPERS, CARLA, 'false')}`, {is_user_group_member: true}],
	...(
		[
			[HELPERS, CARLA, true, false],
			[KITCHEN, CARLA, true, true],
			[KITCHEN, BOB, false, false],
			[HELPERS, MONA, true, true],
			[EVERYONE, GUS, true, true],
			[INTERNET, GUS, true, false],
			[MEMBERS, GUS, false, false],
			[MEMBERS, OLIVIA, true, false],
			[OWNERS, ADAM, false, false],
			[NOBODY, OLIVIA, false, false],
		] as const
	).flatMap(([group, user, is, isDirect]): Step[] => [
		[`alice ${isMember(group, user)}`, {is_user_group_member: is}],
		[`alice ${isMember(group, user, 'true')}`, {is_user_group_member: isDirect}],
	]),
]);

story('getIsUserGroupMember', 'takes bots, which may ask about themselves', [
	['echo-bot GET /api/v1/users/me', like({user_id: '$echo'})],
	[`echo-bot ${isMember(MEMBERS, '$echo')}`, {is_user_group_member: true}],
	[`echo-bot ${isMember(OWNERS, '$echo')}`, {is_user_group_member: false}],
]);

story(
	'getIsUserGroupMember',
	'does not know bots below level 496',
	[
		['echo-bot GET /api/v1/users/me', like({user_id: '$echo'})],
		[`alice ${isMember(MEMBERS, '$echo')}`, 'No such user'],
	],
	{featureLevel: 495},
);

test('getIsUserGroupMember: refuses a deactivated user, who is no member', async t => {
	const file = await temporaryFile(t);
	const steps: Step[] = [
		() => changeDatabase(file, `UPDATE accounts SET is_active = 0 WHERE id = ${CARLA}`),
		[`alice ${isMember(KITCHEN, CARLA)}`, 'User is deactivated'],
		[`alice GET ${path(KITCHEN)}/members`, {members: [ALICE]}],
	];
	await play(t, steps, {file});
});

answers('getIsUserGroupMember', {
	'is not found at feature level 126': [`alice ${isMember(KITCHEN, BOB)}`, notFound(), {featureLevel: 126}],
	'is found at feature level 127': [
		`alice ${isMember(KITCHEN, BOB)}`,
		{is_user_group_member: false},
		{featureLevel: 127},
	],
	'refuses bots at feature level 495': [`echo-bot ${isMember(MEMBERS, BOB)}`, NO_BOTS, {featureLevel: 495}],
	'takes bots at feature level 496': [
		`echo-bot ${isMember(MEMBERS, BOB)}`,
		{is_user_group_member: true},
		{featureLevel: 496},
	],
	'refuses an unknown group': [`alice ${isMember(999, BOB)}`, 'Invalid user group'],
	'refuses an unknown user': [`alice ${isMember(KITCHEN, 999)}`, 'No such user'],
	'refuses a deactivated group': [`alice ${isMember(PARTY, BOB)}`, DEACTIVATED],
	'refuses guests': [`gus ${isMember(GARDEN, GUS)}`, NO_GUESTS],
	'refuses direct_member_only=True': [
		`alice ${isMember(KITCHEN, BOB, 'True')}`,
		'direct_member_only is not valid JSON',
	],
});

story('updateUserGroupSubgroups', 'adds subgroups with their members, and everybody gets an event', [
	{listen: 'gus', to: 'user_group'},
	[nest('alice', KITCHEN, `add=[${GARDEN},${OWNERS}]`), {}],
	subgroupsAre('alice', KITCHEN, OWNERS, GARDEN),
	[`alice ${isMember(KITCHEN, OLIVIA)}`, {is_user_group_member: true}],
	{heard: 'gus', events: [{...kitchen, op: 'add_subgroups', direct_subgroup_ids: [GARDEN, OWNERS]}]},
]);

const helpers = {type: 'user_group', group_id: HELPERS};

story('updateUserGroupSubgroups', 'removes subgroups with their members, and everybody gets an event', [
	{listen: 'bob', to: 'user_group'},
	[nest('mona', HELPERS, `delete=[${GARDEN}]`), {}],
	subgroupsAre('mona', HELPERS, KITCHEN),
	[`mona GET ${path(HELPERS)}/members`, {members: [MONA, ALICE, CARLA]}],
	{heard: 'bob', events: [{...helpers, op: 'remove_subgroups', direct_subgroup_ids: [GARDEN]}]},
]);

story('updateUserGroupSubgroups', 'adds and removes in one call, and changes nothing if one part is refused', [
	{listen: 'mona', to: 'user_group'},
	[nest('mona', HELPERS, `add=[${OWNERS}]&delete=[${BOARD}]`), 'User group 12 is not a subgroup of this group.'],
	subgroupsAre('mona', HELPERS, KITCHEN, GARDEN),
	{heard: 'mona', events: []},
	[nest('mona', HELPERS, `add=[${OWNERS}]&delete=[${KITCHEN}]`), {}],
	subgroupsAre('mona', HELPERS, OWNERS, GARDEN),
	{
		heard: 'mona',
		events: [
			{...helpers, op: 'add_subgroups', direct_subgroup_ids: [OWNERS]},
			{...helpers, op: 'remove_subgroups', direct_subgroup_ids: [KITCHEN]},
		],
	},
]);

story('updateUserGroupSubgroups', 'users who may add members may add subgroups, but not remove them', [
	[nest('bob', HELPERS, `add=[${BOARD}]`), DENIED],
	[`mona PATCH ${path(HELPERS)} can_add_members_group={"new":${MEMBERS}}`, {}],
	[nest('bob', HELPERS, `add=[${BOARD}]`), {}],
	[nest('bob', HELPERS, `delete=[${BOARD}]`), DENIED],
	subgroupsAre('bob', HELPERS, KITCHEN, GARDEN, BOARD),
]);

story('updateUserGroupSubgroups', 'owners manage every group but the system groups', [
	[nest('olivia', GARDEN, `add=[${BOARD}]`), {}],
	...[OWNERS, MEMBERS, NOBODY].map(id => [nest('olivia', id, `add=[${KITCHEN}]`), DENIED] as const),
	subgroupsAre('olivia', NOBODY),
]);

const circle = (id: number) => `User group ${id} is already a subgroup of one of the passed subgroups.`;

story('updateUserGroupSubgroups', 'refuses a circle of any length', [
	[nest('olivia', BOARD, `add=[${HELPERS}]`), {}],
	[nest('olivia', KITCHEN, `add=[${BOARD}]`), circle(KITCHEN)],
	[nest('olivia', HELPERS, `add=[${BOARD}]`), circle(HELPERS)],
	[nest('olivia', KITCHEN, `add=[${KITCHEN}]`), circle(KITCHEN)],
	subgroupsAre('olivia', KITCHEN),
]);

story('updateUserGroupSubgroups', 'looks into each group once, however many ways lead to it', [
	async (t, {send, names}) => {
		let pair: Json[] = [GARDEN, BOARD];
		for (let n = 0; n < 25; n += 1) {
			const form: string = `description=&members=[]&subgroups=${JSON.stringify(pair)}`;
			const left = await send(`alice POST /api/v1/user_groups/create name=left${n}&${form}`);
			const right = await send(`alice POST /api/v1/user_groups/create name=right${n}&${form}`);
			pair = [at(left.json, 'group_id'), at(right.json, 'group_id')];
		}

		const {json} = await send(`alice GET /api/v1/user_groups/${at(pair, 0)}/subgroups`);
		t.is(Object(at(json, 'subgroups')).length, 50);
		names.set('top', at(pair, 0));
	},
	[`alice GET /api/v1/user_groups/$top/members/${CARLA}`, {is_user_group_member: false}],
	[nest('alice', KITCHEN, 'add=[$top]'), {}],
]);

story('updateUserGroupSubgroups', 'bots may do what can_manage_group allows them', [
	['echo-bot GET /api/v1/users/me', like({user_id: '$echo'})],
	[`alice PATCH ${path(KITCHEN)} can_manage_group={"new":{"direct_members":[$echo],"direct_subgroups":[]}}`, {}],
	[nest('echo-bot', KITCHEN, `add=[${GARDEN}]`), {}],
]);

const NOTHING = 'Nothing to do. Specify at least one of "add" or "delete".';

answers('updateUserGroupSubgroups', {
	'refuses bots at feature level 495': [nest('echo-bot', KITCHEN, `add=[${GARDEN}]`), NO_BOTS, {featureLevel: 495}],
	'is not found at feature level 126': [nest('alice', KITCHEN, `add=[${GARDEN}]`), notFound(), {featureLevel: 126}],
	'is found at feature level 127': [nest('alice', KITCHEN, `add=[${GARDEN}]`), {}, {featureLevel: 127}],
	'refuses to fill a deactivated group at feature level 390': [
		nest('alice', PARTY, `add=[${GARDEN}]`),
		DEACTIVATED,
		{featureLevel: 390},
	],
	'fills a deactivated group at feature level 391': [nest('alice', PARTY, `add=[${GARDEN}]`), {}, {featureLevel: 391}],
	'refuses a deactivated subgroup': [nest('alice', KITCHEN, `add=[${PARTY}]`), DEACTIVATED],
	'refuses an empty request': [nest('alice', KITCHEN, ''), NOTHING],
	'refuses two empty lists': [nest('alice', KITCHEN, 'add=[]&delete=[]'), NOTHING],
	'refuses to add a subgroup again': [
		nest('mona', HELPERS, `add=[${KITCHEN}]`),
		'User group 9 is already a subgroup of this group.',
	],
	'refuses to remove what is no subgroup': [
		nest('alice', KITCHEN, `delete=[${GARDEN}]`),
		'User group 10 is not a subgroup of this group.',
	],
	'refuses to add an unknown subgroup': [nest('alice', KITCHEN, 'add=[999]'), 'Invalid user group ID: 999'],
	'refuses to remove an unknown subgroup': [nest('alice', KITCHEN, 'delete=[999]'), 'Invalid user group ID: 999'],
	'refuses an unknown group': [nest('alice', 999, `add=[${KITCHEN}]`), 'Invalid user group'],
	'refuses members who may not manage the group': [nest('alice', BOARD, 'add=[9]'), DENIED],
	'refuses administrators who may not manage the group': [nest('adam', KITCHEN, 'add=[10]'), DENIED],
	'refuses guests': [nest('gus', GARDEN, 'add=[9]'), NO_GUESTS],
	'refuses a subgroup outside a list': [nest('alice', KITCHEN, 'add=10'), 'add is not a list'],
	'refuses a subgroup by name': [nest('alice', KITCHEN, 'delete=["garden"]'), 'delete[0] is not an integer'],
});

const HELPERS_WITHIN = `GET ${path(HELPERS)}/subgroups`;

answers('getUserGroupSubgroups', {
	'lists the subgroups of subgroups too': [
		`alice GET ${path(MODERATORS)}/subgroups`,
		{subgroups: [ADMINISTRATORS, OWNERS]},
	],
	'lists direct subgroups only, if asked': [
		`alice GET ${path(MODERATORS)}/subgroups?direct_subgroup_only=true`,
		{subgroups: [ADMINISTRATORS]},
	],
	'lists several subgroups': [`alice ${HELPERS_WITHIN}`, {subgroups: [KITCHEN, GARDEN]}],
	'is not found at feature level 126': [`alice ${HELPERS_WITHIN}`, notFound(), {featureLevel: 126}],
	'is found at feature level 127': [`alice ${HELPERS_WITHIN}`, like({}), {featureLevel: 127}],
	'refuses bots at feature level 495': [`echo-bot ${HELPERS_WITHIN}`, NO_BOTS, {featureLevel: 495}],
	'takes bots at feature level 496': [`echo-bot ${HELPERS_WITHIN}`, like({}), {featureLevel: 496}],
	'refuses an unknown group': [`alice GET ${path(999)}/subgroups`, 'Invalid user group'],
	'refuses a deactivated group': [`alice GET ${path(PARTY)}/subgroups`, DEACTIVATED],
	'refuses guests': [`gus ${HELPERS_WITHIN}`, NO_GUESTS],
});
