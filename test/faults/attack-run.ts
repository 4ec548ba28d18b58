// One run of the suite: a good bot is asked steadily, while each attack goes on for a while, and after it.

import {fork} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {startRealm} from '../../src/realm/index.js';
import {freePort} from '../helpers/free-port.js';
import {payload} from '../helpers/payload.js';
import {ATTACKS, type AttackOrder} from './attacker.js';
import {type Kept, keep, settingsOf} from './processes.js';
import {openWay, type Way} from './trouble/balancer.js';
import {startOwnRedis} from './trouble/own-redis.js';
import {endFolder} from './verdict.js';

export interface AttackSize {
	/** How long the bot is asked before anybody attacks, and how long each attack goes on, in milliseconds. */
	readonly quietMs: number;
	readonly attackMs: number;
	/** How often the good bot is asked. */
	readonly perSecond: number;
}

export interface AttackVerdict {
	/** The 99th percentile of the time to an answer, in milliseconds. */
	readonly before: number;
	readonly beside: number;
	/** Of the host's processes, in MB. */
	readonly memoryBefore: number;
	readonly memoryAfter: number;
	readonly failed: number;
	readonly died: number;
}

const ATTACKER = fileURLToPath(new URL('./attacker.js', import.meta.url));

/** Memory is given back when collectors come round to it. */
const TIMEOUT_MS = 90_000;

export async function runAttack(
	size: AttackSize,
	mostGrowth: number,
	say: (line: string) => void,
): Promise<AttackVerdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-attack-'));
	const redis = await startOwnRedis(folder);
	const realm = await startRealm({file: join(folder, 'realm.db'), port: 0, rateLimit: false});
	const port = await freePort();
	const [good, remind, steward] = ['quick', 'remind', 'steward'].map(name =>
		realm.ensureBot({name, fullName: name, payloadUrl: `http://127.0.0.1:${port}/webhook`}),
	);
	const bots = [good, remind, steward].filter(bot => bot !== undefined);
	const env = {...settingsOf({accounts: bots, folder, redisUrl: redis.url}), PORT: String(port)};
	const host = keep({command: 'web', env, logFile: join(folder, 'web.log')});
	const worker = keep({command: 'worker', env, logFile: join(folder, 'worker.log')});
	const ways = [true, false].map(keepsAlive => openWay({ports: [port], keepsAlive, leavesOutMs: 0}));
	let isGood = false;
	try {
		await Promise.all([host, worker].map(process => process.up()));
		const asking = askSteadily(ways, {email: good?.email ?? '', token: good?.token ?? '', perSecond: size.perSecond});
		await sleep(size.quietMs / 2);
		asking.take();
		await sleep(size.quietMs / 2);
		const before = percentile(asking.take());
		const pids = host.pids();
		const memoryBefore = memoryOf(host);
		const beside: number[] = [];
		for (const attack of ATTACKS) {
			const order = {attack, port, forMs: size.attackMs, bots: bots.map(({email, token}) => ({email, token}))};
			const cpuBefore = cpuOf(host);
			await orderAttack(order);
			const cpu = (cpuOf(host) - cpuBefore).toFixed(1);
			const times = asking.take();
			beside.push(...times);
			say(`  ${attack}: p99 ${percentile(times)} ms, ${cpu} s of CPU, memory ${memoryOf(host)} MB`);
		}

		const until = performance.now() + TIMEOUT_MS;
		while (memoryOf(host) > memoryBefore * mostGrowth && performance.now() < until) {
			await sleep(500);
		}

		const failures = await asking.stop();
		for (const failure of failures.slice(0, 10)) {
			say(`  failed: ${failure}`);
		}

		const died = pids.filter(pid => !host.pids().includes(pid)).length;
		isGood = failures.length + died === 0;
		return {
			before,
			beside: percentile(beside),
			memoryBefore,
			memoryAfter: memoryOf(host),
			failed: failures.length,
			died,
		};
	} finally {
		await Promise.all([host, worker].map(process => process.stop()));
		for (const way of ways) {
			way.close();
		}

		await realm.close();
		await redis.stop();
		await endFolder(folder, {isGood, say});
	}
}

/** In a process of its own, so that only the host is slowed. */
async function orderAttack(order: AttackOrder): Promise<void> {
	const attacker = fork(ATTACKER, {env: {...process.env, FAULTS_ATTACK: JSON.stringify(order)}});
	await once(attacker, 'exit');
}

function askSteadily(
	ways: readonly Way[],
	{email, token, perSecond}: {email: string; token: string; perSecond: number},
) {
	let times: number[] = [];
	const failures: string[] = [];
	const open = new Set<Promise<void>>();
	let asked = 0;
	async function ask(): Promise<void> {
		const messageId = 1_000_000 + asked++;
		const text = `go f${String(asked % 10_000).padStart(4, '0')}`;
		const body = Buffer.from(JSON.stringify(payload({botEmail: email, token, text, messageId})));
		const since = performance.now();
		try {
			const answer = await ways[asked % ways.length]?.post('/webhook', body);
			if (answer?.status !== 200 || !answer.body.toString().includes('.1]')) {
				failures.push(`${answer?.status} ${answer?.body}`);
			}
		} catch (error) {
			failures.push(String(error));
		}

		times.push(performance.now() - since);
	}

	const timer = setInterval(() => {
		const asking = ask().finally(() => open.delete(asking));
		open.add(asking);
	}, 1_000 / perSecond);
	return {
		/** Times of the answers since the last look, in milliseconds. */
		take(): number[] {
			const taken = times;
			times = [];
			return taken;
		},
		async stop(): Promise<readonly string[]> {
			clearInterval(timer);
			await Promise.all(open);
			return failures;
		},
	};
}

function percentile(times: readonly number[]): number {
	const sorted = times.toSorted((a, b) => a - b);
	return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? sorted.at(-1) ?? 0);
}

/** Seconds that its living processes have worked; a hundred ticks are one. */
function cpuOf(host: Kept): number {
	const ticks = host.pids().map(pid => {
		try {
			const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
				.replace(/^.*\) /s, '')
				.split(' ');
			return Number(fields[11]) + Number(fields[12]);
		} catch {
			return 0;
		}
	});
	return ticks.reduce((sum, number) => sum + number, 0) / 100;
}

function memoryOf(host: Kept): number {
	const kilobytes = host.pids().map(pid => {
		try {
			return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
		} catch {
			return 0;
		}
	});
	return Math.round(kilobytes.reduce((sum, number) => sum + number, 0) / 1024);
}
