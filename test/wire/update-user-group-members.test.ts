import test from 'ava';
import {queueOf} from './event-kit.js';
import {groups, membersOf, people, subgroupsOf} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const path = (id: number) => `/api/v1/user_groups/${id}/members`;
const DENIED = badRequest('Insufficient permission');
const {adam, alice: aliceId, bob: bobId, carla, gus: gusId, mona: monaId} = people;

test('the client names users and groups as JSON in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserGroupMembers({
		user_group_id: 34,
		add: [12, 13],
		delete: [10],
		add_subgroups: [9],
		delete_subgroups: [8],
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/user_groups/34/members HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'add=%5B12%2C13%5D&delete=%5B10%5D&add_subgroups=%5B9%5D&delete_subgroups=%5B8%5D');
});

test('the client throws an ApiError without permission', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Insufficient permission","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateUserGroupMembers({user_group_id: 34, add: [12]})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Insufficient permission',
		fields: {},
	});
});

test('the realm adds and removes members and subgroups in one call, and everybody hears of each', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	await alice.post(path(groups.kitchen), `add_subgroups=[${groups.board}]`);
	const events = await queueOf(gus, 'user_group');

	const answer = await alice.post(
		path(groups.kitchen),
		`add=[${bobId},${gusId}]&delete=[${carla}]&add_subgroups=[${groups.garden}]&delete_subgroups=[${groups.board}]`,
	);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(await membersOf(alice, groups.kitchen), [aliceId, bobId, gusId]);
	t.deepEqual(await subgroupsOf(alice, groups.kitchen), [groups.garden]);
	const common = {type: 'user_group', group_id: groups.kitchen};
	t.deepEqual(await events(), [
		{...common, op: 'add_members', user_ids: [bobId, gusId]},
		{...common, op: 'remove_members', user_ids: [carla]},
		{...common, op: 'add_subgroups', direct_subgroup_ids: [groups.garden]},
		{...common, op: 'remove_subgroups', direct_subgroup_ids: [groups.board]},
	]);
});

test('when one of it is refused, nothing happens', async t => {
	const alice = await signIn(t);
	const events = await queueOf(alice, 'user_group');

	const answer = await alice.post(path(groups.kitchen), `add=[${bobId}]&delete=[${gusId}]`);

	expectRefusal(t, answer, badRequest(`There is no member '${gusId}' in this user group`));
	t.deepEqual(await membersOf(alice, groups.kitchen), [aliceId, carla]);
	t.deepEqual(await events(), []);
});

test('one joins where one may join, and adds nobody else', async t => {
	const realm = await openRealm(t);
	const [alice, carlaHerself] = [await signIn(t, 'alice', realm), await signIn(t, 'carla', realm)];

	expectRefusal(t, await carlaHerself.post(path(groups.garden), `add=[${carla},${aliceId}]`), DENIED);
	expectSuccess(t, await carlaHerself.post(path(groups.garden), `add=[${carla}]`));
	expectRefusal(t, await carlaHerself.post(path(groups.helpers), `add=[${carla}]`), DENIED);

	t.deepEqual(await membersOf(alice, groups.garden), [bobId, carla, gusId]);
});

test('one leaves where one may leave, and removes nobody else', async t => {
	const realm = await openRealm(t);
	const [alice, carlaHerself] = [await signIn(t, 'alice', realm), await signIn(t, 'carla', realm)];

	expectRefusal(t, await carlaHerself.post(path(groups.kitchen), `delete=[${aliceId}]`), DENIED);
	const value = `{"new":${groups.nobody}}`;
	await alice.patch(`/api/v1/user_groups/${groups.kitchen}`, `can_leave_group=${value}`);
	expectRefusal(t, await carlaHerself.post(path(groups.kitchen), `delete=[${carla}]`), DENIED);
	await alice.patch(`/api/v1/user_groups/${groups.kitchen}`, `can_leave_group={"new":${groups.members}}`);
	expectSuccess(t, await carlaHerself.post(path(groups.kitchen), `delete=[${carla}]`));

	t.deepEqual(await membersOf(alice, groups.kitchen), [aliceId]);
});

test('whoever may add members does not remove them, and the other way round', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const [bob, mona] = [await signIn(t, 'bob', realm), await signIn(t, 'mona', realm)];
	const just = (id: number) => `{"new":{"direct_members":[${id}],"direct_subgroups":[]}}`;
	await alice.patch(
		`/api/v1/user_groups/${groups.kitchen}`,
		`can_add_members_group=${just(bobId)}&can_remove_members_group=${just(monaId)}`,
	);

	expectSuccess(t, await bob.post(path(groups.kitchen), `add=[${adam}]`));
	expectRefusal(t, await bob.post(path(groups.kitchen), `delete=[${adam}]`), DENIED);
	expectRefusal(t, await mona.post(path(groups.kitchen), `add=[${monaId}]`), DENIED);
	expectSuccess(t, await mona.post(path(groups.kitchen), `delete=[${adam},${carla}]`));

	t.deepEqual(await membersOf(alice, groups.kitchen), [aliceId]);
});

test('a bot becomes a member and is called with its group', async t => {
	const realm = await openRealm(t);
	const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const [alice, bot] = [await signIn(t, 'alice', realm), callerOf(realm.url, account)];
	const messages = await queueOf(bot, 'message');

	const call = () => alice.post('/api/v1/messages', `type=direct&to=[${bot.userId}]&content=%40*kitchen*`);

	await call();
	await alice.post(path(groups.kitchen), `add=[${bot.userId}]`);
	await call();

	t.deepEqual(await membersOf(alice, groups.kitchen), [aliceId, carla, bot.userId]);
	// What the realm says of the receiver that is not there comes from the bot itself.
	const calls = (await messages()).filter(event => at(event, 'message', 'sender_id') === aliceId);
	t.deepEqual<unknown, unknown>(
		calls.map(event => at(event, 'flags')),
		[[], ['mentioned']],
	);
});

test('feature level 310 knows no subgroups here, 311 does', async t => {
	const [at310, at311] = [await openRealm(t, {featureLevel: 310}), await openRealm(t, {featureLevel: 311})];
	const [old, young] = [await signIn(t, 'alice', at310), await signIn(t, 'alice', at311)];
	const form = `add=[${bobId}]&add_subgroups=[${groups.garden}]`;

	const {json} = await old.post(path(groups.kitchen), form);
	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['add_subgroups']);
	t.deepEqual(await subgroupsOf(old, groups.kitchen), []);
	await young.post(path(groups.kitchen), form);
	t.deepEqual(await subgroupsOf(young, groups.kitchen), [groups.garden]);
});

const post = (id: number, form: string) => (caller: Caller) => caller.post(path(id), form);

test('a call that names nobody', refused, {
	ask: post(groups.kitchen, 'add=[]'),
	answer: badRequest('Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'),
});
test('a member who is one already', refused, {
	ask: post(groups.kitchen, `add=[${carla}]`),
	answer: badRequest(`User ${carla} is already a member of this group`),
});
test('an unknown member to add', refused, {
	ask: post(groups.kitchen, 'add=[999]'),
	answer: badRequest('Invalid user ID: 999'),
});
test('an unknown member to remove', refused, {
	ask: post(groups.kitchen, 'delete=[999]'),
	answer: badRequest('Invalid user ID: 999'),
});
test('members of an unknown group', refused, {ask: post(999, 'add=[5]'), answer: badRequest('Invalid user group')});
test('an owner who adds to a system group', refused, {
	as: 'olivia',
	ask: post(groups.owners, `add=[${bobId}]`),
	answer: DENIED,
});
test('members from a guest', refused, {
	as: 'gus',
	ask: post(groups.garden, `delete=[${gusId}]`),
	answer: badRequest('Not allowed for guest users'),
});
test('a member outside a list', refused, {ask: post(groups.kitchen, 'add=5'), answer: badRequest('add is not a list')});
