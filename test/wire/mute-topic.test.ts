import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	badRequest,
	type Caller,
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

const PATH = '/api/v1/users/me/subscriptions/muted_topics';
const mute = (form: string) => (caller: Caller) => caller.patch(PATH, form);

test('the client mutes by the ID of the channel', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.muteTopic({stream_id: 7, topic: 'soup', op: 'add'});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/users/me/subscriptions/muted_topics HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'stream_id=7&topic=soup&op=add');
});

test('the client unmutes by the name of the channel', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.muteTopic({stream: 'general', topic: 'soup', op: 'remove'});

	t.is((await server.request()).body, 'stream=general&topic=soup&op=remove');
});

test('the client throws an ApiError with both names of the channel', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Unsupported parameter combination: stream_id, stream","code":"BAD_REQUEST","parameters":"stream_id, stream"}\n',
	);

	t.deepEqual(await refusalOf(t, client.muteTopic({stream_id: 7, stream: 'general', topic: 'x', op: 'add'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Unsupported parameter combination: stream_id, stream',
		fields: {parameters: 'stream_id, stream'},
	});
});

for (const [by, channel] of [
	['ID', (id: number) => `stream_id=${id}`],
	['name', () => 'stream=General'],
] as const) {
	test(`the realm mutes and unmutes a topic of a channel by its ${by}`, async t => {
		const alice = await signIn(t);
		const general = await channelId(alice, 'general');

		const answer = await alice.patch(PATH, `${channel(general)}&topic=soup&op=add`);

		expectSuccess(t, answer);
		t.deepEqual(answer.json, {result: 'success', msg: ''});
		t.deepEqual(await mutedTopics(alice), [['general', 'soup']]);
		t.deepEqual(await userTopics(alice), [
			{stream_id: general, topic_name: 'soup', visibility_policy: 1, last_updated: '<integer>'},
		]);

		expectSuccess(t, await alice.patch(PATH, `${channel(general)}&topic=Soup&op=remove`));
		t.deepEqual(await userTopics(alice), []);
	});
}

test('the realm tells of a change, and takes a repetition in silence', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	const events = await queueOf(alice, 'user_topic');

	for (const op of ['add', 'add', 'remove', 'remove']) {
		expectSuccess(t, await alice.patch(PATH, `stream_id=${general}&topic=soup&op=${op}`));
	}

	t.deepEqual(
		mask(await events(), 'last_updated'),
		[1, 0].map(visibility_policy => ({
			type: 'user_topic',
			stream_id: general,
			topic_name: 'soup',
			visibility_policy,
			last_updated: '<integer>',
		})),
	);
});

test('the realm leaves a followed topic followed when its mute is removed', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	await alice.post('/api/v1/user_topics', `stream_id=${general}&topic=soup&visibility_policy=3`);

	expectSuccess(t, await alice.patch(PATH, `stream_id=${general}&topic=soup&op=remove`));

	t.deepEqual(await userTopics(alice), [
		{stream_id: general, topic_name: 'soup', visibility_policy: 3, last_updated: '<integer>'},
	]);
});

for (const featureLevel of [169, 496]) {
	test(`at feature level ${featureLevel} the realm mutes general chat as the topic of messages sent to it`, async t => {
		const realm = await openRealm(t, {featureLevel});
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		await bob.post('/api/v1/messages', 'type=stream&to=lunch&topic=general+chat&content=said');
		const muted = () => found(alice, '[["stream","lunch"],["is","muted"]]');

		expectSuccess(t, await mute('stream=lunch&topic=general+chat&op=add')(alice));
		t.deepEqual(await muted(), ['said']);
		expectSuccess(t, await mute('stream=lunch&topic=general+chat&op=remove')(alice));
		t.deepEqual(await muted(), []);
	});
}

test('the realm refuses repetitions at feature level 169', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 169}));

	expectRefusal(t, await mute('stream=general&topic=soup&op=remove')(alice), badRequest('Topic is not muted'));
	expectSuccess(t, await mute('stream=general&topic=soup&op=add')(alice));
	expectRefusal(t, await mute('stream=general&topic=soup&op=add')(alice), badRequest('Topic already muted'));
	t.deepEqual(await mutedTopics(alice), [['general', 'soup']]);
});

for (const op of ['add', 'remove']) {
	test(`${op} in a channel that one may read but is not subscribed to`, refused, {
		as: 'adam',
		ask: mute(`stream=lunch&topic=soup&op=${op}`),
		answer: badRequest("Not subscribed to channel 'lunch'"),
	});
}

test('muting without channel', refused, {
	ask: mute('topic=soup&op=add'),
	answer: badRequest("Missing 'stream_id' argument"),
});
test('muting with both names of the channel', refused, {
	ask: mute('stream_id=1&stream=general&topic=soup&op=add'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'Unsupported parameter combination: stream_id, stream',
			code: 'BAD_REQUEST',
			parameters: 'stream_id, stream',
		},
	},
});
test('muting without topic', refused, {ask: mute('stream_id=1&op=add'), answer: missing('topic')});
test('muting without op', refused, {ask: mute('stream_id=1&topic=soup'), answer: missing('op')});
test('an op that is neither add nor remove', refused, {
	ask: mute('stream_id=1&topic=soup&op=toggle'),
	answer: badRequest('Invalid op'),
});
test('muting a topic that is too long', refused, {
	ask: mute(`stream_id=1&topic=${'a'.repeat(61)}&op=add`),
	answer: badRequest('topic is too long (limit: 60 characters)'),
});
test('muting in an unknown channel by ID', refused, {
	ask: mute('stream_id=4711&topic=soup&op=add'),
	answer: badRequest('Invalid channel ID'),
});
test('muting in an unknown channel by name', refused, {
	ask: mute('stream=nope&topic=soup&op=add'),
	answer: badRequest("Invalid channel name 'nope'"),
});
test('muting in a private channel of others as if it were unknown', refused, {
	ask: mute('stream=staff&topic=soup&op=add'),
	answer: badRequest("Invalid channel name 'staff'"),
});
test('muting in an archived channel', refused, {
	ask: mute('stream=attic&topic=soup&op=add'),
	answer: badRequest("Invalid channel name 'attic'"),
});
test('unmuting in an unknown channel', refused, {
	ask: mute('stream_id=4711&topic=soup&op=remove'),
	answer: badRequest('Topic is not muted'),
});
