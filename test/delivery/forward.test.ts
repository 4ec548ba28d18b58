// Deliveries that are passed on to a bot host elsewhere, over HTTP.

import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {ConfigError} from '../../src/config/error.js';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {ForwardError, type ForwardOptions, forward} from '../../src/delivery/forward.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {messageText} from '../../src/delivery/work.js';
import {assignBots, type BotAccount, type Dependencies, handleWith} from '../../src/host/bots.js';
import {createLog, type Log} from '../../src/log.js';
import {payload} from '../helpers/payload.js';
import {connectToRedis} from '../helpers/shared-redis.js';

interface Asked {
	readonly method: string | undefined;
	readonly url: string | undefined;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

type Answer = (response: ServerResponse) => unknown;

/** A bot host of the old kind, and the requests that it got. */
async function startOldHost(t: ExecutionContext, answer: Answer): Promise<{url: string; asked: Asked[]}> {
	const asked: Asked[] = [];
	const server = createServer(async (request, response) => {
		const {method, url, headers} = request;
		asked.push({method, url, headers, body: await text(request)});
		await answer(response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked};
}

const says =
	(body: string, status = 200): Answer =>
	response =>
		response.writeHead(status, {'content-type': 'text/html'}).end(body);

const options = (url: string, more: Partial<ForwardOptions> = {}): ForwardOptions => ({
	url,
	payload: payload(),
	userAgent: 'Bothy/1.2.3',
	signal: new AbortController().signal,
	...more,
});

test('the old host gets the payload exactly as the service posted it', async t => {
	const {url, asked} = await startOldHost(t, says('{}'));
	const posted = {...payload({text: 'Grüße 🎉'}), unknown_field: [1, {deep: null}]};

	await forward(options(`${url}hook?x=1`, {payload: posted}));

	t.is(asked.length, 1);
	t.like(asked[0], {method: 'POST', url: '/hook?x=1'});
	t.like(asked[0]?.headers, {'content-type': 'application/json', 'user-agent': 'Bothy/1.2.3'});
	t.is(asked[0]?.body, JSON.stringify(posted));
});

test('name and password of the URL become Basic auth, and no error contains them', async t => {
	const {url, asked} = await startOldHost(t, says('no', 403));

	const error = await t.throwsAsync(forward(options(url.replace('//', '//bot:s%40cret@'))), {
		instanceOf: ForwardError,
		message: /^Expected a JSON object from http:\/\/127\.0\.0\.1:\d+\/, found HTTP 403$/,
	});

	t.is(asked[0]?.headers.authorization, `Basic ${Buffer.from('bot:s@cret').toString('base64')}`);
	t.notRegex(String(error?.stack), /cret/);
});

for (const [body, expected] of [
	['{"content": "hi"}', 'hi'],
	['{"response_string": "old"}', 'old'],
	['{"response_string": "old", "content": "new"}', 'old'],
	['{"content": "hi", "widget_content": "{}"}', 'hi'],
	['{"content": 5}', '5'],
	['{"response_not_required": true, "content": "hi"}', undefined],
	['{"response_not_required": false, "content": "hi"}', 'hi'],
	['{}', undefined],
	['""', undefined],
	['{"content": " "}', undefined],
	['{"content": null}', undefined],
] as const) {
	test(`${body} means ${expected === undefined ? 'nothing to say' : `"${expected}"`}`, async t => {
		const {url} = await startOldHost(t, says(body));

		t.is((await forward(options(url)))?.text, expected);
	});
}

const refused = test.macro({
	async exec(t, answer: Answer, expected: RegExp, more: Partial<ForwardOptions> = {}) {
		const {url} = await startOldHost(t, answer);

		await t.throwsAsync(forward(options(url, more)), {instanceOf: ForwardError, message: expected});
	},
	title: (title = '') => `${title} is an error that says what was found`,
});

test('a 500', refused, says('{"content": "hi"}', 500), /found HTTP 500$/);
test('a redirect', refused, says('', 302), /found HTTP 302$/);
test('HTML', refused, says('<h1>Hello</h1>'), /found a body that is not JSON$/);
test('an empty body', refused, says(''), /found an empty body$/);
test('a list', refused, says('[]'), /found JSON that is a list$/);
test('null', refused, says('null'), /found JSON that is null$/);
test('another string', refused, says('"hi"'), /found JSON that is a string$/);
test('a huge body', refused, says(' '.repeat(2 ** 20 + 1)), /found more than 1048576 bytes$/);
test('a broken connection', refused, response => response.destroy(), /found no answer \(/);
test(
	'an answer that is cut',
	refused,
	response => {
		response.writeHead(200, {'content-length': 100}).write('{"content"');
		setImmediate(() => response.destroy());
	},
	/found no answer \(/,
);
test('silence', refused, () => {}, /found nothing within 50 ms$/, {timeoutMs: 50});

test('an old host that does not listen is an error', async t => {
	await t.throwsAsync(forward(options('http://127.0.0.1:1/')), {instanceOf: ForwardError, message: /\(ECONNREFUSED\)/});
});

test('a signal ends the wait with its own reason', async t => {
	const stop = new AbortController();
	const {url} = await startOldHost(t, () => stop.abort(new RangeError('over')));

	await t.throwsAsync(forward(options(url, {signal: stop.signal})), {instanceOf: RangeError, message: 'over'});
});

/** A forwarded delivery needs none of the dependencies of plugins. */
function dependencies(log: Log): Dependencies {
	const unused = () => {
		throw new Error('Expected nothing but forwarding');
	};
	return {
		log,
		schedules: {list: unused, cancel: unused, reschedule: unused, replace: unused},
		values: unused,
		questions: unused,
		sight: {of: unused},
		fetchOnce: unused,
		clientOf: unused,
		sent: unused,
	};
}

/** The receiver's path after the payload is verified, for an account whose bot runs at `url`. */
async function startHost(t: ExecutionContext, url: string, rules: {deadlineMs?: number} = {}) {
	const store = createRedisStore(await connectToRedis(t));
	const log = createLog({level: 'silent', pretty: false});
	const section = {
		name: 'old',
		email: 'echo-bot@chat.example.com',
		key: 'k',
		site: 'https://chat.example.com',
		tokens: ['TOKEN'],
		bot: 'old',
		forward: url,
	};
	const [assigned] = assignBots([section], {loaded: [], broken: []});
	if (!assigned) {
		throw new Error('Expected an account');
	}

	const account = {...assigned, deadlineMs: 600_000, ...rules};
	const deliveries = createDeliveries<BotAccount>({
		process: 'p',
		store,
		log,
		isDead: () => false,
		handle: handleWith(dependencies(log)),
		async enqueue() {},
	});
	t.teardown(() => deliveries.close(1_000));
	const text = messageText(JSON.stringify(payload({token: ''})));
	const arrived = {account, work: {kind: 'message', payload: payload()} as const, text};
	return {
		receive: async () => (await deliveries.receive({...arrived, arrivedAt: performance.now()})).body,
		entry: () => store.read(deliveryRef(account, payload())),
		account,
	};
}

test('a delivery is passed on once, and a repeat gets the recorded answer', async t => {
	const {url, asked} = await startOldHost(t, says('{"response_string": "from afar"}'));
	const {receive} = await startHost(t, url);

	t.is(await receive(), '{"content":"from afar"}');
	t.is(await receive(), '{"content":"from afar"}');
	t.is(asked.length, 1);
});

test("the old host's failure becomes a polite answer with a reference, and the ledger contains the reason", async t => {
	const {url} = await startOldHost(t, says('Traceback: secret', 500));
	const {receive, entry} = await startHost(t, url);

	const {content} = JSON.parse(await receive());
	const [, reference = 'none'] = /^Sorry, something went wrong here\. \(Reference: (\w+)\)$/.exec(content) ?? [];

	const error = (await entry())?.error ?? '';
	t.true(error.startsWith(`${reference} ForwardError: Expected a JSON object from ${url}, found HTTP 500`), error);
	t.notRegex(error, /Traceback/);
});

test('a worker posts an answer that comes after the deadline', async t => {
	let ask = (_response: ServerResponse) => {};
	const asked = new Promise<ServerResponse>(resolve => {
		ask = resolve;
	});
	const {url} = await startOldHost(t, response => ask(response));
	const {receive, entry} = await startHost(t, url, {deadlineMs: 100});

	t.is(await receive(), '{"response_not_required":true}');
	// A busy machine may call it only after the deadline.
	(await asked).end('{"content": "at last"}');
	for (let stored = await entry(); stored?.outbox.length !== 1; stored = await entry()) {
		await new Promise(setImmediate);
	}

	t.like((await entry())?.outbox[0], {kind: 'reply', text: 'at last', state: 'waiting'});
});

test('a background delivery sends the old host the token that the stored payload lacks', async t => {
	const {url, asked} = await startOldHost(t, says('{"content": "hi"}'));
	const {account} = await startHost(t, url);
	const said: string[] = [];

	await handleWith(dependencies(createLog({level: 'silent', pretty: false})))({
		account,
		work: {kind: 'message', payload: payload({token: ''})},
		session: undefined,
		run: {
			say: {
				async reply(reply) {
					said.push(reply);
					return '';
				},
				post: async () => {},
				edit: async () => {},
				send: async () => '',
				schedule: async () => '',
				repeat: async () => '',
				failed: reason => t.fail(reason),
			},
			signal: new AbortController().signal,
			writer: {ref: deliveryRef(account, payload()), run: 1},
			retry: step => step(),
		},
	});

	t.deepEqual(said, ['hi']);
	t.is(JSON.parse(asked[0]?.body ?? '').token, 'TOKEN');
});

test('a section with neither plugin nor forward prevents the start, and the error names both', t => {
	const section = {name: 'old', email: 'a@b', key: 'k', site: 'https://c', tokens: ['t'], bot: 'mybot.old'};

	t.throws(() => assignBots([section], {loaded: [], broken: []}), {
		instanceOf: ConfigError,
		message:
			/^\[old\]: expected a plugin `mybot\.old` .*`bot = <plugin or package>`.*`forward = <URL of your present bot host>`/,
	});
});
