// What is stored of a polled account: who polls it now, and which messages became deliveries already.

import type {Cluster, Redis} from 'ioredis';
import {EVENT_TRIGGERS, type EventTrigger, EventTriggers} from '../delivery/event-triggers.js';
import {KEPT_MS} from '../delivery/store.js';
import {accountKey} from '../redis/account-key.js';
import {createScripts} from '../redis/run-script.js';

/** If a poller is silent for this long, another one may take over. */
const LEASE_MS = 6_000;

/** Triggers whose events are remembered individually. */
export type SeenTrigger = 'reaction' | 'edit';

/** How many events of a trigger are remembered. Far more than those of the messages that are looked through. */
const SEEN = 20_000;

/** How many messages are remembered individually. Far more than may arrive out of order. */
const REMEMBERED = 1_000;

export interface Inbox {
	/** Becomes or stays the account's only poller. False while another process polls. */
	hold(account: string, holder: string): Promise<boolean>;
	release(account: string, holder: string): Promise<void>;
	/**
	 * Where to continue. If nothing is stored, or the history is another one, everything up to `newest` counts as old.
	 */
	begin(account: string, newest: number): Promise<{readonly latest: number; readonly earliest: number}>;
	isHandled(account: string, messageId: number): Promise<boolean>;
	markHandled(account: string, messageId: number): Promise<void>;
	/** The message after which messages without a mention count. Stores `newest` if nothing is stored. */
	since(account: string, newest: number): Promise<number>;
	/**
	 * Which of these events were not handled. If nothing is stored for the trigger, all of them count as old. Their keys contain
	 * no text of a message.
	 */
	beginSeen(account: string, trigger: SeenTrigger, keys: readonly string[]): Promise<readonly string[]>;
	isSeen(account: string, trigger: SeenTrigger, key: string): Promise<boolean>;
	markSeen(account: string, trigger: SeenTrigger, key: string): Promise<void>;
	/** Who is in which channel, as the watch of joins stores it. */
	members(account: string): Promise<Readonly<Record<string, string>>>;
	changeMembers(account: string, put: Readonly<Record<string, string>>, drop: readonly string[]): Promise<void>;
	/** What the account's bot declares, as the process that loads bots has stored it. */
	wanted(account: string): Promise<readonly EventTrigger[]>;
	want(account: string, triggers: readonly EventTrigger[]): Promise<void>;
	/** Drops what is stored for triggers that the bot does not declare. If it declares them again, they start from that moment. */
	forgetAllBut(account: string, wanted: readonly EventTrigger[]): Promise<void>;
}

/** Message ids in ascending order. Ids are assigned before a message is visible, so a smaller one may appear later. */
const HANDLED = 'inbox:v1:handled';
const POLLER = 'inbox:v1:poller';
const WANTED = 'inbox:v1:wanted';

/** What is stored for a trigger. */
const STORED = {
	channel_message: 'inbox:v1:since',
	reaction: 'inbox:v1:reactions',
	edit: 'inbox:v1:edits',
	join: 'inbox:v1:members',
} satisfies Record<EventTrigger, string>;

const scripts = {
	/** Keys: poller, then everything that is stored of the account. */
	hold: `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ${LEASE_MS})
for i = 2, #KEYS do redis.call('PEXPIRE', KEYS[i], ${KEPT_MS}) end
return 1
`,
	/** Keys: poller. */
	release: `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`,
	/** Keys: handled, then everything else that is stored. A realm that was reset starts at one again. */
	begin: `
local latest = redis.call('ZREVRANGE', KEYS[1], 0, 0)[1]
if not latest or tonumber(latest) > tonumber(ARGV[1]) then
	redis.call('DEL', unpack(KEYS))
	redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
	redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
	latest = ARGV[1]
end
return {latest, redis.call('ZRANGE', KEYS[1], 0, 0)[1]}
`,
	/** Keys: seen. The mark `-` shows that it was begun. */
	beginSeen: `
local isNew = redis.call('EXISTS', KEYS[1]) == 0
local now = redis.call('TIME')[1]
local unseen = {}
for _, key in ipairs(ARGV) do
	if isNew then redis.call('ZADD', KEYS[1], now, key)
	elseif not redis.call('ZSCORE', KEYS[1], key) then table.insert(unseen, key) end
end
redis.call('ZADD', KEYS[1], now, '-')
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return unseen
`,
	/** Keys: seen. */
	markSeen: `
local now = redis.call('TIME')[1]
redis.call('ZADD', KEYS[1], now, ARGV[1], now, '-')
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${SEEN + 1})
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return 1
`,
	/** Keys: handled. */
	markHandled: `
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${REMEMBERED + 1})
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return 1
`,
};

export function createInbox(redis: Redis | Cluster): Inbox {
	const run = createScripts(redis, scripts);
	const handledAndStored = (account: string) =>
		[HANDLED, ...Object.values(STORED)].map(what => accountKey(redis, account, what));
	return {
		async hold(account, holder) {
			return (await run('hold', [accountKey(redis, account, POLLER), ...handledAndStored(account)], [holder])) === 1;
		},
		async release(account, holder) {
			await run('release', [accountKey(redis, account, POLLER)], [holder]);
		},
		async begin(account, newest) {
			const [latest, earliest] = (await run('begin', handledAndStored(account), [newest])) as [string, string];
			return {latest: Number(latest), earliest: Number(earliest)};
		},
		async isHandled(account, messageId) {
			return (await redis.zscore(accountKey(redis, account, HANDLED), messageId)) !== null;
		},
		async markHandled(account, messageId) {
			await run('markHandled', [accountKey(redis, account, HANDLED)], [messageId]);
		},
		async since(account, newest) {
			const key = accountKey(redis, account, STORED.channel_message);
			await redis.set(key, newest, 'PX', KEPT_MS, 'NX');
			return Number((await redis.get(key)) ?? newest);
		},
		async beginSeen(account, trigger, keys) {
			return (await run('beginSeen', [accountKey(redis, account, STORED[trigger])], keys)) as string[];
		},
		async isSeen(account, trigger, key) {
			return (await redis.zscore(accountKey(redis, account, STORED[trigger]), key)) !== null;
		},
		async markSeen(account, trigger, key) {
			await run('markSeen', [accountKey(redis, account, STORED[trigger])], [key]);
		},
		members: account => redis.hgetall(accountKey(redis, account, STORED.join)),
		async changeMembers(account, put, drop) {
			const key = accountKey(redis, account, STORED.join);
			const changing = redis.multi();
			if (Object.keys(put).length > 0) {
				changing.hset(key, put);
			}

			if (drop.length > 0) {
				changing.hdel(key, ...drop);
			}

			await changing.pexpire(key, KEPT_MS).exec();
		},
		async wanted(account) {
			return EventTriggers.parse(JSON.parse((await redis.get(accountKey(redis, account, WANTED))) ?? '[]'));
		},
		async want(account, triggers) {
			await redis.set(accountKey(redis, account, WANTED), JSON.stringify(triggers));
		},
		async forgetAllBut(account, wanted) {
			const unwanted = EVENT_TRIGGERS.filter(trigger => !wanted.includes(trigger));
			await Promise.all(unwanted.map(trigger => redis.del(accountKey(redis, account, STORED[trigger]))));
		},
	};
}

/** Whether what is stored of reactions and joins names this user, by ID. */
export async function hasSeen(redis: Redis | Cluster, account: string, userId: number): Promise<boolean> {
	const [reactions, members] = await Promise.all([
		redis.zrange(accountKey(redis, account, STORED.reaction), 0, '-1'),
		redis.hkeys(accountKey(redis, account, STORED.join)),
	]);
	// `<message> <user> <type> <code>`, and `<channel> <user>`.
	return [...reactions, ...members].some(key => key.split(' ')[1] === String(userId));
}
