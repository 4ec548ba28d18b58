import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {type Client, type ClientOptions, createClient} from '../../src/client/client.js';
import {ApiError, NetworkError, ResponseError} from '../../src/client/errors.js';

/** A client whose service does with each request what `answer` says. */
async function clientOf(
	t: ExecutionContext,
	answer: (socket: Socket) => void,
	options: Partial<ClientOptions> = {},
): Promise<Client> {
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.once('data', () => answer(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const client = createClient({
		site: `http://127.0.0.1:${port}/`,
		email: 'echo-bot@example.com',
		key: 'secretsecretsecretsecretsecretse',
		userAgent: 'Bothy/0.0.0',
		...options,
	});
	t.teardown(async () => {
		await client.close();
		for (const socket of sockets) {
			socket.destroy();
		}

		server.close();
	});
	return client;
}

const http = (status: string, body: string, headers = '') =>
	`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

const SUCCESS = http('200 OK', '{"result":"success","msg":"","id":42,"ignored_parameters_unsupported":["a"]}\n');
const hello = {type: 'channel', to: 'general', topic: 'x', content: 'hello'} as const;

test('a call gives back what the operation describes, and unknown fields pass', async t => {
	const client = await clientOf(t, socket => socket.end(SUCCESS));

	t.like(await client.sendMessage(hello), {id: 42});
});

test('parameters that the server ignored are told', async t => {
	const told: unknown[] = [];
	const client = await clientOf(t, socket => socket.end(SUCCESS), {
		onIgnoredParameters: (operation, parameters) => told.push(operation, parameters),
	});

	await client.sendMessage(hello);

	t.deepEqual(told, ['sendMessage', ['a']]);
});

test('a site below a path keeps its path', async t => {
	let request = '';
	const server = createServer(socket => {
		socket.once('data', data => {
			request = String(data);
			socket.end(SUCCESS);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const client = createClient({site: `http://127.0.0.1:${port}/chat/`, email: 'a', key: 'b', userAgent: 'Bothy/0'});
	t.teardown(async () => {
		await client.close();
		server.close();
	});

	await client.sendMessage(hello);

	t.regex(request, /^POST \/chat\/api\/v1\/messages HTTP\/1\.1\r\n/);
});

const refused = test.macro({
	async exec(t, answer: string, expected: object) {
		const client = await clientOf(t, socket => socket.end(answer));

		const error = await t.throwsAsync(client.sendMessage(hello), {instanceOf: ApiError});

		t.like(error, expected as Partial<ApiError>);
	},
	title: (title = '') => `${title} is an ApiError`,
});

test(
	'a refusal with code and fields',
	refused,
	http(
		'400 Bad Request',
		'{"result":"error","msg":"Channel \'x\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream":"x"}',
	),
	{code: 'STREAM_DOES_NOT_EXIST', status: 400, fields: {stream: 'x'}, reason: "Channel 'x' does not exist"},
);
test(
	'a refusal without code',
	refused,
	http('405 Method Not Allowed', '{"result":"error","msg":"Method Not Allowed"}'),
	{
		code: 'HTTP_405',
	},
);
test('a refusal in HTML', refused, http('404 Not Found', '<html>nothing</html>'), {
	code: 'HTTP_404',
	reason: 'Not Found',
});
test(
	'a 429 that names its wait in the body',
	refused,
	http(
		'429 Too Many Requests',
		'{"result":"error","code":"RATE_LIMIT_HIT","msg":"x","retry-after":28.7}',
		'retry-after: 30\r\n',
	),
	{code: 'RATE_LIMIT_HIT', retryAfterSeconds: 28.7},
);
test(
	'a 429 that names its wait in the header alone',
	refused,
	http('429 Too Many Requests', '{"result":"error","code":"RATE_LIMIT_HIT","msg":"x"}', 'retry-after: 1.5\r\n'),
	{retryAfterSeconds: 1.5},
);

const unreadable = test.macro({
	async exec(t, answer: string, expected: RegExp) {
		const client = await clientOf(t, socket => socket.end(answer));

		const error = await t.throwsAsync(client.sendMessage(hello), {instanceOf: ResponseError, message: expected});

		t.notRegex(String(error?.stack), /my secret/);
	},
	title: (title = '') => `${title} is a ResponseError that repeats none of it`,
});

test('HTML with 200', unreadable, http('200 OK', '<html>my secret</html>'), /expected a JSON object/);
test('HTML with 502', unreadable, http('502 Bad Gateway', '<html>my secret</html>'), /HTTP 502/);
test('cut JSON', unreadable, http('200 OK', '{"result":"success","my secret'), /expected a JSON object/);
test('a list', unreadable, http('200 OK', '["my secret"]'), /expected a JSON object/);
test(
	'a success without its fields',
	unreadable,
	http('200 OK', '{"result":"success","msg":"my secret"}'),
	/id: .*expected number/,
);
test(
	'a 500',
	unreadable,
	http('500 Oops', '{"result":"error","msg":"Internal server error"}'),
	/Internal server error/,
);

const broken = test.macro({
	async exec(t, answer: (socket: Socket) => void) {
		const client = await clientOf(t, answer, {timeoutMs: 300});

		await t.throwsAsync(client.sendMessage(hello), {instanceOf: NetworkError, message: /^No answer to sendMessage: /});
		await client.sendMessage(hello).catch((error: NetworkError) => t.true(error.mayHaveArrived));
	},
	title: (title = '') => `${title} is a NetworkError, and the call may have arrived`,
});

test('silence beyond the deadline', broken, () => {});
test('a connection that breaks', broken, socket => socket.destroy());
test('a body that breaks off', broken, socket => {
	socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"resul', () => socket.destroy());
});

test('a refused connection is a NetworkError, and the call certainly did not arrive', async t => {
	const client = createClient({site: 'http://127.0.0.1:1', email: 'a', key: 'b', userAgent: 'Bothy/0'});
	t.teardown(() => client.close());

	const error = await t.throwsAsync(client.getServerSettings(), {instanceOf: NetworkError});

	t.false(error?.mayHaveArrived);
});

test('a caller that aborts gets its own reason', async t => {
	const stop = new AbortController();
	const client = await clientOf(t, () => stop.abort(new Error('enough')));

	await t.throwsAsync(client.sendMessage(hello, {signal: stop.signal}), {message: 'enough'});
});

test('neither key nor text stands in an error', async t => {
	const client = await clientOf(t, socket => socket.destroy());

	const error = await t.throwsAsync(client.sendMessage({...hello, content: 'my secret'}));

	t.notRegex(JSON.stringify(error, Object.getOwnPropertyNames(error)), /secret/);
});

test('a parameter that the operation does not have is refused before the call', async t => {
	const client = await clientOf(t, () => t.fail('a request was made'));

	// @ts-expect-error: `text` is no parameter of sendMessage
	await t.throwsAsync(client.sendMessage({...hello, text: 'x'}), {message: 'sendMessage has no parameter `text`'});
});
