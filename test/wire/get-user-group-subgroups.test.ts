import test from 'ava';
import {groups} from './group-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {badRequest, type Caller, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const get =
	(id: number, query = '') =>
	(caller: Caller) =>
		caller.get(`/api/v1/user_groups/${id}/subgroups${query}`);

test('the client asks for subgroups and reads their IDs', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","subgroups":[5,7]}\n');

	const {subgroups} = await client.getUserGroupSubgroups({user_group_id: 33, direct_subgroup_only: true});

	t.deepEqual(subgroups, [5, 7]);
	const request = await server.request();
	t.is(request.line, 'GET /api/v1/user_groups/33/subgroups?direct_subgroup_only=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
});

test('the realm counts the subgroups of subgroups unless told otherwise', async t => {
	const alice = await signIn(t);

	const answer = await get(groups.moderators)(alice);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', subgroups: [groups.administrators, groups.owners]});
	const direct = await get(groups.moderators, '?direct_subgroup_only=true')(alice);
	t.deepEqual(direct.json, {result: 'success', msg: '', subgroups: [groups.administrators]});
	const helpers = await get(groups.helpers)(alice);
	t.deepEqual(helpers.json, {result: 'success', msg: '', subgroups: [groups.kitchen, groups.garden]});
});

test('feature level 126 knows no path of subgroups, 127 does', async t => {
	const of = async (featureLevel: number) =>
		get(groups.helpers)(await signIn(t, 'alice', await openRealm(t, {featureLevel})));

	t.is((await of(126)).statusLine, 'HTTP/1.1 404 Not Found');
	expectSuccess(t, await of(127));
});

test('a bot may ask for subgroups from feature level 496 on', async t => {
	const of = async (featureLevel: number) =>
		get(groups.helpers)(await signIn(t, 'notification-bot', await openRealm(t, {featureLevel})));

	expectRefusal(t, await of(495), badRequest('This endpoint does not accept bot requests.'));
	expectSuccess(t, await of(496));
});

test('the subgroups of an unknown group', refused, {ask: get(999), answer: badRequest('Invalid user group')});
test('the subgroups of a deactivated group', refused, {
	ask: get(groups.party),
	answer: badRequest('User group is deactivated.'),
});
test('the subgroups of a group to a guest', refused, {
	as: 'gus',
	ask: get(groups.helpers),
	answer: badRequest('Not allowed for guest users'),
});
