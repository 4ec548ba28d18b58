import test from 'ava';
import {channelNamed, channelsIn, subscribersOf} from './channel-kit.js';
import {queueOf} from './event-kit.js';
import {people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	missing,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/channels/create';

test('the client writes every parameter of a new channel', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","id":12}\n');

	const {id} = await client.createChannel({
		name: 'den',
		subscribers: [4, 5],
		description: 'Quiet',
		invite_only: true,
		is_web_public: false,
		is_default_stream: false,
		history_public_to_subscribers: true,
		message_retention_days: 30,
		topics_policy: 'allow_empty_topic',
		can_send_message_group: 3,
		announce: true,
	});

	t.is(id, 12);
	const request = await server.request();
	t.is(request.line, 'POST /api/v1/channels/create HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'name=den&subscribers=%5B4%2C5%5D&description=Quiet&invite_only=true&is_web_public=false' +
			'&is_default_stream=false&history_public_to_subscribers=true&message_retention_days=30' +
			'&topics_policy=allow_empty_topic&can_send_message_group=3&announce=true',
	);
});

test('the client throws an ApiError with the name of a channel that is there already', async t => {
	const {client} = await clientRefused(
		t,
		'409 Conflict',
		`{"result":"error","msg":"Channel 'den' already exists","code":"CHANNEL_ALREADY_EXISTS","channel_name":"den"}\n`,
	);

	t.deepEqual(await refusalOf(t, client.createChannel({name: 'den', subscribers: []})), {
		code: 'CHANNEL_ALREADY_EXISTS',
		status: 409,
		reason: "Channel 'den' already exists",
		fields: {channel_name: 'den'},
	});
});

test('the realm creates a channel with its subscribers, and answers its ID', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'stream%22,%22subscription');

	const answer = await alice.post(PATH, `name=+den+&subscribers=[${people.bob},${people.gus}]&description=a%0Ab`);

	expectSuccess(t, answer);
	const channel = await channelNamed(alice, 'den');
	t.deepEqual(answer.json, {result: 'success', msg: '', id: at(channel, 'stream_id')});
	t.like(channel, {description: 'a b', invite_only: false, creator_id: people.alice, subscriber_count: 2});
	t.deepEqual(await subscribersOf(alice, Number(at(channel, 'stream_id'))), [people.bob, people.gus]);
	t.deepEqual(await channelsIn(bob, 'subscriptions'), ['announcements', 'den', 'general', 'lunch']);
	t.deepEqual(
		(await events()).map(event => [at(event, 'type'), at(event, 'op')]),
		[
			['stream', 'create'],
			['subscription', 'add'],
		],
	);
});

test('a private channel without subscribers is there for administrators and its creator', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];

	await alice.post(PATH, 'name=den&subscribers=[]&invite_only=true');

	t.is(await channelNamed(bob, 'den'), null);
	t.like(await channelNamed(adam, 'den'), {invite_only: true, history_public_to_subscribers: false});
	t.like(await channelNamed(alice, 'den'), {subscriber_count: 0});
});

test('owners say how long messages stay', async t => {
	const olivia = await signIn(t, 'olivia');
	const retained = async (name: string, value: string) => {
		await olivia.post(PATH, `name=${name}&subscribers=[]&message_retention_days=${value}`);
		return at(await channelNamed(olivia, name), 'message_retention_days');
	};

	t.is(await retained('a', '30'), 30);
	t.is(await retained('b', '"unlimited"'), -1);
	t.is(await retained('c', '"realm_default"'), null);
});

test('a new channel is announced only where that is wanted', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const before = await newestMessage(bob);

	await alice.post(PATH, 'name=den&subscribers=[]');
	t.deepEqual(await newestMessage(bob), before);
	await alice.post(PATH, 'name=hut&subscribers=[]&announce=true');

	t.like(await newestMessage(bob), {content: '@_**Alice Ahn|4** created a new channel #**hut**.'});
});

test('where everybody joins a channel without topics, a new one is announced there without one', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	await adam.patch('/api/v1/streams/1', 'is_default_stream=false');
	await adam.post(PATH, `name=yard&subscribers=[${people.bob}]&topics_policy=empty_topic_only&is_default_stream=true`);

	expectSuccess(t, await adam.post(PATH, 'name=hut&subscribers=[]&announce=true'));

	t.like(await newestMessage(bob), {
		display_recipient: 'yard',
		subject: '',
		content: '@_**Adam Addo|2** created a new channel #**hut**.',
	});
});

test('a name is the same in another case, in every alphabet', async t => {
	const realm = await openRealm(t);
	const [alice, adam] = [await signIn(t, 'alice', realm), await signIn(t, 'adam', realm)];
	const den = at((await alice.post(PATH, `name=%C3%84pfel&subscribers=[${people.alice}]`)).json, 'id');

	t.is((await alice.post(PATH, 'name=%C3%A4PFEL&subscribers=[]')).statusLine, 'HTTP/1.1 409 Conflict');
	t.is(at((await alice.get('/api/v1/get_stream_id?stream=%C3%A4pfel')).json, 'stream_id'), den);
	expectSuccess(t, await alice.post('/api/v1/messages', 'type=channel&to=%C3%A4pfel&topic=x&content=x'));
	expectRefusal(
		t,
		await adam.patch('/api/v1/streams/2', 'new_name=%C3%A4pfel'),
		badRequest('Channel name already in use.'),
	);
	expectSuccess(t, await adam.patch(`/api/v1/streams/${den}`, 'new_name=%C3%A4pfel'));
});

test('feature level 416 does not know the call, 417 does', async t => {
	const ask = async (featureLevel: number) => {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
		return (await alice.post(PATH, 'name=den&subscribers=[]')).statusLine;
	};

	t.is(await ask(416), 'HTTP/1.1 404 Not Found');
	t.is(await ask(417), 'HTTP/1.1 200 OK');
});

for (const [kind, name] of [
	['', 'General'],
	[' that they do not see', 'staff'],
	[' that is archived', 'attic'],
] as const) {
	test(`the name of a channel${kind}`, refused, {
		ask: caller => caller.post(PATH, `name=${name}&subscribers=[]`),
		answer: {
			status: '409 Conflict',
			json: {
				result: 'error',
				msg: `Channel '${name}' already exists`,
				code: 'CHANNEL_ALREADY_EXISTS',
				channel_name: name,
			},
		},
	});
}

const post = (form: string) => (caller: Caller) => caller.post(PATH, form);

test('a channel without a name parameter', refused, {ask: post('subscribers=[]'), answer: missing('name')});
test('a channel without subscribers', refused, {ask: post('name=den'), answer: missing('subscribers')});
test('a channel with a blank name', refused, {
	ask: post('name=+&subscribers=[]'),
	answer: badRequest("Channel name can't be empty."),
});
test('a channel with a long description', refused, {
	ask: post(`name=den&subscribers=[]&description=${'a'.repeat(1025)}`),
	answer: badRequest('description is too long (limit: 1024 characters)'),
});
test('subscribers by email', refused, {
	ask: post('name=den&subscribers=["a@b"]'),
	answer: badRequest('subscribers[0] is not an integer'),
});
test('a subscriber who is not there', refused, {
	ask: post('name=den&subscribers=[999]'),
	answer: {
		status: '403 Forbidden',
		json: {
			result: 'error',
			msg: "User not authorized to execute queries on behalf of '999'",
			code: 'UNAUTHORIZED_PRINCIPAL',
			principal: 999,
		},
	},
});
test('a web-public channel of an administrator who is no owner', refused, {
	as: 'adam',
	ask: post('name=den&subscribers=[]&is_web_public=true'),
	answer: badRequest('Insufficient permission'),
});
test('a guest who creates a channel', refused, {
	as: 'gus',
	ask: post('name=den&subscribers=[]'),
	answer: badRequest('Not allowed for guest users'),
});

test('a channel that is refused leaves nothing behind', async t => {
	const alice = await signIn(t);

	expectRefusal(
		t,
		await alice.post(PATH, 'name=den&subscribers=[]&can_send_message_group=999'),
		badRequest('Invalid user group'),
	);

	t.is(await channelNamed(alice, 'den'), null);
});
