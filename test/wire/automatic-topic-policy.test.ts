// What a message or a reaction makes of the topic for those whom it concerns (spec.md, operation 1).

import test from 'ava';
import {queueOf} from './event-kit.js';
import {
	advanceClock,
	at,
	type Caller,
	callerOf,
	channelId,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {userTopics} from './user-topics-kit.js';

async function say(caller: Caller, topic: string, content = 'x'): Promise<Json> {
	const {json} = await caller.post('/api/v1/messages', `type=stream&to=lunch&topic=${topic}&content=${content}`);
	return json;
}

async function set(caller: Caller, form: string): Promise<void> {
	const {json} = await caller.patch('/api/v1/settings', form);
	if (at(json, 'result') !== 'success' || Object.keys(Object(json)).length > 2) {
		throw new Error(`Expected the settings to be taken, found ${JSON.stringify(json)}`);
	}
}

/** The policy that the caller's register call has for a topic; 0 for none. */
async function policyOf(caller: Caller, topic: string): Promise<Json> {
	const rows = await userTopics(caller);
	const row = Array.isArray(rows) ? rows.find(each => at(each, 'topic_name') === topic) : undefined;
	return row === undefined ? 0 : at(row, 'visibility_policy');
}

const told = (json: Json) => Object(json).automatic_new_visibility_policy;

for (const [policy, expected] of [
	[1, {starting: 3, sending: 3, reacting: 3}],
	[2, {starting: 3, sending: 3, reacting: 0}],
	[3, {starting: 3, sending: 0, reacting: 0}],
	[4, {starting: 0, sending: 0, reacting: 0}],
] as const) {
	test(`with automatically_follow_topics_policy ${policy} the realm follows as the setting says`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		await set(alice, `automatically_follow_topics_policy=${policy}`);
		await say(bob, 'soup');
		const tea = at(await say(bob, 'tea'), 'id');

		const [started, sent] = [await say(alice, 'bread'), await say(alice, 'soup')];
		expectSuccess(t, await alice.post(`/api/v1/messages/${tea}/reactions`, 'emoji_name=tada'));

		t.is(told(started), expected.starting || undefined);
		t.is(told(sent), expected.sending || undefined);
		t.is(await policyOf(alice, 'bread'), expected.starting);
		t.is(await policyOf(alice, 'soup'), expected.sending);
		t.is(await policyOf(alice, 'tea'), expected.reacting);
	});

	test(`with automatically_unmute_topics_in_muted_streams_policy ${policy} the realm unmutes as the setting says`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const lunch = await channelId(alice, 'lunch');
		await set(
			alice,
			`automatically_follow_topics_policy=4&automatically_unmute_topics_in_muted_streams_policy=${policy}`,
		);
		await say(bob, 'soup');
		const tea = at(await say(bob, 'tea'), 'id');
		const unmuted = (value: number) => (value === 3 ? 2 : 0);

		t.is(told(await say(alice, 'before')), undefined);
		await alice.post(
			'/api/v1/users/me/subscriptions/properties',
			`subscription_data=[{"stream_id":${lunch},"property":"is_muted","value":true}]`,
		);
		const [started, sent] = [await say(alice, 'bread'), await say(alice, 'soup')];
		await alice.post(`/api/v1/messages/${tea}/reactions`, 'emoji_name=tada');

		t.is(told(started), unmuted(expected.starting) || undefined);
		t.is(told(sent), unmuted(expected.sending) || undefined);
		t.is(await policyOf(alice, 'bread'), unmuted(expected.starting));
		t.is(await policyOf(alice, 'soup'), unmuted(expected.sending));
		t.is(await policyOf(alice, 'tea'), unmuted(expected.reacting));
	});
}

test('following wins over unmuting, and raises what was muted or unmuted', async t => {
	const alice = await signIn(t);
	const lunch = await channelId(alice, 'lunch');
	await set(alice, 'automatically_follow_topics_policy=2&automatically_unmute_topics_in_muted_streams_policy=2');
	await alice.post(
		'/api/v1/users/me/subscriptions/properties',
		`subscription_data=[{"stream_id":${lunch},"property":"is_muted","value":true}]`,
	);
	await alice.post('/api/v1/user_topics', `stream_id=${lunch}&topic=muted&visibility_policy=1`);
	await alice.post('/api/v1/user_topics', `stream_id=${lunch}&topic=unmuted&visibility_policy=2`);

	t.is(told(await say(alice, 'none')), 3);
	t.is(told(await say(alice, 'muted')), 3);
	t.is(told(await say(alice, 'unmuted')), 3);
});

test('a topic that is followed already brings no field, and unmuting lowers nothing', async t => {
	const alice = await signIn(t);
	t.is(told(await say(alice, 'soup')), 3);
	await set(alice, 'automatically_follow_topics_policy=4&automatically_unmute_topics_in_muted_streams_policy=1');
	const lunch = await channelId(alice, 'lunch');
	await alice.post(
		'/api/v1/users/me/subscriptions/properties',
		`subscription_data=[{"stream_id":${lunch},"property":"is_muted","value":true}]`,
	);

	t.is(told(await say(alice, 'soup')), undefined);
	t.is(await policyOf(alice, 'soup'), 3);
});

test('the policy reaches the sender as events, in muted_topics and user_topic', async t => {
	const alice = await signIn(t);
	const events = await queueOf(alice, 'muted_topics%22,%22user_topic');

	await say(alice, 'soup');

	t.deepEqual(mask(await events(), 'last_updated'), [
		{type: 'muted_topics', muted_topics: []},
		{
			type: 'user_topic',
			stream_id: await channelId(alice, 'lunch'),
			topic_name: 'soup',
			visibility_policy: 3,
			last_updated: '<integer>',
		},
	]);
});

test('a scheduled message follows its topic once it is sent', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const lunch = await channelId(alice, 'lunch');
	const events = await queueOf(alice, 'user_topic');
	const time = Math.ceil(Date.now() / 1000) + 60;
	const form = `type=channel&to=${lunch}&topic=later&content=x&scheduled_delivery_timestamp=${time}`;
	expectSuccess(t, await alice.post('/api/v1/scheduled_messages', form));
	t.deepEqual(await events(), []);

	await advanceClock(realm, 180_000);

	t.deepEqual(
		(await events()).map(event => at(event, 'visibility_policy')),
		[3],
	);
});

test('who is mentioned follows the topic, by name or by group, unless they muted it or do not want to', async t => {
	const realm = await openRealm(t);
	const [alice, bob, carla] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'carla', realm),
	];
	const lunch = await channelId(alice, 'lunch');
	await alice.post('/api/v1/user_topics', `stream_id=${lunch}&topic=muted&visibility_policy=1`);
	await set(carla, 'automatically_follow_topics_where_mentioned=false');

	await say(bob, 'soup', '@**Alice+Ahn**+@**Carla+Cruz**');
	await say(bob, 'tea', '@*role:members*');
	await say(bob, 'muted', '@**Alice+Ahn**');
	await say(bob, 'silent', '@_**Alice+Ahn**');
	await say(bob, 'everybody', '@**all**');

	const policies = async (caller: Caller) =>
		Promise.all(['soup', 'tea', 'muted', 'silent', 'everybody'].map(topic => policyOf(caller, topic)));
	t.deepEqual(await policies(alice), [3, 3, 1, 0, 0]);
	t.deepEqual(await policies(carla), [0, 0, 0, 0, 0]);
});

test('a topic starts with the first message that its sender may read', async t => {
	const realm = await openRealm(t);
	const [alice, olivia, mona] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'olivia', realm),
		await signIn(t, 'mona', realm),
	];
	const form = 'type=channel&to=staff&topic=soup&content=x';
	await olivia.post('/api/v1/messages', form);

	t.is(told((await mona.post('/api/v1/messages', form)).json), undefined);
	await olivia.post('/api/v1/users/me/subscriptions', `subscriptions=[{"name":"staff"}]&principals=[${alice.userId}]`);

	t.is(told((await alice.post('/api/v1/messages', form)).json), 3);
});

test('bots follow nothing, neither what they start nor where they are mentioned', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	const alice = await signIn(t, 'alice', realm);

	t.is(told(await say(bot, 'soup')), undefined);
	await say(alice, 'bread', '@**Echo**');

	t.deepEqual(await userTopics(bot), []);
});

test('a direct message brings no policy', async t => {
	const alice = await signIn(t);

	const {json} = await alice.post('/api/v1/messages', 'type=direct&to=bob%40bothy.example&content=x');

	t.is(told(json), undefined);
	t.deepEqual(await userTopics(alice), []);
});

for (const [featureLevel, field, policy] of [
	[218, 3, 3],
	[217, undefined, 3],
	[213, undefined, 0],
] as const) {
	test(`at feature level ${featureLevel} a topic that one starts has policy ${policy}, and the field is ${field}`, async t => {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));

		t.is(told(await say(alice, 'soup')), field);
		t.is(await policyOf(alice, 'soup'), policy);
	});
}

for (const [featureLevel, policy] of [
	[235, 3],
	[234, 0],
] as const) {
	test(`at feature level ${featureLevel} a topic where one is mentioned has policy ${policy}`, async t => {
		const realm = await openRealm(t, {featureLevel});
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];

		await say(bob, 'soup', '@**Alice+Ahn**');

		t.is(await policyOf(alice, 'soup'), policy);
	});
}
