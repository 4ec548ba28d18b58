// How deliveries scale: with receivers, up to a full core of one Redis, and over the masters of a Cluster.

import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {dataFolder, type Scope} from '../helpers/bothy.js';
import {type RedisNode, startCluster, startNode} from '../helpers/redis-nodes.js';
import {CONFIRMED_MS} from './commands.js';
import {EMAILS, post, SITE} from './load.js';
import {median, note, report} from './report.js';
import {type Server, startServer} from './server.js';

const ROUNDS = 5;
const LOAD = {requests: 4_000, connections: 48};
const WARM_UP = {requests: 2_000, connections: 12, accounts: EMAILS.length};

/** Receivers and the Redis that they share: one server, or the masters of a Cluster. */
interface Place {
	readonly servers: readonly Server[];
	readonly nodes: readonly RedisNode[];
}

export async function benchScaling(): Promise<void> {
	const closing: (() => unknown)[] = [];
	const scope: Scope = {title: 'scaling', teardown: close => closing.push(close)};
	try {
		await measureAll(scope);
	} finally {
		for (const close of closing.toReversed()) {
			await close();
		}
	}
}

async function measureAll(scope: Scope): Promise<void> {
	const node = await startNode(scope, {config: ['appendonly yes', 'save ""']});
	const cluster = await startCluster(scope);
	for (const {redis} of cluster.nodes) {
		await redis.config('SET', 'appendonly', 'yes');
	}

	const logFile = join(await dataFolder(scope), 'log');
	const start = async (redisUrl: string) => {
		const server = await startServer('bothy', redisUrl, logFile);
		scope.teardown(server.stop);
		await post(server.url, WARM_UP);
		return server;
	};
	const url = `redis://127.0.0.1:${node.port}`;
	const servers = [await start(url), await start(url), await start(url), await start(url)];
	const spread = {servers: [await start(cluster.url), await start(cluster.url)], nodes: cluster.nodes};
	note(
		`${LOAD.requests} deliveries of ${EMAILS.length} accounts over ${LOAD.connections} connections, ${ROUNDS} rounds; Redis with its append-only file`,
	);

	const rounds: Record<'one' | 'two' | 'four' | 'cluster', Measured>[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const one = await measure({servers: servers.slice(0, 1), nodes: [node]});
		const two = await measure({servers: servers.slice(0, 2), nodes: [node]});
		const four = await measure({servers, nodes: [node]});
		const inCluster = await measure(spread);
		note(`round ${round + 1}: 1 receiver ${shown(one)}; 2 ${shown(two)}; 4 ${shown(four)}`);
		note(`  2 with a Cluster ${shown(inCluster)}`);
		rounds.push({one, two, four, cluster: inCluster});
	}

	const show = (name: string, unit: string, of: (round: (typeof rounds)[number]) => number) =>
		report({name, value: median(rounds.map(of)), unit});
	show('throughput of two receivers', '× one', ({one, two}) => two.perSecond / one.perSecond);
	show('throughput of four receivers', '× one', ({one, four}) => four.perSecond / one.perSecond);
	show('CPU of two receivers per delivery', '× one', ({one, two}) => two.receiverUs / one.receiverUs);
	show('CPU of four receivers per delivery', '× one', ({one, four}) => four.receiverUs / one.receiverUs);
	show('Redis, four receivers', 'µs CPU per delivery', ({four}) => four.busiestUs);
	show('one Redis is full, extrapolated from its CPU', 'deliveries/s', ({four}) => 1e6 / four.busiestUs);
	show(
		'one Redis is full, extrapolated from commandstats, wall time',
		'deliveries/s',
		({four}) => 1e6 / four.scriptsUs,
	);
	show('receivers that fill one Redis, extrapolated', 'cores', ({four}) => four.receiverUs / four.busiestUs);
	show('receivers with a Cluster, CPU per delivery', '× one Redis', r => r.cluster.receiverUs / r.two.receiverUs);
	show('all masters of a Cluster, CPU per delivery', '× one Redis', r => r.cluster.redisUs / r.two.redisUs);
	show('busiest of three masters', 'of their CPU', ({cluster: {busiestUs, redisUs}}) => busiestUs / redisUs);
	show('a Cluster is full, extrapolated', '× one Redis', r => r.two.redisUs / r.cluster.busiestUs);
	show('a Cluster is full if spread evenly, extrapolated', '× one Redis', r => (3 * r.two.redisUs) / r.cluster.redisUs);
	await spreading(cluster.nodes[0]);
}

interface Measured {
	readonly perSecond: number;
	/** CPU per delivery, in microseconds: of all receivers, of all Redis servers, and of the busiest one. */
	readonly receiverUs: number;
	readonly redisUs: number;
	readonly busiestUs: number;
	/** Per delivery, all servers: what the scripts alone took. */
	readonly scriptsUs: number;
}

async function measure({servers, nodes}: Place): Promise<Measured> {
	const usage = async () => ({
		receivers: await Promise.all(servers.map(async server => (await server.usage()).cpuMs * 1_000)),
		redis: await Promise.all(nodes.map(redisCpuUs)),
		scripts: await Promise.all(nodes.map(scriptsUs)),
	});
	const share = {
		requests: LOAD.requests / servers.length,
		connections: LOAD.connections / servers.length,
		accounts: EMAILS.length,
	};
	const before = await usage();
	const begin = performance.now();
	await Promise.all(servers.map(({url}) => post(url, share)));
	const seconds = (performance.now() - begin) / 1_000;
	await sleep(CONFIRMED_MS);
	const after = await usage();
	const each = (what: keyof typeof after) =>
		after[what].map((us, index) => (us - (before[what][index] ?? 0)) / LOAD.requests);
	return {
		perSecond: LOAD.requests / seconds,
		receiverUs: sum(each('receivers')),
		redisUs: sum(each('redis')),
		busiestUs: Math.max(...each('redis')),
		scriptsUs: sum(each('scripts')),
	};
}

/** Of its main thread, which alone runs commands. */
async function redisCpuUs({redis}: RedisNode): Promise<number> {
	const info = await redis.info('cpu');
	return sum([...info.matchAll(/^used_cpu_(?:sys|user)_main_thread:([\d.]+)/gm)].map(([, text]) => Number(text))) * 1e6;
}

/** The time of a script contains that of its commands. */
async function scriptsUs({redis}: RedisNode): Promise<number> {
	const stats = await redis.info('commandstats');
	return sum([...stats.matchAll(/^cmdstat_eval\w*:calls=\d+,usec=(\d+)/gm)].map(([, text]) => Number(text)));
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function shown({perSecond, receiverUs, redisUs, busiestUs, scriptsUs}: Measured): string {
	const [receivers, redis, busiest, scripts] = [receiverUs, redisUs, busiestUs, scriptsUs].map(us => us.toFixed(0));
	return `${perSecond.toFixed(0)}/s, µs each: receivers ${receivers}, Redis ${redis} (busiest ${busiest}, scripts ${scripts})`;
}

const DRAWS = 100;

/** Which share of the accounts the fullest master holds. */
async function spreading(node: RedisNode | undefined): Promise<void> {
	if (!node) {
		return;
	}

	const ranges = await node.redis.cluster('SLOTS');
	const countsOf = async (emails: readonly string[]) => {
		const slots = await Promise.all(
			emails.map(email =>
				node.redis.cluster('KEYSLOT', accountKey(node.redis, accountTag({site: SITE, email}), 'ledger')),
			),
		);
		return ranges.map(([first, last]) => slots.filter(slot => slot >= first && slot <= last).length);
	};
	const measured = await countsOf(EMAILS);
	note(`the ${EMAILS.length} accounts of this run: ${measured.join(', ')} per master`);
	for (const accounts of [3, 10, 30, 100]) {
		const shares: number[] = [];
		for (let draw = 0; draw < DRAWS; draw++) {
			const emails = Array.from({length: accounts}, () => `${randomUUID()}@chat.example.com`);
			shares.push(Math.max(...(await countsOf(emails))) / accounts);
		}

		report({
			name: `busiest of three masters, mean of ${DRAWS} draws`,
			value: (100 * sum(shares)) / DRAWS,
			unit: `% of ${accounts} accounts`,
		});
	}
}
