import test from 'ava';
import {MINE, makeBot} from './bot-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	mask,
	missing,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/bots';
const post = (form: string) => (caller: Caller) => caller.post(PATH, form);

test('the client writes a bot, its URL as a JSON string', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","user_id":39,"api_key":"abcdefghijklmnopqrstuvwxyz012345","avatar_url":null,' +
			'"default_sending_stream":null,"default_events_register_stream":null,"default_all_public_streams":false}\n',
	);

	const bot = await client.createBot({
		full_name: 'Tea Bot',
		short_name: 'tea',
		bot_type: 3,
		payload_url: 'https://tea.example/',
		service_name: 'kettle',
		interface_type: 2,
		default_sending_stream: 'general',
		default_all_public_streams: true,
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/bots HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'full_name=Tea+Bot&short_name=tea&bot_type=3&payload_url=%22https%3A%2F%2Ftea.example%2F%22&service_name=kettle' +
			'&interface_type=2&default_sending_stream=general&default_all_public_streams=true',
	);
	t.is(bot.user_id, 39);
	t.is(bot.api_key, 'abcdefghijklmnopqrstuvwxyz012345');
});

test('the client throws an ApiError for a name in use', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Username already in use","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.createBot({full_name: 'Tea', short_name: 'tea'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Username already in use',
		fields: {},
	});
});

const plain = {
	default_sending_stream: null,
	default_events_register_stream: null,
	default_all_public_streams: false,
	avatar_url: '<string>',
};

test('the realm makes a generic bot of a member, who may call at once', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);

	const answer = await alice.post(PATH, MINE);

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'user_id', 'api_key', 'avatar_url'), {
		result: 'success',
		msg: '',
		user_id: '<integer>',
		api_key: '<string>',
		...plain,
	});
	const bot = callerOf(realm.url, {
		email: 'tea-bot@bothy.example',
		key: String(at(answer.json, 'api_key')),
		userId: Number(at(answer.json, 'user_id')),
	});
	const me = await bot.get('/api/v1/users/me');
	t.like(Object(me.json), {user_id: bot.userId, full_name: 'Tea Bot', role: 400, bot_type: 1, bot_owner_id: 4});
});

test('an incoming-webhook bot may send messages and nothing else', async t => {
	const realm = await openRealm(t);
	const bot = await makeBot(realm, await signIn(t, 'alice', realm), '&bot_type=2');

	t.is((await bot.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x')).statusLine, 'HTTP/1.1 200 OK');
	t.is((await bot.get('/api/v1/users/me')).statusLine, 'HTTP/1.1 401 Unauthorized');
});

test('everybody hears of a new bot, and its owner and administrators of its key', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const queues = await Promise.all([alice, adam, bob].map(caller => queueOf(caller, 'realm_bot')));
	const users = await queueOf(bob, 'realm_user');

	const bot = await makeBot(realm, alice, '&bot_type=3&payload_url=%22http%3A%2F%2F127.0.0.1%3A9%2F%22');

	const [own, administrators, others] = await Promise.all(queues.map(read => read()));
	const told = {
		type: 'realm_bot',
		op: 'add',
		bot: {
			user_id: bot.userId,
			email: 'tea-bot@bothy.example',
			full_name: 'Tea Bot',
			bot_type: 3,
			is_active: true,
			api_key: bot.key,
			...plain,
			owner_id: 4,
			services: [{base_url: 'http://127.0.0.1:9/', interface: 1, token: '<string>', service_name: 'tea'}],
		},
	};
	t.deepEqual(mask(own ?? [], 'avatar_url', 'token'), [told]);
	t.deepEqual(administrators, own);
	t.deepEqual(others, []);
	const [added] = await users();
	t.like(Object(at(added ?? null, 'person')), {user_id: bot.userId, is_bot: true});
	t.false(JSON.stringify(added).includes(bot.key));
});

test('the state of a registration has the bots whose keys one may know', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	await makeBot(realm, alice);
	const names = async (caller: Caller) => {
		const bots = at((await caller.post('/api/v1/register', 'event_types=["realm_bot"]')).json, 'realm_bots');
		return (Array.isArray(bots) ? bots : []).map(bot => at(bot, 'full_name'));
	};

	t.deepEqual(await names(alice), ['Tea Bot']);
	t.deepEqual(await names(bob), []);
	t.deepEqual(await names(adam), ['Echo', 'Tea Bot']);
});

test('a bot with a channel of its own needs no `to`, and hears of all public channels when made so', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const bot = await makeBot(realm, alice, '&default_sending_stream=lunch&default_all_public_streams=true');
	const events = await queueOf(bot, 'message');

	expectSuccess(t, await bot.post('/api/v1/messages', 'type=channel&topic=soup&content=hot'));

	t.like(Object(await newestMessage(bob)), {display_recipient: 'lunch', subject: 'soup', content: 'hot'});
	await bob.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x');
	t.is((await events()).length, 2);
});

test('the realm refuses a bot that would make bots', async t => {
	const realm = await openRealm(t);
	const bot = await makeBot(realm, await signIn(t, 'alice', realm));

	expectRefusal(t, await bot.post(PATH, MINE), badRequest('This endpoint does not accept bot requests.'));
});

test('the realm refuses an address and a name that are taken', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	await makeBot(realm, alice);

	expectRefusal(t, await alice.post(PATH, 'full_name=Other&short_name=tea'), badRequest('Username already in use'));
	expectRefusal(t, await alice.post(PATH, 'full_name=Tea+Bot&short_name=other'), badRequest('Name is already in use!'));
});

test('a bot from a guest', refused, {as: 'gus', ask: post(MINE), answer: badRequest('Not allowed for guest users')});
test('a bot without a name', refused, {ask: post('short_name=tea'), answer: missing('full_name')});
test('a bot without a short name', refused, {ask: post('full_name=Tea'), answer: missing('short_name')});
test('a bot with a blank name', refused, {
	ask: post('full_name=+&short_name=tea'),
	answer: badRequest('Name too short!'),
});
test('a bot whose name could not be mentioned', refused, {
	ask: post('full_name=T*a&short_name=tea'),
	answer: badRequest('Invalid characters in name!'),
});
for (const name of ['', '+', 't%40a', 't+a']) {
	test(`a bot with the short name "${name}"`, refused, {
		ask: post(`full_name=Tea&short_name=${name}`),
		answer: badRequest('Bad name or username'),
	});
}

for (const name of ['bot_type', 'interface_type']) {
	test(`a bot with ${name}=9`, refused, {
		ask: post(`${MINE}&${name}=9`),
		answer: badRequest(`Invalid ${name}: Value error, Not in the list of possible values`),
	});
	test(`a bot with ${name}=true`, refused, {
		ask: post(`${MINE}&${name}=true`),
		answer: badRequest(`${name} is not an integer`),
	});
}

test('a payload URL that is no JSON', refused, {
	ask: post(`${MINE}&bot_type=3&payload_url=http%3A%2F%2Ftea.example`),
	answer: badRequest('payload_url is not valid JSON'),
});
test('a payload URL that is a number', refused, {
	ask: post(`${MINE}&bot_type=3&payload_url=5`),
	answer: badRequest('payload_url is not a string'),
});
test('a payload URL that is none', refused, {
	ask: post(`${MINE}&bot_type=3&payload_url=%22tea%22`),
	answer: badRequest('payload_url is not a URL'),
});
// One that there is not, one that Alice may not know of, and one that is archived.
for (const name of ['tea', 'staff', 'attic']) {
	test(`a bot for the channel ${name}`, refused, {
		ask: post(`${MINE}&default_sending_stream=${name}`),
		answer: badRequest(`Invalid channel name '${name}'`),
	});
}
