import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, channelId, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client asks for topics with the channel in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","topics":[]}\n');

	await client.getStreamTopics({stream_id: 7, allow_empty_topic_name: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/me/7/topics?allow_empty_topic_name=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads topics with their newest messages', async t => {
	const body = '{"result":"success","msg":"","topics":[{"name":"","max_id":26},{"name":"Denmark3","max_id":20}]}\n';
	const {client} = await clientAnswered(t, body);

	t.deepEqual((await client.getStreamTopics({stream_id: 7})).topics, [
		{name: '', max_id: 26},
		{name: 'Denmark3', max_id: 20},
	]);
});

test('the client throws an ApiError for a channel that is not there', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid channel ID","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getStreamTopics({stream_id: 7})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Invalid channel ID',
		fields: {},
	});
});

test('the realm gives topics newest first, once each, with the empty one under its name', async t => {
	const alice = await signIn(t);
	const id = await channelId(alice, 'lunch');
	const ids = [];
	for (const topic of ['soup', '', 'Bread', 'SOUP']) {
		const {json} = await alice.post('/api/v1/messages', `type=channel&to=lunch&topic=${topic}&content=x`);
		ids.push(at(json, 'id'));
	}

	const answer = await alice.get(`/api/v1/users/me/${id}/topics`);

	expectSuccess(t, answer);
	const names = at(answer.json, 'topics');
	t.deepEqual(Array.isArray(names) && names.map(each => String(at(each, 'name')).toLowerCase()), [
		'soup',
		'bread',
		'general chat',
	]);
	t.deepEqual(Array.isArray(names) && names.map(each => at(each, 'max_id')), [ids[3] ?? 0, ids[2] ?? 0, ids[1] ?? 0]);
	t.deepEqual(Object.keys(at(names, 0) ?? {}), ['name', 'max_id']);
	t.deepEqual(Object.keys(answer.json ?? {}), ['result', 'msg', 'topics']);
});

test('the realm gives the empty topic as empty to those who allow it', async t => {
	const alice = await signIn(t);
	const id = await channelId(alice, 'lunch');
	const sent = await alice.post('/api/v1/messages', 'type=channel&to=lunch&topic=&content=x');

	const {json} = await alice.get(`/api/v1/users/me/${id}/topics?allow_empty_topic_name=true`);

	t.deepEqual(json, {result: 'success', msg: '', topics: [{name: '', max_id: at(sent.json, 'id')}]});
});

test('the realm gives no topics of a channel without messages', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get(`/api/v1/users/me/${await channelId(alice, 'lunch')}/topics`);

	t.deepEqual(json, {result: 'success', msg: '', topics: []});
});

test('the realm names the parameters of a list of topics that it does not know, but not the channel', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get(`/api/v1/users/me/${await channelId(alice, 'lunch')}/topics?colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

for (const [kind, caller, channel] of [
	['a private channel of others', 'alice', 'staff'],
	['a public channel to a guest who is not in it', 'gus', 'lunch'],
	['an archived channel', 'alice', 'attic'],
] as const) {
	test(`the realm refuses the topics of ${kind}`, async t => {
		const realm = await openRealm(t);
		const id = await channelId(await signIn(t, 'olivia', realm), channel);

		const answer = await (await signIn(t, caller, realm)).get(`/api/v1/users/me/${id}/topics`);

		expectRefusal(t, answer, badRequest('Invalid channel ID'));
	});
}

test('the realm answers a channel in the path that is no integer like an unknown path', async t => {
	const answer = await (await signIn(t)).get('/api/v1/users/me/general/topics');

	t.is(answer.statusLine, 'HTTP/1.1 404 Not Found');
});

test('the realm refuses the topics of an unknown channel', async t => {
	const answer = await (await signIn(t)).get('/api/v1/users/me/4711/topics');

	expectRefusal(t, answer, badRequest('Invalid channel ID'));
});

for (const [value, msg] of [
	['True', 'allow_empty_topic_name is not valid JSON'],
	['1', 'allow_empty_topic_name is not a boolean'],
] as const) {
	test(`the realm refuses allow_empty_topic_name=${value}`, async t => {
		const alice = await signIn(t);
		const id = await channelId(alice, 'lunch');

		expectRefusal(t, await alice.get(`/api/v1/users/me/${id}/topics?allow_empty_topic_name=${value}`), badRequest(msg));
	});
}
