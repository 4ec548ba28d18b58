// One run of the suite: thousands of messages are to be posted, now, later, again and again, while workers die, the service
// fails in every way it has, and people change what was posted; then the realm's messages are counted.

import {randomUUID} from 'node:crypto';
import {mkdir, mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {isPending} from '../../src/outbox/entry-state.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {sends} from '../../src/queue/sends.js';
import {type BotAccount, startRealm} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connectRedis} from '../../src/redis/connection.js';
import {createCronStore, cronOutbox} from '../../src/schedules/cron-store.js';
import {keep} from './processes.js';
import {disturb, type TroubleSize} from './sends-trouble.js';
import {openPosted, type Posted} from './sends-verdict.js';
import {type FailingRedis, startFailingRedis} from './trouble/outages.js';
import {startRedisProxy} from './trouble/redis-proxy.js';
import {endFolder} from './verdict.js';

export interface SendsSize extends TroubleSize {
	/** Messages to be posted, those of due times besides; they are handed in over `overMs`. */
	readonly sends: number;
	readonly accounts: number;
	/** Crons of five seconds, one for each of so many accounts. */
	readonly crons: number;
	/** Longer than a post may take (15 s), and than the service may be late with it. */
	readonly settleSeconds: number;
	/** How long to wait for the rest in the end. */
	readonly timeoutMs: number;
}

export interface SendsVerdict {
	readonly intended: number;
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	/** Outboxes whose messages are not in order. */
	readonly disordered: readonly string[];
	/** Parked for a person to decide. */
	readonly unknown: number;
}

type Say = (line: string) => void;

const SAME = 'one of many that are the same';

export async function runSends(size: SendsSize, say: Say): Promise<SendsVerdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-faults-'));
	const {bots, realm} = await openRealm(folder, size.accounts);
	const redis = await startFailingRedis(folder);
	const proxy = await startRedisProxy({
		redisPort: redis.port,
		replaced: new Map(),
		kill: () => false,
		mayKill: () => false,
	});
	const env = {
		BOTHY_CONFIG_JSON: JSON.stringify(
			Object.fromEntries(bots.map(({name, email, key, site}) => [name, {email, key, site}])),
		),
		BOTHY_DATA: folder,
		REDIS_URL: proxy.url,
		LOG_LEVEL: 'info',
		SEND_SETTLE_SECONDS: String(size.settleSeconds),
	};
	const workers = [0, 1].map(index => keep({command: 'worker', env, logFile: join(folder, `worker-${index}.log`)}));
	const connection = connectRedis(proxy.url, {listener: {onLost() {}, onBack() {}}});
	const posted = openPosted(join(folder, 'realm.db'));
	let isGood = false;
	try {
		await Promise.all([realm, ...workers].map(process => process.up()));
		const verdict = await runHouse(size, {bots, redis, workers, connection, posted, say});
		isGood = verdict.lost.length + verdict.doubled.length + verdict.disordered.length === 0;
		return verdict;
	} finally {
		await Promise.all(workers.map(worker => worker.stop()));
		connection.disconnect();
		posted.close();
		await realm.stop();
		await proxy.close();
		await redis.stop();
		await endFolder(folder, {isGood, say});
	}
}

/** In a process of its own: a busy one takes new connections one at a time, and we are busy. */
export async function openRealm(folder: string, accounts: number) {
	const beforehand = await startRealm({file: join(folder, 'realm.db'), port: 0});
	const bots = Array.from({length: accounts}, (_, index) =>
		beforehand.ensureBot({name: `bot-${index}`, fullName: `Bot ${index}`, payloadUrl: 'http://127.0.0.1:9/'}),
	);
	await beforehand.close();
	const env = {
		BOTHY_BOTS: join(folder, 'bots'),
		BOTHY_DATA: folder,
		REALM_PORT: String(beforehand.port),
		REALM_RATE_LIMIT: 'off',
	};
	await mkdir(env.BOTHY_BOTS);
	return {bots, realm: keep({command: 'realm', env, logFile: join(folder, 'realm.log')})};
}

interface House {
	readonly bots: readonly BotAccount[];
	readonly redis: FailingRedis;
	readonly workers: readonly ReturnType<typeof keep>[];
	readonly connection: ReturnType<typeof connectRedis>;
	readonly posted: Posted;
	readonly say: Say;
}

async function runHouse(size: SendsSize, house: House): Promise<SendsVerdict> {
	const {bots, connection, posted, say} = house;
	const outboxes = createOutboxStore(connection);
	const crons = createCronStore(connection);
	const queue = openQueue(sends, connection);
	const startedAt = performance.now();
	const disturbed = disturb(size, {...house, connection});
	for (const bot of bots.slice(0, size.crons)) {
		const what = {kind: 'send', target: TICKS, text: `tick of ${bot.name}`} as const;
		await crons.put(accountTag(bot), 'tick', {cron: {pattern: '*/5 * * * * *', tz: 'UTC', missed: 'skip'}, what});
	}

	const {intended, outboxTexts} = await handIn(size, {bots, outboxes, queue});
	say(`  everything is handed in after ${secondsSince(startedAt)} s`);
	for (const bot of bots.slice(0, size.crons)) {
		await crons.remove(accountTag(bot), 'tick');
	}

	await disturbed.end();
	const states = async () => {
		const all = await Promise.all(
			bots.flatMap(async bot => {
				const tag = accountTag(bot);
				const [waiting, unsettled] = await Promise.all([outboxes.waiting(tag), outboxes.unsettled(tag)]);
				const refs = new Map([...waiting, ...unsettled.map(({ref}) => ref)].map(ref => [ref.id, ref]));
				return (await Promise.all([...refs.values()].map(ref => outboxes.read(ref)))).flat();
			}),
		);
		return all.flat();
	};
	for (const end = performance.now() + size.timeoutMs; performance.now() < end; await sleep(500)) {
		if (!(await states()).some(({state}) => isPending(state))) {
			break;
		}
	}

	say(`  everything is settled after ${secondsSince(startedAt)} s`);
	for (const bot of bots.slice(0, size.crons)) {
		const due = await outboxes.read(cronOutbox(accountTag(bot), 'tick'));
		intended.set(`tick of ${bot.name}`, due.length);
	}

	await queue.close();
	const left = await states();
	const unknown = left.filter(({state}) => state === 'unknown').map(({text}) => text);
	const others = left.filter(({state}) => state !== 'unknown');
	if (others.length > 0) {
		say(`  neither posted nor unknown: ${others.slice(0, 5).map(({text, state}) => `${text}: ${state}`)}`);
	}

	say(`  ${disturbed.report()}; ${unknown.length} parked as unknown`);
	return judge({intended, unknown, outboxTexts, posted: posted.texts()});
}

const TICKS = JSON.stringify({channel: 'general', topic: 'ticks'});

interface Tools {
	readonly bots: readonly BotAccount[];
	readonly outboxes: ReturnType<typeof createOutboxStore>;
	readonly queue: ReturnType<typeof openQueue<typeof sends.schema>>;
}

/** Hands in outboxes of one to five messages; half of all texts are the same, in one topic; every third outbox waits. */
async function handIn({sends: count, overMs}: SendsSize, {bots, outboxes, queue}: Tools) {
	const intended = new Map<string, number>();
	const outboxTexts: string[][] = [];
	const startedAt = performance.now();
	let made = 0;
	for (let index = 0; made < count; index++) {
		const bot = bots[index % bots.length] as BotAccount;
		const isSame = index % 2 === 0;
		const target = JSON.stringify({channel: 'general', topic: isSame ? 'same' : `topic ${index % 20}`});
		const length = Math.min(1 + (Math.floor(index / 2) % 5), count - made);
		const texts = Array.from({length}, (_, n) => (isSame ? SAME : `text ${index}.${n}`));
		const dueAt = index % 3 === 0 ? Date.now() + 1_000 + Math.random() * 15_000 : 0;
		const ref = {account: accountTag(bot), id: `put-${randomUUID()}`};
		for (const [at, text] of texts.entries()) {
			await outboxes.put(ref, {n: at + 1, kind: 'send', target, text, dueAt: Math.round(dueAt), mayBePosted: false});
			intended.set(text, (intended.get(text) ?? 0) + 1);
		}

		await queue.add({v: 1, site: bot.site, email: bot.email, delivery: ref.id});
		made += length;
		if (!isSame) {
			outboxTexts.push(texts);
		}

		await sleep(Math.max(0, startedAt + (made / count) * overMs - performance.now()));
	}

	return {intended, outboxTexts};
}

interface Found {
	readonly intended: ReadonlyMap<string, number>;
	/** May have been posted, or not. */
	readonly unknown: readonly string[];
	readonly outboxTexts: readonly (readonly string[])[];
	/** In order, as they were first posted. */
	readonly posted: readonly string[];
}

function judge({intended, unknown, outboxTexts, posted}: Found): SendsVerdict {
	const counts = countOf(posted);
	const parked = countOf(unknown);
	const lost: string[] = [];
	const doubled: string[] = [];
	for (const text of new Set([...intended.keys(), ...counts.keys()])) {
		const [wanted, found, open] = [intended.get(text) ?? 0, counts.get(text) ?? 0, parked.get(text) ?? 0];
		lost.push(...Array.from({length: Math.max(0, wanted - open - found)}, () => text));
		doubled.push(...Array.from({length: Math.max(0, found - wanted)}, () => text));
	}

	const place = new Map(posted.map((text, index) => [text, index]));
	const disordered = outboxTexts
		.map(texts => texts.map(text => place.get(text)).filter(index => index !== undefined))
		.filter(places => places.some((index, at) => index < (places[at - 1] ?? 0)))
		.map(places => places.join(' '));
	return {
		intended: [...intended.values()].reduce((sum, count) => sum + count, 0),
		lost,
		doubled,
		disordered,
		unknown: unknown.length,
	};
}

function countOf(texts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) {
		counts.set(text, (counts.get(text) ?? 0) + 1);
	}

	return counts;
}

function secondsSince(startedAt: number): number {
	return Math.round((performance.now() - startedAt) / 1000);
}
