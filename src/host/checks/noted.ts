// What processes noted of accounts in Redis, for commands and the console: whether the bot loaded, and what the service said.

import {z} from '../../api/zod.js';
import {accountTag, sharedKey} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import type {BotAccount} from '../bots.js';

const NotedBot = z.object({
	v: z.literal(1),
	/** Milliseconds since 1970, like all times here. */
	at: z.number(),
	/** What the bot says of itself. */
	about: z.string().optional(),
	/** Why it does not run. */
	problem: z.string().optional(),
});
export type NotedBot = z.infer<typeof NotedBot>;

const NotedCheck = z.object({
	v: z.literal(1),
	at: z.number(),
	/** Feature level and version of the service. Absent if it did not answer. */
	level: z.number().optional(),
	version: z.string().optional(),
	/** What does not match the section of the config. */
	problems: z.array(z.string()),
});
export type NotedCheck = z.infer<typeof NotedCheck>;

const LONGEST_TEXT = 500;

/** A process that runs bots calls this when it has loaded them. */
export async function noteBots(redis: RedisConnection, accounts: readonly BotAccount[]): Promise<void> {
	const noted = accounts.map(({work, problem, broken, ...account}): [string, string] => {
		const why = problem ?? broken;
		const note: NotedBot = {
			v: 1,
			at: Date.now(),
			...(work?.about !== undefined && {about: work.about.slice(0, LONGEST_TEXT)}),
			...(why !== undefined && {problem: why.slice(0, LONGEST_TEXT)}),
		};
		return [accountTag(account), JSON.stringify(note)];
	});
	if (noted.length > 0) {
		await redis.hset(sharedKey(redis, 'noted-bots'), new Map(noted));
	}
}

export async function noteCheck(
	redis: RedisConnection,
	account: {site: string; email: string},
	check: Omit<NotedCheck, 'v' | 'at'>,
): Promise<void> {
	const note: NotedCheck = {v: 1, at: Date.now(), ...check};
	await redis.hset(sharedKey(redis, 'noted-checks'), accountTag(account), JSON.stringify(note));
}

export interface Noted {
	readonly bots: ReadonlyMap<string, NotedBot>;
	readonly checks: ReadonlyMap<string, NotedCheck>;
}

/** By the tags of accounts. Ignores what a newer version noted. */
export async function readNoted(redis: RedisConnection): Promise<Noted> {
	const [bots, checks] = await Promise.all(
		['noted-bots', 'noted-checks'].map(name => redis.hgetall(sharedKey(redis, name))),
	);
	return {bots: readAll(NotedBot, bots ?? {}), checks: readAll(NotedCheck, checks ?? {})};
}

function readAll<Note extends z.ZodType>(schema: Note, stored: Record<string, string>): Map<string, z.output<Note>> {
	return new Map(
		Object.entries(stored).flatMap(([tag, json]) => {
			const {data} = schema.safeParse(JSON.parse(json));
			return data === undefined ? [] : [[tag, data]];
		}),
	);
}
