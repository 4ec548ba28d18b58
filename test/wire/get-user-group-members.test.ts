import test from 'ava';
import {groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {badRequest, type Caller, expectSuccess, signIn} from './raw-request.js';
import {refused} from './refused.js';

const get =
	(id: number, query = '') =>
	(caller: Caller) =>
		caller.get(`/api/v1/user_groups/${id}/members${query}`);

test('the client asks for members and reads their IDs', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","members":[5,7]}\n');

	const {members} = await client.getUserGroupMembers({user_group_id: 33, direct_member_only: true});

	t.deepEqual(members, [5, 7]);
	const request = await server.request();
	t.is(request.line, 'GET /api/v1/user_groups/33/members?direct_member_only=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
});

test('the realm counts the members of subgroups unless told otherwise', async t => {
	const alice = await signIn(t);
	const {alice: aliceId, bob, carla, gus, mona, olivia} = people;

	const answer = await get(groups.helpers)(alice);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', members: [mona, aliceId, bob, carla, gus]});
	const direct = await get(groups.helpers, '?direct_member_only=true')(alice);
	t.deepEqual(direct.json, {result: 'success', msg: '', members: [mona]});
	const owners = await get(groups.owners)(alice);
	t.deepEqual(owners.json, {result: 'success', msg: '', members: [olivia]});
});

test('the members of an unknown group', refused, {ask: get(999), answer: badRequest('Invalid user group')});
test('the members of a deactivated group', refused, {
	ask: get(groups.party),
	answer: badRequest('User group is deactivated.'),
});
test('the members of a group to a guest', refused, {
	as: 'gus',
	ask: get(groups.garden),
	answer: badRequest('Not allowed for guest users'),
});
