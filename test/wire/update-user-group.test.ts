import test from 'ava';
import {queueOf} from './event-kit.js';
import {groupOf, groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const path = (id: number) => `/api/v1/user_groups/${id}`;
const DENIED = badRequest('Insufficient permission');
const STALE = {
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: "'old' value does not match the expected value.",
		code: 'EXPECTATION_MISMATCH',
	},
};

test('the client writes a new permission as an object', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserGroup({
		user_group_id: 34,
		name: 'crew',
		description: 'x',
		can_mention_group: {new: 11, old: {direct_members: [10], direct_subgroups: []}},
		deactivated: false,
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/user_groups/34 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'name=crew&description=x&can_mention_group=%7B%22new%22%3A11%2C%22old%22%3A%7B%22direct_members%22%3A%5B10%5D' +
			'%2C%22direct_subgroups%22%3A%5B%5D%7D%7D&deactivated=false',
	);
});

test('the client throws an ApiError for a permission that changed meanwhile', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"\'old\' value does not match the expected value.","code":"EXPECTATION_MISMATCH"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateUserGroup({user_group_id: 9, can_join_group: {new: 3, old: 2}})), {
		code: 'EXPECTATION_MISMATCH',
		status: 400,
		reason: "'old' value does not match the expected value.",
		fields: {},
	});
});

test('the realm changes name, description and permission, and everybody hears of what changed', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	const events = await queueOf(gus, 'user_group');
	const form = 'name=cooks&description=New&can_join_group={"new":{"direct_members":[],"direct_subgroups":[3]}}';

	const answer = await alice.patch(path(groups.kitchen), form);
	await alice.patch(path(groups.kitchen), form);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.like(await groupOf(alice, groups.kitchen), {name: 'cooks', description: 'New', can_join_group: 3});
	const common = {type: 'user_group', op: 'update', group_id: groups.kitchen};
	t.deepEqual(await events(), [
		{...common, data: {name: 'cooks'}},
		{...common, data: {description: 'New'}},
		{...common, data: {can_join_group: 3}},
	]);
});

test('a group name may change its case', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.patch(path(groups.kitchen), 'name=KITCHEN'));

	t.is(at(await groupOf(alice, groups.kitchen), 'name'), 'KITCHEN');
});

test('a permission changes only from the old value, when that is given', async t => {
	const alice = await signIn(t);
	const change = (json: string) => alice.patch(path(groups.kitchen), `can_mention_group=${json}`);

	expectRefusal(t, await change(`{"new":${groups.members},"old":${groups.nobody}}`), STALE);
	t.is(at(await groupOf(alice, groups.kitchen), 'can_mention_group'), groups.everyone);
	expectSuccess(t, await change(`{"new":${groups.members},"old":{"direct_members":[],"direct_subgroups":[2]}}`));
	t.is(at(await groupOf(alice, groups.kitchen), 'can_mention_group'), groups.members);
});

test('can_mention_group decides who may call the group', async t => {
	const realm = await openRealm(t);
	const [alice, bob, mona] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'mona', realm),
	];
	const call = (caller: Caller, name: string) =>
		caller.post('/api/v1/messages', `type=channel&to=general&topic=x&content=%40*${name}*`);
	const forbidden = (name: string) => badRequest(`You are not allowed to mention user group '${name}'.`);

	expectRefusal(t, await call(bob, 'board'), forbidden('board'));
	expectSuccess(t, await call(mona, 'board'));
	expectSuccess(t, await call(bob, 'kitchen'));
	await alice.patch(
		path(groups.kitchen),
		`can_mention_group={"new":{"direct_members":[${people.alice}],"direct_subgroups":[${groups.moderators}]}}`,
	);
	expectRefusal(t, await call(bob, 'kitchen'), forbidden('kitchen'));
	expectSuccess(t, await call(alice, 'kitchen'));
	expectSuccess(t, await call(mona, 'kitchen'));
	expectRefusal(t, await call(mona, 'role:nobody'), forbidden('role:nobody'));
	expectSuccess(t, await call(bob, 'party'));
});

test('can_manage_group decides who may change the group', async t => {
	const realm = await openRealm(t);
	const [alice, bob, olivia] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'olivia', realm),
	];

	expectRefusal(t, await bob.patch(path(groups.kitchen), 'description=a'), DENIED);
	expectSuccess(t, await alice.patch(path(groups.kitchen), `can_manage_group={"new":${groups.garden}}`));
	expectSuccess(t, await bob.patch(path(groups.kitchen), 'description=b'));
	expectRefusal(t, await alice.patch(path(groups.kitchen), 'description=c'), DENIED);
	expectSuccess(t, await olivia.patch(path(groups.kitchen), 'name=d'));

	t.like(await groupOf(alice, groups.kitchen), {name: 'd', description: 'b'});
});

test('a deactivated group comes back; clients see it come, or change', async t => {
	const alice = await signIn(t);
	const plain = await queueOf(alice, 'user_group');
	const aware = await queueOf(
		alice,
		'user_group',
		'&client_capabilities={"notification_settings_null":true,"include_deactivated_groups":true}',
	);
	await alice.patch(path(groups.party), 'description=Again');

	expectSuccess(t, await alice.patch(path(groups.party), 'deactivated=false'));

	const group = await groupOf(alice, groups.party);
	t.like(group, {description: 'Again', deactivated: false});
	t.deepEqual(await plain(), [{type: 'user_group', op: 'add', group}]);
	t.deepEqual(await aware(), [
		{type: 'user_group', op: 'update', group_id: groups.party, data: {description: 'Again'}},
		{type: 'user_group', op: 'update', group_id: groups.party, data: {deactivated: false}},
	]);
});

for (const [name, since] of [
	['can_mention_group', 191],
	['can_manage_group', 283],
	['can_join_group', 301],
	['can_add_members_group', 305],
	['can_leave_group', 308],
	['can_remove_members_group', 324],
] as const) {
	test(`feature level ${since - 1} ignores a change of ${name}, ${since} reads it`, async t => {
		const change = async (featureLevel: number) => {
			const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
			const form = `description=a&${name}={"new":${groups.administrators}}`;
			const {json} = await alice.patch(path(groups.kitchen), form);
			// An older level does not show it.
			return {json, value: Object(await groupOf(alice, groups.kitchen))[name]};
		};

		const [old, young] = [await change(since - 1), await change(since)];

		t.deepEqual(old.json, {result: 'success', msg: '', ignored_parameters_unsupported: [name]});
		t.not(old.value, groups.administrators);
		t.deepEqual(young, {json: {result: 'success', msg: ''}, value: groups.administrators});
	});
}

test('feature level 385 does not bring a group back', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 385}));

	const {json} = await alice.patch(path(groups.party), 'description=a&deactivated=false');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['deactivated']);
	t.is(at(await groupOf(alice, groups.party), 'deactivated'), true);
});

const patch = (id: number, form: string) => (caller: Caller) => caller.patch(path(id), form);

test('a change of nothing in a group', refused, {
	ask: patch(groups.kitchen, ''),
	answer: badRequest('No new data supplied'),
});
test('a new name that is taken', refused, {
	ask: patch(groups.kitchen, 'name=Garden'),
	answer: badRequest("User group 'Garden' already exists."),
});
test('a new group name that is blank', refused, {
	ask: patch(groups.kitchen, 'name='),
	answer: badRequest("User group name can't be empty!"),
});
test('a permission of a group that is no object', refused, {
	ask: patch(groups.kitchen, 'can_join_group=3'),
	answer: badRequest('can_join_group is not a dict'),
});
test('a permission without a new value', refused, {
	ask: patch(groups.kitchen, 'can_join_group={"old":3}'),
	answer: badRequest('can_join_group["new"] field is missing: Field required'),
});
test('everyone as those who may join', refused, {
	ask: patch(groups.kitchen, `can_join_group={"new":${groups.everyone}}`),
	answer: badRequest("'can_join_group' setting cannot be set to 'role:everyone' group."),
});
test('an unknown subgroup in a permission', refused, {
	ask: patch(groups.kitchen, 'can_join_group={"new":{"direct_members":[],"direct_subgroups":[999]}}'),
	answer: badRequest('Invalid user group ID: 999'),
});
test('deactivated=true', refused, {
	ask: patch(groups.kitchen, 'deactivated=true'),
	answer: badRequest('Invalid deactivated: Value error, Not in the list of possible values'),
});
test('an owner who changes a system group', refused, {
	as: 'olivia',
	ask: patch(groups.members, 'description=a'),
	answer: DENIED,
});
test('a change of an unknown group', refused, {
	ask: patch(999, 'description=a'),
	answer: badRequest('Invalid user group'),
});
test('a change from a guest', refused, {
	as: 'gus',
	ask: patch(groups.garden, 'description=a'),
	answer: badRequest('Not allowed for guest users'),
});
