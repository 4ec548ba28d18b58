import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	callerOf,
	channelId,
	expectRefusal,
	expectSuccess,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {send} from './webhook-kit.js';

test('the client deletes a message by path, with nothing in the form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deleteMessage({message_id: 42});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/messages/42 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client throws an ApiError for a message that it may not delete', async t => {
	const {client} = await clientRefused(t, '400 Bad Request', '{"result":"error","msg":"No","code":"BAD_REQUEST"}\n');

	t.deepEqual(await refusalOf(t, client.deleteMessage({message_id: 1})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'No',
		fields: {},
	});
});

const BULK = '&client_capabilities=%7B%22notification_settings_null%22:true,%22bulk_message_deletion%22:true%7D';

test('the realm deletes a channel message, and tells each queue in the form it knows', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const id = await send(alice, 'type=channel&to=lunch&topic=&content=x');
	const [single, bulk] = [await queueOf(bob, 'delete_message'), await queueOf(bob, 'delete_message', BULK)];
	const stranger = await queueOf(adam, 'delete_message', BULK);

	const answer = await alice.delete(`/api/v1/messages/${id}`, '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	const place = {message_type: 'stream', stream_id: await channelId(alice, 'lunch'), topic: 'general chat'};
	t.deepEqual(await single(), [{type: 'delete_message', message_id: id, ...place}]);
	t.deepEqual(await bulk(), [{type: 'delete_message', message_ids: [id], ...place}]);
	t.deepEqual(await stranger(), []);
	expectRefusal(t, await alice.get(`/api/v1/messages/${id}`), badRequest('Invalid message(s)'));
	expectRefusal(t, await alice.delete(`/api/v1/messages/${id}`, ''), badRequest('Invalid message(s)'));
});

test('the realm deletes a direct message for both, history and widget included', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=x');
	await alice.patch(`/api/v1/messages/${id}`, 'content=y');
	const poll = await send(alice, 'type=direct&to=bob%40bothy.example&content=%2Fpoll+Soup%3F');
	const queue = await queueOf(bob, 'delete_message');

	expectSuccess(t, await alice.delete(`/api/v1/messages/${id}`, ''));
	expectSuccess(t, await alice.delete(`/api/v1/messages/${poll}`, ''));

	t.deepEqual(await queue(), [
		{type: 'delete_message', message_type: 'private', message_id: id},
		{type: 'delete_message', message_type: 'private', message_id: poll},
	]);
});

test('the realm gives no ID twice, even when the newest message was deleted', async t => {
	const alice = await signIn(t);
	const first = await send(alice, 'type=direct&to=bob%40bothy.example&content=x');
	await alice.delete(`/api/v1/messages/${first}`, '');

	t.true((await send(alice, 'type=direct&to=bob%40bothy.example&content=x')) > first);
});

test('the realm lets people delete their own messages for ten minutes, administrators all and always', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const id = await send(alice, 'type=channel&to=general&topic=x&content=x');

	const foreign = await bob.delete(`/api/v1/messages/${id}`, '');
	await advanceClock(realm, 610_000);
	const late = await alice.delete(`/api/v1/messages/${id}`, '');

	expectRefusal(t, foreign, badRequest("You don't have permission to delete this message"));
	expectRefusal(t, late, badRequest('The time limit for deleting this message has passed'));
	expectSuccess(t, await adam.delete(`/api/v1/messages/${id}`, ''));
});

test("the realm lets a bot's owner delete what the bot said", async t => {
	const realm = await openRealm(t);
	const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});
	const bot = callerOf(realm.url, account);
	const id = await send(bot, 'type=channel&to=general&topic=x&content=x');

	expectSuccess(t, await (await signIn(t, 'olivia', realm)).delete(`/api/v1/messages/${id}`, ''));

	expectRefusal(t, await bot.get(`/api/v1/messages/${id}`), badRequest('Invalid message(s)'));
});

test('a deletion of an unknown message', refused, {
	ask: (caller: Caller) => caller.delete('/api/v1/messages/99999', ''),
	answer: badRequest('Invalid message(s)'),
});
test('the realm refuses to delete a message that one may not read like one that does not exist', async t => {
	const realm = await openRealm(t);
	const id = await send(await signIn(t, 'olivia', realm), 'type=channel&to=staff&topic=x&content=x');

	const answer = await (await signIn(t, 'alice', realm)).delete(`/api/v1/messages/${id}`, '');

	expectRefusal(t, answer, badRequest('Invalid message(s)'));
});

test('the realm names the parameters of a deletion that it does not know', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=x');

	const {json} = await alice.delete(`/api/v1/messages/${id}`, 'colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});
