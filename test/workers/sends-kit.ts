// The worker of sends beside a real realm and a real Redis.

import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ExecutionContext} from 'ava';
import {type Client, createClient} from '../../src/client/client.js';
import {createOutboxStore} from '../../src/delivery/outbox-store.js';
import {accountTag, type DeliveryRef} from '../../src/delivery/ref.js';
import type {OutboxEntry} from '../../src/delivery/store.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {startWorker} from '../../src/queue/define-worker.js';
import {createPauses} from '../../src/queue/pauses.js';
import {createReceipts} from '../../src/queue/receipts.js';
import {sends, type Target} from '../../src/queue/sends.js';
import {startRealm} from '../../src/realm/index.js';
import sendsWorker, {type SendTools} from '../../workers/sends.js';
import {signIn} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';

const silent = {info() {}, warn() {}, error() {}};
const LUNCH: Target = {channel: 'general', topic: 'lunch'};

export async function startSends(t: ExecutionContext, options: Partial<SendTools> = {}, featureLevel = 496) {
	const realm = await startRealm({file: ':memory:', port: 0, rateLimit: false, featureLevel});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const redisUrl = await openRedis(t);
	const redis = await connect(t, redisUrl);
	const pauses = createPauses(redis, await connect(t, redisUrl));
	const client = createClient({...bot, userAgent: 'test/1', timeoutMs: 2_000, pause: pauses.of(bot)});
	const outboxes = createOutboxStore(redis);
	const queue = openQueue(sends, redis);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');

	const wake = async (ref: DeliveryRef, more: {id?: string; delayMs?: number} = {}) => {
		await queue.add({v: 1, site: bot.site, email: bot.email, delivery: ref.id}, more);
	};
	const tools: SendTools = {
		outboxes,
		receipts: createReceipts(redis),
		log: silent,
		now: Date.now,
		clientOf: () => client,
		settleMs: 1_500,
		giveUpMs: 60_000,
		wakeLater: wake,
		tellBot: async () => {},
		...options,
	};
	const worker = await startWorker(sendsWorker, await connect(t, redisUrl), tools);
	t.teardown(async () => {
		await worker.close();
		await queue.close();
		await client.close();
	});

	return {
		realm,
		redis,
		redisUrl,
		bot,
		client,
		alice,
		outboxes,
		tools,
		wake,
		/** Puts texts into one outbox, and wakes the worker. */
		async say(texts: readonly string[], more: Partial<OutboxEntry> = {}): Promise<DeliveryRef> {
			const ref = {account: accountTag(bot), id: `put-${randomUUID()}`};
			for (const [index, text] of texts.entries()) {
				const target = JSON.stringify(LUNCH);
				await outboxes.put(ref, {n: index + 1, kind: 'send', target, text, dueAt: 0, mayBePosted: false, ...more});
			}

			await wake(ref);
			return ref;
		},
		/** The states of an outbox once all of them have come to an end. */
		async ended(ref: DeliveryRef): Promise<string[]> {
			for (;;) {
				const entries = await outboxes.read(ref);
				if (entries.every(({state}) => /^(sent|failed|unknown|cancelled|scheduled)/.test(state))) {
					return entries.map(({state}) => state.split(' ')[0] ?? '');
				}

				await sleep(20);
			}
		},
		/** What stands in the conversation, oldest first. */
		async posted(reader: Pick<Client, 'getMessages'> = alice): Promise<string[]> {
			const {messages} = await reader.getMessages({
				anchor: 'newest',
				num_before: 1000,
				narrow: [['sender', bot.email]],
				apply_markdown: false,
			});
			return messages.map(({content}) => content);
		},
		async trouble(path: string, body: object): Promise<void> {
			const headers = {'content-type': 'application/json'};
			const {status} = await fetch(`${realm.url}/trouble/${path}`, {
				method: 'POST',
				headers,
				body: JSON.stringify(body),
			});
			t.is(status, 200);
		},
	};
}
