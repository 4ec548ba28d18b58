import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';
import {formOf, wireSettings} from './settings-kit.js';

const ONE = 'drafts=[{"type":"","to":[],"topic":"","content":"x"}]';

test('the client writes a setting as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateSettings({enable_drafts_synchronization: false});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/settings HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'enable_drafts_synchronization=false');
});

test('the client throws an ApiError for a bot', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"This endpoint does not accept bot requests.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateSettings({enable_drafts_synchronization: true})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'This endpoint does not accept bot requests.',
		fields: {},
	});
});

test('the realm deletes the drafts of somebody who switches their synchronization off, and of nobody else', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post('/api/v1/drafts', ONE);
	await bob.post('/api/v1/drafts', ONE);

	const answer = await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
	await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=true');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.is(at((await alice.get('/api/v1/drafts')).json, 'count'), 0);
	t.is(at((await bob.get('/api/v1/drafts')).json, 'count'), 1);
});

test('the realm tells the other clients what was set, once', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=["user_settings","drafts"]');
	await alice.post('/api/v1/drafts', ONE);

	await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
	await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');

	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=0&dont_block=true`);
	t.deepEqual(at(events.json, 'events'), [
		{type: 'user_settings', op: 'update', property: 'enable_drafts_synchronization', value: false, id: 1},
	]);
});

test('the realm keeps the drafts when synchronization is on already', async t => {
	const alice = await signIn(t);
	await alice.post('/api/v1/drafts', ONE);

	await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=true');

	t.is(at((await alice.get('/api/v1/drafts')).json, 'count'), 1);
});

test('the realm lists settings that it does not know', async t => {
	const answer = await (await signIn(t)).patch('/api/v1/settings', 'tea=green&enable_drafts_synchronization=true');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', ignored_parameters_unsupported: ['tea']});
});

test('the realm refuses the settings of a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(
		t,
		await bot.patch('/api/v1/settings', 'enable_drafts_synchronization=false'),
		badRequest('This endpoint does not accept bot requests.'),
	);
});

test('a setting that is no boolean', refused, {
	ask: alice => alice.patch('/api/v1/settings', 'enable_drafts_synchronization=1'),
	answer: badRequest('enable_drafts_synchronization is not a boolean'),
});

test('the client writes the policies for topics', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateSettings({
		automatically_follow_topics_policy: 1,
		automatically_unmute_topics_in_muted_streams_policy: 4,
		automatically_follow_topics_where_mentioned: false,
	});

	t.is(
		(await server.request()).body,
		'automatically_follow_topics_policy=1&automatically_unmute_topics_in_muted_streams_policy=4' +
			'&automatically_follow_topics_where_mentioned=false',
	);
});

test('the realm tells the other clients of a policy for topics, but not of the one that it has by default', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=["user_settings"]');

	await alice.patch('/api/v1/settings', 'automatically_follow_topics_policy=3');
	await alice.patch('/api/v1/settings', 'automatically_follow_topics_policy=4');

	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events'), [
		{type: 'user_settings', op: 'update', property: 'automatically_follow_topics_policy', value: 4, id: 0},
	]);
});

test('the realm lists settings that came after its feature level', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 213}));

	const {json} = await alice.patch(
		'/api/v1/settings',
		'automatically_follow_topics_policy=1&automatically_unmute_topics_in_muted_streams_policy=1' +
			'&automatically_follow_topics_where_mentioned=true',
	);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), [
		'automatically_follow_topics_policy',
		'automatically_follow_topics_where_mentioned',
		'automatically_unmute_topics_in_muted_streams_policy',
	]);
});

for (const name of ['automatically_follow_topics_policy', 'automatically_unmute_topics_in_muted_streams_policy']) {
	test(`${name} beyond its values`, refused, {
		ask: alice => alice.patch('/api/v1/settings', `${name}=5`),
		answer: badRequest(`Invalid ${name}: Value error, Not in the list of possible values`),
	});
	test(`${name} that is no number`, refused, {
		ask: alice => alice.patch('/api/v1/settings', `${name}=true`),
		answer: badRequest(`${name} is not an integer`),
	});
}

test('the client writes every setting in its form: JSON, and strings as they are', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateSettings(Object.fromEntries(wireSettings.map(({name, values}) => [name, values[1]])));

	t.is((await server.request()).body, wireSettings.map(({name, values}) => formOf(name, values[1])).join('&'));
});

test("the realm takes each allowed value of each setting, and tells the account's own queues of it", async t => {
	const realm = await openRealm(t, {rateLimit: false});
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [own, foreign] = [await queueOf(alice, 'user_settings'), await queueOf(bob, 'user_settings')];
	const told = [];

	for (const {name, values} of wireSettings) {
		for (const value of [...values.slice(1), values[0], values[1]]) {
			const answer = await alice.patch('/api/v1/settings', formOf(name, value));
			t.is(answer.body, '{"result":"success","msg":""}\n', `${name} ${value}`);
			told.push({type: 'user_settings', op: 'update', property: name, value});
		}
	}

	t.deepEqual(await own(), told as object[]);
	t.deepEqual(await foreign(), []);
	for (const [caller, index] of [
		[alice, 1],
		[bob, 0],
	] as const) {
		const {json} = await caller.post('/api/v1/register', 'event_types=["user_settings"]');
		t.like(
			Object(at(json, 'user_settings')),
			Object.fromEntries(wireSettings.map(({name, values}) => [name, values[index]])),
		);
	}
});

test('a refused setting changes none of those beside it', async t => {
	const alice = await signIn(t);

	await alice.patch('/api/v1/settings', 'enter_sends=true&email_notifications_batching_period_seconds=0');

	const {json} = await alice.post('/api/v1/register', 'event_types=["user_settings"]');
	t.is(at(json, 'user_settings', 'enter_sends'), false);
});

for (const {name, refused: bad} of wireSettings) {
	test(`the setting ${name}=${bad[0]}`, refused, {
		ask: alice => alice.patch('/api/v1/settings', `${name}=${bad[0]}`),
		answer: badRequest(bad[1]),
	});
}
