// Deliveries in Redis. Every step is one script and one round trip.

import type {Cluster, Redis} from 'ioredis';
import {createOutboxStore, encodeEntry} from '../outbox/store.js';
import {accountKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';
import {createCronStore} from '../schedules/cron-store.js';
import {APOLOGY, FLOOD_ANSWER, SILENCE} from './answers.js';
import {createRedisLedger, type RedisLedger} from './redis-ledger.js';
import type {DeliveryRef} from './ref.js';
import {scripts} from './scripts/index.js';
import {
	type AppendResult,
	type Carried,
	type Claim,
	type ClaimRequest,
	type DeliveryState,
	type DeliveryStore,
	type Finish,
	KEPT_MS,
	LEASE_MS,
	MAX_RUNS,
	type OutboxEntry,
	UNCONFIRMED_MS,
} from './store.js';

export interface RedisStore extends DeliveryStore, RedisLedger {
	/** Deliveries of an account that have work now: lapsed, unconfirmed, or with something to post. */
	due(account: string, limit: number): Promise<DeliveryRef[]>;
	/** Whether the outbox may hold something to post. */
	hasOutbox(ref: DeliveryRef): Promise<boolean>;
	/** Makes a sweep run the deliveries that were held, at most a thousand. Returns them in order. */
	wakeHeld(account: string): Promise<DeliveryRef[]>;
	/** Stops tracking a delivery that is gone. */
	forget(ref: DeliveryRef): Promise<void>;
	/** Moves an unconfirmed inline answer into the outbox. False if there is none. */
	turnLate(ref: DeliveryRef): Promise<boolean>;
	/** Ends a delivery that cannot be run, with an error for the ledger. */
	park(ref: DeliveryRef, error: string): Promise<void>;
	/** The session of a conversation, JSON text, without entering it. */
	readSession(account: string, conversation: string): Promise<string | undefined>;
}

export function createRedisStore(redis: Redis | Cluster): RedisStore {
	const run = createScripts(redis, scripts);
	/** Keys of a script. Keys of a single delivery contain its id. */
	const keysOf = ({account, id}: DeliveryRef, ...names: string[]) =>
		names.map(name => accountKey(redis, account, OWN.has(name) ? `${name}:${id}` : name));
	const outboxes = createOutboxStore(redis);
	const crons = createCronStore(redis);

	let asking: Promise<number> | undefined;
	/** Whole seconds, in milliseconds since 1970. Accounts that are swept together ask once. */
	function nowInRedis(): Promise<number> {
		asking ??= redis
			.time()
			.then(([seconds]) => Number(seconds) * 1000)
			.finally(() => {
				asking = undefined;
			});
		return asking;
	}

	async function append(ref: DeliveryRef, holderRun: number, entries: readonly OutboxEntry[]): Promise<AppendResult> {
		const keys = keysOf(ref, 'delivery', 'due', 'outbox');
		const differing = (await run('append', keys, [ref.id, holderRun, ...encodeEntries(entries)])) as string[] | null;
		return differing === null ? 'stale' : {differing: differing.map(Number)};
	}

	return {
		...createRedisLedger(redis),
		async claim(ref, request) {
			const keys = keysOf(ref, 'delivery', 'due', 'outbox', UNCONFIRMED, 'ledger', floodOf(request), 'parked');
			return readClaim(await run('claim', keys, claimArguments(ref, request)));
		},
		async renew(ref, holderRun, session) {
			const keys = keysOf(ref, 'delivery', 'due', ...(session ? [`session-lock:${session.conversation}`] : []));
			return (await run('renew', keys, [ref.id, holderRun, LEASE_MS, session?.holder ?? ''])) as DeliveryState;
		},
		async release(ref, holderRun, {holds} = {holds: false}) {
			await run('release', keysOf(ref, 'delivery', 'due'), [ref.id, holderRun, holds ? 1 : 0]);
		},
		async wakeHeld(account) {
			const due = accountKey(redis, account, 'due');
			const held = byMessage(await redis.zrangebyscore(due, '+inf', '+inf', 'LIMIT', 0, WOKEN));
			if (held.length > 0) {
				const waking = redis.multi();
				for (const [index, id] of held.entries()) {
					waking.pexpire(accountKey(redis, account, `delivery:${id}`), KEPT_MS).zadd(due, 'XX', Date.now() + index, id);
				}

				await waking.exec();
			}

			return held.map(id => ({account, id}));
		},
		async decideLate(ref) {
			const answer = (await run('decideLate', keysOf(ref, 'delivery'), [])) as string | null;
			return answer === null ? 'late' : {answer};
		},
		async finish(ref, {run: holderRun, answer, canAnswer, replies, error, session}: Finish) {
			const reference = referenceIn(error);
			const keys = keysOf(
				ref,
				'delivery',
				'due',
				'outbox',
				UNCONFIRMED,
				'failed',
				`reference:${reference ?? ''}`,
				...(session ? sessionKeys(session.conversation) : []),
			);
			const ended = {
				id: ref.id,
				run: String(holderRun),
				answer,
				canAnswer,
				error,
				hasReference: reference !== undefined,
				holder: session?.holder,
				session: session?.json,
				unconfirmedMs: UNCONFIRMED_MS,
			};
			return (await run('finish', keys, [JSON.stringify(ended), ...encodeEntries(replies)])) as DeliveryState;
		},
		async enterSession(ref, holderRun, {conversation, holder, deadHolder}) {
			const keys = keysOf(ref, 'delivery', ...sessionKeys(conversation));
			const args = [holderRun, holder, LEASE_MS, deadHolder ?? ''];
			const [kind, value = ''] = (await run('enterSession', keys, args)) as string[];
			if (kind === 'entered') {
				return {kind, json: value === '' ? undefined : value};
			}

			return kind === 'busy' ? {kind, holder: value} : {kind: 'stale'};
		},
		async confirm(carried) {
			await Promise.all(
				[...groupByAccount(carried)].map(([account, group]) =>
					run(
						'confirm',
						[UNCONFIRMED, ...group.map(({ref}) => `delivery:${ref.id}`)].map(what => accountKey(redis, account, what)),
						group.flatMap(({ref, carrier}) => [ref.id, carrier]),
					),
				),
			);
		},
		async answerLost({ref, carrier}) {
			const keys = keysOf(ref, 'delivery', 'due', 'outbox', UNCONFIRMED);
			return (await run('answerLost', keys, [ref.id, carrier])) === 1;
		},
		append,
		async schedule(ref, holderRun, entry) {
			const appended = await append(ref, holderRun, [entry]);
			if (appended !== 'stale') {
				await outboxes.name({ref, n: entry.n}, entry.name);
			}

			return appended;
		},
		repeat: (ref, holderRun, {id, cron}) => crons.putFor({ref, run: holderRun}, id, cron),
		async due(account, limit) {
			const before = await nowInRedis();
			const found = await Promise.all(
				['due', UNCONFIRMED].map(async name => {
					const key = accountKey(redis, account, name);
					return inOrder(await redis.zrangebyscore(key, 0, before, 'WITHSCORES', 'LIMIT', 0, limit));
				}),
			);
			return [...new Set(found.flat())].map(id => ({account, id}));
		},
		async hasOutbox({account, id}) {
			return (await redis.exists(accountKey(redis, account, `outbox:${id}`))) === 1;
		},
		async forget({account, id}) {
			// A newer version of Bothy stored it and will run it.
			if ((await redis.exists(accountKey(redis, account, `delivery:${id}`))) === 1) {
				return;
			}

			await Promise.all(['due', UNCONFIRMED].map(name => redis.zrem(accountKey(redis, account, name), id)));
		},
		async turnLate(ref) {
			return (await run('turnLate', keysOf(ref, 'delivery', 'due', 'outbox', UNCONFIRMED), [ref.id])) === 1;
		},
		async park(ref, error) {
			await run('park', keysOf(ref, 'delivery', 'due', 'parked'), [ref.id, error, SILENCE]);
		},
		async readSession(account, conversation) {
			return (await redis.get(accountKey(redis, account, `session:${conversation}`))) ?? undefined;
		},
	};
}

/** The key's name in Redis since the first release. Holds inline answers that no connection has confirmed yet. */
const UNCONFIRMED = 'unconfirmed';

const OWN = new Set(['delivery', 'outbox']);

/** What the text of an error in the ledger begins with, if people read it in an apology. */
function referenceIn(error: string | undefined): string | undefined {
	return /^([\da-f]{8}) /.exec(error ?? '')?.[1];
}

/** How many held deliveries are woken at once. */
const WOKEN = 1_000;

function byMessage(ids: readonly string[]): string[] {
	return ids.toSorted((a, b) => (Number.parseInt(a, 10) || 0) - (Number.parseInt(b, 10) || 0));
}

/** Sorts deliveries that are due at the same time by message. Redis sorts them as text, `11-…` before `9-…`. */
function inOrder(idsAndTimes: readonly string[]): string[] {
	const found = idsAndTimes.flatMap((id, index) => {
		const time = Number(idsAndTimes[index + 1]);
		return index % 2 === 0 ? [{id, time, message: Number.parseInt(id, 10) || 0}] : [];
	});
	return found.toSorted((a, b) => a.time - b.time || a.message - b.message).map(({id}) => id);
}

function sessionKeys(conversation: string): string[] {
	return [`session-lock:${conversation}`, `session:${conversation}`];
}

/** The key of the counter of a sender's messages. */
function floodOf({sender, isUnasked}: ClaimRequest): string {
	return isUnasked ? `flood:unasked:${sender}` : `flood:${sender}`;
}

function claimArguments(ref: DeliveryRef, {work, ...request}: ClaimRequest): string[] {
	const claimed = {
		id: ref.id,
		leaseMs: LEASE_MS,
		maxRuns: MAX_RUNS,
		unconfirmedMs: UNCONFIRMED_MS,
		floodAnswer: request.isUnasked ? SILENCE : FLOOD_ANSWER,
		silence: SILENCE,
		apology: APOLOGY,
		...request,
	};
	return [JSON.stringify(claimed), work];
}

function readClaim(result: unknown): Claim {
	const [kind, first = '', second = ''] = result as string[];
	switch (kind) {
		case 'run':
			return {kind, run: Number(first), isLate: second === 'late'};
		case 'busy':
			return {kind, holder: first};
		case 'answer':
			return {kind, answer: first, isFlood: second === 'flood'};
		case 'last':
			return {kind};
		default:
			return {kind: 'late'};
	}
}

function groupByAccount(all: readonly Carried[]): Map<string, Carried[]> {
	const groups = new Map<string, Carried[]>();
	for (const carried of all) {
		const {account} = carried.ref;
		groups.set(account, [...(groups.get(account) ?? []), carried]);
	}

	return groups;
}

/** Number and JSON text of each entry, one after the other. */
function encodeEntries(entries: readonly OutboxEntry[]): string[] {
	return entries.flatMap(encodeEntry);
}
