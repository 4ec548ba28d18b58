import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import Database from 'libsql';
import {groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client asks with both IDs in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","is_user_group_member":false}\n');

	const {is_user_group_member} = await client.getIsUserGroupMember({
		user_group_id: 33,
		user_id: 12,
		direct_member_only: true,
	});

	t.false(is_user_group_member);
	const request = await server.request();
	t.is(request.line, 'GET /api/v1/user_groups/33/members/12?direct_member_only=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for an unknown user', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"No such user","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getIsUserGroupMember({user_group_id: 33, user_id: 12})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'No such user',
		fields: {},
	});
});

const path = (group: number, user: number) => `/api/v1/user_groups/${group}/members/${user}`;
const ask =
	(group: number, user: number, query = '') =>
	(caller: Caller) =>
		caller.get(`${path(group, user)}${query}`);

test('the realm counts subgroups unless told otherwise', async t => {
	const alice = await signIn(t);

	const answer = await alice.get(path(groups.helpers, people.carla));

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', is_user_group_member: true});
	for (const [query, isMember] of [
		['?direct_member_only=false', true],
		['?direct_member_only=true', false],
	] as const) {
		t.is(at((await ask(groups.helpers, people.carla, query)(alice)).json, 'is_user_group_member'), isMember, query);
	}

	for (const [group, user, isMember, isDirect] of [
		[groups.kitchen, people.carla, true, true],
		[groups.kitchen, people.bob, false, false],
		[groups.helpers, people.mona, true, true],
		[groups.everyone, people.gus, true, true],
		[groups.internet, people.gus, true, false],
		[groups.members, people.gus, false, false],
		[groups.members, people.olivia, true, false],
		[groups.owners, people.adam, false, false],
		[groups.nobody, people.olivia, false, false],
	] as const) {
		t.is(at((await ask(group, user)(alice)).json, 'is_user_group_member'), isMember);
		t.is(at((await ask(group, user, '?direct_member_only=true')(alice)).json, 'is_user_group_member'), isDirect);
	}
});

test('a bot may ask, about itself too, from feature level 496 on', async t => {
	const bot = (featureLevel: number) =>
		openRealm(t, {featureLevel}).then(realm => {
			const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
			return callerOf(realm.url, account);
		});
	const [young, old] = [await bot(496), await bot(495)];

	t.is(at((await ask(groups.members, young.userId)(young)).json, 'is_user_group_member'), true);
	t.is(at((await ask(groups.owners, young.userId)(young)).json, 'is_user_group_member'), false);
	expectRefusal(
		t,
		await ask(groups.members, old.userId)(old),
		badRequest('This endpoint does not accept bot requests.'),
	);
});

test('a deactivated user is no member, and asking for one is refused', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const alice = await signIn(t, 'alice', await openRealm(t, {file}));
	const database = new Database(file);
	database.prepare('UPDATE accounts SET is_active = 0 WHERE id = ?').run(people.carla);
	database.close();

	expectRefusal(t, await ask(groups.kitchen, people.carla)(alice), badRequest('User is deactivated'));

	const {json} = await alice.get(`/api/v1/user_groups/${groups.kitchen}/members`);
	t.deepEqual(at(json, 'members'), [people.alice]);
});

test('feature level 126 knows no such path, 127 does', async t => {
	const [at126, at127] = [await openRealm(t, {featureLevel: 126}), await openRealm(t, {featureLevel: 127})];
	const [old, young] = [await signIn(t, 'alice', at126), await signIn(t, 'alice', at127)];

	t.is((await ask(groups.kitchen, people.bob)(old)).statusLine, 'HTTP/1.1 404 Not Found');
	expectSuccess(t, await ask(groups.kitchen, people.bob)(young));
});

test('an unknown group', refused, {ask: ask(999, people.bob), answer: badRequest('Invalid user group')});
test('an unknown user', refused, {ask: ask(groups.kitchen, 999), answer: badRequest('No such user')});
test('a deactivated group', refused, {
	ask: ask(groups.party, people.bob),
	answer: badRequest('User group is deactivated.'),
});
test('a guest who asks', refused, {
	as: 'gus',
	ask: ask(groups.garden, people.gus),
	answer: badRequest('Not allowed for guest users'),
});
test('direct_member_only=True', refused, {
	ask: ask(groups.kitchen, people.bob, '?direct_member_only=True'),
	answer: badRequest('direct_member_only is not valid JSON'),
});
