// `bothy web` and `bothy worker` while Redis is not up yet, or no longer up: real processes, and a real Redis that is
// down or frozen. A frozen Redis accepts connections and never answers.

import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {AWAY_ANSWER} from '../../src/delivery/answers.js';
import {workText} from '../../src/delivery/work.js';
import {backgroundDeliveries} from '../../src/queue/background-deliveries.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {connectRedis} from '../../src/redis/connection.js';
import {dataFolder, startCommand} from '../helpers/bothy.js';
import {payload} from '../helpers/payload.js';
import {startNode} from '../helpers/redis-nodes.js';
import {until} from '../helpers/until.js';

const SECRET = 'correct horse';
const TOKEN = 't'.repeat(32);
const account = {email: 'echo-bot@chat.example.com', key: 'k', site: 'http://127.0.0.1:9', token: TOKEN};
const WAITS = /(Redis \(REDIS_URL\) cannot be reached; waiting for it)/;

/** What a process logs if a stop took as long as it may. */
const TOO_LATE = /in time/;

type Kind = 'down' | 'frozen';

/** A Redis that goes away and comes back. */
async function startRedis(t: ExecutionContext) {
	const node = await startNode(t, {config: [`requirepass "${SECRET}"`, 'save ""'], password: SECRET});
	return {
		port: node.port,
		url: `redis://:${encodeURIComponent(SECRET)}@127.0.0.1:${node.port}`,
		leave: async (kind: Kind) => (kind === 'down' ? node.kill() : node.freeze()),
		comeBack: async (kind: Kind) => (kind === 'down' ? node.start() : node.thaw()),
	};
}

interface Started {
	readonly url: string;
	/** Folder of a plugin named patient. */
	readonly bots?: string;
	readonly args?: readonly string[];
	readonly receive?: string;
	readonly ready: RegExp;
}

async function start(t: ExecutionContext, command: 'web' | 'worker', {url, args = [], receive, bots, ready}: Started) {
	const bothy = await startCommand(t, command, {
		args,
		ready,
		env: {
			BOTHY_CONFIG_JSON: JSON.stringify({
				echo: {...account, bot: bots === undefined ? 'echo' : 'patient', ...(receive && {receive})},
			}),
			BOTHY_DATA: await dataFolder(t),
			REDIS_URL: url,
			PORT: '0',
			WEB_CONCURRENCY: '1',
			...(bots !== undefined && {BOTHY_BOTS: bots}),
		},
	});
	return {
		...bothy,
		/** Asks it to stop; resolves with its exit code. */
		async stop(): Promise<number> {
			bothy.process.kill('SIGTERM');
			const [code] = await once(bothy.process, 'exit');
			return code;
		},
		/** The hosts in the log lines with this message. */
		told(message: RegExp): string[] {
			const lines = bothy.output().split('\n');
			return lines.filter(line => message.test(line)).map(line => JSON.parse(line).redis);
		},
	};
}

async function get(url: string) {
	const response = await fetch(url);
	return {status: response.status, body: (await response.json()) as {degraded?: string[]}};
}

const waits = test.macro({
	title: (_, command: string, kind: Kind) => `${command} says once that Redis is ${kind}, and begins when it comes`,
	async exec(t, command: 'web' | 'worker', kind: Kind) {
		const redis = await startRedis(t);
		await redis.leave(kind);
		const bothy = await start(t, command, {url: redis.url, ready: WAITS});
		if (command === 'web') {
			const receiver = await bothy.find(/Receiver\s+(http:\S+)\/webhook/);
			t.is((await get(`${receiver}/healthz`)).status, 200);
			t.like(await get(`${receiver}/readyz`), {status: 200, body: {degraded: ['redis']}});
		}

		await redis.comeBack(kind);
		if (command === 'web') {
			const receiver = await bothy.find(/Receiver\s+(http:\S+)\/webhook/);
			await until(async () => String((await get(`${receiver}/readyz`)).body.degraded) === 'workers');
		} else {
			await bothy.find(/(Worker)/);
		}

		t.deepEqual(bothy.told(WAITS), [`127.0.0.1:${redis.port}`], bothy.output());
		t.false(bothy.output().includes(SECRET.slice(0, 7)));
		t.is(await bothy.stop(), 0);
	},
});

for (const kind of ['down', 'frozen'] as const) {
	test(waits, 'web', kind);
	test(waits, 'worker', kind);
}

const obeys = test.macro({
	title: (_, command: string, kind: Kind) => `${command} that waits for a Redis that is ${kind} obeys a stop`,
	async exec(t, command: string, kind: Kind) {
		const redis = await startRedis(t);
		await redis.leave(kind);
		const [name, ...args] = command.split(' ');
		const bothy = await start(t, name as 'web' | 'worker', {
			url: redis.url,
			args,
			ready: WAITS,
			...(args.includes('events') && {receive: 'events'}),
		});

		t.is(await bothy.stop(), 0, bothy.output());
		t.notRegex(bothy.output(), TOO_LATE);
	},
});

test(obeys, 'web', 'frozen');
test(obeys, 'worker', 'down');
test(obeys, 'worker events', 'frozen');

test('a worker that must stop while Redis is frozen does not wait for it', async t => {
	const redis = await startRedis(t);
	const worker = await start(t, 'worker', {url: redis.url, ready: /(Worker)/});
	await redis.leave('frozen');

	t.is(await worker.stop(), 0, worker.output());
	t.notRegex(worker.output(), TOO_LATE);
});

test('a receiver that must stop while Redis is frozen reports how many deliveries it could not hand over', async t => {
	const redis = await startRedis(t);
	const web = await start(t, 'web', {url: redis.url, ready: /Receiver\s+(http:\S+)/});
	await redis.leave('frozen');
	t.like(await get(new URL('/readyz', web.found).href), {status: 200, body: {degraded: ['redis']}});
	const body = JSON.stringify(payload({token: TOKEN}));
	const headers = {'content-type': 'application/json'};
	const answer = fetch(web.found, {method: 'POST', headers, body}).then(response => response.text());
	await web.find(/("cure":"check that Redis runs.*deliveries wait for it)/);

	const code = await web.stop();

	t.is(await answer, AWAY_ANSWER);
	t.is(code, 0);
	t.regex(web.output(), /"deliveries":1,.*Redis is away; these deliveries are lost/);
	t.notRegex(web.output(), TOO_LATE);
});

const INDEX = new URL('../../src/index.js', import.meta.url);

/** Reports that it runs, and waits for as long as it may. */
const PATIENT = `
import {bot} from '${INDEX}';
export default bot({about: 'Waits'}).on('mention', ctx => {
	console.log('handler runs');
	return new Promise(resolve => ctx.signal.addEventListener('abort', resolve));
});
`;

test('a background delivery whose host stops while Redis is frozen runs on another host', async t => {
	const redis = await startRedis(t);
	const bots = await dataFolder(t);
	await writeFile(join(bots, 'patient.mjs'), PATIENT);
	const web = await start(t, 'web', {url: redis.url, bots, ready: /(Receiver)/});
	const connection = connectRedis(redis.url, {listener: {onLost() {}, onBack() {}}});
	t.teardown(() => connection.disconnect());
	const {site, email} = account;
	const delivery = {delivery: '4711-rerun', work: workText({kind: 'message', payload: payload({token: ''})})};
	await openQueue(backgroundDeliveries, connection).add({v: 1, site, email, ...delivery});
	await web.find(/(handler runs)/);
	await redis.leave('frozen');

	t.is(await web.stop(), 0);
	t.notRegex(web.output(), TOO_LATE);
});
