// Parses the words after a command into arguments, by the command's schema.

import {z} from '../../api/zod.js';
import {plainly} from '../plainly.js';
import {innermost, type Mark, markOf} from './arg.js';
import {readDuration, readMoment} from './moment.js';
import {splitWords, type Word} from './words.js';

/** The arguments are not valid. The message is for the person who wrote them. */
export class ArgumentError extends Error {
	override name = 'ArgumentError' as const;
}

/** Looks up what words refer to. */
export interface Resolver {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA time zone of the sender. */
	zone(): Promise<string>;
	/** Undefined if nobody has that mention, email or name. */
	user(word: string): Promise<{id: number; name: string; email: string} | undefined>;
	channel(word: string): Promise<{id: number; name: string} | undefined>;
}

/**
 * Checks a schema when the bot is declared. zod itself would fail only when somebody uses the command.
 *
 * @throws TypeError for a field that cannot be parsed from words.
 */
export function checkArguments(args: unknown, command: string): void {
	if (!(args instanceof z.ZodObject)) {
		throw new TypeError(`Expected \`args\` of the command "${command}" to be a z.object(), got ${typeof args}`);
	}

	for (const [name, field] of Object.entries(args.def.shape as Record<string, unknown>)) {
		if (!(field instanceof z.ZodType)) {
			throw new TypeError(`Expected a zod schema for the argument "${name}" of the command "${command}"`);
		}

		const inner = innermost(field);
		const words = inner instanceof z.ZodArray ? innermost(inner.element as z.ZodType) : inner;
		if (markOf(words) === undefined && NOT_WORDS.some(type => words instanceof type)) {
			throw new TypeError(
				`Expected the argument "${name}" of the command "${command}" to be read from words, or to be a list of them, ` +
					`got a schema of the type ${words.def.type}`,
			);
		}
	}
}

const NOT_WORDS = [z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodMap, z.ZodSet, z.ZodTuple, z.ZodFunction];

/**
 * Parses `line` by `schema`. Words fill the keys in order; `--key value` sets one by name. If the last key is a string, it takes
 * the rest of the line; if it is a list, it takes all remaining words.
 *
 * @throws ArgumentError that says what is wrong.
 */
export async function parseArguments<S extends z.ZodObject>(
	line: string,
	schema: S,
	resolver: Resolver,
): Promise<z.output<S>> {
	const given = await assignWords(line, schema, resolver);
	const values = Object.fromEntries([...given].map(([name, {value}]) => [name, value]));
	const parsed = await schema.safeParseAsync(values, {error: plainly});
	if (parsed.success) {
		return parsed.data;
	}

	const issue = parsed.error.issues[0];
	const name = String(issue?.path[0] ?? '');
	const found = given.get(name);
	throw new ArgumentError(
		found === undefined ? `\`${name}\` is missing` : `\`${name}\` cannot be “${found.text}”: ${issue?.message}`,
	);
}

/** The text that a person wrote for a field, and its value. */
interface Given {
	readonly text: string;
	readonly value: unknown;
}

interface Line {
	readonly text: string;
	readonly words: readonly Word[];
}

async function assignWords(text: string, schema: z.ZodObject, resolver: Resolver): Promise<Map<string, Given>> {
	const fields = Object.entries(schema.shape) as [string, z.ZodType][];
	const given = new Map<string, Given>();
	const line = {text, words: splitWords(text)};
	for (let index = 0; index < line.words.length; ) {
		const word = line.words[index] as Word;
		const flag = word.isQuoted ? undefined : readFlag(word.text, schema, line.words[index + 1]);
		if (flag) {
			const {name: named, words} = flag;
			if (given.has(named)) {
				throw new ArgumentError(`\`--${named}\` is given twice`);
			}

			if ('value' in flag) {
				given.set(named, {text: word.text, value: flag.value});
				index += words;
				continue;
			}

			const namedField = schema.shape[named] as z.ZodType;
			const items = itemOf(namedField);
			const read = items
				? await readList(line, index + 1, {field: items, resolver, isLast: false})
				: await readField(line, index + 1, {field: namedField, resolver});
			given.set(named, read.given);
			index = read.next;
			continue;
		}

		const [name, field] = fields.find(([key, field]) => !given.has(key) && !isFlag(field)) ?? [];
		if (!name || !field) {
			throw new ArgumentError(`“${word.text}” is an extra word`);
		}

		const isLast = name === lastPosition(fields)?.[0];
		const item = itemOf(field);
		if (item) {
			const read = await readList(line, index, {field: item, resolver, isLast});
			given.set(name, read.given);
			index = read.next;
			continue;
		}

		if (isLast && takesText(field)) {
			const rest = index === line.words.length - 1 ? word.text : text.slice(word.start).trimEnd();
			given.set(name, {text: rest, value: rest});
			return given;
		}

		const read = await readField(line, index, {field, resolver});
		const mayBeLeftOut = field.safeParse(undefined).success;
		if (read.given.value === undefined && mayBeLeftOut && markOf(field) !== undefined) {
			// For example, a word that is no time belongs to the next field.
			fields.splice(
				fields.findIndex(([key]) => key === name),
				1,
			);
			continue;
		}

		given.set(name, read.given);
		index = read.next;
	}

	return given;
}

/** A boolean with a default is no position: people write `--key` or `--no-key`. */
function isFlag(field: z.ZodType): boolean {
	return innermost(field) instanceof z.ZodBoolean && field.safeParse(undefined).success;
}

function lastPosition(fields: readonly [string, z.ZodType][]): [string, z.ZodType] | undefined {
	return fields.findLast(([, field]) => !isFlag(field));
}

type Flag =
	/** The flag has its value: `--key`, `--no-key`. */
	| {readonly name: string; readonly words: number; readonly value: boolean}
	/** The value is the next word. */
	| {readonly name: string; readonly words: number};

const YES_OR_NO = /^(true|false|yes|no|on|off)$/i;

function readFlag(text: string, {shape}: z.ZodObject, next: Word | undefined): Flag | undefined {
	const [, no, name = ''] = /^--(no-)?([\w-]+)$/.exec(text) ?? [];
	const field = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
	if (!field) {
		return undefined;
	}

	if (innermost(field) instanceof z.ZodBoolean && (no || !YES_OR_NO.test(next?.text ?? ''))) {
		return {name, words: 1, value: no === undefined};
	}

	return next && !no ? {name, words: 1} : undefined;
}

/** The schema of a list's items. Undefined if the field is not a list. */
function itemOf(field: z.ZodType): z.ZodType | undefined {
	const inner = innermost(field);
	return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
}

/** As the last field, a list takes all remaining words. Elsewhere it ends with the first word that has no comma after it. */
async function readList(
	line: Line,
	from: number,
	{field, resolver, isLast}: {field: z.ZodType; resolver: Resolver; isLast: boolean},
): Promise<{given: Given; next: number}> {
	const values: unknown[] = [];
	let index = from;
	let hasComma = true;
	while (index < line.words.length && (isLast || hasComma)) {
		const word = line.words[index] as Word;
		hasComma = !word.isQuoted && word.text.endsWith(',');
		// The comma is not part of the item.
		const words = line.words.with(index, hasComma ? {...word, text: word.text.slice(0, -1)} : word);
		const read = await readField({...line, words}, index, {field, resolver});
		if (read.given.text !== '') {
			values.push(read.given.value);
		}

		index = read.next;
		if (line.words[index]?.text === ',') {
			// After a mention, a comma is a separate word.
			hasComma = true;
			index++;
		}
	}

	const text = line.text.slice(line.words[from]?.start, line.words[index - 1]?.end);
	return {given: {text, value: values}, next: index};
}

/** How many characters are read for a time. A limit, because parsing long texts is slow. */
const LONGEST_TIME = 100;

/** Reads the field that starts at word `index`. `next` is the index of the first word after it. */
async function readField(
	line: Line,
	index: number,
	{field, resolver}: {field: z.ZodType; resolver: Resolver},
): Promise<{given: Given; next: number}> {
	const word = line.words[index] as Word;
	const mark = markOf(field);
	if (mark === 'when' || mark === 'duration') {
		const text = (word.isQuoted ? word.text : line.text.slice(word.start)).slice(0, LONGEST_TIME);
		const read = await readTime(mark, text, resolver);
		if (!read) {
			return {given: {text: word.text, value: undefined}, next: index + 1};
		}

		const end = word.start + read.length;
		const after = line.words.findIndex(({start}) => start >= end);
		const next = after === -1 ? line.words.length : after;
		return {given: {text: text.slice(0, read.length), value: read.value}, next: word.isQuoted ? index + 1 : next};
	}

	const value = mark === undefined ? readValue(word.text, field) : await resolver[mark](word.text);
	return {given: {text: word.text, value}, next: index + 1};
}

async function readTime(mark: Mark & ('when' | 'duration'), text: string, resolver: Resolver) {
	if (mark === 'duration') {
		return readDuration(text);
	}

	const read = readMoment(text, {now: resolver.now, zone: await resolver.zone()});
	if (read && read.value.getTime() <= resolver.now) {
		throw new ArgumentError(`“${text.slice(0, read.length)}” is in the past`);
	}

	return read;
}

function takesText(field: z.ZodType): boolean {
	return innermost(field) instanceof z.ZodString;
}

/** Converts a word to a number or boolean if the schema expects one. */
export function readValue(text: string, field: z.ZodType): unknown {
	const inner = innermost(field);
	if (inner instanceof z.ZodNumber && /^[+-]?\d+([.,]\d+)?$/.test(text)) {
		return Number(text.replace(',', '.'));
	}

	if (inner instanceof z.ZodBoolean && YES_OR_NO.test(text)) {
		return /^(true|yes|on)$/i.test(text);
	}

	return text;
}

/** The usage of a command: `in <minutes> <text…>`, with optional words in brackets. */
export function usageOf(name: string, schema: z.ZodObject | undefined): string {
	const fields = Object.entries(schema?.shape ?? {}) as [string, z.ZodType][];
	const words = fields.map(([key, field]) => {
		if (isFlag(field)) {
			return `[--${key}]`;
		}

		const dots = itemOf(field) || (key === lastPosition(fields)?.[0] && takesText(field)) ? '…' : '';
		return field.safeParse(undefined).success ? `[${key}${dots}]` : `<${key}${dots}>`;
	});
	return [name, ...words].join(' ');
}
