import test from 'ava';
import {crowd, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	type Json,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/user_groups';
const GROUP = `{"id":9,"name":"kitchen","description":"Who cooks","date_created":1691057093,"creator_id":null,\
"members":[4,6],"direct_subgroup_ids":[],"is_system_group":false,"deactivated":false,"can_add_members_group":16,\
"can_join_group":8,"can_leave_group":2,"can_manage_group":{"direct_members":[4],"direct_subgroups":[5,6]},\
"can_mention_group":2,"can_remove_members_group":8}`;

test('the client asks for groups with a boolean in the query', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","user_groups":[${GROUP}]}\n`);

	await client.getUserGroups({include_deactivated_groups: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/user_groups?include_deactivated_groups=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client reads groups with every field', async t => {
	const {client} = await clientAnswered(t, `{"result":"success","msg":"","user_groups":[${GROUP}]}\n`);

	const {user_groups} = await client.getUserGroups();

	t.deepEqual(user_groups[0]?.can_manage_group, {direct_members: [4], direct_subgroups: [5, 6]});
	t.deepEqual<object, object>(user_groups, [JSON.parse(GROUP) as object]);
});

test('the client throws an ApiError for a guest who asks for groups', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Not allowed for guest users","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUserGroups()), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Not allowed for guest users',
		fields: {},
	});
});

function namesIn(json: Json): Json[] {
	const list = at(json, 'user_groups');
	return Array.isArray(list) ? list.map(group => at(group, 'name')) : [];
}

test('the realm lists the groups, deactivated ones only when asked', async t => {
	const alice = await signIn(t);
	const system = [
		'role:internet',
		'role:everyone',
		'role:members',
		'role:fullmembers',
		'role:moderators',
		'role:administrators',
		'role:owners',
		'role:nobody',
	];

	const answer = await alice.get(PATH);

	expectSuccess(t, answer);
	t.deepEqual(Object.keys(Object(answer.json)), ['result', 'msg', 'user_groups']);
	t.deepEqual(namesIn(answer.json), [...system, 'kitchen', 'garden', 'helpers', 'board']);
	t.deepEqual(namesIn((await alice.get(`${PATH}?include_deactivated_groups=false`)).json), namesIn(answer.json));
	const all = await alice.get(`${PATH}?include_deactivated_groups=true`);
	t.deepEqual(namesIn(all.json), [...namesIn(answer.json), 'party']);
	t.is(at(all.json, 'user_groups', 12, 'deactivated'), true);
});

test('the realm gives every field of a group that people made', async t => {
	const {json} = await (await signIn(t)).get(PATH);

	const group = Object(at(json, 'user_groups', 10));
	t.true(Number.isInteger(group.date_created));
	t.deepEqual(
		{...group, date_created: 0},
		{
			id: 11,
			name: 'helpers',
			description: 'Who lends a hand',
			date_created: 0,
			creator_id: people.mona,
			members: [people.mona],
			direct_subgroup_ids: [9, 10],
			is_system_group: false,
			deactivated: false,
			can_add_members_group: {direct_members: [people.mona], direct_subgroups: []},
			can_join_group: 8,
			can_leave_group: 2,
			can_manage_group: {direct_members: [people.mona], direct_subgroups: []},
			can_mention_group: 2,
			can_remove_members_group: 8,
		},
	);
});

test('the system groups stand within each other, each with the people of one role', async t => {
	const {json} = await (await signIn(t)).get(PATH);

	const {alice, bob, carla, mona, adam, olivia, gus} = people;
	const found = [0, 1, 2, 3, 4, 5, 6, 7].map(index => {
		const group = at(json, 'user_groups', index);
		t.like(group, {is_system_group: true, date_created: null, creator_id: null, can_manage_group: 8});
		return [at(group, 'members'), at(group, 'direct_subgroup_ids')];
	});
	t.deepEqual<unknown, unknown>(found, [
		[[], [2]],
		[[gus], [3]],
		[[alice, bob, carla, ...crowd], [4]],
		[[alice, bob, carla, ...crowd], [5]],
		[[mona], [6]],
		[[adam], [7]],
		[[olivia], []],
		[[], []],
	]);
});

async function botOf(realm: Awaited<ReturnType<typeof openRealm>>): Promise<Caller> {
	return callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
}

test('a bot may read groups from feature level 496 on', async t => {
	const young = await botOf(await openRealm(t, {featureLevel: 496}));
	const old = await botOf(await openRealm(t, {featureLevel: 495}));

	expectSuccess(t, await young.get(PATH));
	expectRefusal(t, await old.get(PATH), badRequest('This endpoint does not accept bot requests.'));
});

for (const {featureLevel, name, ignored} of [
	{featureLevel: 289, name: 'allow_deactivated', ignored: true},
	{featureLevel: 290, name: 'allow_deactivated', ignored: false},
	{featureLevel: 293, name: 'include_deactivated_groups', ignored: true},
	{featureLevel: 294, name: 'allow_deactivated', ignored: true},
	{featureLevel: 294, name: 'include_deactivated_groups', ignored: false},
]) {
	test(`feature level ${featureLevel} ${ignored ? 'ignores' : 'reads'} ${name}`, async t => {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));

		const {json} = await alice.get(`${PATH}?${name}=true`);

		t.is(namesIn(json).includes('party'), !ignored);
		t.deepEqual(Object(json).ignored_parameters_unsupported, ignored ? [name] : undefined);
	});
}

test('groups to a guest', refused, {
	as: 'gus',
	ask: gus => gus.get(PATH),
	answer: badRequest('Not allowed for guest users'),
});
test('include_deactivated_groups=1', refused, {
	ask: alice => alice.get(`${PATH}?include_deactivated_groups=1`),
	answer: badRequest('include_deactivated_groups is not a boolean'),
});
test('include_deactivated_groups=yes', refused, {
	ask: alice => alice.get(`${PATH}?include_deactivated_groups=yes`),
	answer: badRequest('include_deactivated_groups is not valid JSON'),
});
