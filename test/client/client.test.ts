import test from 'ava';
import {createClient} from '../../src/client/client.js';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import {httpAnswer} from '../wire/raw-server.js';
import {HELLO, openClient, openSocketClient, SENT} from './client-kit.js';

test('parameters that the server ignored are reported', async t => {
	const told: unknown[] = [];
	const {client} = await openClient(t, SENT, {
		onIgnoredParameters: (operation, parameters) => told.push(operation, parameters),
	});

	await client.sendMessage(HELLO);

	t.deepEqual(told, ['sendMessage', ['a']]);
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
