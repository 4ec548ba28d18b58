// Receivers and workers on a Redis that fails over. Counts the answers that people see.

import type {ExecutionContext} from 'ava';
import {z} from '../../src/api/zod.js';
import type {Client} from '../../src/client/client.js';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import type {AccountRules} from '../../src/delivery/task.js';
import {answeredBy} from '../../src/delivery/work.js';
import {startSweeping} from '../../src/host/background/sweeping.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {type AddOptions, defineQueue, openQueue} from '../../src/queue/define-queue.js';
import {defineWorker, startWorker} from '../../src/queue/define-worker.js';
import {sends} from '../../src/queue/sends.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {createAvailability} from '../../src/redis/availability.js';
import {connectRedis, type RedisConnection} from '../../src/redis/connection.js';
import {listenTo} from '../../src/redis/listen-to.js';
import sendsWorker from '../../workers/sends.js';
import sweep from '../../workers/sweep.js';
import {payload} from '../helpers/payload.js';
import {until} from '../helpers/until.js';

/** On a Cluster they are spread over its masters. */
const ACCOUNTS = 6;
const EVERY_MS = 20;
const DEADLINE_MS = 2_000;

const silent = {info() {}, warn() {}, error() {}};

const accounts = Array.from(
	{length: ACCOUNTS},
	(_, index): AccountRules => ({
		site: 'https://chat.example.com',
		email: `bot-${index}@chat.example.com`,
		deadlineMs: DEADLINE_MS,
		timeoutMs: 60_000,
		concurrency: 100,
		perMinute: 0,
		hasSession: false,
	}),
);

export interface House {
	/** Tag of one of its accounts. */
	readonly account: string;
	/**
	 * Resolves when each part has completed something that started after this call: a message was answered in its own webhook,
	 * an idle worker took a job, and a subscriber received something.
	 */
	works(): Promise<void>;
	/** Stops sending messages, waits until no work is left, and counts how often each answer was seen. */
	answeredOnce(): Promise<void>;
}

/** Two receivers, and workers of sends and sweeps, with a message every 20 ms. */
export async function startHouse(t: ExecutionContext, url: string): Promise<House> {
	const open = (failFast = false) => {
		const connection = connectRedis(url, {failFast, listener: {onLost() {}, onBack() {}}});
		t.teardown(() => connection.disconnect());
		return connection;
	};
	const redis = open();
	const posted = await startPosting(t, open);
	const work = await startIdleWorker(t, open);
	const hear = await startSubscriber(open(), redis);
	const receive = startReceivers(t, open);

	let sent = 0;
	const inline: number[] = [];
	const failures: unknown[] = [];
	const sending = setInterval(() => {
		const n = sent++;
		receive(n).then(
			text => {
				if (text === textOf(n)) {
					inline.push(n);
				}
			},
			error => failures.push(error),
		);
	}, EVERY_MS);
	t.teardown(() => clearInterval(sending));

	/** No post is waiting, and no answer is unconfirmed. */
	async function isDone(): Promise<boolean> {
		const left = await Promise.all(
			accounts.flatMap(account =>
				['due', 'unconfirmed'].map(name => redis.zcard(accountKey(redis, accountTag(account), name))),
			),
		);
		return left.every(count => count === 0);
	}

	return {
		account: accountTag(accounts[0] as AccountRules),
		async works() {
			const from = sent;
			await Promise.all([until(() => inline.some(n => n >= from)), work(), hear()]);
		},
		async answeredOnce() {
			clearInterval(sending);
			const texts = () => [...inline.map(textOf), ...posted];
			const asked = Array.from({length: sent}, (_, n) => textOf(n));
			await until(() => new Set(texts()).size === sent);
			await until(isDone);
			t.log(`${sent} messages: ${inline.length} answered inline, ${posted.length} posted`);
			t.deepEqual(texts().toSorted(), asked.toSorted());
			t.deepEqual(failures, []);
		},
	};
}

const textOf = (n: number) => `answer ${n}`;

/** Sends each message to one of two processes, as the service does. Resolves with the webhook's answer. */
function startReceivers(t: ExecutionContext, open: (failFast: boolean) => RedisConnection) {
	const processes = ['a', 'b'].map(process => {
		const connection = open(true);
		const availability = createAvailability({probe: () => connection.set('{bothy}:probe', '1'), log: silent});
		t.teardown(() => availability.close());
		const enqueue = enqueuerOf(connection);
		const deliveries = createDeliveries<AccountRules>({
			process,
			store: createRedisStore(connection),
			availability,
			handle: ({run: {say}, work}) => say.reply(textOf(Number(answeredBy(work)?.data))),
			isDead: () => false,
			log: silent,
			// A sweep finds work whose worker could not be notified.
			enqueue: ref => enqueue(ref).catch(() => {}),
		});
		t.teardown(() => deliveries.close(0));
		return deliveries;
	});
	return async (n: number): Promise<string | undefined> => {
		const account = accounts[n % ACCOUNTS] as AccountRules;
		const arrived = payload({botEmail: account.email, messageId: n + 1, text: String(n)});
		const arrivedAt = performance.now();
		const answer = await processes[n % 2]?.receive({
			account,
			work: {kind: 'message', payload: arrived},
			arrivedAt,
		});
		answer?.outcome?.onFlushed();
		return JSON.parse(answer?.body ?? '{}').content;
	};
}

function enqueuerOf(connection: RedisConnection) {
	const queue = openQueue(sends, connection);
	return async (ref: DeliveryRef, more: AddOptions = {}): Promise<void> => {
		const account = accounts.find(candidate => accountTag(candidate) === ref.account);
		await queue.add({v: 1, site: account?.site ?? '', email: account?.email ?? '', delivery: ref.id}, more);
	};
}

/** Workers of sends and sweeps, and a service that always answers. Each posted message is added to the texts. */
async function startPosting(t: ExecutionContext, open: () => RedisConnection): Promise<readonly string[]> {
	const texts: string[] = [];
	const ids = new Map<string, number>();
	const client = {
		email: 'bot@chat.example.com',
		async sendMessage({content = '', local_id: id = ''}) {
			ids.set(id, texts.push(content));
			return {id: texts.length};
		},
	};
	const enqueue = enqueuerOf(open());
	const workers = [
		await startWorker(sendsWorker, open(), {
			// The worker calls nothing else here.
			clientOf: () => client as unknown as Client,
			outboxes: createOutboxStore(open()),
			receipts: {
				before: async () => ({queue: 'q', after: 0}),
				sawMessage() {},
				find: async (_client, {localId}) => ids.get(localId) ?? 'absent',
			},
			sight: {of: async () => 'sees'},
			log: silent,
			now: Date.now,
			settleMs: 1_500,
			giveUpMs: 60_000,
			enqueueLater: enqueue,
			runBot: async () => {},
		}),
	];
	const dependencies = {
		accounts,
		store: createRedisStore(open()),
		log: silent,
		ledgerTextMs: 3_600_000,
		enqueue: (ref: DeliveryRef) => enqueue(ref, {debounce: `${ref.account} ${ref.id}`}),
		paused: async () => new Map(),
		// No process dies here.
		rerun: async () => {},
	};
	const sweeping = startSweeping({redis: open(), sweep: () => sweep(dependencies), isSettled: () => true, report() {}});
	t.teardown(() => Promise.all([sweeping.stop(), ...workers.map(worker => worker.close())]));
	return texts;
}

/** A worker that blocks all the time; the result gives it a job, and resolves when the job is done. */
async function startIdleWorker(t: ExecutionContext, open: () => RedisConnection): Promise<() => Promise<void>> {
	const idle = defineQueue({name: 'idle', schema: z.object({n: z.int()}), result: z.object({})});
	const done = new Set<number>();
	const definition = defineWorker({
		queue: idle,
		concurrency: 1,
		async run({n}, _tools: {log: typeof silent}) {
			done.add(n);
			return {};
		},
	});
	const worker = await startWorker(definition, open(), {log: silent});
	t.teardown(() => worker.close());
	const queue = openQueue(idle, open());
	let jobs = 0;
	return async () => {
		const n = ++jobs;
		await queue.add({n});
		await until(() => done.has(n));
	};
}

/** An idle connection, which does not notice by itself that its server is gone. */
async function startSubscriber(subscriber: RedisConnection, redis: RedisConnection): Promise<() => Promise<void>> {
	let heard = 0;
	await listenTo(subscriber, 'news', () => {
		heard++;
	});
	return async () => {
		const before = heard;
		await until(async () => {
			await redis.publish('news', '');
			return heard > before;
		});
	};
}
