import test from 'ava';
import {channelNamed} from './channel-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, channelId, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const STREAM = `{"stream_id":7,"name":"Denmark","is_archived":false,"description":"A *country*",\
"rendered_description":"<p>A <em>country</em></p>","date_created":1691057093,"creator_id":null,"invite_only":false,\
"is_web_public":false,"message_retention_days":null,"history_public_to_subscribers":true,"first_message_id":1}`;

test('the client asks for a channel by its ID in the path', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","stream":${STREAM}}\n`);

	const {stream} = await client.getStreamById({stream_id: 7});

	t.deepEqual<object, object>(stream, JSON.parse(STREAM) as object);
	const request = await server.request();
	t.is(request.line, 'GET /api/v1/streams/7 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for a channel that one does not see', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid channel ID","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getStreamById({stream_id: 7})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Invalid channel ID',
		fields: {},
	});
});

test('the realm gives a channel as the list of channels has it', async t => {
	const alice = await signIn(t);
	const {is_default: _, ...lunch} = Object(await channelNamed(alice, 'lunch'));

	const answer = await alice.get(`/api/v1/streams/${await channelId(alice, 'lunch')}`);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', stream: lunch});
});

for (const [kind, name, channel] of [
	['a private channel of others', 'alice', 'staff'],
	['an archived channel', 'olivia', 'attic'],
	['a public channel to a guest who is not in it', 'gus', 'lunch'],
] as const) {
	test(`the realm refuses ${kind}`, async t => {
		const realm = await openRealm(t);
		const id = await channelId(await signIn(t, 'olivia', realm), channel);

		const answer = await (await signIn(t, name, realm)).get(`/api/v1/streams/${id}`);

		expectRefusal(t, answer, badRequest('Invalid channel ID'));
	});
}

test('an unknown channel', refused, {
	ask: caller => caller.get('/api/v1/streams/4711'),
	answer: badRequest('Invalid channel ID'),
});
