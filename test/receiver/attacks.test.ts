// Requests to the receiver from clients that know no token, or that attack it.

import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {connect} from 'node:net';
import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test, {type ExecutionContext} from 'ava';
import {readWork, type Work} from '../../src/delivery/work.js';
import {createReceiver} from '../../src/receiver/receiver.js';
import {countRefusals} from '../../src/receiver/refusals.js';
import {seldom} from '../../src/receiver/seldom.js';
import {endConnection, limitUnanswered} from '../../src/receiver/unanswered.js';
import {payload} from '../helpers/payload.js';
import {until} from '../helpers/until.js';
import {listen} from './listen.js';

const TOKEN = 'correctcorrectcorrectcorrectcorr';

interface Options {
	readonly tokens?: readonly string[];
	deliver?(): Promise<{body: string}>;
}

async function startReceiver(t: ExecutionContext, {tokens = [TOKEN], deliver}: Options = {}) {
	const delivered: {work: Work; text?: string}[] = [];
	const refused: object[] = [];
	const server = createReceiver({
		accounts: [{email: 'echo-bot@chat.example.com', tokens}],
		async deliver(arrival) {
			delivered.push(arrival);
			return deliver ? deliver() : {body: '{}'};
		},
		readiness: async () => ({missing: [], degraded: []}),
		report: error => t.fail(String(error)),
		refused: refusal => refused.push(refusal),
	});
	const port = await listen(t, server);
	const post = (body: string) =>
		fetch(`http://127.0.0.1:${port}/webhook`, {method: 'POST', headers: {'content-type': 'application/json'}, body});
	return {server, port, post, delivered, refused};
}

test('an empty token is refused, even if the config has one', async t => {
	const {post, delivered, refused} = await startReceiver(t, {tokens: ['']});

	t.is((await post(JSON.stringify(payload({token: ''})))).status, 401);
	t.deepEqual(delivered, []);
	t.like(refused, [{bot: 'echo-bot@chat.example.com'}]);
});

test('an email longer than the maximum is refused before any look-up', async t => {
	const {post, refused} = await startReceiver(t);

	t.is((await post(JSON.stringify(payload({botEmail: `${'x'.repeat(900_000)}@example.com`})))).status, 400);
	t.deepEqual(refused, []);
});

test('everything that a service posts is handled as a message', async t => {
	const {post, delivered} = await startReceiver(t);

	await post(JSON.stringify({...payload({trigger: 'cron'}), kind: 'cron', handler: 'daily', planned: 1}));

	t.deepEqual(
		delivered.map(({work: {kind}, text = ''}) => [kind, readWork(text).kind]),
		[['message', 'message']],
	);
});

test('a stored payload does not contain its token, in any encoding', async t => {
	const {post, delivered} = await startReceiver(t);
	const plain = JSON.stringify(payload());
	const escaped = plain.replace(TOKEN, `\\u0063${TOKEN.slice(1)}`);
	const twice = plain.replace('{', `{"token":"\\u0063${TOKEN.slice(1)}",`);

	for (const body of [plain, escaped, twice]) {
		t.is((await post(body)).status, 200);
	}

	for (const {text = ''} of delivered) {
		t.is(JSON.parse(text).payload.token, '');
		t.notRegex(text, /orrectcorrect/);
	}
});

test('a connection that sends requests and reads no answers is closed after a few', async t => {
	const {port} = await startReceiver(t);
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => {});
	socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
	let answers = '';
	socket.on('data', chunk => {
		answers += chunk;
	});
	// Reset, not ended.
	await new Promise(resolve => socket.once('close', resolve));

	t.true(answers.split('HTTP/1.1 200').length - 1 <= 16);
});

test('requests over the limit of a connection are not parsed', async t => {
	const [limits, handle] = limitUnanswered((_, response) => response.end());
	const server = createServer(limits, handle).on('upgrade', endConnection);
	let parsed = 0;
	server.on('request', () => {
		parsed += 1;
	});
	const port = await listen(t, server);
	for (const [sent, expected] of [
		[16, 16],
		[2_000, 32],
	] as const) {
		const socket = connect(port, '127.0.0.1').resume();
		socket.on('error', () => {});
		socket.write(
			`${'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(sent - 1)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
		);
		await once(socket, 'close');
		t.is(parsed, expected);
	}
});

test('a request that asks for another protocol is answered like any other', async t => {
	const {port} = await startReceiver(t);
	const {socket} = open(port);
	socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');

	t.regex(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
});

test('the first refused webhook is reported at once, the others with their counts', t => {
	const reports: (readonly {readonly address: string; readonly bot: string; readonly count: number}[])[] = [];
	const refusals = countRefusals(60_000, refused => reports.push(refused));
	for (let n = 0; n < 100; n++) {
		refusals.note({address: '10.0.0.1', bot: `bot-${n}@example.com`});
	}

	t.deepEqual(reports, [[{address: '10.0.0.1', bot: 'bot-0@example.com', count: 1}]]);
	refusals.close();
	t.is(reports.length, 2);
	const [, refused = []] = reports;
	t.is(refused.length, 21);
	t.is(refused.at(-1)?.count, 79);
});

/** A connection whose answers a test can read one by one. */
function open(port: number) {
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => {});
	socket.setEncoding('utf8').resume();
	return {
		socket,
		closed: new Promise<void>(resolve => socket.once('close', () => resolve())),
		async ask(): Promise<string> {
			socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
			const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
			return String(answer[0]);
		},
	};
}

test('a connection that is idle when a drain begins is answered once more', async t => {
	const {server, port} = await startReceiver(t);
	const {ask, closed} = open(port);
	t.regex(await ask(), /Connection: keep-alive/);

	const drained = server.drain(60_000);

	t.regex(await ask(), /^HTTP\/1.1 200.*Connection: close/s);
	await Promise.all([closed, drained]);
});

/** Blocks the event loop until the system has connected so many clients. Only Linux may take a while. */
function waitForSystem(port: number, count: number) {
	const connected = new RegExp(`^ *\\d+: \\S+:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ 01 `, 'gm');
	while (process.platform === 'linux' && readFileSync('/proc/net/tcp', 'utf8').match(connected)?.length !== count) {}
}

test('connections that nobody has accepted when a drain begins are answered', async t => {
	const {server, port} = await startReceiver(t);
	const clients = Array.from({length: 10}, () => open(port));
	const answers = clients.map(({ask}) => ask());
	await new Promise(process.nextTick);
	waitForSystem(port, clients.length);

	const drained = server.drain(60_000);

	for (const answer of await Promise.all(answers)) {
		t.regex(answer, /^HTTP\/1.1 200.*Connection: close/s);
	}

	await Promise.all([...clients.map(({closed}) => closed), drained]);
});

test('an answer from a receiver that drains asks the client to close the connection', async t => {
	const {server, port} = await startReceiver(t, {
		deliver: async () => {
			void server.drain(60_000);
			return {body: '{}'};
		},
	});
	const {socket, closed} = open(port);
	const body = JSON.stringify(payload());
	socket.write(
		`POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
	const [answer] = await once(socket, 'data');

	t.regex(String(answer), /^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
	await closed;
});

test('slow or silent connections do not delay a drain', async t => {
	const {server, port} = await startReceiver(t);
	const silent = open(port);
	const trickling = open(port);
	trickling.socket.write('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
	await once(server, 'request');

	await server.drain(20);

	await Promise.all([silent.closed, trickling.closed]);
	t.true(silent.socket.destroyed && trickling.socket.destroyed);
});

test('if too many bodies are withheld, those under way for longest are ended', async t => {
	const {port} = await startReceiver(t);
	const withheld = Array.from({length: 70}, () => open(port));
	for (const {socket} of withheld) {
		socket.write(
			'POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{',
		);
	}

	await withheld[0]?.closed;
	await withheld[5]?.closed;

	t.false(withheld.at(-1)?.socket.closed);
});

test('an invalid path is refused, and not reported', async t => {
	const {port} = await startReceiver(t);
	const {socket} = open(port);
	socket.write('POST http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n');

	const [answer] = await once(socket, 'data');

	t.regex(String(answer), /^HTTP\/1.1 400 /);
});

test('a delayed refusal holds no body', async t => {
	const {port, refused} = await startReceiver(t);
	const refuse = async (count: number, body: string) => {
		const until = refused.length + count;
		const head = `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
		const request = Buffer.from(`${head}\r\n\r\n${body}`);
		for (let n = 0; n < count; n++) {
			open(port).socket.write(request);
		}

		while (refused.length < until) {
			await setImmediate();
		}
	};
	// From here on each of them is delayed by seconds.
	await refuse(40, JSON.stringify(payload({token: 'wrong'})));
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	collect();
	const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
	const before = held();

	await refuse(20, JSON.stringify({...payload({token: 'wrong'}), filler: Array.from({length: 300_000}, () => [])}));
	// The last of them may still be read. A few turns are much less than their delay.
	const areFreed = () => held() - before < 10 * 1024 * 1024;
	for (let turn = 0; turn < 20 && !areFreed(); turn++) {
		await setImmediate();
		collect();
	}

	t.true(areFreed());
});

test('while many refusals are delayed, further ones are not, and say so', async t => {
	const {port, post, refused} = await startReceiver(t);
	const body = JSON.stringify(payload({token: 'wrong'}));
	const head = `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
	const answers: string[] = [];
	const isRefusedAtOnce = () => answers.some(answer => answer.startsWith('HTTP/1.1 429 '));
	// A delay is at most three seconds, so a slow machine needs more of them.
	for (let sent = 0; sent < 2_000 && !isRefusedAtOnce(); sent += 50) {
		for (let n = 0; n < 50; n++) {
			const {socket} = open(port);
			socket.on('data', data => answers.push(String(data)));
			socket.write(`${head}\r\n\r\n${body}`);
		}

		await until(async () => refused.length >= sent + 50);
		await setImmediate();
	}

	t.true(isRefusedAtOnce());
	t.true(refused.length > 200);
	const correct = await post(JSON.stringify(payload({token: TOKEN})));
	t.is(correct.status, 200, 'a verified payload is never delayed');
});

test('a connection that is reset in the middle of a request is forgotten', async t => {
	const {port, server} = await startReceiver(t);
	const {socket} = open(port);
	const [connection] = await Promise.all([once(server, 'connection').then(([one]) => one), once(socket, 'connect')]);
	socket.write('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Le');
	await until(async () => connection.bytesRead > 0);

	socket.resetAndDestroy();
	await until(async () => connection.closed);

	t.is(connection.bytesWritten, 0);
});

test('memory of requests is freed if their connection closes before the answer', async t => {
	const {server, port} = await startReceiver(t);
	const responses: WeakRef<object>[] = [];
	server.prependListener('request', (_request, response) => responses.push(new WeakRef(response)));
	const {socket, closed} = open(port);
	socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
	await closed;

	t.is(responses.length, 16);
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const areGone = async () => {
		await setImmediate();
		collect();
		return responses.every(response => response.deref() === undefined);
	};
	t.true(await until(areGone, {withinMs: 30_000}));
});

test('a check that any client may trigger reaches Redis once a second', async t => {
	let now = 0;
	let asked = 0;
	const ask = seldom(
		1_000,
		async () => ++asked,
		() => now,
	);

	t.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
	now = 999;
	t.is(await ask(), 1);
	now = 1_000;
	t.is(await ask(), 2);
});
