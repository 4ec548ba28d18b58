// Turns the words behind a command into the arguments that its schema describes.

import {z} from 'zod';

const TAKES_REST = Symbol('takes the rest of the line');

/** Marks what a word of a command means. */
export const arg = {
	/**
	 * The rest of the line as it was written.
	 *
	 * @example
	 * args: z.object({minutes: z.number(), text: arg.rest()})
	 */
	rest: () =>
		z
			.string()
			.min(1, 'is missing')
			.meta({[TAKES_REST]: true}),
};

/** Arguments that do not fit, told in words for the person who wrote them. */
export class ArgumentError extends Error {
	override name = 'ArgumentError' as const;
}

interface Word {
	readonly text: string;
	/** Where it starts in the line, so that the rest can be taken as it was written. */
	readonly start: number;
	readonly quoted: boolean;
}

const QUOTES: Record<string, string> = {'"': '"', "'": "'", '“': '”', '„': '“', '‘': '’', '«': '»'};

/** Words of a line. Quotes of every kind hold a word together; an unbalanced quote is text. */
export function splitWords(line: string): Word[] {
	const words: Word[] = [];
	let at = 0;
	while (at < line.length) {
		if (/\s/.test(line[at] as string)) {
			at++;
			continue;
		}

		const word = quotedWord(line, at) ?? plainWord(line, at);
		words.push(word);
		at = word.start + word.length;
	}

	return words.map(({text, start, quoted}) => ({text, start, quoted}));
}

function quotedWord(line: string, start: number): (Word & {length: number}) | undefined {
	const close = QUOTES[line[start] as string];
	const end = close === undefined ? -1 : line.indexOf(close, start + 1);
	const endsWord = end > 0 && (end + 1 === line.length || /\s/.test(line[end + 1] as string));
	return endsWord ? {text: line.slice(start + 1, end), start, length: end + 1 - start, quoted: true} : undefined;
}

function plainWord(line: string, start: number): Word & {length: number} {
	const [text = ''] = /^\S+/.exec(line.slice(start)) ?? [];
	return {text, start, length: text.length, quoted: false};
}

/**
 * Reads `line` by `schema`: its keys in order are positions, `--key value` names one, the last string takes the rest.
 *
 * @throws ArgumentError that names what was wrong.
 */
export function parseArguments<S extends z.ZodObject>(line: string, schema: S): z.output<S> {
	const values = assignWords(line, schema);
	const parsed = schema.safeParse(values);
	if (parsed.success) {
		return parsed.data;
	}

	const issue = parsed.error.issues[0];
	const name = String(issue?.path[0] ?? '');
	const given = values[name];
	throw new ArgumentError(
		given === undefined ? `\`${name}\` is missing` : `\`${name}\` cannot be “${given}”: ${issue?.message}`,
	);
}

function assignWords(line: string, schema: z.ZodObject): Record<string, unknown> {
	const fields = Object.entries(schema.shape) as [string, z.ZodType][];
	const values: Record<string, unknown> = {};
	const words = splitWords(line);
	const restName = fields.at(-1)?.[0];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] as Word;
		const named = word.quoted ? undefined : /^--(\w+)$/.exec(word.text)?.[1];
		const value = words[index + 1];
		if (named && named in schema.shape && value) {
			values[named] = readAs(value.text, schema.shape[named] as z.ZodType);
			index++;
			continue;
		}

		const [name, field] = fields.find(([key]) => !(key in values)) ?? [];
		if (!name || !field) {
			throw new ArgumentError(`“${word.text}” is one word too many`);
		}

		if (name === restName && takesText(field)) {
			const isLastWord = index === words.length - 1;
			values[name] = isLastWord ? word.text : line.slice(word.start).trimEnd();
			return values;
		}

		values[name] = readAs(word.text, field);
	}

	return values;
}

function takesText(field: z.ZodType): boolean {
	return innermost(field) instanceof z.ZodString;
}

/** People write words; a schema of numbers or booleans gets what the word says. */
function readAs(text: string, field: z.ZodType): unknown {
	const inner = innermost(field);
	if (inner instanceof z.ZodNumber && /^[+-]?\d+([.,]\d+)?$/.test(text)) {
		return Number(text.replace(',', '.'));
	}

	if (inner instanceof z.ZodBoolean && /^(true|false|yes|no|on|off)$/i.test(text)) {
		return /^(true|yes|on)$/i.test(text);
	}

	return text;
}

function innermost(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable
		? innermost(field.unwrap() as z.ZodType)
		: field;
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
