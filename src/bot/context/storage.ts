// What a bot stores between messages: JSON values under keys, for one bot account.

import type {z} from '../../api/zod.js';
import {encodeJson, type Jsonable} from '../../storage/json.js';
import type {Values} from '../../storage/values.js';

/** Limit for a key, in characters. */
const LONGEST_KEY = 200;

/** Limit for a value, in bytes of JSON. */
const LARGEST_VALUE = 64 * 1024;

/**
 * JSON values under keys, for one bot account, until the bot deletes them.
 *
 * If a process dies, Bothy runs its handler again from the start, and the handler writes again. So prefer setting a value to
 * incrementing it. A run that another process has taken over cannot write any more.
 *
 * @limits 10,000 keys of 200 characters; 64 KiB of JSON for each value.
 */
export interface Storage {
	/**
	 * Reads a value and checks it by the schema. Undefined if there is no such key.
	 *
	 * @throws z.ZodError if the stored value does not fit the schema.
	 * @example
	 * const count = (await ctx.storage.get('count', z.int())) ?? 0;
	 * await ctx.reply(`${count} so far`);
	 */
	get<Schema extends z.ZodType>(key: string, schema: Schema): Promise<z.output<Schema> | undefined>;
	/**
	 * Stores a value that JSON can hold.
	 *
	 * @throws RangeError if the value is too large or there are too many keys, TypeError if JSON cannot hold it, such as a Date.
	 * @example
	 * await ctx.storage.set('place', {name: 'Café', votes: [ctx.sender.id]});
	 */
	set<Value>(key: string, value: Value & Jsonable<Value>): Promise<void>;
	/**
	 * Changes a value atomically. If somebody else changes it at the same time, Bothy calls `change` again with the newer value.
	 * So `change` should only compute. Resolves with what `change` returned. If that is undefined, the key is deleted.
	 *
	 * @throws As `get` and `set`.
	 * @example
	 * const Votes = z.record(z.string(), z.array(z.int()));
	 * await ctx.storage.update('votes', Votes, (votes = {}) => ({...votes, pizza: [...(votes.pizza ?? []), ctx.sender.id]}));
	 */
	update<Schema extends z.ZodType, Changed extends z.output<Schema> | undefined>(
		key: string,
		schema: Schema,
		change: (value: z.output<Schema> | undefined) => Changed,
	): Promise<z.output<Schema> | Extract<Changed, undefined>>;
	/**
	 * Tells whether the key exists.
	 *
	 * @example
	 * await ctx.reply((await ctx.storage.has('count')) ? 'Counting.' : 'Not yet.');
	 */
	has(key: string): Promise<boolean>;
	/**
	 * Deletes a key. Resolves to false if there was none.
	 *
	 * @example
	 * await ctx.storage.delete('count');
	 */
	delete(key: string): Promise<boolean>;
	/**
	 * Lists the keys that start with `prefix`, sorted. Default: all keys.
	 *
	 * @example
	 * const polls = await ctx.storage.list('poll ');
	 * await ctx.reply(`${polls.length} polls`);
	 */
	list(prefix?: string): Promise<string[]>;
	/**
	 * Deletes all keys of this bot account.
	 *
	 * @example
	 * await ctx.storage.clear();
	 */
	clear(): Promise<void>;
}

/** `owner` is the bot's name for errors. */
export function createStorage(stored: Values, owner: string): Storage {
	const encode = (key: string, value: unknown, method: string) =>
		encodeValue(value, `Expected ctx.storage.${method}("${key}") of ${owner}`);
	const read = <Schema extends z.ZodType>(text: string | undefined, schema: Schema): z.output<Schema> | undefined =>
		text === undefined ? undefined : schema.parse(JSON.parse(text));

	return {
		get: async (key, schema) => read(await stored.get(expectKey(key)), schema),
		async set(key, value) {
			expectRoom(await stored.put(expectKey(key), encode(key, value, 'set')));
		},
		async update<Schema extends z.ZodType, Changed extends z.output<Schema> | undefined>(
			key: string,
			schema: Schema,
			change: (value: z.output<Schema> | undefined) => Changed,
		) {
			for (;;) {
				const text = await stored.get(expectKey(key));
				const value = change(read(text, schema));
				const put = await stored.put(key, value === undefined ? undefined : encode(key, value, 'update'), {text});
				if (put !== 'changed') {
					expectRoom(put);
					// Undefined only if `change` returned it.
					return value as z.output<Schema> | Extract<Changed, undefined>;
				}
			}
		},
		has: async key => (await stored.get(expectKey(key))) !== undefined,
		async delete(key) {
			for (;;) {
				const text = await stored.get(expectKey(key));
				if (text === undefined || (await stored.put(key, undefined, {text})) !== 'changed') {
					return text !== undefined;
				}
			}
		},
		list: async (prefix = '') => (await stored.keys()).filter(key => key.startsWith(prefix)).sort(),
		clear: () => stored.clear(),
	};
}

function expectKey(key: unknown): string {
	if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
		const got = typeof key === 'string' ? `${key.length} characters` : typeof key;
		throw new TypeError(`Expected ctx.storage with a key of 1 to ${LONGEST_KEY} characters, got ${got}`);
	}

	return key;
}

function encodeValue(value: unknown, where: string): string {
	const text = encodeJson(value, where);
	if (text === undefined) {
		throw new TypeError(`${where} with a value that JSON can carry, got undefined`);
	}

	const bytes = Buffer.byteLength(text);
	if (bytes > LARGEST_VALUE) {
		throw new RangeError(
			`${where} with at most ${LARGEST_VALUE} bytes of JSON, got ${bytes}; split it into several keys`,
		);
	}

	return text;
}

function expectRoom(put: Awaited<ReturnType<Values['put']>>): void {
	if (put === 'full') {
		throw new RangeError('Expected fewer than 10,000 keys in ctx.storage, found 10,000. Delete some');
	}
}
