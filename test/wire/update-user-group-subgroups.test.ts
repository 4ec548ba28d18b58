import test from 'ava';
import {queueOf} from './event-kit.js';
import {groups, people, subgroupsOf} from './group-kit.js';
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

const path = (id: number) => `/api/v1/user_groups/${id}/subgroups`;
const DENIED = badRequest('Insufficient permission');

test('the client names groups as JSON in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserGroupSubgroups({user_group_id: 34, add: [1, 2], delete: [3]});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/user_groups/34/subgroups HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'add=%5B1%2C2%5D&delete=%5B3%5D');
});

test('the client throws an ApiError for a circle', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User group 9 is already a subgroup of one of the passed subgroups.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateUserGroupSubgroups({user_group_id: 9, add: [11]})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'User group 9 is already a subgroup of one of the passed subgroups.',
		fields: {},
	});
});

test('the realm adds subgroups: members follow, and everybody hears of it', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	const events = await queueOf(gus, 'user_group');

	const answer = await alice.post(path(groups.kitchen), `add=[${groups.garden},${groups.owners}]`);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(await subgroupsOf(alice, groups.kitchen), [groups.owners, groups.garden]);
	const {json} = await alice.get(`/api/v1/user_groups/${groups.kitchen}/members/${people.olivia}`);
	t.is(at(json, 'is_user_group_member'), true);
	t.deepEqual(await events(), [
		{
			type: 'user_group',
			op: 'add_subgroups',
			group_id: groups.kitchen,
			direct_subgroup_ids: [groups.garden, groups.owners],
		},
	]);
});

test('the realm removes subgroups: members go, and everybody hears of it', async t => {
	const realm = await openRealm(t);
	const [mona, bob] = [await signIn(t, 'mona', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'user_group');

	expectSuccess(t, await mona.post(path(groups.helpers), `delete=[${groups.garden}]`));

	t.deepEqual(await subgroupsOf(mona, groups.helpers), [groups.kitchen]);
	const {json} = await mona.get(`/api/v1/user_groups/${groups.helpers}/members`);
	t.deepEqual(at(json, 'members'), [people.mona, people.alice, people.carla]);
	t.deepEqual(await events(), [
		{type: 'user_group', op: 'remove_subgroups', group_id: groups.helpers, direct_subgroup_ids: [groups.garden]},
	]);
});

test('one call adds and removes; when one of it is refused, nothing happens', async t => {
	const mona = await signIn(t, 'mona');
	const events = await queueOf(mona, 'user_group');

	const bad = await mona.post(path(groups.helpers), `add=[${groups.owners}]&delete=[${groups.board}]`);
	expectRefusal(t, bad, badRequest('User group 12 is not a subgroup of this group.'));
	t.deepEqual(await subgroupsOf(mona, groups.helpers), [groups.kitchen, groups.garden]);
	t.deepEqual(await events(), []);

	expectSuccess(t, await mona.post(path(groups.helpers), `add=[${groups.owners}]&delete=[${groups.kitchen}]`));
	t.deepEqual(await subgroupsOf(mona, groups.helpers), [groups.owners, groups.garden]);
	t.is((await events()).length, 2);
});

test('whoever may add members may add subgroups, but not remove them', async t => {
	const realm = await openRealm(t);
	const [mona, bob] = [await signIn(t, 'mona', realm), await signIn(t, 'bob', realm)];
	expectRefusal(t, await bob.post(path(groups.helpers), `add=[${groups.board}]`), DENIED);

	await mona.patch(`/api/v1/user_groups/${groups.helpers}`, `can_add_members_group={"new":${groups.members}}`);

	expectSuccess(t, await bob.post(path(groups.helpers), `add=[${groups.board}]`));
	expectRefusal(t, await bob.post(path(groups.helpers), `delete=[${groups.board}]`), DENIED);
	t.deepEqual(await subgroupsOf(bob, groups.helpers), [groups.kitchen, groups.garden, groups.board]);
});

test('an owner manages every group but the system groups', async t => {
	const olivia = await signIn(t, 'olivia');

	expectSuccess(t, await olivia.post(path(groups.garden), `add=[${groups.board}]`));
	for (const id of [groups.owners, groups.members, groups.nobody]) {
		expectRefusal(t, await olivia.post(path(id), `add=[${groups.kitchen}]`), DENIED);
	}

	t.deepEqual(await subgroupsOf(olivia, groups.nobody), []);
});

test('a circle is refused however long it is', async t => {
	const olivia = await signIn(t, 'olivia');
	const circle = (id: number) => badRequest(`User group ${id} is already a subgroup of one of the passed subgroups.`);
	await olivia.post(path(groups.board), `add=[${groups.helpers}]`);

	expectRefusal(t, await olivia.post(path(groups.kitchen), `add=[${groups.board}]`), circle(9));
	expectRefusal(t, await olivia.post(path(groups.helpers), `add=[${groups.board}]`), circle(11));
	expectRefusal(t, await olivia.post(path(groups.kitchen), `add=[${groups.kitchen}]`), circle(9));

	t.deepEqual(await subgroupsOf(olivia, groups.kitchen), []);
});

test('groups stand within each other in very many ways, and are looked into once each', async t => {
	const alice = await signIn(t);
	let pair: Json[] = [groups.garden, groups.board];
	for (let n = 0; n < 25; n += 1) {
		const form: string = `description=&members=[]&subgroups=${JSON.stringify(pair)}`;
		const [left, right] = [
			await alice.post('/api/v1/user_groups/create', `name=left${n}&${form}`),
			await alice.post('/api/v1/user_groups/create', `name=right${n}&${form}`),
		];
		pair = [at(left.json, 'group_id'), at(right.json, 'group_id')];
	}

	const top = Number(at(pair, 0));
	const {json} = await alice.get(`/api/v1/user_groups/${top}/subgroups`);
	t.is(Object(at(json, 'subgroups')).length, 50);
	t.is(at((await alice.get(`/api/v1/user_groups/${top}/members/${people.carla}`)).json, 'is_user_group_member'), false);
	expectSuccess(t, await alice.post(path(groups.kitchen), `add=[${top}]`));
});

test('a deactivated group can be filled from feature level 391 on, never be a subgroup', async t => {
	const at390 = await signIn(t, 'alice', await openRealm(t, {featureLevel: 390}));
	const at391 = await signIn(t, 'alice', await openRealm(t, {featureLevel: 391}));
	const over = badRequest('User group is deactivated.');

	expectRefusal(t, await at390.post(path(groups.party), `add=[${groups.garden}]`), over);
	expectSuccess(t, await at391.post(path(groups.party), `add=[${groups.garden}]`));
	expectRefusal(t, await at391.post(path(groups.kitchen), `add=[${groups.party}]`), over);
	t.deepEqual(await subgroupsOf(at391, groups.kitchen), []);
});

test('a bot that may manage a group does, from feature level 496 on', async t => {
	const outcomes = [495, 496].map(async featureLevel => {
		const realm = await openRealm(t, {featureLevel});
		const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
		const [alice, bot] = [await signIn(t, 'alice', realm), callerOf(realm.url, account)];
		const value = `{"new":{"direct_members":[${bot.userId}],"direct_subgroups":[]}}`;
		expectSuccess(t, await alice.patch(`/api/v1/user_groups/${groups.kitchen}`, `can_manage_group=${value}`));
		return bot.post(path(groups.kitchen), `add=[${groups.garden}]`);
	});
	const [old, young] = await Promise.all(outcomes);

	t.is(at(old?.json ?? null, 'msg'), 'This endpoint does not accept bot requests.');
	t.is(at(young?.json ?? null, 'result'), 'success');
});

test('feature level 126 knows no path for changing subgroups, 127 does', async t => {
	const add = async (featureLevel: number) => {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
		return alice.post(path(groups.kitchen), `add=[${groups.garden}]`);
	};

	t.is((await add(126)).statusLine, 'HTTP/1.1 404 Not Found');
	expectSuccess(t, await add(127));
});

const post = (id: number, form: string) => (caller: Caller) => caller.post(path(id), form);

test('a call that names no subgroups', refused, {
	ask: post(groups.kitchen, ''),
	answer: badRequest('Nothing to do. Specify at least one of "add" or "delete".'),
});
test('two empty lists of subgroups', refused, {
	ask: post(groups.kitchen, 'add=[]&delete=[]'),
	answer: badRequest('Nothing to do. Specify at least one of "add" or "delete".'),
});
test('a subgroup that is one already', refused, {
	as: 'mona',
	ask: post(groups.helpers, `add=[${groups.kitchen}]`),
	answer: badRequest('User group 9 is already a subgroup of this group.'),
});
test('to remove what is no subgroup', refused, {
	ask: post(groups.kitchen, `delete=[${groups.garden}]`),
	answer: badRequest('User group 10 is not a subgroup of this group.'),
});
test('an unknown subgroup to add', refused, {
	ask: post(groups.kitchen, 'add=[999]'),
	answer: badRequest('Invalid user group ID: 999'),
});
test('an unknown subgroup to remove', refused, {
	ask: post(groups.kitchen, 'delete=[999]'),
	answer: badRequest('Invalid user group ID: 999'),
});
test('subgroups of an unknown group', refused, {
	ask: post(999, `add=[${groups.kitchen}]`),
	answer: badRequest('Invalid user group'),
});
test('a member who manages no such group', refused, {ask: post(groups.board, 'add=[9]'), answer: DENIED});
test('an administrator who manages no such group', refused, {
	as: 'adam',
	ask: post(groups.kitchen, 'add=[10]'),
	answer: DENIED,
});
test('subgroups from a guest', refused, {
	as: 'gus',
	ask: post(groups.garden, 'add=[9]'),
	answer: badRequest('Not allowed for guest users'),
});
test('a subgroup outside a list', refused, {
	ask: post(groups.kitchen, 'add=10'),
	answer: badRequest('add is not a list'),
});
test('a subgroup by name', refused, {
	ask: post(groups.kitchen, 'delete=["garden"]'),
	answer: badRequest('delete[0] is not an integer'),
});
