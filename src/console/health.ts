// What the screen Health shows besides the processes and accounts: schedules, drafts and presence.

import {z} from '../api/zod.js';
import type {Account} from '../config/accounts.js';
import {shown, stateText} from '../host/ledger/shown.js';
import {readEntries} from '../outbox/store.js';
import {isPresent, presenceStateOf} from '../presence/account.js';
import {createPresenceStore} from '../presence/store.js';
import {nextAfter} from '../queue/cron.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {createScripts} from '../redis/run-script.js';
import {StoredCron} from '../schedules/cron-store.js';

/** Of each account. */
const MOST_SCHEDULES = 20;
const MOST_CRONS = 50;

/** Keys: due, and the account's others begin like it. Arguments: now, milliseconds since 1970. */
const schedules = `
local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #'due')
local crons = {}
for index, id in ipairs(redis.call('HKEYS', prefix .. 'crons')) do
	if index > ${MOST_CRONS} then break end
	crons[#crons + 1] = {id, redis.call('HGET', prefix .. 'crons', id),
		redis.call('HMGET', prefix .. 'cron:' .. id, 'fired', 'missed', 'skipped', 'firedAt')}
end
local planned = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '(+inf', 'LIMIT', 0, ${MOST_SCHEDULES})) do
	planned[#planned + 1] = {id, redis.call('HGETALL', prefix .. 'outbox:' .. id)}
end
local conflicts = 0
for _, known in ipairs(redis.call('HVALS', prefix .. 'drafts:known')) do
	if string.find(known, '"kind":"conflict"', 1, true) then conflicts = conflicts + 1 end
end
return {crons, planned, conflicts}
`;

const Found = z.tuple([
	z.array(z.tuple([z.string(), z.string(), z.array(z.string().nullable())])),
	z.array(z.tuple([z.string(), z.array(z.string())])),
	z.number(),
]);

export interface ShownSchedule {
	readonly bot: string;
	readonly account: string;
	readonly id: string;
	/** Milliseconds since 1970, like all times here; 0 for never. */
	readonly dueAt: number;
	readonly lastAt: number;
	readonly what: string;
	/** `.cron()` in the bot's code: only the code can end it. */
	readonly isInCode: boolean;
	readonly missed: number;
}

export interface Planned {
	readonly schedules: readonly ShownSchedule[];
	/** Drafts that both a person and a bot changed, by account. */
	readonly conflicts: readonly {readonly bot: string; readonly count: number}[];
}

/** The soonest of each account. */
export function createPlannedReader(redis: RedisConnection, accounts: readonly Account[]): () => Promise<Planned> {
	const run = createScripts(redis, {schedules});
	return async () => {
		const now = Date.now();
		const found = await Promise.all(
			accounts.map(async account => {
				const tag = accountTag(account);
				const [crons, planned, conflicts] = Found.parse(await run('schedules', [accountKey(redis, tag, 'due')], [now]));
				const owner = {bot: account.name, account: tag};
				return {
					schedules: [
						...crons.flatMap(([id, json, counts]) => cronOf(id, {json, counts, now})).map(one => ({...owner, ...one})),
						...planned.flatMap(([, fields]) => plannedOf(fields, now)).map(one => ({...owner, ...one})),
					],
					conflicts: conflicts === 0 ? [] : [{bot: account.name, count: conflicts}],
				};
			}),
		);
		return {
			schedules: found.flatMap(({schedules}) => schedules).toSorted((a, b) => a.dueAt - b.dueAt),
			conflicts: found.flatMap(({conflicts}) => conflicts),
		};
	};
}

function cronOf(id: string, {json, counts, now}: {json: string; counts: readonly (string | null)[]; now: number}) {
	const {data} = StoredCron.safeParse(JSON.parse(json));
	// A newer version may store others.
	if (!data) {
		return [];
	}

	const {cron, what} = data;
	const [fired = 0, missed = 0, skipped = 0, lastAt = 0] = counts.map(Number);
	const one = {
		id,
		dueAt: nextAfter(cron, now),
		lastAt,
		isInCode: what.kind === 'handler',
		missed,
		what:
			`${what.kind === 'handler' ? `.cron('${what.handler}')` : 'message'} "${cron.pattern}" ${cron.tz}, ` +
			`fired ${fired}, skipped ${skipped}`,
	};
	return [one];
}

function plannedOf(flat: readonly string[], now: number) {
	const fields = Object.fromEntries(
		flat.flatMap((field, index) => (index % 2 === 0 ? [[field, flat[index + 1] ?? '']] : [])),
	);
	return readEntries(fields).flatMap(({name, dueAt, kind, text, state}) =>
		name === undefined || dueAt <= now || !['waiting', 'retrying'].includes(stateText(state).split(' ')[0] ?? '')
			? []
			: [
					{
						id: name,
						dueAt,
						lastAt: 0,
						isInCode: false,
						missed: 0,
						what: kind === 'later' ? 'a planned handler' : `a message of ${shown(text, false).slice(1, -1)}`,
					},
				],
	);
}

/** How the accounts with `presence` do. */
export async function readPresence(redis: RedisConnection, accounts: readonly Account[]) {
	const present = accounts.filter(isPresent);
	const states = await createPresenceStore(redis).read(present.map(accountTag));
	return present.map((account, index) => {
		const {pingedAt, parked, failed, waitUntil} = presenceStateOf(account, states[index]);
		return {
			bot: account.name,
			status: account.presence.status,
			pingedAt: pingedAt ?? 0,
			problem: parked?.reason ?? failed?.reason ?? (waitUntil === undefined ? undefined : 'asked to wait (429)'),
			isParked: parked !== undefined,
		};
	});
}
