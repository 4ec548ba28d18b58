// Half the maximum rate for a quarter of an hour: is memory flat, does the event loop turn?

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {EMAIL, post, SITE} from './load.js';
import {median, note, report} from './report.js';
import {startServer, TOOLS, type Usage} from './server.js';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 15);
const SLICE_MS = 10_000;
const ACCOUNT = accountTag({site: SITE, email: EMAIL});

export async function benchSoak(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-soak-'));
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const server = await startServer('bothy', embedded.url, join(folder, 'log'));
	await post(server.url, {requests: 10_000, connections: 20});
	const {seconds} = await post(server.url, {requests: 20_000, connections: 20});
	const rate = 20_000 / seconds / 2;
	note(
		`${MINUTES} minutes at ${rate.toFixed(0)} a second, half of the maximum, with Redis and its append-only file on`,
	);

	const redis = plainRedis(embedded.url);
	const store = createRedisStore(redis);
	const samples: Usage[] = [];
	const slices = Math.round((MINUTES * 60_000) / SLICE_MS);
	await server.usage();
	for (let slice = 0; slice < slices; slice++) {
		await post(server.url, {requests: Math.round((rate * SLICE_MS) / 1000), connections: 20, perSecond: rate});
		// As a worker's sweep does every ten seconds.
		await store.trim(ACCOUNT, {textMs: 3600_000, texts: 10_000, bytes: 1e9});
		const usage = await server.usage();
		samples.push(usage);
		if (slice % 6 === 5) {
			note(
				`minute ${(slice + 1) / 6}: ${usage.rssMiB.toFixed(0)} MiB, event-loop delay p99 ${usage.loopDelayP99Ms.toFixed(1)} ms`,
			);
		}
	}

	const third = Math.ceil(samples.length / 3);
	const rss = (part: readonly Usage[]) => median(part.map(({rssMiB}) => rssMiB));
	const growth = rss(samples.slice(-third)) / rss(samples.slice(third, -third));
	report({name: 'memory, last third relative to the middle third', value: growth, unit: '×', bound: {atMost: 1.05}});
	const delay = median(samples.map(({loopDelayP99Ms}) => loopDelayP99Ms));
	report({name: 'event-loop delay p99, median of slices', value: delay, unit: 'ms', bound: {atMost: 20}});
	server.stop();
	redis.disconnect();
	await embedded.close();
	await rm(folder, {recursive: true, force: true});
}
