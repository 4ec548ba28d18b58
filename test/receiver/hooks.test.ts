// Who is let in: verified payloads, clients that guess, and requests of other systems.

import {createHmac} from 'node:crypto';
import test, {type ExecutionContext} from 'ava';
import {FULL_ANSWER, SILENCE} from '../../src/delivery/answers.js';
import {type Work, workRef, workText} from '../../src/delivery/work.js';
import {createReceiver} from '../../src/receiver/receiver.js';
import {createSlowDown} from '../../src/receiver/slow-down.js';
import {createTokenFinder, createTokenVerifier} from '../../src/receiver/verify.js';
import {listen} from './listen.js';

const SECRET = 'a secret of the hook';
const ACCOUNT = {
	name: 'realm:deploy',
	site: 'https://chat.example.com',
	email: 'deploy-bot@chat.example.com',
	tokens: ['t'.repeat(32)],
	perMinute: 20,
	hooks: [
		{path: '/git/push', verify: 'github', secret: SECRET} as const,
		{path: '/plain', verify: 'token', secret: SECRET} as const,
	],
};

async function startReceiver(t: ExecutionContext, answer = SILENCE) {
	const delivered: {id: string; work: Work}[] = [];
	let now = Date.parse('2026-11-21T10:59:00Z');
	const receiver = createReceiver({
		accounts: [ACCOUNT],
		async deliver({account, work}) {
			delivered.push({id: workRef(account, work).id, work});
			return {body: answer};
		},
		readiness: async () => ({missing: [], degraded: []}),
		report: error => t.fail(String(error)),
		now: () => now,
	});
	const port = await listen(t, receiver);
	return {
		delivered,
		pass(ms: number) {
			now += ms;
		},
		async post(path: string, body: string, headers: Record<string, string> = {}) {
			const response = await fetch(`http://127.0.0.1:${port}${path}`, {method: 'POST', body, headers});
			return {status: response.status, text: await response.text()};
		},
	};
}

const signed = (body: string, secret = SECRET) => ({
	'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

test('a request becomes a delivery without its secrets, known again by its ID or by its body', async t => {
	const {post, delivered, pass} = await startReceiver(t);
	const push = (more: Record<string, string>) =>
		post('/hooks/deploy/git/push?env=prod&token=x', 'body', {...signed('body'), cookie: 'c=1', ...more});

	t.deepEqual(await push({'x-github-delivery': '1', 'x-github-event': 'push'}), {
		status: 200,
		text: '{"result":"success","msg":""}',
	});
	await push({'x-github-delivery': '1', 'x-other': 'y'});
	await push({'x-github-delivery': '2'});
	await push({});
	await push({});
	pass(3_600_000);
	await push({});
	await post('/hooks/deploy/plain', 'body', {authorization: `Bearer ${SECRET}`});

	const ids = delivered.map(({id}) => id);
	t.is(ids[0], ids[1]);
	t.is(ids[3], ids[4]);
	t.is(new Set(ids).size, 5);
	t.like(delivered[0]?.work, {
		kind: 'http',
		request: {
			path: '/git/push',
			headers: {
				'content-type': 'text/plain;charset=UTF-8',
				'user-agent': 'node',
				'x-github-delivery': '1',
				'x-github-event': 'push',
			},
			query: {env: 'prod'},
			body: 'body',
			at: Date.parse('2026-11-21T10:59:00Z'),
		},
	});
	t.true(delivered.every(({work}) => !workText(work).includes(SECRET)));
});

test('all unverified requests get the same answer, and reach no bot', async t => {
	const {post, delivered} = await startReceiver(t);
	const refused = await Promise.all([
		post('/hooks/deploy/git/push', 'body', signed('other body')),
		post('/hooks/deploy/git/push', 'body', signed('body', 'nobody')),
		post('/hooks/deploy/git/push', 'body'),
		post('/hooks/deploy/git/pull', 'body', signed('body')),
		post('/hooks/deploy/plain', 'body', {authorization: 'Bearer '}),
		post('/hooks/nobody/git/push', 'body', signed('body', 'nobody')),
		post('/hooks/realm%3Adeploy/git/push', 'body', signed('body')),
	]);

	t.deepEqual([...new Set(refused.map(({status, text}) => `${status} ${text}`))], [`401 ${refused[0]?.text}`]);
	t.deepEqual(delivered, []);
});

test('a request has limits, and is refused for now if too many wait', async t => {
	const {post} = await startReceiver(t, FULL_ANSWER);
	const large = 'x'.repeat(256 * 1024 + 1);

	t.is((await post('/hooks/deploy/git/push', large, signed(large))).status, 413);
	t.is((await post('/hooks/deploy/git/push', 'x', {...signed('x'), 'content-encoding': 'gzip'})).status, 415);
	t.is((await post('/hooks/deploy/git/push', 'x', signed('x'))).status, 503);
	t.is((await post('/hooks/deploy', 'x', signed('x'))).status, 404);
});

const accounts = [{email: 'echo@x', tokens: ['tokentokentoken', 'another']}];

test('only the whole token verifies a payload', t => {
	const verifyToken = createTokenVerifier(accounts);

	t.is(verifyToken('echo@x', 'tokentokentoken'), accounts[0]);
	t.is(verifyToken('ECHO@x', 'another'), accounts[0]);
	for (const wrong of ['', 'tokentokentoke', 'tokentokentokenx', 'TOKENTOKENTOKEN', 'tokentokentoken\0', 'anothe']) {
		t.is(verifyToken('echo@x', wrong), undefined, JSON.stringify(wrong));
	}
});

test('an email that names a property of every object is unknown', t => {
	t.is(createTokenVerifier(accounts)('__proto__', 'x'), undefined);
	t.is(createTokenVerifier(accounts)('constructor', 'x'), undefined);
});

test('the search for a token reads a text like a parser', t => {
	const holdsToken = createTokenFinder(accounts);

	for (const text of [
		'{"token": "another"}',
		'{"token":"x","token" : "tokentokentoken"}',
		'{"token": "\\u0061nother"}',
	]) {
		t.true(holdsToken(Buffer.from(text)), text);
	}

	for (const text of [
		'{"token": "anothe"}',
		'{"data": "another"}',
		'{"data": "\\"token\\": \\"another\\""}',
		'{"token": "',
	]) {
		t.false(holdsToken(Buffer.from(text)), text);
	}

	t.false(holdsToken(Buffer.from(`{${'"token": "x", '.repeat(100)}"token": "another"}`)));
});

function failOften(slowDown: ReturnType<typeof createSlowDown>) {
	for (let count = 0; count < 20; count++) {
		slowDown('10.0.0.1', 'echo@x');
	}
}

test('the first failures cost nothing, and each further one costs more, up to a limit', t => {
	const slowDown = createSlowDown(() => 0);

	const waits = Array.from({length: 60}, () => slowDown('10.0.0.1', 'echo@x'));

	t.deepEqual(waits.slice(0, 7), [0, 0, 0, 0, 0, 100, 200]);
	t.is(waits.at(-1), 3000);
});

test('each address and each bot has its own count', t => {
	const slowDown = createSlowDown(() => 0);
	failOften(slowDown);

	t.is(slowDown('10.0.0.2', 'echo@x'), 0);
	t.is(slowDown('10.0.0.1', 'dice@x'), 0);
	t.true(slowDown('10.0.0.1', 'ECHO@x') > 0);
});

test('failures are forgotten after ten quiet minutes', t => {
	let now = 0;
	const slowDown = createSlowDown(() => now);
	failOften(slowDown);

	now = 10 * 60_000;

	t.is(slowDown('10.0.0.1', 'echo@x'), 0);
});

test('a client that guesses with a new name each time does not fill the memory', t => {
	const slowDown = createSlowDown(() => 0);
	failOften(slowDown);

	for (let count = 0; count < 10_000; count++) {
		slowDown('10.0.0.1', `bot-${count}@x`);
	}

	t.is(slowDown('10.0.0.1', 'echo@x'), 0, 'the oldest is forgotten');
});
