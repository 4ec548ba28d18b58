import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, type Caller, expectRefusal, expectSuccess, newestMessage, openRealm, signIn} from './raw-request.js';
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

const remove = (caller: Caller, id: number) => caller.delete(`/api/v1/scheduled_messages/${id}`, '');

test('the client deletes by path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deleteScheduledMessage({scheduled_message_id: 27});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/scheduled_messages/27 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for a scheduled message that does not exist', async t => {
	const {client} = await clientRefused(
		t,
		'404 Not Found',
		'{"result":"error","msg":"Scheduled message does not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.deleteScheduledMessage({scheduled_message_id: 27})), {
		code: 'BAD_REQUEST',
		status: 404,
		reason: 'Scheduled message does not exist',
		fields: {},
	});
});

test('a scheduled message that was taken back is told, gone, and never sent', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const events = await queueOf(alice, 'scheduled_messages');
	const id = await schedule(alice);
	const newest = await newestMessage(alice);

	const answer = await remove(alice, id);

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	t.deepEqual(await scheduledMessages(alice), []);
	t.deepEqual((await events()).at(-1), {type: 'scheduled_messages', op: 'remove', scheduled_message_id: id});
	await moveClockTo(realm, secondsFromNow(700));
	t.deepEqual(await newestMessage(alice), newest);
	expectRefusal(t, await remove(alice, id), MISSING);
});

test('the message that comes after one that was taken back is sent', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice, '', secondsFromNow(600));
	await schedule(alice, '', secondsFromNow(1200));

	await remove(alice, id);
	await moveClockTo(realm, secondsFromNow(1300));

	t.is(at(await newestMessage(alice), 'content'), 'Hello');
	t.deepEqual(await scheduledMessages(alice), []);
});

test('a message that failed can be taken back', async t => {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	const alice = await signIn(t, 'alice', realm);
	const id = await schedule(alice);
	changeDatabase(file, `UPDATE channels SET is_archived = 1 WHERE name = 'general'`);
	await moveClockTo(realm, secondsFromNow(700));
	t.is(at(await scheduledMessages(alice), 0, 'failed'), true);

	expectSuccess(t, await remove(alice, id));

	t.deepEqual(await scheduledMessages(alice), []);
});

test("somebody else's scheduled message cannot be taken back", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await schedule(alice);

	expectRefusal(t, await remove(bob, id), MISSING);

	t.is(at(await scheduledMessages(alice), 0, 'scheduled_message_id'), id);
});

test('the deletion of a scheduled message that never was', refused, {
	ask: alice => remove(alice, 4711),
	answer: MISSING,
});
