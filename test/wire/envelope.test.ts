import test from 'ava';
import {createClient} from '../../src/client/client.js';
import {clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	missing,
	newestMessage,
	openRealm,
	sendLines,
	signIn,
} from './raw-request.js';
import {httpAnswer, startRawServer} from './raw-server.js';

const methods: ReadonlyArray<[path: string, allowed: string[]]> = [
	['/api/v1/messages', ['GET', 'POST']],
	['/api/v1/messages/1', ['GET']],
	['/api/v1/users', ['GET']],
	['/api/v1/streams', ['GET']],
	['/api/v1/users/me/1/topics', ['GET']],
	['/api/v1/register', ['POST']],
	['/api/v1/events', ['GET', 'DELETE']],
	['/api/v1/server_settings', ['GET']],
	['/api/v1/dev_list_users', ['GET']],
	['/api/v1/dev_fetch_api_key', ['POST']],
];

const request = (caller: Caller, url: string, line: string, ...headers: readonly string[]) =>
	sendLines(url, [
		`${line} HTTP/1.1`,
		'Host: 127.0.0.1',
		'Connection: close',
		caller.authorization,
		...headers,
		'',
		'',
	]);

for (const [path, allowed] of methods) {
	test(`the realm refuses PUT ${path} with 405, the methods allowed and no code`, async t => {
		const realm = await openRealm(t);

		const answer = await request(await signIn(t, 'alice', realm), realm.url, `PUT ${path}`);

		const found = at(answer.json, 'allowed_methods');
		expectRefusal(t, answer, {
			status: '405 Method Not Allowed',
			json: {result: 'error', msg: 'Method Not Allowed', allowed_methods: found},
		});
		for (const method of allowed) {
			t.true(Array.isArray(found) && found.includes(method), method);
		}

		t.false(Array.isArray(found) && found.includes('PUT'));
	});
}

test('the realm refuses a wrong method before it asks for a login', async t => {
	const {url} = await openRealm(t);

	const answer = await sendLines(url, ['PUT /api/v1/messages HTTP/1.1', 'Host: x', 'Connection: close', '', '']);

	t.is(answer.statusLine, 'HTTP/1.1 405 Method Not Allowed');
});

test('the realm answers an unknown path with 404', async t => {
	const answer = await (await signIn(t)).get('/api/v1/nowhere');

	t.is(answer.statusLine, 'HTTP/1.1 404 Not Found');
});

test('the realm answers HEAD like GET, without a body', async t => {
	const realm = await openRealm(t);

	const answer = await request(await signIn(t, 'alice', realm), realm.url, 'HEAD /api/v1/users/me');

	t.is(answer.statusLine, 'HTTP/1.1 200 OK');
	t.is(answer.headers['content-type']?.split(';')[0], 'application/json');
	t.is(answer.body, '');
});

test('the realm answers OPTIONS with 204 and the methods', async t => {
	const realm = await openRealm(t);

	const answer = await request(await signIn(t, 'alice', realm), realm.url, 'OPTIONS /api/v1/messages');

	t.is(answer.statusLine, 'HTTP/1.1 204 No Content');
	t.regex(answer.headers.allow ?? '', /\bGET\b/);
	t.regex(answer.headers.allow ?? '', /\bPOST\b/);
});

for (const path of ['/api/v1/users/me', '/api/v1/users?user_ids=x', '/api/v1/server_settings']) {
	test(`the realm forbids caches to keep ${path}`, async t => {
		const answer = await (await signIn(t)).get(path);

		t.regex(answer.headers['cache-control'] ?? '', /no-store/);
		t.regex(answer.headers['cache-control'] ?? '', /no-cache/);
	});
}

test('the realm lets the form field `method` replace the method of a POST', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	const queue = at(json, 'queue_id');

	const answer = await alice.post('/api/v1/events', `method=DELETE&queue_id=${queue}`);

	expectSuccess(t, answer);
	t.is(at((await alice.delete('/api/v1/events', `queue_id=${queue}`)).json, 'code'), 'BAD_EVENT_QUEUE_ID');
});

test('the realm prefers the body to the query', async t => {
	const alice = await signIn(t);

	const answer = await alice.post('/api/v1/messages?content=query&to=general&type=channel&topic=x', 'content=body');

	expectSuccess(t, answer);
	t.is(at(await newestMessage(alice), 'content'), 'body');
});

test('the realm reads the parameters of a POST from the query too', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post('/api/v1/messages?content=query&to=general&type=channel&topic=x', ''));

	t.is(at(await newestMessage(alice), 'content'), 'query');
});

test('the realm does not read parameters from a JSON body', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const body = '{"content":"x","type":"channel","to":"general","topic":"x"}';

	const answer = await sendLines(realm.url, [
		'POST /api/v1/messages HTTP/1.1',
		'Host: 127.0.0.1',
		alice.authorization,
		'Content-Type: application/json',
		`Content-Length: ${body.length}`,
		'Connection: close',
		'',
		body,
	]);

	expectRefusal(t, answer, missing('content'));
});

test('the realm reads parameters from multipart/form-data', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const parts = [
		['type', 'channel'],
		['to', 'general'],
		['topic', 'x'],
		['content', 'a & b'],
	].map(([name, value]) => `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
	const body = `${parts.join('')}--frontier--\r\n`;

	const answer = await sendLines(realm.url, [
		'POST /api/v1/messages HTTP/1.1',
		'Host: 127.0.0.1',
		alice.authorization,
		'Content-Type: multipart/form-data; boundary=frontier',
		`Content-Length: ${body.length}`,
		'Connection: close',
		'',
		body,
	]);

	expectSuccess(t, answer);
	t.is(at(await newestMessage(alice), 'content'), 'a & b');
});

test('the realm counts calls in the headers', async t => {
	const alice = await signIn(t);

	const first = await alice.get('/api/v1/users/me');
	const second = await alice.get('/api/v1/users/me');

	t.is(first.headers['x-ratelimit-limit'], '2000');
	t.is(first.headers['x-ratelimit-remaining'], '1999');
	t.is(second.headers['x-ratelimit-remaining'], '1998');
	t.regex(first.headers['x-ratelimit-reset'] ?? '', /^\d{10}$/);
});

test('the realm refuses the 201st call in a minute before it looks at parameters; event polls count apart', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	for (let call = 2; call <= 200; call += 1) {
		await alice.get('/api/v1/users/me');
	}

	const answer = await alice.post('/api/v1/messages', '');
	const unauthenticated = await alice.get('/api/v1/server_settings');
	const poll = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);

	const seconds = at(answer.json, 'retry-after');
	const msg = String(at(answer.json, 'msg'));
	expectRefusal(t, answer, {
		status: '429 Too Many Requests',
		json: {result: 'error', msg, code: 'RATE_LIMIT_HIT', 'retry-after': seconds},
	});
	t.true(msg.startsWith('API usage exceeded rate limit'));
	t.true(typeof seconds === 'number' && seconds > 0 && seconds <= 60);
	t.is(answer.headers['retry-after'], String(seconds));
	t.is(answer.headers['x-ratelimit-limit'], '2000');
	t.is(answer.headers['x-ratelimit-remaining'], '0');
	t.regex(answer.headers['x-ratelimit-reset'] ?? '', /^\d{10}$/);
	expectSuccess(t, unauthenticated);
	expectSuccess(t, poll);
});

test('the realm takes calls again once the seconds it named are over', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	for (let call = 1; call <= 200; call += 1) {
		await alice.get('/api/v1/users/me');
	}

	const refusal = await alice.get('/api/v1/users/me');
	await advanceClock(realm, Math.ceil(Number(refusal.headers['retry-after']) * 1000));

	t.is(refusal.statusLine, 'HTTP/1.1 429 Too Many Requests');
	expectSuccess(t, await alice.get('/api/v1/users/me'));
});

test('the realm counts each account by itself', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	await (await signIn(t, 'alice', realm)).get('/api/v1/users/me');

	const answer = await callerOf(realm.url, bot).get('/api/v1/users/me');

	t.is(answer.headers['x-ratelimit-remaining'], '1999');
});

test('the realm counts the calls of an address without login, 100 in a minute', async t => {
	const realm = await openRealm(t);
	const {url} = realm;
	const ask = () =>
		sendLines(url, ['GET /api/v1/server_settings HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', '', '']);
	const first = await ask();
	for (let call = 2; call <= 100; call += 1) {
		await ask();
	}

	const answer = await ask();
	const loggedIn = await (await signIn(t, 'alice', realm)).get('/api/v1/users/me');
	await advanceClock(realm, 60_000);
	const later = await ask();

	t.is(first.headers['x-ratelimit-limit'], '100');
	t.is(first.headers['x-ratelimit-remaining'], '99');
	t.is(answer.statusLine, 'HTTP/1.1 429 Too Many Requests');
	t.is(at(answer.json, 'code'), 'RATE_LIMIT_HIT');
	t.is(answer.headers['x-ratelimit-limit'], '100');
	t.is(answer.headers['x-ratelimit-remaining'], '0');
	t.is(answer.headers['retry-after'], String(at(answer.json, 'retry-after')));
	expectSuccess(t, loggedIn);
	expectSuccess(t, later);
});

test('the realm reads the parameters of PATCH and DELETE from the query too', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	const id = at((await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x')).json, 'id');

	expectSuccess(t, await request(alice, realm.url, `PATCH /api/v1/messages/${id}?content=soup`));
	expectSuccess(t, await request(alice, realm.url, `DELETE /api/v1/events?queue_id=${at(json, 'queue_id')}`));

	t.is(at(await newestMessage(alice), 'content'), 'soup');
});

test('the realm names what it did not read, sorted, but never `client` and nothing in the path', async t => {
	const answer = await (await signIn(t)).get('/api/v1/users?zebra=1&client=x&ant=2&zebra=3');

	t.deepEqual(at(answer.json, 'ignored_parameters_unsupported'), ['ant', 'zebra']);
	const path = await (await signIn(t)).get('/api/v1/messages/1?message_id=7');
	t.false('ignored_parameters_unsupported' in Object(path.json));
});

test('the realm refuses a multipart body that is broken with 400', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const body = '--frontier\r\nnonsense';

	const answer = await sendLines(realm.url, [
		'POST /api/v1/messages HTTP/1.1',
		'Host: 127.0.0.1',
		alice.authorization,
		'Content-Type: multipart/form-data; boundary=frontier',
		`Content-Length: ${body.length}`,
		'Connection: close',
		'',
		body,
	]);

	expectRefusal(t, answer, badRequest('Malformed request'));
});

test('the realm calls a program by the parameter `client` before its user agent', async t => {
	const alice = await signIn(t);

	await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x&client=Kitchen', [
		'User-Agent: Bothy/1.2.3',
	]);

	t.is(at(await newestMessage(alice), 'client'), 'Kitchen');
});

test('the client throws an ApiError with the seconds to wait after 429', async t => {
	const {client} = await clientRefused(
		t,
		'429 Too Many Requests',
		'{"result":"error","msg":"API usage exceeded rate limit","code":"RATE_LIMIT_HIT","retry-after":28.706807374954224}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUsers()), {
		code: 'RATE_LIMIT_HIT',
		status: 429,
		reason: 'API usage exceeded rate limit',
		fields: {'retry-after': 28.706807374954224},
	});
});

test('the client survives a refusal without code', async t => {
	const {client} = await clientRefused(
		t,
		'405 Method Not Allowed',
		'{"result":"error","msg":"Method Not Allowed","allowed_methods":["GET","POST"]}\n',
	);

	t.deepEqual(await refusalOf(t, client.getUsers()), {
		code: 'HTTP_405',
		status: 405,
		reason: 'Method Not Allowed',
		fields: {allowed_methods: ['GET', 'POST']},
	});
});

test('the client takes fields that it does not know', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":"","id":1,"brand_new":{"a":[1]}}\n');

	const result = await client.sendMessage({type: 'direct', to: [1], content: 'x'});

	t.deepEqual(result.brand_new, {a: [1]});
});

test('the client tells which parameters the server ignored', async t => {
	const server = await startRawServer(
		t,
		httpAnswer('200 OK', '{"result":"success","msg":"","members":[],"ignored_parameters_unsupported":["user_ids"]}\n'),
	);
	const ignored: unknown[] = [];
	const client = createClient({
		site: server.url,
		email: 'echo-bot@chat.example.com',
		key: 'abcdefghijklmnopqrstuvwxyz012345',
		userAgent: 'Bothy/1.2.3',
		onIgnoredParameters: (operation, parameters) => ignored.push([operation, parameters]),
	});
	t.teardown(() => client.close());

	await client.getUsers({user_ids: [1]});

	t.deepEqual(ignored, [['getUsers', ['user_ids']]]);
});

test('the client speaks to a service below a path of its own', async t => {
	const server = await startRawServer(t, httpAnswer('200 OK', '{"result":"success","msg":"","members":[]}\n'));
	const client = createClient({
		site: `${server.url}/chat/`,
		email: 'echo-bot@chat.example.com',
		key: 'abcdefghijklmnopqrstuvwxyz012345',
		userAgent: 'Bothy/1.2.3',
	});
	t.teardown(() => client.close());

	await client.getUsers();

	t.is((await server.request()).line, 'GET /chat/api/v1/users HTTP/1.1');
});
