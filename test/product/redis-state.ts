// What stands in the Redis of a house: what is under way, what is due, and what has grown old.

import type {Redis} from 'ioredis';
import {z} from 'zod';
import {readEntries} from '../../src/delivery/outbox-store.js';
import {accountKey} from '../../src/delivery/ref.js';
import {PREFIX} from '../../src/queue/define-queue.js';

const QUEUES = ['sends', 'firings', 'reruns', 'drafts', 'sweeps'];

/** All at one instant. BullMQ has 4096 places for what is due in the same millisecond. */
const LOOK = `
local prefix, account = ARGV[1], ARGV[2]
local found = {active = 0, delayed = {}, due = {}, unspoken = 0, outboxes = {}}
local function add(list, item) list[#list + 1] = item end
for i = 3, #ARGV do
	local queue = prefix .. ':' .. ARGV[i] .. ':'
	found.active = found.active + redis.call('LLEN', queue .. 'wait') + redis.call('LLEN', queue .. 'active')
	local jobs = redis.call('ZRANGE', queue .. 'delayed', 0, -1, 'WITHSCORES')
	for j = 1, #jobs, 2 do
		add(found.delayed, {queue = ARGV[i], id = jobs[j], at = math.floor(jobs[j + 1] / 4096)})
	end
end
local due = redis.call('ZRANGE', account .. 'due', 0, -1, 'WITHSCORES')
for i = 1, #due, 2 do
	local status = redis.call('HGET', account .. 'delivery:' .. due[i], 'status') or ''
	add(found.due, {at = tonumber(due[i + 1]), isRunning = status == 'running'})
end
found.unspoken = redis.call('ZCARD', account .. 'unspoken')
local outboxes = redis.call('KEYS', '*:outbox:*')
for i = 1, #outboxes do
	if string.sub(outboxes[i], 1, #account) == account then add(found.outboxes, redis.call('HGETALL', outboxes[i])) end
end
return cjson.encode(found)
`;

/** Lua writes an empty list as an object. */
const list = <Item extends z.ZodType>(item: Item) => z.union([z.array(item), z.object({}).transform(() => [])]);

const Found = z.object({
	active: z.number(),
	delayed: list(z.object({queue: z.string(), id: z.string(), at: z.number()})),
	due: list(z.object({at: z.number(), isRunning: z.boolean()})),
	unspoken: z.number(),
	outboxes: list(z.array(z.string())),
});

const AGE = `
for _, key in ipairs(redis.call('KEYS', '*')) do
	local left = redis.call('PTTL', key)
	if left >= 0 then redis.call('PEXPIRE', key, left - ARGV[1]) end
end
`;

/** What comes within so long counts as following at once: drafts are synced so much later, a locked outbox is tried again. */
const SOON_MS = 500;

const SWEEP_MS = 1_000;

export interface State {
	/** Whether something is under way, or due. */
	readonly isBusy: boolean;
	/** When something follows that has begun already. */
	readonly soon: number | undefined;
	/** When something is due next; what comes every so often and finds nothing to do is not counted. */
	readonly next: number;
}

/** `account` is the tag of the account that the test is about. */
export async function look(redis: Redis, account: string, now: number): Promise<State> {
	const words = [PREFIX, accountKey(account, ''), ...QUEUES];
	const {active, delayed, due, unspoken, outboxes} = Found.parse(
		JSON.parse((await redis.eval(LOOK, 0, ...words)) as string),
	);
	const isPeriodical = ({queue, id}: {queue: string; id: string}) =>
		id.startsWith('repeat:') && (queue === 'sweeps' || queue === 'drafts');
	const jobs = delayed.filter(job => !isPeriodical(job));
	const follows = Math.min(...jobs.filter(({queue}) => queue !== 'firings').map(({at}) => at));
	const soon = follows <= now + SOON_MS ? follows : undefined;
	const sweepAt = Math.min(...delayed.filter(({queue}) => queue === 'sweeps').map(({at}) => at));
	const toSweep = due.map(({at}) => Math.max(Math.ceil(at / SWEEP_MS) * SWEEP_MS, sweepAt));
	// Between a run that has ended and the job that posts what it said.
	const isUnsaid = outboxes
		.flatMap(fields => readEntries(Object.fromEntries(pairs(fields))))
		.some(({state, dueAt}) => state === 'waiting' && dueAt <= now);
	const isBusy =
		active > 0 ||
		delayed.some(({at}) => at <= now) ||
		due.some(({isRunning}) => isRunning) ||
		unspoken > 0 ||
		(isUnsaid && soon === undefined);
	return {isBusy, soon, next: Math.min(...jobs.map(({at}) => at), ...toSweep)};
}

/** Takes so much off the life of whatever has an end. */
export async function age(redis: Redis, ms: number): Promise<void> {
	await redis.eval(AGE, 0, ms);
}

/** Workers that wait for a time look at the clock again. */
export async function wakeWorkers(redis: Redis): Promise<void> {
	await Promise.all(QUEUES.map(queue => redis.zadd(`${PREFIX}:${queue}:marker`, 0, '0')));
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
	for (let index = 0; index < flat.length; index += 2) {
		yield [flat[index] ?? '', flat[index + 1] ?? ''];
	}
}
