import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, callerOf, channelId, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {schedule, secondsFromNow} from './scheduled-kit.js';

const LIST = `[{"scheduled_message_id":27,"to":14,"type":"stream","content":"Hi","rendered_content":"<p>Hi</p>",\
"topic":"Introduction","scheduled_delivery_timestamp":1681662420,"failed":false},\
{"scheduled_message_id":28,"to":[9,10],"type":"private","content":"Ho","rendered_content":"<p>Ho</p>",\
"scheduled_delivery_timestamp":1681662421,"failed":true,"new_field":1}]`;

test('the client asks for scheduled messages and reads every field of them', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","scheduled_messages":${LIST}}\n`);

	const result = await client.getScheduledMessages();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/scheduled_messages HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
	t.is(result.scheduled_messages[0]?.to, 14);
	t.is(result.scheduled_messages[0]?.topic, 'Introduction');
	t.deepEqual(result.scheduled_messages[1]?.to, [9, 10]);
	t.is(result.scheduled_messages[1]?.failed, true);
	t.deepEqual<unknown, unknown>(result.scheduled_messages, JSON.parse(LIST));
});

test('the client throws for an answer without the list', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await t.throwsAsync(client.getScheduledMessages(), {name: 'ResponseError'});
});

test('the realm lists nothing where nothing is scheduled', async t => {
	const answer = await (await signIn(t)).get('/api/v1/scheduled_messages');

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":"","scheduled_messages":[]}\n');
});

test("the realm lists one's own messages in the order of their times", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const general = await channelId(alice, 'general');
	const times = [secondsFromNow(900), secondsFromNow(700), secondsFromNow(800)];
	const [last, first, middle] = [
		await schedule(alice, '', times[0]),
		await schedule(alice, `&type=direct&to=[${bob.userId}]`, times[1]),
		await schedule(alice, `&type=stream&to=${general}&topic=`, times[2]),
	];
	await schedule(bob);

	const {json} = await alice.get('/api/v1/scheduled_messages');

	const common = {content: 'Hello', rendered_content: '<p>Hello</p>', failed: false};
	t.deepEqual(at(json, 'scheduled_messages'), [
		{
			...common,
			scheduled_message_id: Number(first),
			type: 'private',
			to: [bob.userId],
			scheduled_delivery_timestamp: Number(times[1]),
		},
		{
			...common,
			scheduled_message_id: Number(middle),
			type: 'stream',
			to: general,
			topic: '',
			scheduled_delivery_timestamp: Number(times[2]),
		},
		{
			...common,
			scheduled_message_id: Number(last),
			type: 'stream',
			to: general,
			topic: 'soup',
			scheduled_delivery_timestamp: Number(times[0]),
		},
	]);
});

test('the realm refuses to list scheduled messages without the right key', async t => {
	const realm = await openRealm(t);
	const {email, userId} = await signIn(t, 'alice', realm);
	const stranger = callerOf(realm.url, {email, userId, key: 'abcdefghijklmnopqrstuvwxyz012345'});

	expectRefusal(t, await stranger.get('/api/v1/scheduled_messages'), {
		status: '401 Unauthorized',
		json: {result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED'},
	});
});
