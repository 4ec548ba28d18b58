import test from 'ava';
import {queueOf} from './event-kit.js';
import {groupOf, groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
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

const PATH = '/api/v1/user_groups/create';

test('the client writes texts as they are and the rest as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","group_id":14}\n');

	const {group_id} = await client.createUserGroup({
		name: 'crew',
		description: 'Who "sails"',
		members: [1, 2],
		subgroups: [11],
		can_manage_group: {direct_members: [10], direct_subgroups: []},
		can_mention_group: 3,
	});

	t.is(group_id, 14);
	const request = await server.request();
	t.is(request.line, 'POST /api/v1/user_groups/create HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'name=crew&description=Who+%22sails%22&members=%5B1%2C2%5D&subgroups=%5B11%5D' +
			'&can_manage_group=%7B%22direct_members%22%3A%5B10%5D%2C%22direct_subgroups%22%3A%5B%5D%7D&can_mention_group=3',
	);
});

test('the client throws an ApiError for a name that is taken', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User group \'crew\' already exists.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.createUserGroup({name: 'crew', description: '', members: []})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: "User group 'crew' already exists.",
		fields: {},
	});
});

test('the realm creates a group, and everybody hears of it', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	const events = await queueOf(gus, 'user_group');

	const answer = await alice.post(PATH, 'name=crew&description=Who+sails&members=[5,4]&subgroups=[10,9]');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', group_id: 14});
	const group = await groupOf(alice, 14);
	const creator = {direct_members: [people.alice], direct_subgroups: []};
	t.deepEqual(
		{...Object(group), date_created: 0},
		{
			id: 14,
			name: 'crew',
			description: 'Who sails',
			date_created: 0,
			creator_id: people.alice,
			members: [4, 5],
			direct_subgroup_ids: [9, 10],
			is_system_group: false,
			deactivated: false,
			can_add_members_group: creator,
			can_join_group: groups.nobody,
			can_leave_group: groups.everyone,
			can_manage_group: creator,
			can_mention_group: groups.everyone,
			can_remove_members_group: groups.nobody,
		},
	);
	t.deepEqual(await events(), [{type: 'user_group', op: 'add', group}]);
});

for (const name of [
	'can_add_members_group',
	'can_join_group',
	'can_leave_group',
	'can_manage_group',
	'can_mention_group',
	'can_remove_members_group',
]) {
	test(`the realm takes ${name} as a group, as people and groups, and as a group alone`, async t => {
		const alice = await signIn(t);
		const create = async (group: string, value: string) => {
			const {json} = await alice.post(PATH, `name=${group}&description=&members=[]&${name}=${value}`);
			return at(await groupOf(alice, Number(at(json, 'group_id'))), name);
		};

		t.is(await create('a', '3'), 3);
		t.deepEqual(await create('b', '{"direct_members":[6,4,6],"direct_subgroups":[10,9]}'), {
			direct_members: [4, 6],
			direct_subgroups: [9, 10],
		});
		t.is(await create('c', '{"direct_members":[],"direct_subgroups":[9]}'), 9);
		t.deepEqual(await create('d', '{"direct_members":[],"direct_subgroups":[]}'), {
			direct_members: [],
			direct_subgroups: [],
		});
	});

	test(`the realm refuses ${name} for the whole internet`, async t => {
		const alice = await signIn(t);

		const answer = await alice.post(PATH, `name=a&description=&members=[]&${name}=${groups.internet}`);

		expectRefusal(t, answer, badRequest(`'${name}' setting cannot be set to 'role:internet' group.`));
		t.is(await groupOf(alice, 14), null);
	});
}

test('a name is the same in another case, and is as long as its characters, in every alphabet', async t => {
	const alice = await signIn(t);
	const create = (name: string) => alice.post(PATH, `name=${encodeURIComponent(name)}&description=&members=[]`);

	expectSuccess(t, await create('Köche'));
	expectRefusal(t, await create('KÖCHE'), badRequest("User group 'KÖCHE' already exists."));
	expectSuccess(t, await create('🥣'.repeat(100)));
	expectRefusal(t, await create('🥣'.repeat(101)), badRequest('User group name cannot exceed 100 characters.'));
});

test('feature level 316 does not name the new group', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 316}));

	const {json} = await alice.post(PATH, 'name=crew&description=&members=[]');

	t.deepEqual(json, {result: 'success', msg: ''});
	t.like(await groupOf(alice, 14), {name: 'crew'});
});

for (const [name, since] of [
	['can_mention_group', 191],
	['can_manage_group', 283],
	['can_join_group', 301],
	['can_add_members_group', 305],
	['can_leave_group', 308],
	['subgroups', 311],
	['can_remove_members_group', 324],
] as const) {
	test(`feature level ${since - 1} ignores ${name} of a new group, ${since} reads it`, async t => {
		const create = async (featureLevel: number) => {
			const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
			const value = name === 'subgroups' ? '[6]' : '6';
			const {json} = await alice.post(PATH, `name=crew&description=&members=[]&${name}=${value}`);
			const group = await groupOf(alice, 14);
			return {
				ignored: Object(json).ignored_parameters_unsupported,
				// What came with a level is not told below it.
				value: Object(group)[name === 'subgroups' ? 'direct_subgroup_ids' : name],
			};
		};

		const [old, young] = [await create(since - 1), await create(since)];

		t.deepEqual(old.ignored, [name]);
		t.notDeepEqual(old.value, young.value);
		t.deepEqual(young, {ignored: undefined, value: name === 'subgroups' ? [6] : 6});
	});
}

test('a bot may create a group from feature level 496 on', async t => {
	const create = async (featureLevel: number) => {
		const realm = await openRealm(t, {featureLevel});
		const bot = callerOf(
			realm.url,
			realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}),
		);
		return bot.post(PATH, 'name=crew&description=&members=[]');
	};

	expectRefusal(t, await create(495), badRequest('This endpoint does not accept bot requests.'));
	t.deepEqual((await create(496)).json, {result: 'success', msg: '', group_id: 14});
});

const post = (form: string) => (caller: Caller) => caller.post(PATH, form);
const rest = '&description=&members=[]';

test('a group without a name', refused, {ask: post('description=&members=[]'), answer: missing('name')});
test('a group without a description', refused, {ask: post('name=a&members=[]'), answer: missing('description')});
test('a group without members', refused, {ask: post('name=a&description='), answer: missing('members')});
test('a group with a blank name', refused, {
	ask: post(`name=+${rest}`),
	answer: badRequest("User group name can't be empty!"),
});
test('a group with a long name', refused, {
	ask: post(`name=${'a'.repeat(101)}${rest}`),
	answer: badRequest('User group name cannot exceed 100 characters.'),
});
for (const prefix of ['@', 'role:', 'user:', 'stream:', 'channel:']) {
	test(`a group named ${prefix}x`, refused, {
		ask: post(`name=${encodeURIComponent(prefix)}x${rest}`),
		answer: badRequest(`User group name cannot start with '${prefix}'.`),
	});
}
test('a group name that is taken', refused, {
	ask: post(`name=Kitchen${rest}`),
	answer: badRequest("User group 'Kitchen' already exists."),
});
test('a group of unknown people', refused, {
	ask: post('name=a&description=&members=[4,999]'),
	answer: badRequest('Invalid user ID: 999'),
});
test('a group of unknown groups', refused, {
	ask: post(`name=a${rest}&subgroups=[999]`),
	answer: badRequest('Invalid user group ID: 999'),
});
test('a group of deactivated groups', refused, {
	ask: post(`name=a${rest}&subgroups=[${groups.party}]`),
	answer: badRequest('User group is deactivated.'),
});
test('a permission for an unknown group', refused, {
	ask: post(`name=a${rest}&can_join_group=999`),
	answer: badRequest('Invalid user group'),
});
test('a permission for a deactivated group', refused, {
	ask: post(`name=a${rest}&can_join_group=${groups.party}`),
	answer: badRequest('User group is deactivated.'),
});
test('a permission for unknown people', refused, {
	ask: post(`name=a${rest}&can_join_group={"direct_members":[999],"direct_subgroups":[]}`),
	answer: badRequest('Invalid user ID: 999'),
});
test('everyone as managers', refused, {
	ask: post(`name=a${rest}&can_manage_group=${groups.everyone}`),
	answer: badRequest("'can_manage_group' setting cannot be set to 'role:everyone' group."),
});
test('a group from a guest', refused, {
	as: 'gus',
	ask: post(`name=a${rest}`),
	answer: badRequest('Not allowed for guest users'),
});
