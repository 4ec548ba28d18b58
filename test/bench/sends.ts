// How fast messages are posted, beside a bare BullMQ worker that makes the same call; how late, and in how much memory.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {type Commands, countCommands} from './commands.js';
import {median, note, report} from './report.js';
import {enqueueMessages, type Service, startService, startWorkers} from './sends-kit.js';
import {TOOLS} from './server.js';

/** Enough for several seconds: in the first one start-up and compilation count, which a worker in production does once. */
const MESSAGES = 16_000;
const ROUNDS = 3;

export async function benchSends(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bench-'));
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const service = await startService();
	const place = {redisUrl: embedded.url, site: service.url, service};
	try {
		await throughput(place);
		await scaling(place);
		await lateness(place);
		await memory(place);
	} finally {
		service.close();
		await embedded.close();
		await rm(folder, {recursive: true, force: true});
	}
}

interface Place {
	readonly redisUrl: string;
	readonly site: string;
	readonly service: Service;
}

interface Rate {
	readonly perSecond: number;
	/** Of Redis, for each message. */
	readonly commands: Commands;
}

/** How fast workers post messages. All of them wait when the workers start. */
async function rateOf(kind: 'bare' | 'bothy', count: number, workers: number, place: Place): Promise<Rate> {
	await enqueueMessages(kind, count, place);
	const redis = plainRedis(place.redisUrl);
	const taken = place.service.take(count);
	let seconds = Number.NaN;
	const {scripts, all} = await countCommands(redis, async () => {
		const children = await startWorkers(kind, workers, [place.redisUrl, place.site]);
		seconds = await taken;
		for (const child of children) {
			child.kill('SIGKILL');
		}
	});
	// Locks of the killed are not to be waited for by the next.
	await redis.flushall();
	redis.disconnect();
	return {perSecond: count / seconds, commands: {scripts: scripts / count, all: all / count}};
}

async function empty({redisUrl}: Place): Promise<void> {
	const redis = plainRedis(redisUrl);
	await redis.flushall();
	redis.disconnect();
}

async function throughput(place: Place): Promise<void> {
	place.service.delayMs = 0;
	const ratios: number[] = [];
	const scripts: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const bare = await rateOf('bare', MESSAGES, 1, place);
		const ours = await rateOf('bothy', MESSAGES, 1, place);
		note(`round ${round + 1}: bare BullMQ worker ${shown(bare)}; sends worker ${shown(ours)}`);
		ratios.push(ours.perSecond / bare.perSecond);
		scripts.push(ours.commands.scripts);
	}

	report({name: 'Redis scripts per send', value: median(scripts), unit: 'scripts', bound: {atMost: 3.1}});

	report({name: 'sends worker', value: median(ratios), unit: '× a bare BullMQ worker', bound: {atLeast: 0.8}});
}

function shown({perSecond, commands}: Rate): string {
	return `${perSecond.toFixed(0)}/s, ${commands.scripts.toFixed(2)} scripts and ${commands.all.toFixed(1)} commands each`;
}

async function scaling(place: Place): Promise<void> {
	place.service.delayMs = 200;
	const {perSecond: one} = await rateOf('bothy', 1_000, 1, place);
	const {perSecond: two} = await rateOf('bothy', 2_000, 2, place);
	const {perSecond: four} = await rateOf('bothy', 4_000, 4, place);
	note(`a service that takes 200 ms: 1 worker ${one.toFixed(0)}/s, 2 ${two.toFixed(0)}/s, 4 ${four.toFixed(0)}/s`);
	report({name: 'two workers', value: two / one, unit: '× one', bound: {atLeast: 1.9}});
	report({name: 'four workers', value: four / one, unit: '× one', bound: {atLeast: 3.6}});
}

/** From when a message is due until it is at the service. */
async function lateness(place: Place): Promise<void> {
	place.service.delayMs = 0;
	const [worker] = await startWorkers('bothy', 1, [place.redisUrl, place.site]);
	const measure = async (count: number, overMs: number) => {
		const startMs = Date.now() + 4_000;
		const due = Array.from({length: count}, (_, index) => Math.round(startMs + (index / count) * overMs));
		const taken = place.service.take(count);
		await enqueueMessages('bothy', count, {...place, dueAt: index => due[index] ?? 0});
		await taken;
		const late = place.service.arrivals().map((at, index) => at - (due[index] ?? 0));
		note(`${count} due within ${overMs} ms: p50 ${percentileOf(late, 0.5)} ms, the earliest ${Math.min(...late)} ms`);
		return percentileOf(late, 0.99);
	};
	await measure(50, 500);
	const idle = await measure(100, 10_000);
	const busy = await measure(1_000, 1_000);
	worker?.kill('SIGKILL');
	report({name: 'lateness p99, idle, to the service', value: idle, unit: 'ms', bound: {atMost: 20}});
	report({name: 'lateness p99, 1,000 due in one second', value: busy, unit: 'ms', bound: {atMost: 150}});
	await empty(place);
}

function percentileOf(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const WAITING = 4_000;

async function memory(place: Place): Promise<void> {
	const redis = plainRedis(place.redisUrl);
	await redis.flushall();
	const used = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
	const before = await used();
	const dueAt = Date.now() + 3_600_000;
	await enqueueMessages('bothy', WAITING, {...place, dueAt: () => dueAt});
	// A worker turns each into what waits for its time.
	const [worker] = await startWorkers('bothy', 1, [place.redisUrl, place.site]);
	const working = async () => (await redis.llen('{bothy}:sends:wait')) + (await redis.llen('{bothy}:sends:active'));
	while ((await working()) > 0) {
		await sleep(100);
	}

	worker?.kill('SIGKILL');
	await sleep(500);
	const each = ((await used()) - before) / WAITING;
	const key = (await redis.keys('bothy:*:outbox:*'))[0] ?? '';
	const json = ((await redis.hget(key, '1')) ?? '').length;
	note(`a waiting send takes ${each.toFixed(0)} bytes, its JSON ${json}`);
	report({
		name: 'Redis memory of a waiting send above its JSON',
		value: each - json,
		unit: 'bytes',
		bound: {atMost: 800},
	});
	redis.disconnect();
}
