import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	missing,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

/** The capability to hear of typing in channels. */
const IN_CHANNELS =
	'&client_capabilities={"notification_settings_null":true,"stream_typing_notifications":true,"empty_topic_name":true}';

const type = (caller: Caller, form: string) => caller.post('/api/v1/typing', form);

test('the client tells of typing to people with their IDs as a JSON list', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.setTypingStatus({op: 'start', to: [9, 10]});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/typing HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'op=start&to=%5B9%2C10%5D');
});

test('the client tells of typing in a channel', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.setTypingStatus({op: 'stop', type: 'stream', stream_id: 7, topic: 'soup & bread'});

	t.is((await server.request()).body, 'op=stop&type=stream&stream_id=7&topic=soup+%26+bread');
});

test('the client throws an ApiError for somebody who keeps typing private', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User has disabled typing notifications for direct messages","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.setTypingStatus({op: 'start', to: [9]})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'User has disabled typing notifications for direct messages',
		fields: {},
	});
});

for (const op of ['start', 'stop']) {
	test(`the realm tells everybody in a direct conversation that typing has come to ${op}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const others = await queueOf(await signIn(t, 'olivia', realm), 'typing');
		const queues = [await queueOf(alice, 'typing'), await queueOf(bob, 'typing')];

		const answer = await type(alice, `op=${op}&type=direct&to=[${bob.userId}]`);

		expectSuccess(t, answer);
		t.is(answer.body, '{"result":"success","msg":""}\n');
		for (const events of queues) {
			t.deepEqual(await events(), [
				{
					type: 'typing',
					op,
					message_type: 'direct',
					sender: {user_id: alice.userId, email: 'alice@bothy.example'},
					recipients: [
						{user_id: bob.userId, email: 'bob@bothy.example'},
						{user_id: alice.userId, email: 'alice@bothy.example'},
					],
				},
			]);
		}

		t.deepEqual(await others(), []);
	});
}

for (const kind of ['stream', 'channel']) {
	test(`the realm tells the subscribers of a channel of typing, under the type ${kind}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const lunch = await channelId(alice, 'lunch');
		const subscriber = await queueOf(bob, 'typing', IN_CHANNELS);
		const stranger = await queueOf(await signIn(t, 'olivia', realm), 'typing', IN_CHANNELS);

		expectSuccess(t, await type(alice, `op=start&type=${kind}&stream_id=${lunch}&topic=soup`));

		t.deepEqual(await subscriber(), [
			{
				type: 'typing',
				op: 'start',
				message_type: 'stream',
				sender: {user_id: alice.userId, email: 'alice@bothy.example'},
				stream_id: lunch,
				topic: 'soup',
			},
		]);
		t.deepEqual(await stranger(), []);
	});
}

test('the realm reads the old name of the topic typed in', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'typing', IN_CHANNELS);

	expectSuccess(t, await type(alice, `op=start&type=stream&stream_id=${await channelId(alice, 'lunch')}&subject=soup`));

	t.is(at(await events(), 0, 'topic'), 'soup');
});

test('the realm keeps typing in channels from a queue that did not ask for it', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [plain, capable] = [await queueOf(bob, 'typing'), await queueOf(bob, 'typing', IN_CHANNELS)];

	await type(alice, `op=start&type=stream&stream_id=${await channelId(alice, 'general')}&topic=soup`);

	t.is((await capable()).length, 1);
	t.deepEqual(await plain(), []);
});

test('the realm names the empty topic of typing to a queue that does not know it', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const knows = await queueOf(alice, 'typing', IN_CHANNELS);
	const knowsNot = await queueOf(alice, 'typing', IN_CHANNELS.replace(',"empty_topic_name":true', ''));

	await type(alice, `op=start&type=stream&stream_id=${await channelId(alice, 'general')}&topic=general+chat`);

	t.is(at((await knows())[0] ?? null, 'topic'), '');
	t.is(at((await knowsNot())[0] ?? null, 'topic'), 'general chat');
});

test('the realm tells nothing of typing to somebody who does not want to know', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [events, own] = [await queueOf(bob, 'typing', IN_CHANNELS), await queueOf(alice, 'typing', IN_CHANNELS)];
	expectSuccess(t, await bob.patch('/api/v1/settings', 'receives_typing_notifications=false'));

	await type(alice, `op=start&to=[${bob.userId}]`);
	await type(alice, `op=start&type=stream&stream_id=${await channelId(alice, 'general')}&topic=soup`);

	t.is((await own()).length, 2);
	t.deepEqual(await events(), []);
});

test('a queue for other types hears nothing of typing', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'message');

	await type(alice, `op=start&to=[${bob.userId}]`);

	t.deepEqual(await events(), []);
});

test('whoever keeps typing in direct messages private may still tell of it in channels', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const general = await channelId(alice, 'general');
	await alice.patch('/api/v1/settings', 'send_private_typing_notifications=false');

	expectRefusal(
		t,
		await type(alice, 'op=start&to=[4711]'),
		badRequest('User has disabled typing notifications for direct messages'),
	);
	expectSuccess(t, await type(alice, `op=start&type=stream&stream_id=${general}&topic=x`));
});

test('whoever keeps typing in channels private may still tell of it in direct messages', async t => {
	const alice = await signIn(t);
	await alice.patch('/api/v1/settings', 'send_stream_typing_notifications=false');

	expectRefusal(
		t,
		await type(alice, 'op=start&type=stream&stream_id=4711&topic=x'),
		badRequest('User has disabled typing notifications for channel messages'),
	);
	expectSuccess(t, await type(alice, `op=start&to=[${alice.userId}]`));
});

test('the realm names the parameters of typing that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await type(alice, `op=start&to=[${alice.userId}]&colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

const typing = (form: string) => (caller: Caller) => type(caller, form);
const typingIn = (name: string) => async (caller: Caller) =>
	type(caller, `op=start&type=stream&stream_id=${await channelId(caller, name)}&topic=x`);

test('typing that neither starts nor stops', refused, {ask: typing('to=[1]'), answer: missing('op')});
test('typing that pauses', refused, {ask: typing('op=pause&to=[1]'), answer: badRequest('Invalid op')});
test('typing of an unknown type', refused, {
	ask: typing('op=start&type=private&to=[1]'),
	answer: badRequest('Invalid type'),
});
test('typing to nobody said', refused, {ask: typing('op=start'), answer: badRequest("Missing 'to' argument")});
test('typing to an empty list', refused, {ask: typing('op=start&to=[]'), answer: badRequest("Empty 'to' list")});
test('typing to an email', refused, {
	ask: typing('op=start&to=["bob@bothy.example"]'),
	answer: badRequest('to[0] is not an integer'),
});
test('typing to a number', refused, {ask: typing('op=start&to=1'), answer: badRequest('to is not a list')});
test('typing to somebody unknown', refused, {
	ask: typing('op=start&to=[4711]'),
	answer: badRequest('Invalid user ID 4711'),
});
test('typing in no channel', refused, {
	ask: typing('op=start&type=stream&topic=x'),
	answer: badRequest("Missing 'stream_id' argument"),
});
test('typing in no topic', refused, {
	ask: typing('op=start&type=stream&stream_id=1'),
	answer: badRequest('Missing topic'),
});
test('typing in an unknown channel', refused, {
	ask: typing('op=start&type=stream&stream_id=4711&topic=x'),
	answer: badRequest('Invalid channel ID'),
});
test('typing in an archived channel', refused, {ask: typingIn('attic'), answer: badRequest('Invalid channel ID')});
test('typing in a channel where moderators post', refused, {
	ask: typingIn('announcements'),
	answer: badRequest('You do not have permission to post in this channel.'),
});
