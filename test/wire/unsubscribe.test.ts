import test from 'ava';
import {channelsIn, subscribersOf} from './channel-kit.js';
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
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/subscriptions';
const DENIED = badRequest('Insufficient permission');

test('the client writes names and principals as JSON', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","removed":["lunch"],"not_removed":["general"]}\n',
	);

	const answer = await client.unsubscribe({subscriptions: ['lunch', 'general'], principals: [5]});

	t.deepEqual([answer.removed, answer.not_removed], [['lunch'], ['general']]);
	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/users/me/subscriptions HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'subscriptions=%5B%22lunch%22%2C%22general%22%5D&principals=%5B5%5D');
});

test('the client throws an ApiError for a channel to leave that is not there', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Channel(s) (x) do not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.unsubscribe({subscriptions: ['x']})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Channel(s) (x) do not exist',
		fields: {},
	});
});

test('the realm unsubscribes the caller; they and those who see the channel hear of it', async t => {
	const realm = await openRealm(t);
	const [alice, adam] = [await signIn(t, 'alice', realm), await signIn(t, 'adam', realm)];
	const lunch = await channelId(alice, 'lunch');
	const [own, peers] = [await queueOf(alice, 'subscription'), await queueOf(adam, 'subscription')];

	const answer = await alice.delete(PATH, 'subscriptions=["Lunch","plaza","lunch"]');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', removed: ['lunch'], not_removed: ['plaza']});
	t.deepEqual(await subscribersOf(adam, lunch), [people.mona, people.bob, people.carla]);
	t.deepEqual(await own(), [{type: 'subscription', op: 'remove', subscriptions: [{stream_id: lunch, name: 'lunch'}]}]);
	t.deepEqual(await peers(), [
		{type: 'subscription', op: 'peer_remove', stream_ids: [lunch], user_ids: [people.alice]},
	]);
});

test('a channel that one left stands apart from those where one never was', async t => {
	const alice = await signIn(t);

	await alice.delete(PATH, 'subscriptions=["lunch"]');

	t.deepEqual(await channelsIn(alice, 'subscriptions'), ['announcements', 'general']);
	t.deepEqual(await channelsIn(alice, 'unsubscribed'), ['lunch']);
	t.deepEqual(await channelsIn(alice, 'never_subscribed'), ['plaza']);
});

test('whoever leaves a private channel sees it no more, and brings nobody back', async t => {
	const realm = await openRealm(t);
	const [mona, olivia] = [await signIn(t, 'mona', realm), await signIn(t, 'olivia', realm)];
	const staff = await channelId(mona, 'staff');
	const [own, others] = [await queueOf(mona, 'subscription%22,%22stream'), await queueOf(olivia, 'stream')];

	await mona.delete(PATH, 'subscriptions=["staff"]');

	t.deepEqual(await own(), [
		{type: 'subscription', op: 'remove', subscriptions: [{stream_id: staff, name: 'staff'}]},
		{type: 'stream', op: 'delete', stream_ids: [staff], streams: [{stream_id: staff}]},
	]);
	t.deepEqual(await others(), []);
	t.deepEqual(await channelsIn(mona, 'unsubscribed'), []);
	expectRefusal(t, await mona.get(`/api/v1/users/me/${staff}/topics`), badRequest('Invalid channel ID'));
	expectRefusal(t, await mona.delete(PATH, 'subscriptions=["staff"]'), badRequest('Channel(s) (staff) do not exist'));
});

test('administrators remove others, and so do those whom the channel trusts with it', async t => {
	const realm = await openRealm(t);
	const [alice, bob, adam] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'adam', realm),
	];
	const lunch = await channelId(alice, 'lunch');

	expectRefusal(t, await alice.delete(PATH, `subscriptions=["lunch"]&principals=[${people.bob}]`), DENIED);
	const {json} = await adam.delete(PATH, `subscriptions=["lunch"]&principals=[${people.bob},${people.gus}]`);
	t.deepEqual(json, {result: 'success', msg: '', removed: ['lunch'], not_removed: ['lunch']});
	await adam.patch(`/api/v1/streams/${lunch}`, `can_remove_subscribers_group={"new":3}`);
	expectSuccess(t, await bob.delete(PATH, 'subscriptions=["lunch"]&principals=["carla@bothy.example"]'));

	t.deepEqual(await subscribersOf(alice, lunch), [people.mona, people.alice]);
});

test('a guest leaves', async t => {
	const gus = await signIn(t, 'gus');

	expectSuccess(t, await gus.delete(PATH, 'subscriptions=["general"]'));

	t.deepEqual(await channelsIn(gus, 'subscriptions'), ['announcements']);
});

test('people remove the bots that they own', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));
	await bot.post(PATH, 'subscriptions=[{"name":"lunch"}]');
	const olivia = await signIn(t, 'olivia', realm);
	const carla = await signIn(t, 'carla', realm);

	const form = `subscriptions=["lunch"]&principals=["${bot.email}"]`;
	expectRefusal(t, await carla.delete(PATH, form), DENIED);
	t.deepEqual(at((await olivia.delete(PATH, form)).json, 'removed'), ['lunch']);
});

const ask = (form: string) => (caller: Caller) => caller.delete(PATH, form);

test('an unsubscription from nothing', refused, {ask: ask(''), answer: missing('subscriptions')});
test('an unsubscription from channels by ID', refused, {
	ask: ask('subscriptions=[1]'),
	answer: badRequest('subscriptions[0] is not a string'),
});
test('an unsubscription from unknown channels', refused, {
	ask: ask('subscriptions=["x","general","staff"]'),
	answer: badRequest('Channel(s) (x, staff) do not exist'),
});
test('an unsubscription of an unknown person', refused, {
	as: 'adam',
	ask: ask('subscriptions=["general"]&principals=[999]'),
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
