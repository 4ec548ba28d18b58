import test from 'ava';
import {ResponseError} from '../../src/client/errors.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, badRequest, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client asks for subscriptions with a boolean in the query', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","subscriptions":[]}\n');

	t.deepEqual((await client.getSubscriptions({include_subscribers: true})).subscriptions, []);

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/me/subscriptions?include_subscribers=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
});

const SUBSCRIPTION = `{"stream_id":7,"name":"Denmark","is_archived":false,"description":"","rendered_description":"",\
"date_created":1691057093,"creator_id":null,"invite_only":false,"is_web_public":false,"message_retention_days":null,\
"history_public_to_subscribers":true,"first_message_id":1,"color":"#76ce90","is_muted":false,"in_home_view":true,\
"pin_to_top":true,"desktop_notifications":null,"audible_notifications":null,"push_notifications":false,\
"email_notifications":true,"wildcard_mentions_notify":null,"subscribers":[11,26]}`;

test('the client reads what the subscriber has set', async t => {
	const {client} = await clientAnswered(t, `{"result":"success","msg":"","subscriptions":[${SUBSCRIPTION}]}\n`);

	const [subscription] = (await client.getSubscriptions()).subscriptions;

	const {color, is_muted, pin_to_top, desktop_notifications, email_notifications, subscribers} = subscription ?? {};
	t.deepEqual(
		[color, is_muted, pin_to_top, desktop_notifications, email_notifications, subscribers],
		['#76ce90', false, true, null, true, [11, 26]],
	);
	t.deepEqual<unknown, unknown>(subscription, JSON.parse(SUBSCRIPTION));
});

test('the client does not take a channel for a subscription', async t => {
	const {client} = await clientAnswered(
		t,
		`{"result":"success","msg":"","subscriptions":[${SUBSCRIPTION.replace('"is_muted":false,', '')}]}\n`,
	);

	await t.throwsAsync(client.getSubscriptions(), {instanceOf: ResponseError});
});

for (const [featureLevel, field, since] of [
	[339, 'topics_policy', 392],
	[339, 'can_add_subscribers_group', 342],
	[393, 'subscriber_count', 394],
] as const) {
	test(`feature level ${featureLevel} lists subscriptions without ${field}, which came with ${since}`, async t => {
		const keysAt = async (level: number) => {
			const {json} = await (await signIn(t, 'alice', await openRealm(t, {featureLevel: level}))).get(
				'/api/v1/users/me/subscriptions',
			);
			return Object.keys(Object(at(json, 'subscriptions', 0)));
		};

		t.false((await keysAt(featureLevel)).includes(field));
		t.true((await keysAt(since)).includes(field));
	});
}

test('the realm lists what one is subscribed to, with subscribers for those who ask', async t => {
	const realm = await openRealm(t);
	const adam = await signIn(t, 'adam', realm);
	const others = await Promise.all(['olivia', 'mona'].map(name => signIn(t, name, realm)));
	const ask = async (value: boolean) =>
		at((await adam.get(`/api/v1/users/me/subscriptions?include_subscribers=${value}`)).json, 'subscriptions');

	const plain = await ask(false);
	const full = await ask(true);

	t.deepEqual(Array.isArray(plain) && plain.map(each => at(each, 'name')), [
		'announcements',
		'general',
		'plaza',
		'staff',
	]);
	t.false(Object.hasOwn(at(plain, 3) as object, 'subscribers'));
	const ids = [adam, ...others].map(({userId}) => userId).sort((a, b) => a - b);
	t.deepEqual(at(full, 3, 'subscribers'), ids);
});

test('include_subscribers=1', refused, {
	ask: caller => caller.get('/api/v1/users/me/subscriptions?include_subscribers=1'),
	answer: badRequest('include_subscribers is not a boolean'),
});
