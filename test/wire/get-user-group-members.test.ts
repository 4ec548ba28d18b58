import test from 'ava';
import {groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {badRequest, type Caller, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
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

test('feature level 126 does not list them, 127 does', async t => {
	const of = async (featureLevel: number) =>
		get(groups.helpers)(await signIn(t, 'alice', await openRealm(t, {featureLevel})));

	t.is((await of(126)).statusLine, 'HTTP/1.1 405 Method Not Allowed');
	expectSuccess(t, await of(127));
});

test('a bot may ask from feature level 496 on', async t => {
	const of = async (featureLevel: number) =>
		get(groups.helpers)(await signIn(t, 'notification-bot', await openRealm(t, {featureLevel})));

	expectRefusal(t, await of(495), badRequest('This endpoint does not accept bot requests.'));
	expectSuccess(t, await of(496));
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
