import test from 'ava';
import {makeBot} from './bot-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client names the bot in the path and reads its new key', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","api_key":"abcdefghijklmnopqrstuvwxyz012345"}\n',
	);

	const {api_key} = await client.regenerateBotApiKey({bot_id: 12});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/bots/12/api_key/regenerate HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
	t.is(api_key, 'abcdefghijklmnopqrstuvwxyz012345');
});

test('the client throws an ApiError for an unknown bot', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"No such bot","code":"BAD_REQUEST"}\n',
	);

	t.like(await refusalOf(t, client.regenerateBotApiKey({bot_id: 12})), {code: 'BAD_REQUEST', reason: 'No such bot'});
});

test('the old key ends at once, the new one is good, and the owner hears of it', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const bot = await makeBot(realm, alice);
	const path = `/api/v1/bots/${bot.userId}/api_key/regenerate`;
	const events = await queueOf(alice, 'realm_bot');

	expectRefusal(t, await bob.post(path, ''), badRequest('Insufficient permission'));
	expectRefusal(t, await bot.post(path, ''), badRequest('This endpoint does not accept bot requests.'));
	const answer = await alice.post(path, '');

	expectSuccess(t, answer);
	const key = String(at(answer.json, 'api_key'));
	t.regex(key, /^[A-Za-z0-9]{32}$/);
	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
	expectSuccess(t, await callerOf(realm.url, {...bot, key}).get('/api/v1/users/me'));
	t.deepEqual(await events(), [{type: 'realm_bot', op: 'update', bot: {user_id: bot.userId, api_key: key}}]);
	expectSuccess(t, await adam.post(path, ''));
});

test('a new key of a human', refused, {
	as: 'olivia',
	ask: olivia => olivia.post('/api/v1/bots/4/api_key/regenerate', ''),
	answer: badRequest('No such bot'),
});
test('a new key of nobody', refused, {
	as: 'olivia',
	ask: olivia => olivia.post('/api/v1/bots/999/api_key/regenerate', ''),
	answer: badRequest('No such bot'),
});
