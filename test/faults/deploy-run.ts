// Deploys at noon: both hosts are replaced by SIGTERM and by SIGHUP while people write. Each delivery goes one of four
// ways, behind a proxy and directly, by connections that are kept and fresh ones; in the end the service's messages are
// counted.

import {mkdtemp, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import {startRealm} from '../../src/realm/index.js';
import {freePort} from '../helpers/free-port.js';
import {until} from '../helpers/until.js';
import {openLedger} from './ledger.js';
import {type Planned, titleOf} from './plan.js';
import {type Kept, keep, settingsOf} from './processes.js';
import {sendAll} from './send-all.js';
import {type Answer, listen, openWay, startProxy, type Way} from './trouble/balancer.js';
import {breakScripts} from './trouble/broken-scripts.js';
import {startOwnRedis} from './trouble/own-redis.js';
import {count} from './trouble/receiver-proxy.js';
import {endFolder, judge, openRealmStore} from './verdict.js';

export interface DeploySize {
	readonly perSecond: number;
	readonly loadMs: number;
	/** How often each host is replaced by each signal. */
	readonly rounds: number;
	/** How long a slow handler takes, and how often one is asked, in milliseconds. */
	readonly handlerMs: number;
	readonly handlerEveryMs: number;
}

export interface DeployVerdict {
	readonly failed: number;
	readonly lost: number;
	readonly doubled: number;
	/** Messages that nobody should have to read, and errors in the hosts' logs. */
	readonly wrong: number;
	readonly all: number;
}

const PEOPLE = ['alice', 'bob', 'carla', 'mona', 'adam', 'olivia'];

/** As long as the service waits for an answer. */
const SERVICE_WAITS_MS = 10_000;

/** How long a proxy leaves a host out that refused a connection. */
const LEFT_OUT_MS = 10_000;

/** Between two looks at whether a new process answers, or whether everything is done. */
const LOOK_MS = 500;

const TIMEOUT_MS = 180_000;

export async function runDeploy(size: DeploySize, say: (line: string) => void): Promise<DeployVerdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-deploy-'));
	const startedAt = performance.now();
	const seconds = () => Math.round((performance.now() - startedAt) / 1000);
	const plan = makePlan(size);
	const redis = await startOwnRedis(folder);
	const realm = await startRealm({file: join(folder, 'realm.db'), port: 0, rateLimit: false});
	const ports = [await freePort(), await freePort()];
	const ways = await openWays(ports);
	const failures = new Map<string, number>();
	let posts = 0;
	// What the realm's own client would do behind these ways.
	const service = await listen(async (_, body) => {
		const [name, way] = ways.all[posts++ % ways.all.length] ?? unreachable();
		const answer = await within(way.post('/webhook', body), SERVICE_WAITS_MS).catch((error: Error) => error);
		if (answer instanceof Error || answer.status !== 200) {
			const reason = answer instanceof Error ? answer.message : `${answer.status} ${answer.body}`;
			say(`  failed after ${seconds()} s, ${name}: ${reason}`);
			count(failures, name);
		}

		if (answer instanceof Error) {
			throw answer;
		}

		return answer;
	});
	const bots = ['quick', 'patient'].map(name =>
		realm.ensureBot({name, fullName: titleOf(name), payloadUrl: `http://127.0.0.1:${service.port}/webhook`}),
	);
	const env = settingsOf({accounts: bots, folder, redisUrl: redis.url});
	const logs = ports.map((_, index) => join(folder, `web-${index}.log`));
	const hosts = ports.map((port, index) =>
		keep({command: 'web', env: {...env, PORT: String(port)}, logFile: logs[index] ?? ''}),
	);
	const worker = keep({command: 'worker', env, logFile: join(folder, 'worker.log')});
	const ledger = await openLedger(redis.url, {accounts: bots, broken: breakScripts(undefined)});
	const store = openRealmStore(join(folder, 'realm.db'));
	const delay = monitorEventLoopDelay({resolution: 10});
	delay.enable();
	let isGood = false;
	try {
		await Promise.all([...hosts, worker].map(process => process.up()));
		say(`  everything runs after ${seconds()} s`);
		const sent = sendAll(plan, {url: realm.url, overMs: size.loadMs, bots});
		const replaced = await deploy(hosts, worker, size);
		say(`  ${replaced} replacements are done after ${seconds()} s`);
		await sent;
		say(
			`  everything is written after ${seconds()} s; our own event loop was late by ${Math.round(delay.max / 1e6)} ms at most`,
		);

		// What runs, and what is to be posted, is due.
		await until(async () => store.waiting() === 0 && (await ledger.isQuiet()), {
			withinMs: size.handlerMs + TIMEOUT_MS,
			everyMs: LOOK_MS,
		});
		say(`  nothing is on its way any more after ${seconds()} s`);
		const accepted = new Set(plan.map(({token}) => token));
		const {lost, doubled, wrong} = judge(plan, {said: store.said(), accepted, waiting: new Set()});
		const errors = (await Promise.all(logs.map(errorsIn))).flat();
		const failed = [...failures.values()].reduce((sum, number) => sum + number, 0);
		for (const [what, found] of Object.entries({lost, doubled, wrong, errors})) {
			if (found.length > 0) {
				say(`  ${what}: ${found.slice(0, 20).join(' | ').slice(0, 1_500)}`);
			}
		}

		isGood = failed + lost.length + doubled.length + wrong.length + errors.length === 0;
		return {
			failed,
			lost: lost.length,
			doubled: doubled.length,
			wrong: wrong.length + errors.length,
			all: plan.length,
		};
	} finally {
		store.close();
		ledger.close();
		await Promise.all([...hosts, worker].map(process => process.stop()));
		await realm.close();
		await service.close();
		await ways.close();
		await redis.stop();
		await endFolder(folder, {isGood, say});
	}
}

/** One host stops while the other reloads; then the other way round. */
async function deploy(hosts: readonly Kept[], worker: Kept, {rounds}: DeploySize): Promise<number> {
	for (let half = 0; half < rounds * 2; half++) {
		const stopped = hosts[half % 2];
		const reloaded = hosts[(half + 1) % 2];
		await Promise.all([stopped?.restart(), reloaded?.reload(), worker.reload()]);
		await sleep(LOOK_MS);
	}

	return rounds * 2 * 2;
}

function makePlan({perSecond, loadMs, handlerMs, handlerEveryMs}: DeploySize): Planned[] {
	const period = Math.round((perSecond * handlerEveryMs) / 1000);
	return Array.from({length: Math.round((perSecond * loadMs) / 1000)}, (_, index) => {
		const token = `f${String(index).padStart(4, '0')}`;
		const isSlow = index % period === period - 1;
		return {
			token,
			bot: isSlow ? 'patient' : 'quick',
			topic: index % 20 < 14 ? `topic ${index % 20}` : undefined,
			from: PEOPLE[index % PEOPLE.length] ?? 'alice',
			words: isSlow ? `${token} takes ${handlerMs}` : `go ${token}`,
			expected: [`[${token}.1]`],
			allowed: [],
			cuts: [],
		};
	});
}

async function openWays(ports: readonly number[]) {
	const hops = [true, false].map(keepsAlive => openWay({ports, keepsAlive, leavesOutMs: LEFT_OUT_MS}));
	const proxies = await Promise.all(hops.map(startProxy));
	const behind = proxies.map((proxy, index) => openWay({ports: [proxy.port], keepsAlive: index === 0, leavesOutMs: 0}));
	const direct = [true, false].map(keepsAlive => openWay({ports, keepsAlive, leavesOutMs: 0}));
	const names = ['behind a proxy, kept', 'behind a proxy, fresh', 'directly, kept', 'directly, fresh'];
	const all = [...behind, ...direct].map((way, index): [string, Way] => [names[index] ?? '', way]);
	return {
		all,
		async close() {
			for (const way of [...hops, ...behind, ...direct]) {
				way.close();
			}

			await Promise.all(proxies.map(proxy => proxy.close()));
		},
	};
}

function within(answer: Promise<Answer>, ms: number): Promise<Answer> {
	return Promise.race([
		answer,
		sleep(ms, undefined, {ref: false}).then(() => {
			throw new Error(`no answer within ${ms / 1000} s`);
		}),
	]);
}

/** Lines at level error, and those of receivers that had to be killed. */
async function errorsIn(logFile: string): Promise<string[]> {
	const lines = (await readFile(logFile, 'utf8')).split('\n');
	return lines.filter(line => /"level":(50|60)|was killed/.test(line));
}

function unreachable(): never {
	throw new Error('Expected a way');
}
