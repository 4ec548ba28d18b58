import test from 'ava';
import {startRealm} from '../../src/realm/index.js';
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
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {httpAnswer} from './raw-server.js';
import {refused} from './refused.js';
import {
	changeDatabase,
	justPastAMinute,
	moveClockTo,
	schedule,
	scheduledMessages,
	secondsFromNow,
	temporaryFile,
} from './scheduled-kit.js';
import {openRealmWithBot} from './webhook-kit.js';

const SCHEDULED = '{"result":"success","msg":"","scheduled_message_id":42}\n';

test('the client schedules a channel message as a form', async t => {
	const {client, server} = await clientAnswered(t, SCHEDULED);

	const result = await client.createScheduledMessage({
		type: 'channel',
		to: 7,
		topic: 'soup & bread',
		content: '[1] Hello, wörld!',
		scheduled_delivery_timestamp: 3_165_826_990,
		read_by_sender: true,
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/scheduled_messages HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(
		request.body,
		'type=channel&to=7&topic=soup+%26+bread&content=%5B1%5D+Hello%2C+w%C3%B6rld%21' +
			'&scheduled_delivery_timestamp=3165826990&read_by_sender=true',
	);
	t.is(result.scheduled_message_id, 42);
});

test('the client schedules a direct message with user IDs as a JSON list', async t => {
	const {client, server} = await clientAnswered(t, SCHEDULED);

	await client.createScheduledMessage({
		type: 'direct',
		to: [9, 10],
		content: 'x',
		scheduled_delivery_timestamp: 3_165_826_990,
	});

	t.is((await server.request()).body, 'type=direct&to=%5B9%2C10%5D&content=x&scheduled_delivery_timestamp=3165826990');
});

test('the client throws an ApiError for a scheduled message with the ID of a channel that does not exist', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Channel with ID \'9\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream_id":9}\n',
	);

	const call = client.createScheduledMessage({
		type: 'channel',
		to: 9,
		topic: 'x',
		content: 'x',
		scheduled_delivery_timestamp: 3_165_826_990,
	});

	t.deepEqual(await refusalOf(t, call), {
		code: 'STREAM_DOES_NOT_EXIST',
		status: 400,
		reason: "Channel with ID '9' does not exist",
		fields: {stream_id: 9},
	});
});

test('the client throws an ApiError for a user ID that does not exist', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid user ID 10","code":"BAD_REQUEST"}\n',
	);

	const call = client.createScheduledMessage({
		type: 'direct',
		to: [10],
		content: 'x',
		scheduled_delivery_timestamp: 3_165_826_990,
	});

	t.deepEqual(await refusalOf(t, call), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Invalid user ID 10',
		fields: {},
	});
});

for (const type of ['channel', 'stream']) {
	test(`the realm schedules a message of the type ${type}, lists it and tells the other clients`, async t => {
		const alice = await signIn(t);
		const general = await channelId(alice, 'general');
		const events = await queueOf(alice, 'scheduled_messages');
		const timestamp = secondsFromNow(600);

		const answer = await alice.post(
			'/api/v1/scheduled_messages',
			`type=${type}&to=${general}&topic=+soup+&content=*Hello*+&scheduled_delivery_timestamp=${timestamp}`,
		);

		expectSuccess(t, answer);
		t.deepEqual(mask(answer.json, 'scheduled_message_id'), {
			result: 'success',
			msg: '',
			scheduled_message_id: '<integer>',
		});
		const scheduled = {
			scheduled_message_id: at(answer.json, 'scheduled_message_id'),
			type: 'stream',
			to: general,
			topic: 'soup',
			content: '*Hello*',
			rendered_content: '<p><em>Hello</em></p>',
			scheduled_delivery_timestamp: timestamp,
			failed: false,
		};
		t.deepEqual(await scheduledMessages(alice), [scheduled]);
		t.deepEqual(await events(), [{type: 'scheduled_messages', op: 'add', scheduled_messages: [scheduled]}]);
	});
}

for (const type of ['direct', 'private']) {
	test(`the realm schedules a message of the type ${type} to the others, without topic`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const carla = await signIn(t, 'carla', realm);

		await schedule(alice, `&type=${type}&to=[${carla.userId},${alice.userId},${bob.userId}]&topic=ignored`);

		t.deepEqual(mask(await scheduledMessages(alice), 'scheduled_message_id', 'scheduled_delivery_timestamp'), [
			{
				scheduled_message_id: '<integer>',
				type: 'private',
				to: [bob.userId, carla.userId],
				content: 'Hello',
				rendered_content: '<p>Hello</p>',
				scheduled_delivery_timestamp: '<integer>',
				failed: false,
			},
		]);
	});
}

test('the realm reads the old name of the topic, but not both', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	const form = `type=channel&to=${general}&content=x&scheduled_delivery_timestamp=${secondsFromNow(600)}&subject=soup`;

	expectSuccess(t, await alice.post('/api/v1/scheduled_messages', form));
	const both = await alice.post('/api/v1/scheduled_messages', `${form}&topic=soup`);

	t.is(at(await scheduledMessages(alice), 0, 'topic'), 'soup');
	expectRefusal(t, both, {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Can't decide between 'topic' and 'subject' arguments",
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'topic',
			var_name2: 'subject',
		},
	});
});

test('the realm schedules a note to oneself', async t => {
	const alice = await signIn(t);

	await schedule(alice, `&type=direct&to=[${alice.userId}]`);

	t.deepEqual(at(await scheduledMessages(alice), 0, 'to'), [alice.userId]);
});

test('a scheduled message is sent at the first whole minute of its time, under a new ID', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const due = justPastAMinute();
	const events = await queueOf(alice, 'scheduled_messages');
	const id = await schedule(alice, '', due);
	const before = at(await newestMessage(bob), 'id');

	await moveClockTo(realm, due + 4);

	t.is(at(await newestMessage(bob), 'id'), before);
	t.is(at(await scheduledMessages(alice), 0, 'scheduled_message_id'), id);

	await moveClockTo(realm, due + 59);

	const message = await newestMessage(bob);
	t.true(Number(at(message, 'id')) > Number(before));
	t.is(at(message, 'content'), 'Hello');
	t.is(at(message, 'sender_id'), alice.userId);
	t.is(at(message, 'subject'), 'soup');
	t.true(Number(at(message, 'timestamp')) >= due + 59);
	t.deepEqual(await scheduledMessages(alice), []);
	t.deepEqual((await events()).at(-1), {type: 'scheduled_messages', op: 'remove', scheduled_message_id: id});
});

test('a clock that is moved by a day makes no message late; they are sent in the order of their times', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	await schedule(alice, `&type=direct&to=[${alice.userId}]&topic=second`, secondsFromNow(7200));
	await schedule(alice, '', secondsFromNow(3600));

	await moveClockTo(realm, secondsFromNow(86_400));

	const {json} = await alice.get('/api/v1/messages?anchor=newest&num_before=2');
	t.is(at(json, 'messages', 0, 'type'), 'stream');
	t.is(at(json, 'messages', 1, 'type'), 'private');
	t.deepEqual(await scheduledMessages(alice), []);
});

const readWhenSent = test.macro({
	title: (title = '') => `a message that was scheduled ${title}`,
	async exec(t, {form, isRead, isNote = false}: {form: string; isRead: boolean; isNote?: boolean}) {
		const realm = await openRealm(t);
		const alice = await signIn(t, 'alice', realm);
		await schedule(alice, `${isNote ? `&type=direct&to=[${alice.userId}]` : ''}${form}`);

		await moveClockTo(realm, secondsFromNow(700));

		const message = await newestMessage(alice);
		t.is(at(message, 'content'), 'Hello');
		t.deepEqual(at(message, 'flags'), isRead ? ['read'] : []);
	},
});

test('with a full client starts as read', readWhenSent, {form: '&client=website', isRead: true});
test('with another client starts unread', readWhenSent, {form: '&client=Bothy', isRead: false});
test('to oneself with a full client starts unread', readWhenSent, {
	form: '&client=website',
	isRead: false,
	isNote: true,
});
test('as read starts as read', readWhenSent, {form: '&read_by_sender=true', isRead: true});
test('as unread starts unread', readWhenSent, {form: '&client=website&read_by_sender=false', isRead: false});

test('a scheduled message calls a bot when it is sent, and not before', async t => {
	const {realm, receiver, alice} = await openRealmWithBot(t, httpAnswer('200 OK', '{"response_not_required":true}'));
	const general = await channelId(alice, 'general');
	await alice.post(
		'/api/v1/scheduled_messages',
		`type=channel&to=${general}&topic=x&content=%40**Echo**+soup&scheduled_delivery_timestamp=${secondsFromNow(600)}`,
	);
	t.is(receiver.count, 0);

	await moveClockTo(realm, secondsFromNow(700));

	const body = JSON.parse((await receiver.request()).body);
	t.is(body.trigger, 'mention');
	t.is(body.data, '@**Echo** soup');
	t.is(body.message.id, at(await newestMessage(alice), 'id'));
});

test('a bot may schedule messages', async t => {
	const realm = await openRealm(t);
	const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const bot = callerOf(realm.url, account);
	const alice = await signIn(t, 'alice', realm);
	await schedule(bot);

	await moveClockTo(realm, secondsFromNow(700));

	t.is(at(await newestMessage(alice), 'sender_id'), account.userId);
});

test('a scheduled message outlives the realm, and is sent by the next one', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const before = await signIn(t, 'alice', first);
	const id = await schedule(before);
	await first.close();

	const second = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', second);
	t.is(at(await scheduledMessages(alice), 0, 'scheduled_message_id'), id);
	await moveClockTo(second, secondsFromNow(700));

	t.is(at(await newestMessage(alice), 'content'), 'Hello');
	t.deepEqual(await scheduledMessages(alice), []);
});

test('a message that became due while no realm was there is sent when one comes within ten minutes', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	await schedule(await signIn(t, 'alice', first));
	await first.close();
	changeDatabase(file, `UPDATE scheduled_messages SET delivery_timestamp = ${secondsFromNow(-570)}`);

	const alice = await signIn(t, 'alice', await openRealm(t, {file}));

	t.is(at(await newestMessage(alice), 'content'), 'Hello');
	t.deepEqual(await scheduledMessages(alice), []);
});

test('a message that is more than ten minutes late has failed, and a system bot tells the sender', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const id = await schedule(await signIn(t, 'alice', first));
	await first.close();
	changeDatabase(file, `UPDATE scheduled_messages SET delivery_timestamp = ${secondsFromNow(-610)}`);

	const alice = await signIn(t, 'alice', await openRealm(t, {file}));

	t.like(at(await scheduledMessages(alice), 0), {scheduled_message_id: id, failed: true});
	const notice = await newestMessage(alice);
	t.is(at(notice, 'sender_email'), 'notification-bot@bothy.example');
	t.is(at(notice, 'type'), 'private');
	t.true(String(at(notice, 'content')).includes('Message could not be sent at the scheduled time.'));
});

test('a message whose channel is archived by its time has failed, which is told and not tried again', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', realm);
	await schedule(alice);
	const events = await queueOf(alice, 'scheduled_messages');
	changeDatabase(file, `UPDATE channels SET is_archived = 1 WHERE name = 'general'`);

	await moveClockTo(realm, secondsFromNow(700));

	const failed = at(await scheduledMessages(alice), 0);
	t.is(at(failed, 'failed'), true);
	t.deepEqual(await events(), [{type: 'scheduled_messages', op: 'update', scheduled_message: failed}]);
	t.true(String(at(await newestMessage(alice), 'content')).includes("Not authorized to send to channel 'general'"));

	changeDatabase(file, `UPDATE channels SET is_archived = 0 WHERE name = 'general'`);
	await moveClockTo(realm, secondsFromNow(1000));

	t.deepEqual(await scheduledMessages(alice), [failed]);
});

test('a message to somebody who is deactivated by its time has failed', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await schedule(alice, `&type=direct&to=[${bob.userId}]`);
	changeDatabase(file, `UPDATE accounts SET is_active = 0 WHERE id = ${bob.userId}`);

	await moveClockTo(realm, secondsFromNow(700));

	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);
	t.true(String(at(await newestMessage(alice), 'content')).includes("'bob@bothy.example' is no longer using Zulip."));
});

test('the message of somebody who is deactivated fails silently', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', realm);
	await schedule(alice);
	const events = await queueOf(alice, 'scheduled_messages');
	const newest = await newestMessage(alice);
	changeDatabase(file, `UPDATE accounts SET is_active = 0 WHERE id = ${alice.userId}`);

	await moveClockTo(realm, secondsFromNow(700));

	changeDatabase(file, `UPDATE accounts SET is_active = 1 WHERE id = ${alice.userId}`);
	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);
	t.deepEqual(await events(), []);
	t.deepEqual(await newestMessage(alice), newest);
});

test('the message of an organization that is deactivated by its time fails silently', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', realm);
	await schedule(alice);
	const events = await queueOf(alice, 'scheduled_messages');
	const newest = await newestMessage(alice);
	changeDatabase(file, 'UPDATE organization SET deactivated = 1');

	await moveClockTo(realm, secondsFromNow(700));

	changeDatabase(file, 'UPDATE organization SET deactivated = 0');
	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);
	t.deepEqual(await events(), []);
	t.deepEqual(await newestMessage(alice), newest);
});

test('registering gives the scheduled messages of the one who asks', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await schedule(alice);

	const own = await alice.post('/api/v1/register', 'event_types=["scheduled_messages"]');
	const others = await bob.post('/api/v1/register', '');

	t.deepEqual(at(own.json, 'scheduled_messages'), await scheduledMessages(alice));
	t.is(at(own.json, 'scheduled_messages', 0, 'content'), 'Hello');
	t.deepEqual(at(others.json, 'scheduled_messages'), []);
});

test('nobody else hears of a scheduled message', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'scheduled_messages');

	await schedule(alice, `&type=direct&to=[${bob.userId}]`);

	t.deepEqual(await events(), []);
	t.deepEqual(await scheduledMessages(bob), []);
});

test('the realm names the parameters of scheduling that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await alice.post(
		'/api/v1/scheduled_messages',
		`type=direct&to=[${alice.userId}]&content=x&scheduled_delivery_timestamp=${secondsFromNow(600)}&queue_id=q`,
	);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['queue_id']);
});

test('a realm of an older level knows no channels, only streams', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 247}));
	const form = `to=${await channelId(alice, 'general')}&topic=x&content=x&scheduled_delivery_timestamp=${secondsFromNow(600)}`;

	expectRefusal(
		t,
		await alice.post('/api/v1/scheduled_messages', `type=channel&${form}`),
		badRequest('Invalid type: Value error, Not in the list of possible values'),
	);
	expectSuccess(t, await alice.post('/api/v1/scheduled_messages', `type=stream&${form}`));
});

const FUTURE = 'scheduled_delivery_timestamp=4102444800';
const post = (form: string) => (caller: Caller) => caller.post('/api/v1/scheduled_messages', form);
const postTo = (name: string, form: string) => async (caller: Caller) =>
	caller.post('/api/v1/scheduled_messages', `type=channel&to=${await channelId(caller, name)}&${FUTURE}&${form}`);

test('scheduling without content, before all else', refused, {ask: post('type=x&to=x'), answer: missing('content')});
test('scheduling with a bad read_by_sender before a missing recipient', refused, {
	ask: post('content=x&read_by_sender=yes'),
	answer: badRequest('read_by_sender is not valid JSON'),
});
test('scheduling without recipient before a bad type', refused, {
	ask: post('content=x&type=x'),
	answer: missing('to'),
});
test('a name as recipient of a scheduled message', refused, {
	ask: post(`type=channel&to=general&topic=x&content=x&${FUTURE}`),
	answer: badRequest('to is not valid JSON'),
});
test('a quoted name as recipient of a scheduled message', refused, {
	ask: post(`type=channel&to="general"&topic=x&content=x&${FUTURE}`),
	answer: badRequest('to is not an integer'),
});
test('scheduling without type', refused, {ask: post('content=x&to=[1]'), answer: missing('type')});
test('an unknown type of scheduled message before a missing time', refused, {
	ask: post('content=x&to=[1]&type=topic'),
	answer: badRequest('Invalid type: Value error, Not in the list of possible values'),
});
test('scheduling without time', refused, {
	ask: post('content=x&to=[1]&type=direct'),
	answer: missing('scheduled_delivery_timestamp'),
});
test('a time that is no number', refused, {
	ask: post('content=x&to=[1]&type=direct&scheduled_delivery_timestamp=soon'),
	answer: badRequest('scheduled_delivery_timestamp is not valid JSON'),
});
test('a time with a fraction', refused, {
	ask: post('content=x&to=[1]&type=direct&scheduled_delivery_timestamp=4102444800.5'),
	answer: badRequest('scheduled_delivery_timestamp is not an integer'),
});
test('a time in the past before an unknown recipient', refused, {
	ask: post('content=x&to=[4711]&type=direct&scheduled_delivery_timestamp=1527921326'),
	answer: badRequest('Scheduled delivery time must be in the future.'),
});
test('the present as time', refused, {
	ask: caller => post(`content=x&to=[4711]&type=direct&scheduled_delivery_timestamp=${secondsFromNow(0)}`)(caller),
	answer: badRequest('Scheduled delivery time must be in the future.'),
});
test('a list of channels', refused, {
	ask: post(`type=channel&to=[1]&topic=x&content=x&${FUTURE}`),
	answer: badRequest('Invalid data type for channel ID'),
});
test('a number for people', refused, {
	ask: post(`type=direct&to=1&content=x&${FUTURE}`),
	answer: badRequest('Invalid data type for recipients'),
});
test('nobody to schedule for', refused, {
	ask: post(`type=direct&to=[]&content=x&${FUTURE}`),
	answer: badRequest('Message must have recipients'),
});
test('an unknown person to schedule for, before empty content', refused, {
	ask: post(`type=direct&to=[4711]&content=&${FUTURE}`),
	answer: badRequest('Invalid user ID 4711'),
});
test('scheduling for a channel without topic', refused, {
	ask: postTo('general', 'content=x'),
	answer: badRequest('Missing topic'),
});
test('empty content to be scheduled, before an unknown channel', refused, {
	ask: post(`type=channel&to=4711&topic=x&content=+&${FUTURE}`),
	answer: badRequest('Message must not be empty'),
});
test('scheduling for an unknown channel', refused, {
	ask: post(`type=channel&to=4711&topic=x&content=x&${FUTURE}`),
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
test('scheduling for an archived channel', refused, {
	ask: postTo('attic', 'content=x&topic=x'),
	answer: badRequest("Not authorized to send to channel 'attic'"),
});
test('scheduling for a channel where moderators post', refused, {
	ask: postTo('announcements', 'content=x&topic=x'),
	answer: badRequest('You do not have permission to post in this channel.'),
});
test('a topic with a control character to be scheduled', refused, {
	ask: postTo('general', 'content=x&topic=a%07'),
	answer: badRequest('Invalid character in topic, at position 2!'),
});
