import test from 'ava';
import {makeBot} from './bot-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {badRequest, expectRefusal, expectSuccess, mask, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/bots';

test('the client asks for its bots and reads them', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","bots":[{"username":"tea-bot@chat.example.com","full_name":"Tea",' +
			'"api_key":"abcdefghijklmnopqrstuvwxyz012345","avatar_url":"https://chat.example.com/1.png",' +
			'"default_sending_stream":"general","default_events_register_stream":null,"default_all_public_streams":true}]}\n',
	);

	const {bots} = await client.getBots();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/bots HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.deepEqual(bots, [
		{
			username: 'tea-bot@chat.example.com',
			full_name: 'Tea',
			api_key: 'abcdefghijklmnopqrstuvwxyz012345',
			avatar_url: 'https://chat.example.com/1.png',
			default_sending_stream: 'general',
			default_events_register_stream: null,
			default_all_public_streams: true,
		},
	]);
});

test('the client throws an ApiError for a guest who asks for bots', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Not allowed for guest users","code":"BAD_REQUEST"}\n',
	);

	t.like(await refusalOf(t, client.getBots()), {code: 'BAD_REQUEST', reason: 'Not allowed for guest users'});
});

test('the realm lists the bots that one owns, and no other', async t => {
	const realm = await openRealm(t);
	const [alice, adam] = [await signIn(t, 'alice', realm), await signIn(t, 'adam', realm)];
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const bot = await makeBot(realm, alice, '&default_sending_stream=lunch');

	const answer = await alice.get(PATH);

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'avatar_url'), {
		result: 'success',
		msg: '',
		bots: [
			{
				username: 'tea-bot@bothy.example',
				user_id: bot.userId,
				full_name: 'Tea Bot',
				api_key: bot.key,
				avatar_url: '<string>',
				default_sending_stream: 'lunch',
				default_events_register_stream: null,
				default_all_public_streams: false,
			},
		],
	});
	t.is((await adam.get(PATH)).body, '{"result":"success","msg":"","bots":[]}\n');
	expectRefusal(t, await bot.get(PATH), badRequest('This endpoint does not accept bot requests.'));
});

test('the bots of a guest', refused, {
	as: 'gus',
	ask: gus => gus.get(PATH),
	answer: badRequest('Not allowed for guest users'),
});
