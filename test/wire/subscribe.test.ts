import test from 'ava';
import {channelNamed, channelsIn, subscribersOf} from './channel-kit.js';
import {queueOf} from './event-kit.js';
import {people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	channelId,
	expectRefusal,
	expectSuccess,
	missing,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/subscriptions';

test('the client writes channels as JSON, and every parameter after them', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","subscribed":{"9":["den"]},"already_subscribed":{},"unauthorized":["x"]}\n',
	);

	const answer = await client.subscribe({
		subscriptions: [{name: 'den', description: 'Quiet'}],
		invite_only: true,
		is_web_public: false,
		is_default_stream: false,
		history_public_to_subscribers: true,
		message_retention_days: 'unlimited',
		topics_policy: 'disable_empty_topic',
		can_add_subscribers_group: 1,
		can_remove_subscribers_group: 2,
		can_administer_channel_group: 3,
		can_delete_any_message_group: 4,
		can_delete_own_message_group: 5,
		can_move_messages_out_of_channel_group: 6,
		can_move_messages_within_channel_group: 7,
		can_create_topic_group: 8,
		can_resolve_topics_group: 9,
		can_send_message_group: 10,
		can_subscribe_group: {direct_members: [5], direct_subgroups: []},
		announce: true,
		principals: ['bob@bothy.example'],
		authorization_errors_fatal: false,
	});

	t.deepEqual(answer.subscribed, {9: ['den']});
	t.deepEqual(answer.already_subscribed, {});
	t.deepEqual(answer.unauthorized, ['x']);
	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/subscriptions HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'subscriptions=%5B%7B%22name%22%3A%22den%22%2C%22description%22%3A%22Quiet%22%7D%5D&invite_only=true' +
			'&is_web_public=false&is_default_stream=false&history_public_to_subscribers=true' +
			'&message_retention_days=%22unlimited%22&topics_policy=disable_empty_topic&can_add_subscribers_group=1' +
			'&can_remove_subscribers_group=2&can_administer_channel_group=3&can_delete_any_message_group=4' +
			'&can_delete_own_message_group=5&can_move_messages_out_of_channel_group=6' +
			'&can_move_messages_within_channel_group=7&can_create_topic_group=8&can_resolve_topics_group=9' +
			'&can_send_message_group=10&can_subscribe_group=%7B%22direct_members%22%3A%5B5%5D%2C%22direct_subgroups%22' +
			'%3A%5B%5D%7D&announce=true&principals=%5B%22bob%40bothy.example%22%5D&authorization_errors_fatal=false',
	);
});

test('the client throws an ApiError for a channel out of reach', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Unable to access channel (staff).","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.subscribe({subscriptions: [{name: 'staff'}]})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Unable to access channel (staff).',
		fields: {},
	});
});

test('the client throws an ApiError with whoever cannot be subscribed', async t => {
	const {client} = await clientRefused(
		t,
		'403 Forbidden',
		`{"result":"error","msg":"User not authorized to execute queries on behalf of '999'",` +
			'"code":"UNAUTHORIZED_PRINCIPAL","principal":999}\n',
	);

	t.deepEqual(await refusalOf(t, client.subscribe({subscriptions: [{name: 'den'}], principals: [999]})), {
		code: 'UNAUTHORIZED_PRINCIPAL',
		status: 403,
		reason: "User not authorized to execute queries on behalf of '999'",
		fields: {principal: 999},
	});
});

test('the realm subscribes the caller, and says where they were already', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	const lunch = await channelId(adam, 'lunch');

	const answer = await adam.post(PATH, 'subscriptions=[{"name":" LUNCH "},{"name":"general"},{"name":"lunch"}]');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {
		result: 'success',
		msg: '',
		subscribed: {2: ['lunch']},
		already_subscribed: {2: ['general']},
	});
	t.deepEqual(await subscribersOf(bob, lunch), [people.adam, people.mona, people.alice, people.bob, people.carla]);
});

test('feature level 288 names people by email, 289 by ID', async t => {
	const ask = async (featureLevel: number) => {
		const adam = await signIn(t, 'adam', await openRealm(t, {featureLevel}));
		return at((await adam.post(PATH, 'subscriptions=[{"name":"lunch"}]')).json, 'subscribed');
	};

	t.deepEqual(await ask(288), {'adam@bothy.example': ['lunch']});
	t.deepEqual(await ask(289), {2: ['lunch']});
});

test('who comes hears of the subscription, everybody else who sees the channel of them', async t => {
	const realm = await openRealm(t);
	const [adam, alice, gus] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'gus', realm),
	];
	const lunch = await channelId(adam, 'lunch');
	const [own, peers, blind] = [
		await queueOf(adam, 'subscription'),
		await queueOf(alice, 'subscription'),
		await queueOf(gus, 'subscription'),
	];

	await adam.post(PATH, 'subscriptions=[{"name":"lunch"}]');
	await adam.post(PATH, 'subscriptions=[{"name":"lunch"}]');

	const [added, ...more] = await own();
	t.deepEqual(more, []);
	t.like(added, {type: 'subscription', op: 'add'});
	t.like(at(added ?? null, 'subscriptions', 0), {
		stream_id: lunch,
		name: 'lunch',
		is_muted: false,
		in_home_view: true,
		pin_to_top: false,
		desktop_notifications: null,
		audible_notifications: null,
		push_notifications: null,
		email_notifications: null,
		wildcard_mentions_notify: null,
		subscriber_count: 5,
	});
	t.regex(String(at(added ?? null, 'subscriptions', 0, 'color')), /^#[\da-f]{6}$/);
	t.deepEqual(at(added ?? null, 'subscriptions', 0, 'subscribers'), [2, 3, 4, 5, 6]);
	t.deepEqual(await peers(), [{type: 'subscription', op: 'peer_add', stream_ids: [lunch], user_ids: [people.adam]}]);
	t.deepEqual(await blind(), []);
});

test('the realm creates a channel that is not there, and everybody who may see it hears of it first', async t => {
	const realm = await openRealm(t);
	const [alice, bob, gus] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'gus', realm),
	];
	const [own, others, guests] = [
		await queueOf(alice, 'stream%22,%22subscription'),
		await queueOf(bob, 'stream'),
		await queueOf(gus, 'stream'),
	];

	const {json} = await alice.post(PATH, 'subscriptions=[{"name":"den","description":"Quiet\\nand warm"}]');

	t.deepEqual(at(json, 'subscribed'), {4: ['den']});
	const channel = await channelNamed(bob, 'den');
	t.like(channel, {
		description: 'Quiet and warm',
		rendered_description: '<p>Quiet and warm</p>',
		creator_id: people.alice,
		invite_only: false,
		is_web_public: false,
		history_public_to_subscribers: true,
		is_default: false,
		topics_policy: 'inherit',
		message_retention_days: null,
		first_message_id: null,
		subscriber_count: 1,
	});
	t.deepEqual(at(channel, 'can_administer_channel_group'), {direct_members: [people.alice], direct_subgroups: []});
	const [created] = await others();
	t.like(created, {type: 'stream', op: 'create'});
	t.like(at(created ?? null, 'streams', 0), {name: 'den', creator_id: people.alice});
	t.deepEqual(
		(await own()).map(event => [at(event, 'type'), at(event, 'op')]),
		[
			['stream', 'create'],
			['subscription', 'add'],
		],
	);
	t.deepEqual(await guests(), []);
});

test('a private channel is there for those in it and administrators only', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const [strangers, administrators] = [await queueOf(bob, 'stream'), await queueOf(adam, 'stream')];

	await alice.post(PATH, 'subscriptions=[{"name":"den"}]&invite_only=true');

	t.deepEqual(await strangers(), []);
	t.is((await administrators()).length, 1);
	t.is(await channelNamed(bob, 'den'), null);
	t.like(await channelNamed(alice, 'den'), {invite_only: true, history_public_to_subscribers: false});
	expectRefusal(
		t,
		await bob.post(PATH, 'subscriptions=[{"name":"den"}]'),
		badRequest('Unable to access channel (den).'),
	);
	expectRefusal(
		t,
		await adam.post(PATH, 'subscriptions=[{"name":"den"}]'),
		badRequest('Unable to access channel (den).'),
	);
});

test('whoever is in a private channel brings others, who hear of the channel before their subscription', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post(PATH, 'subscriptions=[{"name":"den"}]&invite_only=true&history_public_to_subscribers=true');
	await alice.post('/api/v1/messages', 'type=channel&to=den&topic=x&content=before');
	const events = await queueOf(bob, 'stream%22,%22subscription');

	const {json} = await alice.post(PATH, 'subscriptions=[{"name":"den"}]&principals=["BOB@bothy.example"]');

	t.deepEqual(at(json, 'subscribed'), {5: ['den']});
	t.deepEqual(
		(await events()).map(event => [at(event, 'type'), at(event, 'op')]),
		[
			['stream', 'create'],
			['subscription', 'add'],
		],
	);
	const topics = await bob.get(`/api/v1/users/me/${await channelId(bob, 'den')}/topics`);
	t.is(at(topics.json, 'topics', 0, 'name'), 'x');
});

test('one channel out of reach does not keep from the others whoever says so', async t => {
	const alice = await signIn(t);

	const {json} = await alice.post(
		PATH,
		'subscriptions=[{"name":"staff"},{"name":"attic"},{"name":"plaza"}]&authorization_errors_fatal=false',
	);

	t.deepEqual(json, {
		result: 'success',
		msg: '',
		subscribed: {4: ['plaza']},
		already_subscribed: {},
		unauthorized: ['staff', 'attic'],
	});
});

test('nobody is subscribed, and nothing created, where one channel is out of reach', async t => {
	const alice = await signIn(t);

	expectRefusal(
		t,
		await alice.post(PATH, 'subscriptions=[{"name":"den"},{"name":"plaza"},{"name":"staff"}]'),
		badRequest('Unable to access channel (staff).'),
	);

	t.is(await channelNamed(alice, 'den'), null);
	t.deepEqual(await channelsIn(alice, 'subscriptions'), ['announcements', 'general', 'lunch']);
});

test('whoever comes back finds what they had set', async t => {
	const alice = await signIn(t);
	const lunch = await channelId(alice, 'lunch');
	await alice.post(
		`${PATH}/properties`,
		`subscription_data=[{"stream_id":${lunch},"property":"color","value":"#123456"}]`,
	);
	await alice.delete(PATH, 'subscriptions=["lunch"]');
	const events = await queueOf(alice, 'subscription');

	await alice.post(PATH, 'subscriptions=[{"name":"lunch"}]');

	t.is(at((await events())[0] ?? null, 'subscriptions', 0, 'color'), '#123456');
	t.deepEqual(await channelsIn(alice, 'unsubscribed'), []);
});

test('can_subscribe_group opens a private channel, and its history, to those in it', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const group = `can_subscribe_group={"direct_members":[${people.bob}],"direct_subgroups":[]}`;
	await alice.post(PATH, `subscriptions=[{"name":"den"}]&invite_only=true&history_public_to_subscribers=true&${group}`);
	await alice.post('/api/v1/messages', 'type=channel&to=den&topic=x&content=before');
	const den = await channelId(bob, 'den');

	t.is(at((await bob.get(`/api/v1/users/me/${den}/topics`)).json, 'topics', 0, 'name'), 'x');
	expectSuccess(t, await bob.post(PATH, 'subscriptions=[{"name":"den"}]'));
	t.deepEqual(await subscribersOf(bob, den), [people.alice, people.bob]);
});

test('a new channel is announced where everybody is', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];

	await alice.post(PATH, 'subscriptions=[{"name":"den"}]&announce=true');

	t.like(await newestMessage(bob), {
		display_recipient: 'general',
		subject: 'new channels',
		content: '@_**Alice Ahn|4** created a new channel #**den**.',
		sender_full_name: 'Notification Bot',
	});
});

test('an empty list of principals means the caller', async t => {
	const adam = await signIn(t, 'adam');

	const {json} = await adam.post(PATH, 'subscriptions=[{"name":"lunch"}]&principals=[]');

	t.deepEqual(at(json, 'subscribed'), {2: ['lunch']});
});

test('a bot subscribes itself, and makes channels', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectSuccess(t, await bot.post(PATH, 'subscriptions=[{"name":"lunch"},{"name":"robots"}]'));

	t.deepEqual(await channelsIn(bot, 'subscriptions'), ['lunch', 'robots']);
});

for (const [name, since, value = '5'] of [
	['is_default_stream', 200, 'true'],
	['can_remove_subscribers_group', 320],
	['can_administer_channel_group', 325],
	['can_send_message_group', 333],
	['can_add_subscribers_group', 342],
	['can_subscribe_group', 357],
	['topics_policy', 392, 'empty_topic_only'],
	['can_move_messages_out_of_channel_group', 396],
	['can_move_messages_within_channel_group', 396],
	['can_resolve_topics_group', 402],
	['can_delete_any_message_group', 407],
	['can_delete_own_message_group', 407],
	['can_create_topic_group', 441],
] as const) {
	test(`feature level ${since - 1} ignores ${name}, ${since} reads it`, async t => {
		const ask = async (featureLevel: number) => {
			const olivia = await signIn(t, 'olivia', await openRealm(t, {featureLevel}));
			const {json} = await olivia.post(PATH, `subscriptions=[{"name":"den"}]&${name}=${value}`);
			const field = name === 'is_default_stream' ? 'is_default' : name;
			return {
				ignored: Object(json).ignored_parameters_unsupported,
				// What came with a level is not told below it.
				value: Object(await channelNamed(olivia, 'den'))[field],
			};
		};

		const [old, young] = [await ask(since - 1), await ask(since)];

		t.deepEqual(old.ignored, [name]);
		t.deepEqual(young.ignored, undefined);
		t.is(String(young.value), value);
		t.notDeepEqual(old.value, young.value);
	});
}

const post = (form: string) => (caller: Caller) => caller.post(PATH, form);
const den = (form: string) => post(`subscriptions=[{"name":"den"}]&${form}`);
const unknown = (principal: string | number) => ({
	status: '403 Forbidden',
	json: {
		result: 'error',
		msg: `User not authorized to execute queries on behalf of '${principal}'`,
		code: 'UNAUTHORIZED_PRINCIPAL',
		principal,
	},
});

test('a subscription to nothing', refused, {ask: post(''), answer: missing('subscriptions')});
test('channels by mere name', refused, {
	ask: post('subscriptions=["den"]'),
	answer: badRequest('subscriptions[0] is not a dict'),
});
test('a channel without a name', refused, {
	ask: post('subscriptions=[{}]'),
	answer: badRequest('subscriptions[0]["name"] field is missing: Field required'),
});
test('a blank name', refused, {
	ask: post('subscriptions=[{"name":" "}]'),
	answer: badRequest("Channel name can't be empty."),
});
test('a name of 61 characters', refused, {
	ask: post(`subscriptions=[{"name":"${'a'.repeat(61)}"}]`),
	answer: badRequest('Channel name too long (limit: 60 characters).'),
});
test('a control character in a name', refused, {
	ask: post('subscriptions=[{"name":"ab\\u0001"}]'),
	answer: badRequest('Invalid character in channel name, at position 3.'),
});
test('a description of 1025 characters', refused, {
	ask: post(`subscriptions=[{"name":"den","description":"${'a'.repeat(1025)}"}]`),
	answer: badRequest('subscriptions[0]["description"] is too long (limit: 1024 characters)'),
});
test('an unknown person by ID', refused, {ask: den('principals=[999]'), answer: unknown(999)});
test('an unknown person by email', refused, {ask: den('principals=["x@y"]'), answer: unknown('x@y')});
test('a web-public channel of a member', refused, {
	ask: den('is_web_public=true'),
	answer: badRequest('Insufficient permission'),
});
test('a default channel of a member', refused, {
	ask: den('is_default_stream=true'),
	answer: badRequest('Insufficient permission'),
});
test('a private default channel', refused, {
	as: 'olivia',
	ask: den('is_default_stream=true&invite_only=true'),
	answer: badRequest('A default channel cannot be private.'),
});
test('a private web-public channel', refused, {
	as: 'olivia',
	ask: den('is_web_public=true&invite_only=true'),
	answer: badRequest('Invalid parameters'),
});
test('a member who says how long messages stay', refused, {
	ask: den('message_retention_days=5'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
test('messages that stay for no day', refused, {
	as: 'olivia',
	ask: den('message_retention_days=0'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Bad value for 'message_retention_days': 0",
			code: 'REQUEST_VARIABLE_INVALID',
			var_name: 'message_retention_days',
			bad_value: 0,
		},
	},
});
test('messages that stay for a word', refused, {
	as: 'olivia',
	ask: den('message_retention_days="long"'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Bad value for 'message_retention_days': long",
			code: 'REQUEST_VARIABLE_INVALID',
			var_name: 'message_retention_days',
			bad_value: 'long',
		},
	},
});
test('an unknown topics policy', refused, {
	ask: den('topics_policy=none'),
	answer: badRequest('Invalid topics_policy'),
});
test('everybody as those who administer', refused, {
	ask: den('can_administer_channel_group=2'),
	answer: badRequest("'can_administer_channel_group' setting cannot be set to 'role:everyone' group."),
});
test('an unknown group as those who write', refused, {
	ask: den('can_send_message_group=999'),
	answer: badRequest('Invalid user group'),
});
test('a guest who subscribes', refused, {
	as: 'gus',
	ask: post('subscriptions=[{"name":"lunch"}]'),
	answer: badRequest('Not allowed for guest users'),
});
