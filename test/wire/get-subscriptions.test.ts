import test from 'ava';
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
