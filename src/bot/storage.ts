// What a bot keeps between messages: JSON values under keys of its own choice, for one bot account.

import type {z} from 'zod';
import {encodeJson, type Jsonable} from '../storage/json.js';
import type {Values} from '../storage/values.js';

/** Characters of a key. */
const LONGEST_KEY = 200;

/** Bytes of a value as JSON text. */
const LARGEST_VALUE = 64 * 1024;

/**
 * Kept until the bot deletes it. At most 10,000 keys of 200 characters with values of 64 KiB as JSON. A rerun of the handler
 * does again what it did, so a value is better set than counted up; a run that another has taken over writes no more.
 */
export interface Storage {
	/**
	 * The value of a key; undefined when there is none.
	 *
	 * @throws z.ZodError when what is kept does not fit the schema.
	 */
	get<Schema extends z.ZodType>(key: string, schema: Schema): Promise<z.output<Schema> | undefined>;
	/** @throws TypeError for what JSON cannot carry, such as a Date; RangeError when the value or all keys are too large. */
	set<Value>(key: string, value: Value & Jsonable<Value>): Promise<void>;
	/**
	 * Changes a value in one step, whoever else changes it meanwhile: `change` is then called again with the newer value.
	 * Resolves with what it gave back; undefined deletes the key.
	 *
	 * @example
	 * const Votes = z.record(z.string(), z.array(z.int()));
	 * await ctx.storage.update('votes', Votes, (votes = {}) => ({...votes, pizza: [...(votes.pizza ?? []), ctx.sender.id]}));
	 */
	update<Schema extends z.ZodType>(
		key: string,
		schema: Schema,
		change: (value: z.output<Schema> | undefined) => z.output<Schema> | undefined,
	): Promise<z.output<Schema> | undefined>;
	has(key: string): Promise<boolean>;
	/** False when there was no such key. */
	delete(key: string): Promise<boolean>;
	/** Keys that begin so, sorted. Default: all. */
	list(prefix?: string): Promise<string[]>;
	clear(): Promise<void>;
}

/** `owner` is the bot, as errors name it. */
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
		async update(key, schema, change) {
			for (;;) {
				const text = await stored.get(expectKey(key));
				const value = change(read(text, schema));
				const put = await stored.put(key, value === undefined ? undefined : encode(key, value, 'update'), {text});
				if (put !== 'changed') {
					expectRoom(put);
					return value;
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
			`${where} with at most ${LARGEST_VALUE} bytes of JSON, got ${bytes}; keep it under several keys`,
		);
	}

	return text;
}

function expectRoom(put: Awaited<ReturnType<Values['put']>>): void {
	if (put === 'full') {
		throw new RangeError('Expected room for another key in ctx.storage, found 10,000; delete some');
	}
}
