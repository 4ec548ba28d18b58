// What all operations have in common: methods, parameters, limits, and the errors that the client throws.

import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/client.js';
import {ResponseError} from '../../src/client/errors.js';
import {clientAnswered, clientOf, refusalOf} from './kit/raw-client.js';
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
	sendRequest,
	signIn,
} from './kit/raw-request.js';
import {httpAnswer, startRawServer} from './kit/raw-server.js';
import {like, story} from './kit/story.js';

/** Alice, and what she sends without a content type. */
async function startAlice(t: ExecutionContext) {
	const realm = await openRealm(t, {now: 1_800_000_000_000});
	const alice = await signIn(t, 'alice', realm);
	const ask = (line: string, headers: readonly string[] = [], body = '') =>
		sendRequest(realm.url, line, [alice.authorization, ...headers], body);
	return {realm, alice, ask};
}

test('the realm refuses an unknown method with 405, the methods allowed and no code', async t => {
	const {ask} = await startAlice(t);
	for (const [path, ...allowed] of [
		['/api/v1/messages', 'GET', 'POST'],
		['/api/v1/messages/1', 'GET'],
		['/api/v1/users', 'GET'],
		['/api/v1/streams', 'GET'],
		['/api/v1/users/me/1/topics', 'GET'],
		['/api/v1/register', 'POST'],
		['/api/v1/events', 'GET', 'DELETE'],
		['/api/v1/server_settings', 'GET'],
		['/api/v1/dev_list_users', 'GET'],
		['/api/v1/dev_fetch_api_key', 'POST'],
	]) {
		const answer = await ask(`PUT ${path}`);

		const found = [at(answer.json, 'allowed_methods')].flat();
		expectRefusal(t, answer, {
			status: '405 Method Not Allowed',
			json: {result: 'error', msg: 'Method Not Allowed', allowed_methods: found},
		});
		t.deepEqual(
			allowed.filter(method => !found.includes(method)),
			[],
			path,
		);
		t.false(found.includes('PUT'), path);
	}
});

test('the realm refuses an unknown method before it asks for a login', async t => {
	const {url} = await openRealm(t);

	t.is((await sendRequest(url, 'PUT /api/v1/messages')).statusLine, 'HTTP/1.1 405 Method Not Allowed');
});

test('the realm answers an unknown path with 404', async t => {
	const {alice} = await startAlice(t);

	t.is((await alice.get('/api/v1/nowhere')).statusLine, 'HTTP/1.1 404 Not Found');
});

test('the realm answers HEAD like GET without a body, and OPTIONS with 204 and the methods', async t => {
	const {ask} = await startAlice(t);

	const head = await ask('HEAD /api/v1/users/me');
	const options = await ask('OPTIONS /api/v1/messages');

	t.is(head.statusLine, 'HTTP/1.1 200 OK');
	t.is(head.headers['content-type']?.split(';')[0], 'application/json');
	t.is(head.body, '');
	t.is(options.statusLine, 'HTTP/1.1 204 No Content');
	t.regex(options.headers.allow ?? '', /\bGET\b.*\bPOST\b/);
});

test('the realm forbids caches to keep its answers', async t => {
	const {alice} = await startAlice(t);
	for (const path of ['/api/v1/users/me', '/api/v1/users?user_ids=x', '/api/v1/server_settings']) {
		const {headers} = await alice.get(path);

		t.regex(headers['cache-control'] ?? '', /no-store/, path);
		t.regex(headers['cache-control'] ?? '', /no-cache/, path);
	}
});

test('the realm lets the form field `method` replace the method of a POST', async t => {
	const {alice} = await startAlice(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	const queue = at(json, 'queue_id');

	expectSuccess(t, await alice.post('/api/v1/events', `method=DELETE&queue_id=${queue}`));

	t.is(at((await alice.delete('/api/v1/events', `queue_id=${queue}`)).json, 'code'), 'BAD_EVENT_QUEUE_ID');
});

test('the realm reads parameters from the query of any method, but prefers the body', async t => {
	const {alice, ask} = await startAlice(t);
	const contentAfter = async (answer: ReturnType<Caller['get']>) => {
		expectSuccess(t, await answer);
		return at(await newestMessage(alice), 'content');
	};
	const path = '/api/v1/messages?content=query&to=general&type=channel&topic=x';

	t.is(await contentAfter(alice.post(path, 'content=body')), 'body');
	t.is(await contentAfter(alice.post(path, '')), 'query');
	const id = at(await newestMessage(alice), 'id');
	t.is(await contentAfter(ask(`PATCH /api/v1/messages/${id}?content=soup`)), 'soup');
	const {json} = await alice.post('/api/v1/register?event_types=%5B%22message%22%5D', '');
	expectSuccess(t, await ask(`DELETE /api/v1/events?queue_id=${at(json, 'queue_id')}`));
});

test('the realm does not read the body of a GET', async t => {
	const {ask} = await startAlice(t);
	const form = ['Content-Type: application/x-www-form-urlencoded'];

	const inBody = await ask('GET /api/v1/users/me/subscriptions', form, 'include_subscribers=maybe');
	const inQuery = await ask('GET /api/v1/users/me/subscriptions?include_subscribers=maybe', form, 'x=1');

	expectSuccess(t, inBody);
	expectRefusal(t, inQuery, badRequest('include_subscribers is not valid JSON'));
});

const POST = 'POST /api/v1/messages';
const MULTIPART = ['Content-Type: multipart/form-data; boundary=frontier'];

test('the realm reads no parameters from a JSON body', async t => {
	const {ask} = await startAlice(t);
	const body = '{"content":"x","type":"channel","to":"general","topic":"x"}';

	expectRefusal(t, await ask(POST, ['Content-Type: application/json'], body), missing('content'));
});

test('the realm reads parameters from multipart/form-data, and refuses a broken body', async t => {
	const {alice, ask} = await startAlice(t);
	const parts = [
		['type', 'channel'],
		['to', 'general'],
		['topic', 'x'],
		['content', 'a & b'],
	].map(([name, value]) => `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

	expectSuccess(t, await ask(POST, MULTIPART, `${parts.join('')}--frontier--\r\n`));
	const broken = await ask(POST, MULTIPART, '--frontier\r\nnonsense');

	t.is(at(await newestMessage(alice), 'content'), 'a & b');
	expectRefusal(t, broken, badRequest('Malformed request'));
});

story('envelope', 'the realm names what it did not read, sorted, but never `client` and nothing in the path', [
	['alice GET /api/v1/users?zebra=1&client=x&ant=2&zebra=3', like({ignored_parameters_unsupported: ['ant', 'zebra']})],
	async (t, {send}) => {
		const {json} = await send('alice GET /api/v1/messages/1?message_id=7');
		t.deepEqual(Object.keys(Object(json)).sort(), ['message', 'msg', 'raw_content', 'result']);
	},
]);

test('the realm calls a program by the parameter `client` before its user agent', async t => {
	const {alice} = await startAlice(t);

	await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x&client=Kitchen', [
		'User-Agent: Bothy/1.2.3',
	]);

	t.is(at(await newestMessage(alice), 'client'), 'Kitchen');
});

test('the realm counts the calls of each account by itself in the headers', async t => {
	const {realm, alice} = await startAlice(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});

	const first = await alice.get('/api/v1/users/me');
	const second = await alice.get('/api/v1/users/me');
	const other = await callerOf(realm.url, bot).get('/api/v1/users/me');

	t.is(first.headers['x-ratelimit-limit'], '2000');
	t.is(first.headers['x-ratelimit-remaining'], '1999');
	t.is(second.headers['x-ratelimit-remaining'], '1998');
	t.is(other.headers['x-ratelimit-remaining'], '1999');
	t.regex(first.headers['x-ratelimit-reset'] ?? '', /^\d{10}$/);
});

test('the realm refuses the 201st call in a minute before it looks at parameters; event polls count apart', async t => {
	const {realm, alice} = await startAlice(t);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	for (let call = 2; call <= 200; call += 1) {
		await alice.get('/api/v1/users/me');
	}

	const answer = await alice.post('/api/v1/messages', '');
	const unauthenticated = await alice.get('/api/v1/server_settings');
	const poll = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);

	const seconds = Number(at(answer.json, 'retry-after'));
	const msg = String(at(answer.json, 'msg'));
	expectRefusal(t, answer, {
		status: '429 Too Many Requests',
		json: {result: 'error', msg, code: 'RATE_LIMIT_HIT', 'retry-after': seconds},
	});
	t.true(msg.startsWith('API usage exceeded rate limit'));
	t.true(seconds > 0 && seconds <= 60);
	t.is(answer.headers['retry-after'], String(seconds));
	t.is(answer.headers['x-ratelimit-limit'], '2000');
	t.is(answer.headers['x-ratelimit-remaining'], '0');
	t.regex(answer.headers['x-ratelimit-reset'] ?? '', /^\d{10}$/);
	expectSuccess(t, unauthenticated);
	expectSuccess(t, poll);

	await advanceClock(realm, Math.ceil(seconds * 1000));
	expectSuccess(t, await alice.get('/api/v1/users/me'));
});

test('the realm counts the calls of an address without login, 100 in a minute', async t => {
	const realm = await openRealm(t, {now: 1_800_000_000_000});
	const ask = () => sendRequest(realm.url, 'GET /api/v1/server_settings');
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

const HTML = '<html>secret</html>';
const HELLO = {type: 'channel', to: 'general', topic: 'x', content: 'hello'} as const;

/** The codes of spec.md, "Errors", and service-facts.md 1.3, with the fields that they bring. */
const refusals: ReadonlyArray<readonly [status: string, code: string, fields?: string]> = [
	['400 Bad Request', 'BAD_REQUEST'],
	['400 Bad Request', 'BAD_REQUEST', '"parameters":["a","b"]'],
	['400 Bad Request', 'BAD_REQUEST', '"empty_topic_display_name":"general chat"'],
	['403 Forbidden', 'BAD_REQUEST'],
	['404 Not Found', 'BAD_REQUEST'],
	['200 OK', 'BAD_REQUEST'],
	['400 Bad Request', 'REQUEST_VARIABLE_MISSING', '"var_name":"to"'],
	['400 Bad Request', 'REQUEST_VARIABLE_INVALID', '"var_name":"to","bad_value":"x"'],
	['400 Bad Request', 'REQUEST_CONFUSING_VAR', '"var_name1":"topic","var_name2":"subject"'],
	['400 Bad Request', 'INVALID_JSON'],
	['401 Unauthorized', 'UNAUTHORIZED'],
	['401 Unauthorized', 'INVALID_API_KEY'],
	['401 Unauthorized', 'UNAUTHENTICATED_USER'],
	['401 Unauthorized', 'AUTHENTICATION_FAILED'],
	['401 Unauthorized', 'USER_DEACTIVATED'],
	['401 Unauthorized', 'REALM_DEACTIVATED'],
	['401 Unauthorized', 'PASSWORD_AUTH_DISABLED'],
	['401 Unauthorized', 'PASSWORD_RESET_REQUIRED'],
	['400 Bad Request', 'UNAUTHORIZED_PRINCIPAL'],
	['400 Bad Request', 'UNAUTHORIZED_PRINCIPAL', '"principal":"bob@chat.example.com"'],
	['400 Bad Request', 'UNAUTHORIZED_PRINCIPAL', '"principal":10'],
	['404 Not Found', 'NONEXISTENT_SUBDOMAIN'],
	['429 Too Many Requests', 'RATE_LIMIT_HIT', '"retry-after":28.706807374954224'],
	['400 Bad Request', 'STREAM_DOES_NOT_EXIST', '"stream":"soup"'],
	['400 Bad Request', 'STREAM_DOES_NOT_EXIST', '"stream_id":9'],
	['400 Bad Request', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
	['400 Bad Request', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
	['400 Bad Request', 'BAD_EVENT_QUEUE_ID', '"queue_id":"1517975029:0"'],
	['400 Bad Request', 'BAD_NARROW', '"desc":"unknown channel soup"'],
	['400 Bad Request', 'REACTION_ALREADY_EXISTS'],
	['400 Bad Request', 'REACTION_DOES_NOT_EXIST'],
	[
		'400 Bad Request',
		'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
		'"first_message_id_allowed_to_move":7,"total_messages_in_topic":9,"total_messages_allowed_to_move":3',
	],
	['400 Bad Request', 'EXPECTATION_MISMATCH'],
	['400 Bad Request', 'EXPECTATION_MISMATCH', '"field_name":"can_leave_group"'],
	['400 Bad Request', 'CANNOT_DEACTIVATE_LAST_USER', '"is_last_owner":true,"entity":"organization owner"'],
	['400 Bad Request', 'CANNOT_DEACTIVATE_GROUP_IN_USE', '"objections":[{"type":"subgroup","supergroup_ids":[7]}]'],
	['400 Bad Request', 'SYSTEM_GROUP_REQUIRED', '"setting_name":"can_access_all_users_group"'],
	['409 Conflict', 'CHANNEL_ALREADY_EXISTS', '"channel_name":"soup"'],
	['400 Bad Request', 'INVALID_PUSH_DEVICE_TOKEN'],
	['400 Bad Request', 'PUSH_SERVICE_NOT_CONFIGURED'],
	['400 Bad Request', 'NO_ACTIVE_PUSH_DEVICE'],
	['400 Bad Request', 'ADMIN_ACTION_REQUIRED'],
	['400 Bad Request', 'BAD_IMAGE'],
	['400 Bad Request', 'REALM_UPLOAD_QUOTA'],
	['403 Forbidden', 'CSRF_FAILED', '"reason":"no cookie"'],
	['418 Teapot', 'BRAND_NEW', '"leaves":3,"__proto__":1'],
];

for (const [status, code, fields = ''] of refusals) {
	test(`the client throws the refusal ${status} ${code} ${fields}`, async t => {
		const body = `{"result":"error","msg":"Geht nicht, Jörg","code":"${code}"${fields && ','}${fields}}\n`;
		const {client, server} = await clientOf(t, httpAnswer(status, body));

		const {fields: found, ...refusal} = await refusalOf(t, client.sendMessage(HELLO));

		t.deepEqual(refusal, {code, status: Number(status.slice(0, 3)), reason: 'Geht nicht, Jörg'});
		t.deepEqual(Object.entries(found ?? {}), Object.entries(JSON.parse(`{${fields}}`)));
		t.is(server.count, 1);
	});
}

for (const [what, answer, expected] of [
	[
		'a 405 without code',
		httpAnswer(
			'405 Method Not Allowed',
			'{"result":"error","msg":"Method Not Allowed","allowed_methods":["GET","POST"]}\n',
		),
		{code: 'HTTP_405', status: 405, reason: 'Method Not Allowed', fields: {allowed_methods: ['GET', 'POST']}},
	],
	[
		'a 404 that is no JSON',
		httpAnswer('404 Not Found', HTML),
		{code: 'HTTP_404', status: 404, reason: 'Not Found', fields: {}},
	],
	[
		'a 429 that is no JSON',
		httpAnswer('429 Too Many Requests', 'slow down', ['Retry-After: 3']),
		{code: 'HTTP_429', status: 429, reason: 'Too Many Requests', fields: {'retry-after': 3}},
	],
	[
		'a 400 without body',
		httpAnswer('400 Bad Request', ''),
		{code: 'HTTP_400', status: 400, reason: 'Bad Request', fields: {}},
	],
	[
		'a refusal without its field of another type than the code says, but with the new one',
		httpAnswer(
			'400 Bad Request',
			'{"result":"error","msg":"Bad event queue ID: 5","code":"BAD_EVENT_QUEUE_ID","queue_id":5,"new":[1]}\n',
		),
		{code: 'BAD_EVENT_QUEUE_ID', status: 400, reason: 'Bad event queue ID: 5', fields: {new: [1]}},
	],
] as const) {
	test(`the client throws ${what}`, async t => {
		const {client} = await clientOf(t, answer);

		t.deepEqual<unknown, unknown>(await refusalOf(t, client.sendMessage(HELLO)), expected);
	});
}

const failure = (status: string, code = '') => httpAnswer(status, `{"result":"error","msg":"Oh no"${code}}\n`);
const NO_OBJECT = 'expected a JSON object, found something else';

for (const [what, answer, status, detail] of [
	['HTML with 200', httpAnswer('200 OK', HTML), 200, NO_OBJECT],
	['JSON that is cut short', httpAnswer('200 OK', '{"result":"success","secr'), 200, NO_OBJECT],
	['a JSON list', httpAnswer('200 OK', '["secret"]'), 200, NO_OBJECT],
	['JSON null', httpAnswer('200 OK', 'null'), 200, NO_OBJECT],
	['an empty body', httpAnswer('200 OK', ''), 200, 'expected a JSON object, found nothing'],
	['a 204 without body', 'HTTP/1.1 204 No Content\r\n\r\n', 204, 'expected a JSON object, found nothing'],
	[
		'a success without what it promises',
		httpAnswer('200 OK', '{"result":"success","msg":"","secret":1}'),
		200,
		'id: Invalid input: expected number, received undefined',
	],
	['HTML with 500', httpAnswer('500 Internal Server Error', HTML), 500, 'the server failed'],
	['HTML with 502', httpAnswer('502 Bad Gateway', HTML), 502, 'the server failed'],
	['HTML with 503', httpAnswer('503 Service Unavailable', HTML), 503, 'the server failed'],
	['HTML with 504', httpAnswer('504 Gateway Timeout', HTML), 504, 'the server failed'],
	['a 500 without code', failure('500 Internal Server Error'), 500, 'Oh no'],
	['SERVER_NOT_READY', failure('500 Internal Server Error', ',"code":"SERVER_NOT_READY"'), 500, 'Oh no'],
	['FAILED_TO_CONNECT_BOUNCER', failure('502 Bad Gateway', ',"code":"FAILED_TO_CONNECT_BOUNCER"'), 502, 'Oh no'],
	[
		'INTERNAL_SERVER_ERROR_ON_BOUNCER',
		failure('502 Bad Gateway', ',"code":"INTERNAL_SERVER_ERROR_ON_BOUNCER"'),
		502,
		'Oh no',
	],
	[
		'a redirect',
		httpAnswer('301 Moved Permanently', '', ['Location: https://chat.example.com/login?secret']),
		301,
		'expected an answer, found a redirect to https://chat.example.com',
	],
	[
		'a redirect to nowhere',
		httpAnswer('302 Found', '{"result":"success","msg":"","id":1}'),
		302,
		'expected an answer, found a redirect',
	],
	[
		'an answer that says how long it is, and is too long',
		'HTTP/1.1 200 OK\r\nContent-Length: 67108865\r\n\r\n{',
		200,
		'more than 67108864 bytes',
	],
] as const) {
	test(`the client throws a ResponseError for ${what}, and repeats none of it`, async t => {
		const {client, server} = await clientOf(t, answer);

		const error = await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: ResponseError});

		t.like(error, {operation: 'sendMessage', status, detail});
		t.notRegex(String(error?.stack), /secret/);
		t.is(server.count, 1);
	});
}

test('the client takes fields that it does not know', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":"","id":1,"brand_new":{"a":[1]}}\n');

	const result = await client.sendMessage({type: 'direct', to: [1], content: 'x'});

	t.deepEqual(result.brand_new, {a: [1]});
});

test('the client calls a service below a path, and reports which parameters the server ignored', async t => {
	const server = await startRawServer(
		t,
		httpAnswer('200 OK', '{"result":"success","msg":"","members":[],"ignored_parameters_unsupported":["user_ids"]}\n'),
	);
	const ignored: unknown[] = [];
	const client = createClient({
		site: `${server.url}/chat/`,
		email: 'echo-bot@chat.example.com',
		key: 'abcdefghijklmnopqrstuvwxyz012345',
		userAgent: 'Bothy/1.2.3',
		onIgnoredParameters: (operation, parameters) => ignored.push([operation, parameters]),
	});
	t.teardown(() => client.close());

	await client.getUsers();

	t.is((await server.request()).line, 'GET /chat/api/v1/users HTTP/1.1');
	t.deepEqual(ignored, [['getUsers', ['user_ids']]]);
});
