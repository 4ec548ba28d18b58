// Random values that fit the schema of a parameter.

import fc from 'fast-check';
import type {z} from 'zod';

/** Texts that mean something to a chat service, and texts that are awkward. */
const text = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.constantFrom(
			'general',
			'lunch',
			'soup',
			'general chat',
			'(no topic)',
			'alice@bothy.example',
			'bob@bothy.example, gus@bothy.example',
			'@**all** @**Bob Birk** @*cooks* #**general>soup** `x` **y**',
			'/me waves',
			'/poll lunch?',
			'thumbs_up',
			'1f44d',
			'add',
			'read',
			'<time:2026-01-01T10:00:00Z>',
			'\0',
			'',
			'x'.repeat(11_000),
			'[[[[((((',
		),
	},
	{weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 30})},
	{weight: 1, arbitrary: fc.string({unit: 'grapheme', maxLength: 30})},
);

const integer = fc.oneof(
	{weight: 6, arbitrary: fc.integer({min: 1, max: 12})},
	{weight: 1, arbitrary: fc.integer({min: -3, max: 3000})},
	{weight: 1, arbitrary: fc.constantFrom(2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 1e9, 4_000_000_000)},
);

/** What the shapes below need of a schema's definition. */
interface Definition {
	readonly type: string;
	readonly element?: z.ZodType;
	readonly shape?: Readonly<Record<string, z.ZodType>>;
	readonly entries?: Readonly<Record<string, string>>;
	readonly values?: readonly unknown[];
	readonly options?: readonly z.ZodType[];
	readonly items?: readonly z.ZodType[];
	readonly innerType?: z.ZodType;
	readonly valueType?: z.ZodType;
}

export function fitting(schema: z.ZodType): fc.Arbitrary<unknown> {
	// A schema's definition is the union of all kinds; this is what of it is read here.
	const definition = schema.def as unknown as Definition;
	const {type, element, shape = {}, entries = {}, values = [], options = [], items = []} = definition;
	const {innerType, valueType} = definition;
	switch (type) {
		case 'string':
			return text;
		case 'number':
			return integer;
		case 'boolean':
			return fc.boolean();
		case 'enum':
			return fc.constantFrom(...Object.values(entries));
		case 'literal':
			return fc.constantFrom(...values);
		case 'array':
			return element ? fc.array(fitting(element), {maxLength: 4}) : fc.constant([]);
		case 'tuple':
			return fc.tuple(...items.map(fitting));
		case 'object':
			return fc.record(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, fitting(value)])));
		case 'record':
			return valueType ? fc.dictionary(text, fitting(valueType), {maxKeys: 3}) : fc.constant({});
		case 'union':
			return fc.oneof(...options.map(fitting));
		case 'optional':
		case 'nullable':
		case 'default':
			return fc.oneof(innerType ? fitting(innerType) : fc.constant(null), fc.constant(null));
		default:
			return fc.jsonValue();
	}
}
