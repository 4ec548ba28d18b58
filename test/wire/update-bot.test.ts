import test from 'ava';
import {makeBot} from './bot-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, mask, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const CHANGED =
	'{"result":"success","msg":"","full_name":"Coffee","avatar_url":null,"default_sending_stream":null,' +
	'"default_events_register_stream":null,"default_all_public_streams":false}\n';

test('the client names the bot in the path and writes the rest as a form', async t => {
	const {client, server} = await clientAnswered(t, CHANGED);

	const bot = await client.updateBot({
		bot_id: 12,
		full_name: 'Coffee',
		bot_owner_id: 5,
		service_payload_url: 'https://coffee.example/',
		service_interface: 2,
		default_sending_stream: 'lunch',
		default_all_public_streams: true,
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/bots/12 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'full_name=Coffee&bot_owner_id=5&service_payload_url=%22https%3A%2F%2Fcoffee.example%2F%22&service_interface=2' +
			'&default_sending_stream=lunch&default_all_public_streams=true',
	);
	t.is(bot.full_name, 'Coffee');
});

test("the client throws an ApiError for somebody else's bot", async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Insufficient permission","code":"BAD_REQUEST"}\n',
	);

	t.like(await refusalOf(t, client.updateBot({bot_id: 12})), {
		code: 'BAD_REQUEST',
		reason: 'Insufficient permission',
	});
});

async function open(t: Parameters<typeof openRealm>[0]) {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const bot = await makeBot(realm, alice, '&bot_type=3&payload_url=%22http%3A%2F%2F127.0.0.1%3A9%2F%22');
	return {realm, alice, bob, bot, path: `/api/v1/bots/${bot.userId}`};
}

test('the owner changes everything, and hears of what changed', async t => {
	const {alice, bot, path} = await open(t);
	const events = await queueOf(alice, 'realm_bot');

	const answer = await alice.patch(
		path,
		'full_name=Coffee&service_payload_url=%22http%3A%2F%2F127.0.0.1%3A8%2F%22&service_interface=2' +
			'&default_sending_stream=lunch&default_all_public_streams=true',
	);

	expectSuccess(t, answer);
	const presented = {
		full_name: 'Coffee',
		default_sending_stream: 'lunch',
		default_all_public_streams: true,
	};
	t.deepEqual(mask(answer.json, 'avatar_url'), {
		result: 'success',
		msg: '',
		...presented,
		avatar_url: '<string>',
		default_events_register_stream: null,
	});
	t.deepEqual(mask(await events(), 'token'), [
		{
			type: 'realm_bot',
			op: 'update',
			bot: {
				user_id: bot.userId,
				...presented,
				services: [{base_url: 'http://127.0.0.1:8/', interface: 2, token: '<string>', service_name: 'tea'}],
			},
		},
	]);
});

test('a bot that goes to another owner leaves the one and comes to the other', async t => {
	const {alice, bob, bot, path} = await open(t);
	const [old, next] = [await queueOf(alice, 'realm_bot'), await queueOf(bob, 'realm_bot')];

	await alice.patch(path, 'bot_owner_id=5');

	t.deepEqual(await old(), [{type: 'realm_bot', op: 'delete', bot: {user_id: bot.userId}}]);
	t.like(Object(at((await next())[0] ?? null)), {type: 'realm_bot', op: 'add'});
	t.is(at((await bot.get('/api/v1/users/me')).json, 'bot_owner_id'), 5);
	expectRefusal(t, await alice.patch(path, 'full_name=X'), badRequest('Insufficient permission'));
});

test('the realm refuses owners that are none, and a URL that is none, and changes nothing', async t => {
	const {alice, bot, path} = await open(t);

	for (const [form, msg] of [
		['bot_owner_id=999', 'Failed to change owner, no such user'],
		[`bot_owner_id=${bot.userId}`, "Failed to change owner, bots can't own other bots"],
		['service_payload_url=%22x%22', 'service_payload_url is not a URL'],
		['service_interface=3', 'Invalid service_interface: Value error, Not in the list of possible values'],
		['default_sending_stream=tea', "Invalid channel name 'tea'"],
		['default_sending_stream=staff', "Invalid channel name 'staff'"],
	] as const) {
		expectRefusal(t, await alice.patch(path, `full_name=Other&${form}`), badRequest(msg));
	}

	t.is(at((await bot.get('/api/v1/users/me')).json, 'full_name'), 'Tea Bot');
});

test('the realm refuses an owner who is deactivated', async t => {
	const {realm, alice, path} = await open(t);
	await (await signIn(t, 'adam', realm)).delete('/api/v1/users/5', '');

	expectRefusal(
		t,
		await alice.patch(path, 'bot_owner_id=5'),
		badRequest('Failed to change owner, user is deactivated'),
	);
});

test('a change of a bot that is none', refused, {
	as: 'olivia',
	ask: olivia => olivia.patch('/api/v1/bots/4', 'full_name=X'),
	answer: badRequest('No such bot'),
});
