// The cost of a durable, deduplicated delivery compared with a plain HTTP server, in one run.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {countCommands} from './commands.js';
import {BODY_BYTES, percentile, post} from './load.js';
import {median, note, report} from './report.js';
import {type Server, startServer, TOOLS} from './server.js';

const ROUNDS = 5;
const LOAD = {requests: 10_000, connections: 50};

/** CPU of the server, and of Redis, for 10,000 requests, in milliseconds. */
async function measure(server: Server, redis?: ReturnType<typeof plainRedis>) {
	const [before, redisBefore] = [(await server.usage()).cpuMs, await redisCpuMs(redis)];
	const {seconds, latencies} = await post(server.url, LOAD);
	return {
		cpuMs: (await server.usage()).cpuMs - before,
		redisMs: (await redisCpuMs(redis)) - redisBefore,
		rate: LOAD.requests / seconds,
		p99: percentile(latencies, 0.99),
	};
}

async function redisCpuMs(redis: ReturnType<typeof plainRedis> | undefined): Promise<number> {
	if (!redis) {
		return 0;
	}

	const info = await redis.info('cpu');
	const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].reduce(
		(sum, [, text]) => sum + Number(text),
		0,
	);
	return seconds * 1000;
}

async function p50(server: Server): Promise<number> {
	const {latencies} = await post(server.url, {requests: 2_000, connections: 1});
	return percentile(latencies, 0.5);
}

export async function benchReceiver(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bench-'));
	const logFile = join(folder, 'log');
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const redis = plainRedis(embedded.url);
	const servers = {
		floor: await startServer('floor', '', logFile),
		koa: await startServer('koa', '', logFile),
		durable: await startServer('bothy', embedded.url, logFile),
	};

	note(
		`payload of ${BODY_BYTES} bytes, echo, ${LOAD.requests} requests over ${LOAD.connections} connections, ${ROUNDS} rounds`,
	);
	for (const server of Object.values(servers)) {
		await post(server.url, {requests: 3_000, connections: 50});
	}

	const ratios = {koa: [] as number[], durable: [] as number[], withRedis: [] as number[]};
	for (let round = 0; round < ROUNDS; round++) {
		const floor = await measure(servers.floor);
		const koa = await measure(servers.koa);
		const durable = await measure(servers.durable, redis);
		ratios.koa.push(koa.cpuMs / floor.cpuMs);
		ratios.durable.push(durable.cpuMs / floor.cpuMs);
		ratios.withRedis.push((durable.cpuMs + durable.redisMs) / floor.cpuMs);
		note(
			`round ${round + 1}: floor ${floor.cpuMs.toFixed(0)} ms, koa ${koa.cpuMs.toFixed(0)}, durable ${durable.cpuMs.toFixed(0)} ` +
				`+ Redis ${durable.redisMs.toFixed(0)}; durable ${durable.rate.toFixed(0)}/s, p99 ${durable.p99.toFixed(1)} ms`,
		);
	}

	note(`bare Koa + router + body parser: ${median(ratios.koa).toFixed(2)} × the floor`);
	report({name: 'receiver, durable', value: median(ratios.durable), unit: '× floor CPU', bound: {atMost: 3}});
	report({
		name: 'receiver, durable, with Redis',
		value: median(ratios.withRedis),
		unit: '× floor CPU',
		bound: {atMost: 5},
	});
	const commands = await countCommands(redis, () => post(servers.durable.url, LOAD));
	report({
		name: 'Redis scripts per plain delivery',
		value: commands.scripts / LOAD.requests,
		unit: 'scripts',
		bound: {atMost: 2.1},
	});
	report({
		name: 'Redis commands per plain delivery, those of scripts included',
		value: commands.all / LOAD.requests,
		unit: 'commands',
		bound: {atMost: 16},
	});
	const floorMs = await p50(servers.floor);
	const durableMs = await p50(servers.durable);
	report({name: 'p50 above the floor, one connection', value: durableMs - floorMs, unit: 'ms', bound: {atMost: 0.3}});

	for (const server of Object.values(servers)) {
		server.stop();
	}

	redis.disconnect();
	await embedded.close();
	await rm(folder, {recursive: true, force: true});
}
