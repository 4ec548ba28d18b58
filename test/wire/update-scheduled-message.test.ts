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
	mask,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {
	changeDatabase,
	moveClockTo,
	schedule,
	scheduledMessages,
	secondsFromNow,
	temporaryFile,
} from './scheduled-kit.js';

const MISSING = {
	status: '404 Not Found',
	json: {result: 'error', msg: 'Scheduled message does not exist', code: 'BAD_REQUEST'},
};
const NOT_IN_FUTURE = badRequest('Scheduled delivery time must be in the future.');

const patch = (caller: Caller, id: number, form: string) => caller.patch(`/api/v1/scheduled_messages/${id}`, form);

test('the client writes the ID in the path and what changes in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateScheduledMessage({
		scheduled_message_id: 27,
		type: 'direct',
		to: [9],
		topic: 'x',
		content: 'Hi & ho',
		scheduled_delivery_timestamp: 3_165_826_990,
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/scheduled_messages/27 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'type=direct&to=%5B9%5D&topic=x&content=Hi+%26+ho&scheduled_delivery_timestamp=3165826990');
});

test('the client writes nothing of what it was not given', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateScheduledMessage({scheduled_message_id: 27, to: 7});

	t.is((await server.request()).body, 'to=7');
});

test('the client throws an ApiError for a scheduled message that is gone', async t => {
	const {client} = await clientRefused(
		t,
		'404 Not Found',
		'{"result":"error","msg":"Scheduled message does not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateScheduledMessage({scheduled_message_id: 27, content: 'x'})), {
		code: 'BAD_REQUEST',
		status: 404,
		reason: 'Scheduled message does not exist',
		fields: {},
	});
});

test('the realm changes the text and the time, and tells the other clients', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	const id = await schedule(alice);
	const events = await queueOf(alice, 'scheduled_messages');
	const timestamp = secondsFromNow(1200);

	const answer = await patch(alice, id, `content=*Bye*&scheduled_delivery_timestamp=${timestamp}`);

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	const scheduled = {
		scheduled_message_id: id,
		type: 'stream',
		to: general,
		topic: 'soup',
		content: '*Bye*',
		rendered_content: '<p><em>Bye</em></p>',
		scheduled_delivery_timestamp: timestamp,
		failed: false,
	};
	t.deepEqual(await scheduledMessages(alice), [scheduled]);
	t.deepEqual(await events(), [{type: 'scheduled_messages', op: 'update', scheduled_message: scheduled}]);
});

test('a message that was changed is sent at its new time, as it is then', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice, '', secondsFromNow(6000));
	await patch(alice, id, `topic=bread&content=Bye&scheduled_delivery_timestamp=${secondsFromNow(600)}&client=Pen`);

	await moveClockTo(realm, secondsFromNow(700));

	const message = await newestMessage(alice);
	t.is(at(message, 'content'), 'Bye');
	t.is(at(message, 'subject'), 'bread');
	t.is(at(message, 'client'), 'Pen');
});

test('a message that was put off is not sent at its old time', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice);
	await patch(alice, id, `scheduled_delivery_timestamp=${secondsFromNow(6000)}`);

	await moveClockTo(realm, secondsFromNow(700));

	t.is(at(await scheduledMessages(alice), 0, 'scheduled_message_id'), id);
	t.not(at(await newestMessage(alice), 'content'), 'Hello');
});

test('the realm turns a channel message into a direct one, and back', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const lunch = await channelId(alice, 'lunch');
	const id = await schedule(alice);
	const place = async () => {
		const {content, rendered_content, failed, scheduled_delivery_timestamp, scheduled_message_id, ...rest} = Object(
			at(await scheduledMessages(alice), 0),
		);
		return rest;
	};

	expectSuccess(t, await patch(alice, id, `type=direct&to=[${bob.userId}]`));
	t.deepEqual(await place(), {type: 'private', to: [bob.userId]});

	expectSuccess(t, await patch(alice, id, 'topic=ignored'));
	t.deepEqual(await place(), {type: 'private', to: [bob.userId]});

	expectSuccess(t, await patch(alice, id, `type=channel&to=${lunch}&topic=general+chat`));
	t.deepEqual(await place(), {type: 'stream', to: lunch, topic: ''});
});

test('the realm moves a channel message to another channel under the same topic', async t => {
	const alice = await signIn(t);
	const id = await schedule(alice);
	const lunch = await channelId(alice, 'lunch');

	expectSuccess(t, await patch(alice, id, `to=${lunch}`));

	t.like(at(await scheduledMessages(alice), 0), {to: lunch, topic: 'soup'});
});

test('the realm reads the old name of the topic in a change', async t => {
	const alice = await signIn(t);
	const id = await schedule(alice);

	expectSuccess(t, await patch(alice, id, 'subject=bread'));

	t.like(at(await scheduledMessages(alice), 0), {topic: 'bread'});
});

test('a message that failed is pending again with a new time, and is sent then', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice);
	changeDatabase(file, `UPDATE channels SET is_archived = 1 WHERE name = 'general'`);
	await moveClockTo(realm, secondsFromNow(700));
	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);
	changeDatabase(file, `UPDATE channels SET is_archived = 0 WHERE name = 'general'`);

	expectRefusal(t, await patch(alice, id, 'content=Bye'), NOT_IN_FUTURE);
	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);

	expectSuccess(t, await patch(alice, id, `scheduled_delivery_timestamp=${secondsFromNow(1200)}`));
	t.is(at(await scheduledMessages(alice), 0, 'failed'), false);

	await moveClockTo(realm, secondsFromNow(1300));
	t.is(at(await newestMessage(alice), 'content'), 'Hello');
	t.deepEqual(await scheduledMessages(alice), []);
});

test('a message that was sent cannot be changed', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice);
	await moveClockTo(realm, secondsFromNow(700));

	expectRefusal(
		t,
		await patch(alice, id, `content=x&scheduled_delivery_timestamp=${secondsFromNow(6000)}`),
		badRequest('Scheduled message was already sent'),
	);
});

test("somebody else's scheduled message does not exist", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await schedule(alice);

	expectRefusal(t, await patch(bob, id, 'content=Bye'), MISSING);

	t.is(at(await scheduledMessages(alice), 0, 'content'), 'Hello');
});

test('a change that is refused changes nothing and is not told', async t => {
	const alice = await signIn(t);
	const id = await schedule(alice);
	const before = await scheduledMessages(alice);
	const events = await queueOf(alice, 'scheduled_messages');

	const answer = await patch(
		alice,
		id,
		`to=${await channelId(alice, 'attic')}&content=Bye&scheduled_delivery_timestamp=${secondsFromNow(900)}`,
	);

	expectRefusal(t, answer, badRequest("Not authorized to send to channel 'attic'"));
	t.deepEqual(await scheduledMessages(alice), before);
	t.deepEqual(await events(), []);
});

test('the realm names the parameters of a change that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await patch(alice, await schedule(alice), 'content=x&read_by_sender=true');

	t.deepEqual(mask(json), {
		result: 'success',
		msg: '',
		ignored_parameters_unsupported: ['read_by_sender'],
	});
});

const change = (form: string) => async (caller: Caller) => patch(caller, await schedule(caller), form);

test('a change of nothing', refused, {ask: change(''), answer: badRequest('Nothing to change')});
test('a change of nothing before a missing message', refused, {
	ask: alice => patch(alice, 4711, ''),
	answer: badRequest('Nothing to change'),
});
test('a change of a message that never was', refused, {
	ask: alice => patch(alice, 4711, 'content=x'),
	answer: MISSING,
});
test('another type without recipient', refused, {
	ask: change('type=direct'),
	answer: badRequest('Recipient required when updating type of scheduled message.'),
});
test('the type channel without topic', refused, {
	ask: change('type=channel&to=1'),
	answer: badRequest('Topic required when updating scheduled message type to channel.'),
});
test('an unknown type in a change', refused, {
	ask: change('type=topic&to=1'),
	answer: badRequest('Invalid type: Value error, Not in the list of possible values'),
});
test('a past time in a change, before a missing message', refused, {
	ask: alice => patch(alice, 4711, 'scheduled_delivery_timestamp=1527921326'),
	answer: NOT_IN_FUTURE,
});
test('a time in quotes in a change', refused, {
	ask: change('scheduled_delivery_timestamp="4102444800"'),
	answer: badRequest('scheduled_delivery_timestamp is not an integer'),
});
test('a list of people for a channel message', refused, {
	ask: change('to=[1]'),
	answer: badRequest('Invalid data type for channel ID'),
});
test('a change to the type direct with a number', refused, {
	ask: change('type=direct&to=1'),
	answer: badRequest('Invalid data type for recipients'),
});
test('an unknown channel in a change', refused, {
	ask: change('to=4711'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Channel with ID '4711' does not exist",
			code: 'STREAM_DOES_NOT_EXIST',
			stream_id: 4711,
		},
	},
});
test('empty content in a change', refused, {ask: change('content='), answer: badRequest('Message must not be empty')});
test('a change under an ID that is none', refused, {
	ask: alice => alice.patch('/api/v1/scheduled_messages/x', 'content=x'),
	answer: {status: '404 Not Found', json: {result: 'error', msg: 'Not found', code: 'BAD_REQUEST'}},
});
