// The worker of sends with a real realm and a real Redis. Its jobs run in virtual time.

import {randomUUID} from 'node:crypto';
import type {ExecutionContext} from 'ava';
import {type Client, createClient} from '../../src/client/client.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import type {OutboxEntry} from '../../src/delivery/store.js';
import type {Target} from '../../src/delivery/target.js';
import {createPauses} from '../../src/host/pauses.js';
import {createReceipts} from '../../src/outbox/receipts.js';
import {createSight} from '../../src/outbox/sight.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {TryLater} from '../../src/queue/define-worker.js';
import {accountTag} from '../../src/redis/account-key.js';
import sendsWorker, {type SendDependencies} from '../../workers/sends.js';
import {signIn} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';
import {openBot, openOwnRealm} from './shared-realm.js';
import {createVirtualTime} from './virtual-time.js';

const silent = {info() {}, warn() {}, error() {}};
const LUNCH: Target = {channel: 'general', topic: 'lunch'};

/** For an account that gets no receipts. */
export const withoutReceipts: Pick<SendDependencies, 'receipts'> = {
	receipts: {before: async () => ({queue: '', after: 0}), sawMessage() {}, find: async () => 'gap'},
};

interface Options extends Partial<SendDependencies> {
	/** The realm, if the test has its own. */
	readonly featureLevel?: number;
	/** Whether the test sets the realm's clock. This needs a realm of its own. */
	readonly hasClock?: boolean;
	/** How long the worker waits for an answer. */
	readonly timeoutMs?: number;
}

export async function startSends(t: ExecutionContext, options: Options = {}) {
	const {featureLevel, hasClock = false, timeoutMs = 60_000, ...given} = options;
	const {realm, bot, trouble} = await (featureLevel === undefined && !hasClock
		? openBot(t)
		: openOwnRealm(t, featureLevel));
	const redisUrl = await openRedis(t);
	const redis = await connect(t, redisUrl);
	const time = createVirtualTime(Date.now());
	const pauses = createPauses(redis, await connect(t, redisUrl), time.now);
	const client = createClient({...bot, userAgent: 'test/1', timeoutMs, pause: pauses.of(bot)});
	t.teardown(() => client.close());
	const outboxes = createOutboxStore(redis);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');

	const asked = new Set<string>();
	/** Adds a job, unless there is one with that id. */
	const enqueue = async (ref: DeliveryRef, {id = randomUUID(), delayMs = 0}: {id?: string; delayMs?: number} = {}) => {
		if (!asked.has(id)) {
			asked.add(id);
			void time.sleep(delayMs).then(() => work(ref));
		}
	};
	const dependencies: SendDependencies = {
		outboxes,
		receipts: createReceipts(redis),
		sight: createSight(Date.now),
		log: silent,
		now: time.now,
		clientOf: () => client,
		settleMs: 1_500,
		giveUpMs: 60_000,
		enqueueLater: enqueue,
		runBot: async () => {},
		...given,
	};
	const worker = time.holdDuring(sendsWorker);
	/** Runs a job to its end, as the queue does. */
	async function work(ref: DeliveryRef): Promise<void> {
		try {
			await worker.run({v: 1, site: bot.site, email: bot.email, delivery: ref.id}, dependencies, time.now());
		} catch (error) {
			if (!(error instanceof TryLater)) {
				throw error;
			}

			await time.sleep(error.delayMs);
			await work(ref);
		}
	}

	return {
		realm,
		redis,
		redisUrl,
		time,
		bot,
		client,
		alice,
		outboxes,
		dependencies,
		enqueue,
		/** Puts texts into one outbox, and wakes the worker. */
		async say(
			texts: readonly string[],
			more: Partial<OutboxEntry> = {},
			ref: DeliveryRef = {account: accountTag(bot), id: `put-${randomUUID()}`},
		): Promise<DeliveryRef> {
			for (const [index, text] of texts.entries()) {
				const target = JSON.stringify(LUNCH);
				await outboxes.put(ref, {n: index + 1, kind: 'send', target, text, dueAt: 0, mayBePosted: false, ...more});
			}

			await enqueue(ref);
			return ref;
		},
		/** The states of an outbox once all its entries have ended. */
		async ended(ref: DeliveryRef): Promise<string[]> {
			for (;;) {
				await time.pass(500);
				const entries = await outboxes.read(ref);
				if (entries.every(({state}) => /^(sent|failed|unknown|cancelled|scheduled)/.test(state))) {
					return entries.map(({state}) => state.split(' ')[0] ?? '');
				}
			}
		},
		/** The texts in the conversation, oldest first. */
		async posted(reader: Pick<Client, 'getMessages'> = alice): Promise<string[]> {
			const {messages} = await reader.getMessages({
				anchor: 'newest',
				num_before: 1000,
				narrow: [['sender', bot.email]],
				apply_markdown: false,
			});
			return messages.map(({content}) => content);
		},
		trouble: (path: string, body: object) => trouble(body, path),
	};
}
