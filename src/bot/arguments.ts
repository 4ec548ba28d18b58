// Turns the words behind a command into the arguments that its schema describes.

import {z} from 'zod';
import {innermost, type Mark, markOf} from './arg.js';
import {readDuration, readMoment} from './moment.js';
import {splitWords, type Word} from './words.js';

/** Arguments that do not fit, told in words for the person who wrote them. */
export class ArgumentError extends Error {
	override name = 'ArgumentError' as const;
}

/** Finds out what words mean. */
export interface Resolver {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA time zone of whoever wrote. */
	zone(): Promise<string>;
	/** Undefined when there is nobody of that mention, address or name. */
	user(word: string): Promise<{id: number; name: string; email: string} | undefined>;
	channel(word: string): Promise<{id: number; name: string} | undefined>;
}

/**
 * Reads `line` by `schema`: its keys in order are positions, `--key value` names one, the last string takes the rest.
 *
 * @throws ArgumentError that names what was wrong.
 */
export async function parseArguments<S extends z.ZodObject>(
	line: string,
	schema: S,
	resolver: Resolver,
): Promise<z.output<S>> {
	const given = await assignWords(line, schema, resolver);
	const values = Object.fromEntries([...given].map(([name, {value}]) => [name, value]));
	const parsed = await schema.safeParseAsync(values);
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

/** What was given for a field: the text, and what it means. */
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
		const named = word.isQuoted ? undefined : /^--(\w+)$/.exec(word.text)?.[1];
		if (named && named in schema.shape && index + 1 < line.words.length) {
			if (given.has(named)) {
				throw new ArgumentError(`\`--${named}\` is given twice`);
			}

			const read = await readField(line, index + 1, {field: schema.shape[named] as z.ZodType, resolver});
			given.set(named, read.given);
			index = read.next;
			continue;
		}

		const [name, field] = fields.find(([key]) => !given.has(key)) ?? [];
		if (!name || !field) {
			throw new ArgumentError(`“${word.text}” is an extra word`);
		}

		if (name === fields.at(-1)?.[0] && takesText(field)) {
			const rest = index === line.words.length - 1 ? word.text : text.slice(word.start).trimEnd();
			given.set(name, {text: rest, value: rest});
			return given;
		}

		const read = await readField(line, index, {field, resolver});
		const mayBeLeftOut = field.safeParse(undefined).success;
		if (read.given.value === undefined && mayBeLeftOut && markOf(field) !== undefined) {
			// What is no time, say, belongs to the next.
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

/** Characters that may say a time: reading more of them takes long, and none needs more. */
const LONGEST_TIME = 100;

/** Reads the field that starts at the word of that index; `next` is the first word behind it. */
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

/** People write words; a schema of numbers or booleans gets what the word says. */
export function readValue(text: string, field: z.ZodType): unknown {
	const inner = innermost(field);
	if (inner instanceof z.ZodNumber && /^[+-]?\d+([.,]\d+)?$/.test(text)) {
		return Number(text.replace(',', '.'));
	}

	if (inner instanceof z.ZodBoolean && /^(true|false|yes|no|on|off)$/i.test(text)) {
		return /^(true|yes|on)$/i.test(text);
	}

	return text;
}

/** How a command is written: `in <minutes> <text…>`, optional words in brackets. */
export function usageOf(name: string, schema: z.ZodObject | undefined): string {
	const fields = Object.entries(schema?.shape ?? {}) as [string, z.ZodType][];
	const words = fields.map(([key, field], index) => {
		const dots = index === fields.length - 1 && takesText(field) ? '…' : '';
		return field.safeParse(undefined).success ? `[${key}${dots}]` : `<${key}${dots}>`;
	});
	return [name, ...words].join(' ');
}
