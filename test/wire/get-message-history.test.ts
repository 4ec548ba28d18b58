import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {send} from './webhook-kit.js';

const HISTORY = `{"result":"success","msg":"","message_history":[\
{"topic":"party","content":"a","rendered_content":"<p>a</p>","timestamp":1530129122,"user_id":5},\
{"topic":"outing","content":"b","rendered_content":"<p>b</p>","prev_content":"a","prev_rendered_content":"<p>a</p>",\
"content_html_diff":"<div><p>b</p></div>","prev_topic":"party","stream":3,"prev_stream":1,"timestamp":1530129134,\
"user_id":null}]}\n`;

test('the client asks for the history of a message by path', async t => {
	const {client, server} = await clientAnswered(t, HISTORY);

	await client.getMessageHistory({message_id: 42, allow_empty_topic_name: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/messages/42/history?allow_empty_topic_name=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client reads every state of a message, and fields it does not know', async t => {
	const {client} = await clientAnswered(t, HISTORY);

	const {message_history: history} = await client.getMessageHistory({message_id: 42});

	t.deepEqual<object, object>(history, (JSON.parse(HISTORY) as {message_history: object}).message_history);
});

test('the client throws an ApiError for a history that it may not see', async t => {
	const {client} = await clientRefused(t, '400 Bad Request', '{"result":"error","msg":"No","code":"BAD_REQUEST"}\n');

	t.is((await refusalOf(t, client.getMessageHistory({message_id: 42}))).reason, 'No');
});

test('the realm tells the history of a message from the oldest state to the newest', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [general, lunch] = [await channelId(alice, 'general'), await channelId(alice, 'lunch')];
	const id = await send(alice, 'type=channel&to=general&topic=&content=a');
	await alice.patch(`/api/v1/messages/${id}`, 'content=*b*');
	await bob.patch(`/api/v1/messages/${id}`, `topic=food&stream_id=${lunch}`);
	await alice.patch(`/api/v1/messages/${id}`, 'content=c&topic=drinks');

	const answer = await bob.get(`/api/v1/messages/${id}/history`);

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'timestamp'), {
		result: 'success',
		msg: '',
		message_history: [
			{
				topic: 'general chat',
				content: 'a',
				rendered_content: '<p>a</p>',
				user_id: alice.userId,
				timestamp: '<integer>',
			},
			{
				topic: 'general chat',
				content: '*b*',
				rendered_content: '<p><em>b</em></p>',
				prev_content: 'a',
				prev_rendered_content: '<p>a</p>',
				user_id: alice.userId,
				timestamp: '<integer>',
			},
			{
				topic: 'food',
				content: '*b*',
				rendered_content: '<p><em>b</em></p>',
				prev_topic: 'general chat',
				prev_stream: general,
				stream: lunch,
				user_id: bob.userId,
				timestamp: '<integer>',
			},
			{
				topic: 'drinks',
				content: 'c',
				rendered_content: '<p>c</p>',
				prev_content: '*b*',
				prev_rendered_content: '<p><em>b</em></p>',
				prev_topic: 'food',
				user_id: alice.userId,
				timestamp: '<integer>',
			},
		],
	});
});

for (const [query, topic] of [
	['', 'general chat'],
	['?allow_empty_topic_name=true', ''],
] as const) {
	test(`the realm gives a single state, its empty topic as "${topic}", when asked with "${query}"`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=channel&to=general&topic=&content=a');

		const {json} = await alice.get(`/api/v1/messages/${id}/history${query}`);

		t.is(at(json, 'message_history', 0, 'topic'), topic);
		t.throws(() => at(json, 'message_history', 1));
	});
}

test('the history of an unknown message', refused, {
	ask: (caller: Caller) => caller.get('/api/v1/messages/99999/history'),
	answer: badRequest('Invalid message(s)'),
});
test('a history with allow_empty_topic_name as a word', refused, {
	ask: (caller: Caller) => caller.get('/api/v1/messages/1/history?allow_empty_topic_name=yes'),
	answer: badRequest('allow_empty_topic_name is not valid JSON'),
});

test('the realm refuses the history of a direct message of others', async t => {
	const realm = await openRealm(t);
	const id = await send(await signIn(t, 'olivia', realm), 'type=direct&to=adam%40bothy.example&content=x');

	const answer = await (await signIn(t, 'alice', realm)).get(`/api/v1/messages/${id}/history`);

	expectRefusal(t, answer, badRequest('Invalid message(s)'));
});

test('the realm names the parameters of a history that it does not know', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=x');

	const {json} = await alice.get(`/api/v1/messages/${id}/history?colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});
