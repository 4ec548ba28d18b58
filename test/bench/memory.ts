// What a delivery and a schedule cost in Redis: the figures for sizing in docs/operating.md.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {BODY, BODY_BYTES} from './load.js';
import {note, report} from './report.js';
import {TOOLS} from './server.js';

const COUNT = 10_000;
const ANSWER = JSON.stringify({content: 'An answer of about fifty characters, as bots give it.'});
const DAY_MS = 24 * 3_600_000;

export async function benchMemory(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bench-'));
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const redis = plainRedis(embedded.url);
	const account = 'https://chat.example.com|echo-bot@chat.example.com';
	const store = createRedisStore(redis);
	const outboxes = createOutboxStore(redis);
	const used = async () => Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
	const each = async (act: (id: string, index: number) => Promise<unknown>) => {
		const before = await used();
		for (let index = 0; index < COUNT; index++) {
			await act(`${index + 1}-0123456789ab`, index);
		}

		return ((await used()) - before) / COUNT / 1024;
	};
	try {
		note(`payloads of ${BODY_BYTES} bytes`);
		const deliveries = await each(async (id, index) => {
			const ref = {account, id};
			await store.claim(ref, {nonce: `process ${index}`, work: BODY, sender: index, perMinute: 0});
			await store.finish(ref, {run: 1, answer: ANSWER, canAnswer: true, replies: []});
			await store.confirm([{ref, carrier: '1'}]);
		});
		report({name: 'a delivery with its text', value: deliveries, unit: 'KiB', bound: {atMost: 4}});
		const kept = await store.trim(account, {textMs: -DAY_MS, texts: 0, bytes: 0});
		note(
			`texts dropped: ${kept}; then ${((await used()) / COUNT / 1024).toFixed(2)} KiB a delivery, Redis itself included`,
		);
		const schedules = await each((id, index) =>
			outboxes.put(
				{account, id: `later-${id}`},
				{
					n: 1,
					kind: 'send',
					target: '{"dm":[9]}',
					text: 'A reminder of fifty characters or so, for somebody',
					dueAt: Date.now() + DAY_MS,
					mayBePosted: false,
				},
				`reminder ${index}`,
			),
		);
		report({name: 'a schedule', value: schedules, unit: 'KiB', bound: {atMost: 2}});
	} finally {
		redis.disconnect();
		await embedded.close();
		await rm(folder, {recursive: true, force: true});
	}
}
