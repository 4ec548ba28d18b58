import {readFile} from 'node:fs/promises';
import test from 'ava';
import {type Operation, type OperationName, operations} from '../../src/api/index.js';
import {type Client, createClient} from '../../src/client/client.js';
import {ApiError, NetworkError, ResponseError} from '../../src/client/errors.js';
import {createLevel} from '../../src/client/level.js';
import {HANG_UP, httpAnswer} from '../wire/kit/raw-server.js';
import {HELLO, inTurn, openClient, openSocketClient, SENT} from './client-kit.js';

test('parameters that the server ignored are reported', async t => {
	const told: unknown[] = [];
	const {client} = await openClient(t, SENT, {
		onIgnoredParameters: (operation, parameters) => told.push(operation, parameters),
	});

	await client.sendMessage(HELLO);

	t.deepEqual(told, ['sendMessage', ['a']]);
});

test('a call names the delivery that causes it', async t => {
	const {client, server} = await openClient(t, SENT);

	await client.sendMessage(HELLO, {delivery: '12-0123456789ab'});

	t.is((await server.request()).headers['bothy-delivery'], '12-0123456789ab');
});

test('a site below a path keeps its path', async t => {
	const {client, server} = await openClient(t, SENT, {path: '/chat/'});

	await client.sendMessage(HELLO);

	t.is((await server.request()).line, 'POST /chat/api/v1/messages HTTP/1.1');
});

const refused = test.macro({
	async exec(t, answer: string, expected: object) {
		const {client} = await openClient(t, answer);

		const error = await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: ApiError});

		t.like(error, expected as Partial<ApiError>);
	},
	title: (title = '') => `${title} is an ApiError`,
});

const error = (fields: string) => `{"result":"error","msg":"no",${fields}}`;
test(
	'a refusal with code and fields',
	refused,
	httpAnswer('400 Bad Request', error('"code":"BRAND_NEW","stream":"x"')),
	{
		code: 'BRAND_NEW',
		status: 400,
		fields: {stream: 'x'},
		reason: 'no',
	},
);
test('a refusal without code', refused, httpAnswer('405 Method Not Allowed', '{"result":"error","msg":"no"}'), {
	code: 'HTTP_405',
});
test('a refusal in HTML', refused, httpAnswer('404 Not Found', '<html>nothing</html>'), {
	code: 'HTTP_404',
	reason: 'Not Found',
});
const limited = '"code":"RATE_LIMIT_HIT"';
test(
	'a 429 that names its wait in the body',
	refused,
	httpAnswer('429 Too Many Requests', error(`${limited},"retry-after":28.7`), ['Retry-After: 30']),
	{code: 'RATE_LIMIT_HIT', retryAfterSeconds: 28.7},
);
test(
	'a 429 that names its wait in the header alone',
	refused,
	httpAnswer('429 Too Many Requests', error(limited), ['Retry-After: 1.5']),
	{retryAfterSeconds: 1.5},
);
for (const [wait, seconds] of [
	['0', undefined],
	['-5', undefined],
	['1e-9', 0.05],
	['1e300', 3_600],
	['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
] as const) {
	test(
		`a 429 whose Retry-After is ${wait}`,
		refused,
		httpAnswer('429 Too Many Requests', error(limited), [`Retry-After: ${wait}`]),
		{retryAfterSeconds: seconds},
	);
}

test('a refused connection is a NetworkError, and the call certainly did not arrive', async t => {
	const client = createClient({site: 'http://127.0.0.1:1', email: 'a', key: 'b', userAgent: 'Bothy/0'});
	t.teardown(() => client.close());

	const error = await t.throwsAsync(client.getServerSettings(), {instanceOf: NetworkError});

	t.false(error?.mayHaveArrived);
});

test('a caller that aborts gets its own reason', async t => {
	const stop = new AbortController();
	const client = await openSocketClient(t, () => stop.abort(new Error('enough')));

	await t.throwsAsync(client.sendMessage(HELLO, {signal: stop.signal}), {message: 'enough'});
});

test('no error contains the key or the text', async t => {
	const client = await openSocketClient(t, socket => socket.destroy());

	const error = await t.throwsAsync(client.sendMessage({...HELLO, content: 'my secret'}));

	t.notRegex(JSON.stringify(error, Object.getOwnPropertyNames(error)), /secret|abcdefghijklmnop/);
});

test('a parameter that the operation does not have is refused before the call', async t => {
	const client = await openSocketClient(t, () => t.fail('a request was made'));

	// @ts-expect-error: `text` is no parameter of sendMessage
	await t.throwsAsync(client.sendMessage({...HELLO, text: 'x'}), {message: 'sendMessage has no parameter `text`'});
});

// Which calls the client retries, and which never.

const SUCCESS = httpAnswer('200 OK', '{"result":"success","msg":"","id":7,"members":[]}\n');
const UNAVAILABLE = httpAnswer('503 Service Unavailable', '<html>soon</html>');
const TOO_MANY = (seconds: number) =>
	httpAnswer(
		'429 Too Many Requests',
		`{"result":"error","msg":"x","code":"RATE_LIMIT_HIT","retry-after":${seconds}}\n`,
	);

test('a read that met a 503 and a broken connection is retried', async t => {
	const {client, server} = await openClient(t, inTurn(UNAVAILABLE, HANG_UP, SUCCESS));

	t.deepEqual((await client.getUsers()).members, []);

	t.is(server.count, 3);
	t.deepEqual(await server.request(3), await server.request(1));
});

test('a read that fails three times throws the last error', async t => {
	const {client, server} = await openClient(t, inTurn(HANG_UP, HANG_UP, UNAVAILABLE));

	await t.throwsAsync(client.getUsers(), {instanceOf: ResponseError, message: /HTTP 503/});

	t.is(server.count, 3);
});

for (const [name, answer, kind] of [
	['503', UNAVAILABLE, ResponseError],
	['broken connection', HANG_UP, NetworkError],
] as const) {
	test(`a message is sent once, and a ${name} is thrown`, async t => {
		const {client, server} = await openClient(t, inTurn(answer, SUCCESS));

		await t.throwsAsync(client.sendMessage(HELLO), {instanceOf: kind});

		t.is(server.count, 1);
	});
}

const READS = (Object.keys(operations) as OperationName[]).filter(
	name => operations[name].method === 'GET' && name !== 'getEvents',
);

/** Writes that have the same effect once and twice, by the specification. */
const HARMLESS: readonly OperationName[] = [
	'setTypingStatus',
	'updateUserTopic',
	'updateSubscriptionSettings',
	'addApnsToken',
	'addFcmToken',
	'serviceOutgoingWebhook',
	'zulipOutgoingWebhook',
	'deleteQueue',
	'updateSettings',
	'updateRealmUserSettingsDefaults',
	'updateStatus',
	'updateMessageFlags',
	'updateStorage',
	'updatePresence',
];

for (const name of Object.keys(operations) as OperationName[]) {
	const times = [...READS, ...HARMLESS].includes(name) ? 2 : 1;
	test(`without an answer ${name} is called ${times === 1 ? 'once' : 'again'}`, async t => {
		const {client, server} = await openClient(
			t,
			inTurn(HANG_UP, httpAnswer('400 Bad Request', '{"result":"error","msg":"no","code":"BAD_REQUEST"}\n')),
			{level: createLevel(1000)},
		);
		// Path parameters are required. Nothing else is checked.
		const parameters = Object.fromEntries(
			[...operations[name].path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, 1]),
		);
		const call = client[name] as (given: object) => Promise<unknown>;

		await t.throwsAsync(call(parameters), {instanceOf: times === 1 ? NetworkError : ApiError});

		t.is(server.count, times);
	});
}

test('a call that the service refused is not retried', async t => {
	const {client, server} = await openClient(t, inTurn(httpAnswer('404 Not Found', '<html>nothing</html>'), SUCCESS));

	await t.throwsAsync(client.getUsers(), {instanceOf: ApiError, code: 'HTTP_404'});

	t.is(server.count, 1);
});

test('no call is retried after its time', async t => {
	const {client, server} = await openClient(t, inTurn(UNAVAILABLE, SUCCESS));

	// Shorter than the delay before a retry. On a busy machine it is shorter than the first attempt too.
	await t.throwsAsync(client.getUsers({}, {timeoutMs: 90}));

	t.true(server.count <= 1);
});

test('a caller that aborts during the delay before a retry gets its own reason', async t => {
	const stop = new AbortController();
	const {client, server} = await openClient(t, inTurn(TOO_MANY(10), SUCCESS), {
		waits: true,
		pause: {remainingMs: () => 0, begin: () => stop.abort(new Error('enough'))},
	});

	await t.throwsAsync(client.getUsers({}, {signal: stop.signal}), {message: 'enough'});

	t.is(server.count, 1);
});

test('a 429 is thrown at once for callers that wait themselves', async t => {
	const paused: number[] = [];
	const {client, server} = await openClient(t, inTurn(TOO_MANY(0.05), SUCCESS), {
		pause: {remainingMs: () => 0, begin: ms => paused.push(ms)},
	});

	const error = await t.throwsAsync(client.getUsers(), {instanceOf: ApiError, code: 'RATE_LIMIT_HIT'});

	t.is(error?.retryAfterSeconds, 0.05);
	t.deepEqual(paused, [50]);
	t.is(server.count, 1);
});

for (const [what, call] of Object.entries<(client: Client) => Promise<unknown>>({
	'reads then': client => client.getUsers(),
	'sends then: nothing was done': client => client.sendMessage(HELLO),
})) {
	test(`a client that waits out a 429 ${what}`, async t => {
		const {client, server} = await openClient(t, inTurn(TOO_MANY(0.05), SUCCESS), {waits: true});
		const begin = performance.now();

		await call(client);

		t.true(performance.now() - begin >= 50);
		t.is(server.count, 2);
	});
}

test('a wait that is longer than the time for the call is not started', async t => {
	const {client} = await openClient(t, inTurn(TOO_MANY(61), SUCCESS), {waits: true});

	await t.throwsAsync(client.getUsers(), {instanceOf: ApiError, code: 'RATE_LIMIT_HIT'});
});

test('a client that waits also waits for a pause that another process recorded', async t => {
	const until = performance.now() + 60;
	const {client, server} = await openClient(t, SUCCESS, {
		waits: true,
		pause: {remainingMs: () => Math.max(0, until - performance.now()), begin() {}},
	});

	await client.getUsers();

	t.true(performance.now() >= until);
	t.is(server.count, 1);
});

// What editors show for `ctx.api`: the types of the built client have the words of each operation and parameter.

test('the built types document each operation and each of its parameters', async t => {
	const types = await readFile(new URL('../../src/client/client.d.ts', import.meta.url), 'utf8');
	const undocumented = Object.values<Operation>(operations).flatMap(({name, parameters}) => {
		const [method = ''] =
			new RegExp(`/\\*\\* [^\\n]+ \\*/\\n\\treadonly ${name}: [\\s\\S]*?Promise<`).exec(types) ?? [];
		const missing = Object.keys(parameters).filter(
			key => !new RegExp(`/\\*\\* [^\\n]+ \\*/\\n\\t\\t${key}\\??:`).test(method),
		);
		return method === '' ? [name] : missing.map(key => `${name} ${key}`);
	});

	t.deepEqual(undocumented, []);
});
