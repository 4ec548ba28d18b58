// Outboxes in Redis: what bots post outside the webhook's answer, and its state.

import type {Cluster, Redis} from 'ioredis';
import {z} from '../api/zod.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {KEPT_MS, OUTBOX_KINDS, type OutboxEntry, type StoredEntry} from '../delivery/store.js';
import {accountKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';
import {type EntryState, isPending} from './entry-state.js';
import {outboxScripts} from './scripts.js';

/** A locked outbox, as a worker sees it. */
export interface OpenOutbox {
	/** JSON text of the work that made it. Undefined if it is not stored. */
	readonly work: string | undefined;
	/** The states before this step. */
	readonly entries: readonly StoredEntry[];
	/** Number of the entry whose attempt has begun. */
	readonly begun: number | undefined;
}

/** One entry of one outbox. */
export interface EntryRef {
	readonly ref: DeliveryRef;
	readonly n: number;
}

export interface EntryEnd {
	readonly n: number;
	readonly state: EntryState;
	/** The stored state of the attempt that has ended. */
	readonly attempt: EntryState;
	/** Set if the service gave the message's id itself. The message then belongs to this entry, whichever entry had it before. */
	readonly messageId?: number | undefined;
	/** The message only looks like this entry's: it is assigned until its real owner is known. */
	readonly isFound?: boolean;
	/** Also closes the outbox, since this is the last entry. If something remains to be posted, a sweep checks it after this time. */
	readonly closeMs?: number | undefined;
}

export interface OutboxStore {
	/** Locks the outbox for a worker, and begins an attempt for the first entry. Undefined while another worker has the lock. */
	open(ref: DeliveryRef, nonce: string, attempt: EntryState): Promise<OpenOutbox | undefined>;
	/** Begins an attempt. `lost`: another worker has the outbox. */
	begin(ref: DeliveryRef, nonce: string, attempt: {n: number; state: EntryState}): Promise<Begun>;
	/** Renews the worker's lock. Tells whether it still has the outbox. */
	renew(ref: DeliveryRef, nonce: string): Promise<void>;
	end(ref: DeliveryRef, nonce: string, end: EntryEnd): Promise<Ended>;
	/** Whether a message that was found in the conversation belongs to this entry. The first entry to ask gets it. */
	claimMessage(entry: EntryRef, messageId: number): Promise<boolean>;
	/** The message that was last found for this entry, unless it turned out to belong to another. */
	claimed(entry: EntryRef): Promise<number | undefined>;
	/** True if nothing remains to be posted. Otherwise a sweep checks the outbox after `nextMs` at the latest. */
	close(ref: DeliveryRef, nonce: string, nextMs: number): Promise<boolean>;
	/** Adds a post that no run of a bot sent. False if it was added before. With a name it is a schedule. */
	put(ref: DeliveryRef, entry: OutboxEntry, name?: string): Promise<boolean>;
	/** Names an entry. Cancels the entry that had the name before. */
	name(entry: EntryRef, name: string): Promise<void>;
	/** Removes the name of an entry that has ended. */
	unname(entry: EntryRef, name: string): Promise<void>;
	/** The named entries of an account. */
	named(account: string): Promise<ReadonlyMap<string, EntryRef>>;
	findNamed(account: string, name: string): Promise<EntryRef | undefined>;
	/** False if it is too late. */
	cancel(entry: EntryRef, name: string): Promise<boolean>;
	/** Moves an entry to another time, milliseconds since 1970. False if it is too late. */
	move(entry: EntryRef, dueAt: number, how?: {readonly byHand: true}): Promise<boolean>;
	/** A person marks a failed or unknown entry as sent, or sends it again. Otherwise returns the entry's state. */
	resolve(entry: EntryRef, state: 'waiting' | 'sent 0'): Promise<'resolved' | EntryState | ''>;
	/** Entries of an account that failed or are unknown, oldest first. */
	unsettled(account: string): Promise<EntryRef[]>;
	/** Outboxes of an account with waiting entries. */
	waiting(account: string): Promise<DeliveryRef[]>;
	read(ref: DeliveryRef): Promise<StoredEntry[]>;
	readEntry(entry: EntryRef): Promise<StoredEntry | undefined>;
	/** Drops entries that ended long ago. */
	trim(ref: DeliveryRef): Promise<void>;
}

/** How many of the latest entries Bothy keeps of an outbox that never ends. */
export const TRIMMED_TO = 50;

/** `lost`: stop, since another worker has the lock or the message. `retracting`: a cancel arrived in the meantime. */
export type Ended = 'recorded' | 'lost' | 'retracting';

const ENDED = ['lost', 'recorded', 'retracting'] as const;

export type Begun = 'begun' | 'lost' | 'cancelled' | 'moved';

export function createOutboxStore(redis: Redis | Cluster): OutboxStore {
	const run = createScripts(redis, outboxScripts);
	const keys = ({account, id}: DeliveryRef) => ({
		delivery: accountKey(redis, account, `delivery:${id}`),
		outbox: accountKey(redis, account, `outbox:${id}`),
		lock: accountKey(redis, account, `lock:${id}`),
		due: accountKey(redis, account, 'due'),
		unsettled: accountKey(redis, account, 'unsettled'),
		schedules: accountKey(redis, account, 'schedules'),
		message: (messageId: number) => accountKey(redis, account, `message:${messageId}`),
		found: (n: number) => accountKey(redis, account, `found:${id}:${n}`),
	});

	return {
		async open(ref, nonce, attempt) {
			const {delivery, outbox, lock} = keys(ref);
			const opened = (await run('open', [delivery, outbox, lock], [nonce, attempt])) as
				| [string | null, string[], string]
				| null;
			if (opened === null) {
				return undefined;
			}

			const [work, fields, begun] = opened;
			return {
				work: work ?? undefined,
				entries: readEntries(pairs(fields)),
				begun: begun === '' ? undefined : Number(begun),
			};
		},
		async begin(ref, nonce, {n, state}) {
			const {outbox, lock} = keys(ref);
			return (await run('begin', [outbox, lock], [nonce, n, state])) as Begun;
		},
		async renew(ref, nonce) {
			await run('renew', [keys(ref).lock], [nonce]);
		},
		async end(ref, nonce, {n, state, attempt, messageId, isFound = false, closeMs}) {
			const {outbox, lock, unsettled, delivery, due, message} = keys(ref);
			const all = [outbox, lock, unsettled, delivery, due, ...(messageId === undefined ? [] : [message(messageId)])];
			const ended = {id: ref.id, nonce, n: String(n), state, attempt, isFound, closeMs};
			return ENDED[(await run('end', all, [JSON.stringify(ended)])) as 0 | 1 | 2];
		},
		async claimMessage(entry, messageId) {
			const {message, found} = keys(entry.ref);
			const isOurs = await run('claimMessage', [message(messageId), found(entry.n)], [ownerOf(entry), messageId]);
			return isOurs === 1;
		},
		async claimed(entry) {
			const {message, found} = keys(entry.ref);
			const messageId = await redis.get(found(entry.n));
			const owner = messageId === null ? null : await redis.get(message(Number(messageId)));
			return owner === ownerOf(entry) ? Number(messageId) : undefined;
		},
		async close(ref, nonce, nextMs) {
			const {delivery, due, outbox, lock} = keys(ref);
			return (await run('close', [delivery, due, outbox, lock], [nonce, ref.id, nextMs])) === 1;
		},
		async put(ref, entry, name) {
			const {due, outbox, schedules} = keys(ref);
			const keptMs = Math.max(0, entry.dueAt - Date.now()) + KEPT_MS;
			const [n, json] = encodeEntry(entry);
			const place = {id: ref.id, n, keptMs, name};
			return (await run('put', [due, outbox, schedules], [JSON.stringify(place), json])) === 1;
		},
		async name(entry, name) {
			const {schedules} = keys(entry.ref);
			for (;;) {
				const before = (await redis.hget(schedules, name)) ?? '';
				const earlier = before === '' ? undefined : readOwner(entry.ref.account, before);
				const all = [schedules, ...(earlier ? [keys(earlier.ref).outbox] : [])];
				if ((await run('name', all, [name, ownerOf(entry), before, earlier?.n ?? 0])) === 1) {
					return;
				}
			}
		},
		async unname(entry, name) {
			await run('unname', [keys(entry.ref).schedules], [name, ownerOf(entry)]);
		},
		async named(account) {
			const named = await redis.hgetall(accountKey(redis, account, 'schedules'));
			return new Map(Object.entries(named).map(([name, owner]) => [name, readOwner(account, owner)]));
		},
		async findNamed(account, name) {
			const owner = await redis.hget(accountKey(redis, account, 'schedules'), name);
			return owner === null ? undefined : readOwner(account, owner);
		},
		async cancel({ref, n}, name) {
			const {outbox, due, schedules} = keys(ref);
			return (await run('cancel', [outbox, due, schedules], [ref.id, n, name])) === 1;
		},
		async move({ref, n}, dueAt, how) {
			const {outbox, due, delivery} = keys(ref);
			return (await run('move', [outbox, due, delivery], [ref.id, n, dueAt, how ? ',"byHand":true' : ''])) === 1;
		},
		async resolve({ref, n}, state) {
			const {outbox, due, unsettled} = keys(ref);
			return (await run('resolve', [outbox, due, unsettled], [ref.id, n, state])) as 'resolved' | EntryState | '';
		},
		async unsettled(account) {
			const owners = await redis.zrange(accountKey(redis, account, 'unsettled'), '0', '-1');
			return owners.map(owner => readOwner(account, owner));
		},
		async waiting(account) {
			const ids = await redis.zrange(accountKey(redis, account, 'due'), '0', '-1');
			return ids.map(id => ({account, id}));
		},
		async trim(ref) {
			const {outbox} = keys(ref);
			const entries = readEntries(await redis.hgetall(outbox));
			const old = entries.slice(0, -TRIMMED_TO).filter(({state}) => !isPending(state) && state !== 'unknown');
			if (old.length > 0) {
				await redis.hdel(outbox, ...old.flatMap(({n}) => [String(n), `state ${n}`, `cancel ${n}`]));
			}
		},
		async read(ref) {
			return readEntries(await redis.hgetall(keys(ref).outbox));
		},
		async readEntry({ref, n}) {
			const fields = [String(n), `state ${n}`];
			const values = await redis.hmget(keys(ref).outbox, ...fields);
			const [entry] = readEntries(
				Object.fromEntries(fields.flatMap((field, at) => (values[at] == null ? [] : [[field, values[at]]]))),
			);
			return entry;
		},
	};
}

/** The name of an entry in stored values. Neither part contains a space. */
function ownerOf({ref, n}: EntryRef): string {
	return `${ref.id} ${n}`;
}

function readOwner(account: string, owner: string): EntryRef {
	const [id = '', n] = owner.split(' ');
	return {ref: {account, id}, n: Number(n)};
}

const Entry = z.object({
	v: z.literal(1),
	kind: z.enum(OUTBOX_KINDS),
	target: z.string(),
	text: z.string(),
	dueAt: z.number(),
	mayBePosted: z.boolean(),
	via: z.literal('service').optional(),
	name: z.string().optional(),
	widget: z.string().optional(),
	edits: z.number().optional(),
	byHand: z.literal(true).optional(),
});

/** Number and JSON text of an entry. */
export function encodeEntry({n, ...entry}: OutboxEntry): [string, string] {
	return [String(n), JSON.stringify({v: 1, ...entry})];
}

/** The entries of a stored outbox, in order. */
export function readEntries(fields: Record<string, string>): StoredEntry[] {
	return Object.entries(fields)
		.filter(([field]) => /^\d+$/.test(field))
		.map(([field, json]) => {
			const n = Number(field);
			// Only the scripts' callers write states.
			const state = (fields[`state ${field}`] ?? 'waiting') as EntryState;
			const {data} = Entry.safeParse(JSON.parse(json));
			if (!data) {
				return {n, kind: 'unknown', target: '', text: '', dueAt: 0, mayBePosted: false, state} satisfies StoredEntry;
			}

			const {v: _, via, name, widget, edits, byHand, ...entry} = data;
			return {
				n,
				...entry,
				...(via && {via}),
				...(name !== undefined && {name}),
				...(widget !== undefined && {widget}),
				...(edits !== undefined && {edits}),
				...(byHand && {byHand}),
				state,
			};
		})
		.toSorted((a, b) => a.n - b.n);
}

function pairs(flat: readonly string[]): Record<string, string> {
	const fields: Record<string, string> = {};
	for (let index = 0; index < flat.length; index += 2) {
		fields[flat[index] as string] = flat[index + 1] as string;
	}

	return fields;
}
