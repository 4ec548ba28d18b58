// Our copy of the drafts in Redis. The wishes of bots and the knowledge of workers are stored separately, so that neither
// overwrites the other. All keys of an account share a slot.

import {randomUUID} from 'node:crypto';
import type {Cluster, Redis} from 'ioredis';
import type {NewDraft} from '../api/index.js';
import {z} from '../api/zod.js';
import {accountKey} from '../redis/account-key.js';

const StoredDraft = z.object({
	type: z.enum(['', 'stream', 'private']),
	to: z.array(z.int()),
	topic: z.string(),
	content: z.string(),
}) satisfies z.ZodType<NewDraft>;
export type StoredDraft = z.infer<typeof StoredDraft>;

/** What a bot wants. */
const Wanted = z.object({
	v: z.literal(1),
	/** A new value for every change. */
	rev: z.string(),
	key: z.string(),
	/** JSON text of a target. */
	target: z.string(),
	/** Null: delete it. */
	text: z.string().nullable(),
});
export type Wanted = z.infer<typeof Wanted>;

/** The state of a draft. */
const Status = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('waiting')}),
	z.object({kind: z.literal('synced')}),
	/** `theirs` is the text that the person typed. */
	z.object({kind: z.literal('edited'), theirs: z.string()}),
	z.object({kind: z.literal('conflict'), theirs: z.string()}),
	z.object({kind: z.literal('gone')}),
	z.object({kind: z.literal('refused'), reason: z.string()}),
]);
export type Status = z.infer<typeof Status>;

/** What a worker knows. */
const Known = z.object({
	v: z.literal(1),
	/** The change that this outcome belongs to. */
	rev: z.string(),
	/** The wanted text, in the service's form. Null: delete it; or, after a refusal, it cannot be expressed. */
	draft: StoredDraft.nullable(),
	id: z.int().optional(),
	/** See `OurDraft`. */
	written: z.array(StoredDraft),
	after: z.int(),
	/** A person's own text that must be restored. */
	isRestored: z.boolean(),
	/** Start of that status, in milliseconds since 1970. */
	at: z.number(),
	status: Status,
});
export type Known = z.infer<typeof Known>;

/** Writes under way, and the event queue that shows other changes during them. */
const Journal = z.object({
	v: z.literal(1),
	queueId: z.string(),
	lastEventId: z.int(),
	writes: z.array(z.object({id: z.int(), draft: StoredDraft.nullable(), before: z.array(StoredDraft)})),
	/** The events were read once, up to this one. Later ones are checked before the next write, or after a minute. */
	isRead: z.literal(true).optional(),
});
export type Journal = z.infer<typeof Journal>;

export interface Copy {
	readonly wanted: ReadonlyMap<string, Wanted>;
	readonly known: ReadonlyMap<string, Known>;
	readonly journal: Journal | undefined;
}

export interface Changes {
	readonly known?: ReadonlyMap<string, Known>;
	/** Removes these records and their wishes, unless a bot has changed a wish since: field to revision. */
	readonly forget?: ReadonlyMap<string, string>;
	/** Null: it is over. */
	readonly journal?: Journal | null;
}

/** A draft as bots and people see it. */
export interface ListedDraft {
	/** Email of the bot. Empty for a person's own text that is being restored. */
	readonly bot: string;
	readonly key: string;
	/** JSON text of a target. */
	readonly target: string;
	readonly text: string;
	readonly status: Status;
}

/** Another worker is syncing the account. */
export class LockLost extends Error {
	override name = 'LockLost' as const;
}

/** How long a worker may take for one call before another worker may take over. */
export const LOCK_MS = 60_000;

const WRITE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then
	return 0
end

redis.call('pexpire', KEYS[1], ARGV[2])
for index = 3, #ARGV, 3 do
	local what, field, value = ARGV[index], ARGV[index + 1], ARGV[index + 2]
	if what == 'known' then
		redis.call('hset', KEYS[2], field, value)
	elseif what == 'forget' then
		local wanted = redis.call('hget', KEYS[3], field)
		redis.call('hdel', KEYS[2], field)
		if wanted and cjson.decode(wanted).rev == value then
			redis.call('hdel', KEYS[3], field)
		end
	elseif value == '' then
		redis.call('del', KEYS[4])
	else
		redis.call('set', KEYS[4], value)
	end
end

return 1`;

const UNLOCK = `
if redis.call('get', KEYS[1]) == ARGV[1] then
	redis.call('del', KEYS[1])
end

return 1`;

export type DraftStore = ReturnType<typeof createDraftStore>;

/** Keys are an account's tag and a bot's email. */
export function createDraftStore(redis: Redis | Cluster) {
	const key = (account: string, what: string) => accountKey(redis, account, `drafts:${what}`);

	async function want(account: string, bot: string, wanted: Pick<Wanted, 'key' | 'target' | 'text'>): Promise<void> {
		const json = JSON.stringify({v: 1, rev: randomUUID(), ...wanted} satisfies Wanted);
		await redis.hset(key(account, 'wanted'), fieldOf(bot, wanted.key), json);
	}

	async function load(account: string): Promise<Copy> {
		const [wanted, known, journal] = await Promise.all([
			redis.hgetall(key(account, 'wanted')),
			redis.hgetall(key(account, 'known')),
			redis.get(key(account, 'journal')),
		]);
		return {
			wanted: readAll(Wanted, wanted),
			known: readAll(Known, known),
			journal: journal === null ? undefined : Journal.parse(JSON.parse(journal)),
		};
	}

	return {
		put: (account: string, bot: string, draft: {key: string; target: string; text: string}) =>
			want(account, bot, draft),
		remove: (account: string, bot: string, name: string) => want(account, bot, {key: name, target: '', text: null}),
		/** All drafts of an account. */
		async list(account: string): Promise<ListedDraft[]> {
			return listCopy(await load(account));
		},
		load,
		/** False while another worker has the lock. */
		async lock(account: string, nonce: string): Promise<boolean> {
			return (await redis.set(key(account, 'lock'), nonce, 'PX', LOCK_MS, 'NX')) !== null;
		},
		async unlock(account: string, nonce: string): Promise<void> {
			await redis.eval(UNLOCK, 1, key(account, 'lock'), nonce);
		},
		/** @throws LockLost if another worker has the lock. */
		async write(account: string, nonce: string, {known, forget, journal}: Changes): Promise<void> {
			const keys = ['lock', 'known', 'wanted', 'journal'].map(what => key(account, what));
			const changes = [
				...[...(known ?? [])].flatMap(([field, value]) => ['known', field, JSON.stringify(value)]),
				...[...(forget ?? [])].flatMap(([field, rev]) => ['forget', field, rev]),
				...(journal === undefined ? [] : ['journal', '', journal === null ? '' : JSON.stringify(journal)]),
			];
			if ((await redis.eval(WRITE, keys.length, ...keys, nonce, LOCK_MS, ...changes)) !== 1) {
				throw new LockLost(`The drafts of ${account} are being synced by another worker`);
			}
		},
	};
}

/** An email contains no space. */
export function fieldOf(bot: string, key: string): string {
	return `${bot.toLowerCase()} ${key}`;
}

function readAll<Schema extends z.ZodType>(
	schema: Schema,
	fields: Record<string, string>,
): Map<string, z.output<Schema>> {
	return new Map(Object.entries(fields).map(([field, json]) => [field, schema.parse(JSON.parse(json))]));
}

export function listCopy({wanted, known}: Copy): ListedDraft[] {
	const ofBots = [...wanted].flatMap(([field, {key, target, text, rev}]): ListedDraft[] => {
		const found = known.get(field);
		const status: Status = found?.rev === rev ? found.status : {kind: 'waiting'};
		return text === null ? [] : [{bot: field.slice(0, field.indexOf(' ')), key, target, text, status}];
	});
	const restored = [...known].flatMap(([field, {isRestored, draft, status}]): ListedDraft[] =>
		isRestored && draft ? [{bot: '', key: field, target: '', text: draft.content, status}] : [],
	);
	return [...ofBots, ...restored].toSorted((a, b) => (`${a.bot} ${a.key}` < `${b.bot} ${b.key}` ? -1 : 1));
}
