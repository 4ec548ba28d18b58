// Real Redis servers that fail over: a master with a replica and three Sentinels, and a Cluster. Each can be killed, frozen
// and demoted.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {symlink, writeFile} from 'node:fs/promises';
import {type AddressInfo, connect, createServer} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Redis} from 'ioredis';
import {findRedisServer} from '../../src/redis/embedded-redis.js';
import {dataFolder, type Scope} from './bothy.js';
import {until, untilFound} from './until.js';

/** Where `npm test` puts a Redis server when it may not install one for the whole machine. */
const TOOLS = fileURLToPath(new URL('../../../.data/bin/', import.meta.url));

const LOOK_MS = 20;

/** Needs escaping in a URL. */
export const PASSWORD = 'p@ss:/w#r?d,%';
const ESCAPED = encodeURIComponent(PASSWORD);

/** A server that is silent for this long counts as dead, if a test wants it replaced. */
const DEAD_MS = 2_500;

/** Otherwise a busy machine would have a master replaced that is only slow. That drops writes which were acknowledged. */
const NEVER_MS = 3_600_000;

export interface RedisNode {
	readonly port: number;
	/** A connection of the test's own. */
	readonly redis: Redis;
	/** SIGKILL; resolves when it is gone. */
	kill(): Promise<void>;
	/** Starts it again on the same port, with what it wrote before. */
	start(config?: readonly string[]): Promise<void>;
	freeze(): void;
	thaw(): void;
}

interface NodeOptions {
	readonly config: readonly string[];
	/** `redis-sentinel` for a Sentinel. The program goes by the name under which it is called. */
	readonly name?: 'redis-server' | 'redis-sentinel';
	readonly password?: string;
}

export async function startNode(t: Scope, {config, name = 'redis-server', password}: NodeOptions): Promise<RedisNode> {
	const found = findRedisServer([TOOLS]);
	if (!found) {
		throw new Error('Expected a redis-server');
	}

	const folder = await dataFolder(t);
	const program = join(folder, name);
	await symlink(found, program);
	for (;;) {
		const port = await freePort();
		const redis = new Redis(port, {
			...(password !== undefined && {password}),
			maxRetriesPerRequest: null,
			retryStrategy: () => LOOK_MS,
		});
		redis.on('error', () => {});
		let child: ChildProcess;
		let exited: Promise<unknown>;

		async function start(more: readonly string[] = []): Promise<boolean> {
			const file = join(folder, `${port}.conf`);
			const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...config, ...more];
			await writeFile(file, `${lines.join('\n')}\n`);
			child = spawn(program, [file], {stdio: 'ignore'});
			exited = once(child, 'exit');
			const answers = redis.info('server').then(
				info => info.includes(`process_id:${child.pid}\r`),
				() => false,
			);
			return Promise.race([answers, exited.then(() => false)]);
		}

		async function kill(): Promise<void> {
			child.kill('SIGKILL');
			await exited;
		}

		const isOurs = await start();
		if (!isOurs) {
			// Another process took one of its ports first.
			redis.disconnect();
			await kill();
			continue;
		}

		t.teardown(async () => {
			redis.disconnect();
			await kill();
		});
		return {
			port,
			redis,
			kill,
			async start(more) {
				await start(more);
			},
			freeze: () => void child.kill('SIGSTOP'),
			thaw: () => void child.kill('SIGCONT'),
		};
	}
}

/** A port whose neighbour 10,000 further, which the nodes of a Cluster talk over, exists too. */
async function freePort(): Promise<number> {
	for (;;) {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		await once(server.close(), 'close');
		if (typeof address === 'object' && address !== null && address.port < 55_000) {
			return address.port;
		}
	}
}

async function replication(node: RedisNode): Promise<Record<string, string>> {
	const lines = (await node.redis.info('replication')).split('\r\n').map(line => line.split(':'));
	return Object.fromEntries(lines.map(([key, ...value]) => [key, value.join(':')]));
}

export async function isMaster(node: RedisNode): Promise<boolean> {
	return (await replication(node)).role === 'master';
}

export async function follows(replica: RedisNode, master: RedisNode): Promise<boolean> {
	const {role, master_port: port, master_link_status: link} = await replication(replica);
	return role === 'slave' && Number(port) === master.port && link === 'up';
}

/**
 * From here on the master carries out no write, and its replica has all that it had: a failover then drops nothing that was
 * acknowledged. What clients send meanwhile waits in the master until `release`.
 */
export async function hush(master: RedisNode, replica: RedisNode): Promise<void> {
	await master.redis.client('PAUSE', 600_000, 'WRITE');
	await master.redis.config('SET', 'min-replicas-to-write', 1);
	await replica.redis.config('SET', 'cluster-replica-no-failover', 'no');
	await until(async () => {
		const {master_repl_offset: written} = await replication(master);
		const {slave_repl_offset: read} = await replication(replica);
		return Number(read) >= Number(written);
	});
}

/** Lets it continue, although the replica has replaced it: it may answer, but acknowledges no write that would be lost. */
export async function release(master: RedisNode): Promise<void> {
	await master.redis.client('UNPAUSE');
	await until(async () => !(await isMaster(master)));
	await master.redis.config('SET', 'min-replicas-to-write', 0);
}

export interface Sentinels {
	readonly url: string;
	readonly nodes: readonly [RedisNode, RedisNode];
	readonly sentinels: readonly RedisNode[];
	/** Lets the Sentinels replace this master although it lives. Resolves when they name another one. */
	demote(from: RedisNode): Promise<void>;
	/** Lets the Sentinels replace this master if it is dead. Resolves when they name another one. */
	switched(from: RedisNode): Promise<void>;
	/** Resolves when the Sentinels could fail over from the master to this replica. */
	ready(replica: RedisNode): Promise<void>;
}

export interface Pair {
	/** Leads to the master, as a name does that is moved with it. */
	readonly url: string;
	readonly nodes: readonly [RedisNode, RedisNode];
	/** Makes the URL lead to this node. Open connections stay where they are. */
	lead(node: RedisNode): void;
}

/** One master and one replica, and an address that is moved from one to the other. */
export async function startPair(t: Scope): Promise<Pair> {
	const nodes = await startMasterAndReplica(t);
	let [current] = nodes;
	const server = createServer(client => {
		const redis = connect(current.port, '127.0.0.1');
		client.pipe(redis).pipe(client);
		for (const [socket, other] of [
			[client, redis],
			[redis, client],
		] as const) {
			socket.on('error', () => {});
			socket.on('close', () => other.destroy());
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	return {
		url: `redis://:${ESCAPED}@127.0.0.1:${(server.address() as AddressInfo).port}`,
		nodes,
		lead(node) {
			current = node;
		},
	};
}

async function startMasterAndReplica(t: Scope): Promise<readonly [RedisNode, RedisNode]> {
	const secret = [`requirepass "${PASSWORD}"`, `masterauth "${PASSWORD}"`];
	const config = [...secret, 'appendonly no', 'save ""', 'repl-diskless-sync-delay 0'];
	const master = await startNode(t, {config, password: PASSWORD});
	const following = [...config, `replicaof 127.0.0.1 ${master.port}`];
	const replica = await startNode(t, {config: following, password: PASSWORD});
	await until(() => follows(replica, master));
	return [master, replica];
}

/** One master, one replica and three Sentinels, all with a password. */
export async function startSentinels(t: Scope): Promise<Sentinels> {
	const nodes = await startMasterAndReplica(t);
	const [master] = nodes;
	const sentinels = await Promise.all(
		[1, 2, 3].map(() =>
			startNode(t, {
				name: 'redis-sentinel',
				password: PASSWORD,
				config: [
					`requirepass "${PASSWORD}"`,
					`sentinel sentinel-pass "${PASSWORD}"`,
					`sentinel monitor main 127.0.0.1 ${master.port} 2`,
					`sentinel auth-pass main "${PASSWORD}"`,
					`sentinel down-after-milliseconds main ${NEVER_MS}`,
					'sentinel failover-timeout main 2000',
				],
			}),
		),
	);
	for (const {redis} of sentinels) {
		// They check more often, and wait no longer than a stall of the machine took.
		await redis.call('SENTINEL', 'DEBUG', 'info-period', '200', 'publish-period', '200', 'ask-period', '200');
		await redis.call('SENTINEL', 'DEBUG', 'tilt-period', '500', 'min-link-reconnect-period', '200');
	}

	const masterOf = async ({redis}: RedisNode) => (await redis.call('SENTINEL', 'MASTER', 'main')) as string[];
	const replicasOf = async ({redis}: RedisNode) => (await redis.call('SENTINEL', 'REPLICAS', 'main')) as string[][];
	const fieldOf = (fields: readonly string[], name: string) => fields[fields.indexOf(name) + 1];
	await until(async () => {
		const known = await Promise.all(sentinels.map(masterOf));
		return known.every(fields => fieldOf(fields, 'num-other-sentinels') === '2');
	});
	const everywhere = async (holds: (sentinel: RedisNode) => Promise<boolean>) => {
		await until(async () => (await Promise.all(sentinels.map(holds))).every(Boolean));
	};
	const portOf = async (sentinel: RedisNode) => fieldOf(await masterOf(sentinel), 'port');
	const hasSwitched = async (sentinel: RedisNode, from: RedisNode) => {
		const fields = await masterOf(sentinel);
		return fieldOf(fields, 'port') !== String(from.port) && fieldOf(fields, 'flags') === 'master';
	};
	const countAsDead = (ms: number) =>
		Promise.all(
			sentinels.map(({redis}) => redis.call('SENTINEL', 'SET', 'main', 'down-after-milliseconds', String(ms))),
		);
	const addresses = sentinels.map(({port}) => `127.0.0.1:${port}`).join(',');
	return {
		url: `redis+sentinel://:${ESCAPED}@${addresses}/main?sentinel_password=${ESCAPED}`,
		nodes,
		sentinels,
		async demote(from) {
			const [first] = sentinels;
			await everywhere(async sentinel => {
				if (sentinel === first && (await portOf(first)) === String(from.port)) {
					// It gives up a failover that takes long, as on a busy machine.
					await first.redis.call('SENTINEL', 'FAILOVER', 'main').catch(() => {});
				}

				return hasSwitched(sentinel, from);
			});
		},
		async switched(from) {
			await countAsDead(DEAD_MS);
			await everywhere(sentinel => hasSwitched(sentinel, from));
			await countAsDead(NEVER_MS);
		},
		ready: ({port}) =>
			everywhere(async sentinel =>
				(await replicasOf(sentinel)).some(
					fields =>
						fieldOf(fields, 'port') === String(port) &&
						fieldOf(fields, 'flags') === 'slave' &&
						fieldOf(fields, 'master-link-status') === 'ok',
				),
			),
	};
}

const SLOTS = 16_384;
const MASTERS = 3;

export interface ClusterNodes {
	readonly url: string;
	readonly nodes: readonly RedisNode[];
	/** The master of a key's slot, and the replica that could take its place. */
	of(key: string): Promise<{master: RedisNode; replica: RedisNode}>;
}

/** Three masters, each with so many replicas. Resolves when every node says that the Cluster is whole. */
export async function startCluster(
	t: Scope,
	{replicas = 0, password}: {replicas?: 0 | 1; password?: string} = {},
): Promise<ClusterNodes> {
	const secret = password === undefined ? [] : [`requirepass "${password}"`, `masterauth "${password}"`];
	const config = [
		...secret,
		'cluster-enabled yes',
		`cluster-node-timeout ${DEAD_MS}`,
		'cluster-require-full-coverage no',
		// On a busy machine, a replica may have been out of touch for long. It takes over nevertheless.
		'cluster-replica-validity-factor 0',
		// Not before the test says so: see NEVER_MS.
		'cluster-replica-no-failover yes',
		'appendonly no',
		'save ""',
		'repl-diskless-sync-delay 0',
	];
	const more = password === undefined ? {} : {password};
	const nodes = await Promise.all(
		Array.from({length: MASTERS * (1 + replicas)}, () => startNode(t, {config, ...more})),
	);
	const share = Math.ceil(SLOTS / MASTERS);
	const masters = nodes.slice(0, MASTERS);
	for (const [index, {redis}] of masters.entries()) {
		await redis.cluster('ADDSLOTSRANGE', index * share, Math.min(SLOTS, (index + 1) * share) - 1);
	}

	for (const {redis} of nodes) {
		await redis.cluster('MEET', '127.0.0.1', nodes[0]?.port ?? 0);
	}

	const knows = async ({redis}: RedisNode) => {
		const known = String(await redis.cluster('NODES')).trim();
		return known.split('\n').length === nodes.length && !known.includes('handshake');
	};
	await until(async () => (await Promise.all(nodes.map(knows))).every(Boolean));
	for (const [index, {redis}] of nodes.slice(MASTERS).entries()) {
		await redis.cluster('REPLICATE', String(await masters[index]?.redis.cluster('MYID')));
	}

	const isWhole = async ({redis}: RedisNode) => String(await redis.cluster('INFO')).includes('cluster_state:ok');
	await until(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean));
	const slotsOf = async ({redis}: RedisNode) => redis.cluster('SLOTS');
	await until(async () => {
		const seen = await Promise.all(nodes.map(slotsOf));
		return seen.flat().every(([, , ...holders]) => holders.length === 1 + replicas);
	});
	await until(async () => {
		const links = await Promise.all(nodes.slice(MASTERS).map(replication));
		return links.every(({master_link_status: link}) => link === 'up');
	});
	const addresses = nodes.map(({port}) => `127.0.0.1:${port}`).join(',');
	const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
	return {
		url: `redis+cluster://${login}${addresses}`,
		nodes,
		of(key) {
			return untilFound(async () => {
				const slot = Number(await nodes[0]?.redis.cluster('KEYSLOT', key));
				const slots = await nodes[0]?.redis.cluster('SLOTS');
				const [, , ...holders] = slots?.find(([first, last]) => slot >= first && slot <= last) ?? [0, 0];
				const [master, replica] = holders.map(([, port]) => nodes.find(node => node.port === port));
				return master && replica && (await follows(replica, master)) ? {master, replica} : undefined;
			});
		},
	};
}
