import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	channelId,
	expectRefusal,
	expectSuccess,
	mask,
	missing,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {found, mutedTopics, userTopics} from './user-topics-kit.js';

const KNOWS_EMPTY = '&client_capabilities={"notification_settings_null":true,"empty_topic_name":true}';

const set = (caller: Caller, form: string) => caller.post('/api/v1/user_topics', form);

test('the client sends channel, topic and policy as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateUserTopic({stream_id: 7, topic: 'soup & more', visibility_policy: 3});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/user_topics HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'stream_id=7&topic=soup+%26+more&visibility_policy=3');
});

test('the client throws an ApiError for a channel that it may not see', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid channel ID","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateUserTopic({stream_id: 7, topic: 'soup', visibility_policy: 1})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Invalid channel ID',
		fields: {},
	});
});

for (const policy of [1, 2, 3]) {
	test(`the realm sets policy ${policy}, keeps it, and takes it back with 0`, async t => {
		const alice = await signIn(t);
		const general = await channelId(alice, 'general');

		const answer = await set(alice, `stream_id=${general}&topic=Nobody+Wrote+Here&visibility_policy=${policy}`);

		expectSuccess(t, answer);
		t.deepEqual(answer.json, {result: 'success', msg: ''});
		t.deepEqual(await userTopics(alice), [
			{stream_id: general, topic_name: 'Nobody Wrote Here', visibility_policy: policy, last_updated: '<integer>'},
		]);

		expectSuccess(t, await set(alice, `stream_id=${general}&topic=nobody+wrote+here&visibility_policy=0`));
		t.deepEqual(await userTopics(alice), []);
	});
}

test("the realm sends muted_topics, then user_topic, to the account's own queues only", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const general = await channelId(alice, 'general');
	const both = 'muted_topics%22,%22user_topic';
	const [events, others] = [await queueOf(alice, both), await queueOf(bob, both)];

	await set(alice, `stream_id=${general}&topic=soup&visibility_policy=1`);
	await set(alice, `stream_id=${general}&topic=soup&visibility_policy=3`);

	t.deepEqual(mask(await events(), 'last_updated', 'muted_topics'), [
		{type: 'muted_topics', muted_topics: '<list of <list of <string>, <integer>>>'},
		{
			type: 'user_topic',
			stream_id: general,
			topic_name: 'soup',
			visibility_policy: 1,
			last_updated: '<integer>',
		},
		{type: 'muted_topics', muted_topics: '<list of >'},
		{
			type: 'user_topic',
			stream_id: general,
			topic_name: 'soup',
			visibility_policy: 3,
			last_updated: '<integer>',
		},
	]);
	t.deepEqual(await others(), []);
});

test('the realm tells nobody of a policy that stood there already', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	await set(alice, `stream_id=${general}&topic=soup&visibility_policy=1`);
	const events = await queueOf(alice, 'user_topic');

	expectSuccess(t, await set(alice, `stream_id=${general}&topic=SOUP&visibility_policy=1`));
	expectSuccess(t, await set(alice, `stream_id=${general}&topic=other&visibility_policy=0`));

	t.deepEqual(await events(), []);
});

test('the realm reads the display name as the empty topic, and (no topic) as it stands', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	const [knowing, other] = [await queueOf(alice, 'user_topic', KNOWS_EMPTY), await queueOf(alice, 'user_topic')];

	await set(alice, `stream_id=${general}&topic=general+chat&visibility_policy=1`);
	await set(alice, `stream_id=${general}&topic=&visibility_policy=3`);
	await set(alice, `stream_id=${general}&topic=%28no+topic%29&visibility_policy=2`);

	const topics = (name: string) => [
		{stream_id: general, topic_name: name, visibility_policy: 3, last_updated: '<integer>'},
		{stream_id: general, topic_name: '(no topic)', visibility_policy: 2, last_updated: '<integer>'},
	];
	t.deepEqual(await userTopics(alice, KNOWS_EMPTY), topics(''));
	t.deepEqual(await userTopics(alice), topics('general chat'));
	const names = async (events: typeof knowing) => (await events()).map(event => at(event, 'topic_name'));
	t.deepEqual(await names(knowing), ['', '', '(no topic)']);
	t.deepEqual(await names(other), ['general chat', 'general chat', '(no topic)']);
});

for (const [featureLevel, name] of [
	[333, 'general chat'],
	[334, ''],
] as const) {
	test(`at feature level ${featureLevel} the display name stands for a topic named "${name}"`, async t => {
		const realm = await openRealm(t, {featureLevel});
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const lunch = await channelId(alice, 'lunch');
		await bob.post('/api/v1/messages', 'type=channel&to=lunch&topic=general+chat&content=said');

		await set(alice, `stream_id=${lunch}&topic=general+chat&visibility_policy=3`);

		t.deepEqual(await found(alice, '[["channel","lunch"],["is","followed"]]'), ['said']);
		const rows = await userTopics(alice, KNOWS_EMPTY);
		t.deepEqual(Array.isArray(rows) && rows.map(row => at(row, 'topic_name')), [name]);
	});
}

test('the realm finds followed, muted and unmuted topics in narrows', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const lunch = await channelId(alice, 'lunch');
	for (const topic of ['soup', 'bread', 'tea', 'plain']) {
		await bob.post('/api/v1/messages', `type=channel&to=lunch&topic=${topic}&content=${topic}`);
	}

	await set(alice, `stream_id=${lunch}&topic=Soup&visibility_policy=3`);
	await set(alice, `stream_id=${lunch}&topic=bread&visibility_policy=1`);
	await set(alice, `stream_id=${lunch}&topic=tea&visibility_policy=2`);

	const inLunch = (rest: string) => `[["channel","lunch"],${rest}]`;
	t.deepEqual(await found(alice, inLunch('["is","followed"]')), ['soup']);
	t.deepEqual(await found(alice, inLunch('["-is","followed"]')), ['bread', 'tea', 'plain']);
	t.deepEqual(await found(alice, inLunch('["is","muted"]')), ['bread']);
	t.deepEqual(await found(alice, inLunch('["in","home"]')), ['soup', 'tea', 'plain']);
	t.deepEqual(await found(bob, inLunch('["is","muted"]')), []);

	await alice.post(
		'/api/v1/users/me/subscriptions/properties',
		`subscription_data=[{"stream_id":${lunch},"property":"is_muted","value":true}]`,
	);
	t.deepEqual(await found(alice, inLunch('["is","muted"]')), ['bread', 'plain']);
	t.deepEqual(await found(alice, inLunch('["in","home"]')), ['soup', 'tea']);
});

test('the realm finds a followed topic in the history of a channel, too', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	await bob.post('/api/v1/messages', 'type=channel&to=lunch&topic=soup&content=soup');
	await bob.post('/api/v1/messages', 'type=channel&to=lunch&topic=tea&content=tea');

	await set(adam, `stream_id=${await channelId(adam, 'lunch')}&topic=soup&visibility_policy=3`);

	t.deepEqual(await found(adam, '[["channel","lunch"],["is","followed"]]'), ['soup']);
});

test('the realm takes policies from a bot, and for a channel that one is not subscribed to', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	const lunch = await channelId(bot, 'lunch');

	expectSuccess(t, await set(bot, `stream_id=${lunch}&topic=soup&visibility_policy=1`));

	t.deepEqual(await mutedTopics(bot), [['lunch', 'soup']]);
});

for (const name of ['staff', 'attic']) {
	test(`the realm lets a member take policies of ${name} back, but set none`, async t => {
		const realm = await openRealm(t);
		const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
		const id = await channelId(olivia, name);

		expectRefusal(
			t,
			await set(alice, `stream_id=${id}&topic=soup&visibility_policy=3`),
			badRequest('Invalid channel ID'),
		);
		expectSuccess(t, await set(alice, `stream_id=${id}&topic=soup&visibility_policy=0`));
	});
}

test('the realm has no such call below feature level 170', async t => {
	const realm = await openRealm(t, {featureLevel: 169});
	const alice = await signIn(t, 'alice', realm);

	const answer = await set(alice, 'stream_id=1&topic=soup&visibility_policy=1');

	t.is(answer.statusLine, 'HTTP/1.1 404 Not Found');
});

test('a topic of 60 characters is taken, whatever they are', async t => {
	const alice = await signIn(t);
	const topic = encodeURIComponent('🥣'.repeat(60));

	expectSuccess(t, await set(alice, `stream_id=1&topic=${topic}&visibility_policy=1`));
});

const ask = (form: string) => (caller: Caller) => set(caller, form);

test('a policy without channel', refused, {ask: ask('topic=x&visibility_policy=1'), answer: missing('stream_id')});
test('a policy without topic', refused, {ask: ask('stream_id=1&visibility_policy=1'), answer: missing('topic')});
test('a topic without policy', refused, {ask: ask('stream_id=1&topic=x'), answer: missing('visibility_policy')});
test('a policy of an unknown channel', refused, {
	ask: ask('stream_id=4711&topic=x&visibility_policy=0'),
	answer: badRequest('Invalid channel ID'),
});
test('a channel that is no number', refused, {
	ask: ask('stream_id=abc&topic=x&visibility_policy=1'),
	answer: badRequest('stream_id is not valid JSON'),
});
test('a topic of 61 characters before a bad policy', refused, {
	ask: ask(`stream_id=1&topic=${'a'.repeat(61)}&visibility_policy=9`),
	answer: badRequest('topic is too long (limit: 60 characters)'),
});
test('an unknown policy', refused, {
	ask: ask('stream_id=1&topic=x&visibility_policy=4'),
	answer: badRequest('Invalid visibility_policy: Value error, Not in the list of possible values'),
});
test('a policy in quotes', refused, {
	ask: ask('stream_id=1&topic=x&visibility_policy=%221%22'),
	answer: badRequest('visibility_policy is not an integer'),
});
