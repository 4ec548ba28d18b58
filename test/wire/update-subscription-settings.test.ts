import test from 'ava';
import {queueOf} from './event-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, channelId, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/subscriptions/properties';

const mute = (caller: Caller, id: number, value: boolean) =>
	caller.post(PATH, `subscription_data=[{"stream_id":${id},"property":"is_muted","value":${value}}]`);

async function isMuted(caller: Caller, id: number) {
	const {json} = await caller.post('/api/v1/register', 'event_types=["subscription"]');
	const rows = at(json, 'subscriptions');
	const row = Array.isArray(rows) ? rows.find(each => at(each, 'stream_id') === id) : undefined;
	return at(row ?? null, 'is_muted');
}

test('the client sends what to set as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateSubscriptionSettings({subscription_data: [{stream_id: 7, property: 'is_muted', value: true}]});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/subscriptions/properties HTTP/1.1');
	t.is(
		request.body,
		'subscription_data=%5B%7B%22stream_id%22%3A7%2C%22property%22%3A%22is_muted%22%2C%22value%22%3Atrue%7D%5D',
	);
});

test("the realm mutes a channel for one account, and tells that account's clients of changes", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const general = await channelId(alice, 'general');
	const [events, others] = [await queueOf(alice, 'subscription'), await queueOf(bob, 'subscription')];

	expectSuccess(t, await mute(alice, general, true));
	t.is(await isMuted(alice, general), true);
	t.is(await isMuted(bob, general), false);
	expectSuccess(t, await mute(alice, general, true));
	expectSuccess(t, await mute(alice, general, false));
	t.is(await isMuted(alice, general), false);

	t.deepEqual(
		await events(),
		[true, false].map(value => ({
			type: 'subscription',
			op: 'update',
			stream_id: general,
			property: 'is_muted',
			value,
		})),
	);
	t.deepEqual(await others(), []);
});

test('a call that says nothing', refused, {ask: alice => alice.post(PATH, ''), answer: missing('subscription_data')});
test('a channel that one is not subscribed to', refused, {
	as: 'adam',
	ask: async adam => mute(adam, await channelId(adam, 'lunch'), true),
	answer: badRequest('Not subscribed to channel id 2'),
});
test('a property that it does not know', refused, {
	ask: alice => alice.post(PATH, 'subscription_data=[{"stream_id":1,"property":"smell","value":true}]'),
	answer: badRequest('Unknown subscription property: smell'),
});
test('a value that is no boolean', refused, {
	ask: alice => alice.post(PATH, 'subscription_data=[{"stream_id":1,"property":"is_muted","value":1}]'),
	answer: badRequest('subscription_data[0]["value"] is not a boolean'),
});

for (const [property, value, field, seen] of [
	['pin_to_top', 'true', 'pin_to_top', true],
	['desktop_notifications', 'true', 'desktop_notifications', true],
	['audible_notifications', 'false', 'audible_notifications', false],
	['push_notifications', 'true', 'push_notifications', true],
	['email_notifications', 'false', 'email_notifications', false],
	['wildcard_mentions_notify', 'true', 'wildcard_mentions_notify', true],
	['in_home_view', 'false', 'is_muted', true],
	['color', '"#c2C2c2"', 'color', '#c2C2c2'],
] as const) {
	test(`the realm keeps ${property} for one account, and tells its clients`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const events = await queueOf(alice, 'subscription');
		const form = `subscription_data=[{"stream_id":1,"property":"${property}","value":${value}}]`;

		expectSuccess(t, await alice.post(PATH, form));
		expectSuccess(t, await alice.post(PATH, form));

		const own = async (caller: Caller) => {
			const {json} = await caller.get('/api/v1/users/me/subscriptions');
			return at(json, 'subscriptions', 1, field);
		};
		t.is(await own(alice), seen);
		t.not(await own(bob), seen);
		t.deepEqual(await events(), [{type: 'subscription', op: 'update', stream_id: 1, property: field, value: seen}]);
	});
}

test('nothing is set where one of many is wrong', async t => {
	const alice = await signIn(t);

	await alice.post(
		PATH,
		'subscription_data=[{"stream_id":1,"property":"is_muted","value":true},{"stream_id":4,"property":"is_muted","value":true}]',
	);

	t.is(await isMuted(alice, 1), false);
});

const set = (property: string, value: string) => (caller: Caller) =>
	caller.post(PATH, `subscription_data=[{"stream_id":1,"property":"${property}","value":${value}}]`);

test('a color that is none', refused, {
	ask: set('color', '"red"'),
	answer: badRequest('subscription_data[0]["value"] is not a valid hex color code'),
});
test('a boolean as a color', refused, {
	ask: set('color', 'true'),
	answer: badRequest('subscription_data[0]["value"] is not a valid hex color code'),
});
test('a word as a switch', refused, {
	ask: set('pin_to_top', '"yes"'),
	answer: badRequest('subscription_data[0]["value"] is not a boolean'),
});
