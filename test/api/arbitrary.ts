// Any value that a zod schema takes, for property tests.

import fc from 'fast-check';
import {z} from '../../src/api/zod.js';

/** The texts and integers of a value, apart from what its schema says. */
interface Leaves {
	readonly text: fc.Arbitrary<string>;
	readonly integer: fc.Arbitrary<number>;
}

/** Throws for a kind of schema that no parameter has had so far. With leaves of one's own not every value fits. */
export function arbitraryOf(schema: z.core.$ZodType, leaves?: Leaves): fc.Arbitrary<unknown> {
	const kind = kindOf(schema, leaves);
	// Refinements cannot be read: values that they refuse are filtered out.
	return leaves ? kind : kind.filter(value => z.safeParse(schema, value).success);
}

/** All of Unicode; `fc.string({unit: 'binary'})` spends a second on preparations. */
export const anyText = (maxLength: number) =>
	fc
		.array(fc.oneof(fc.integer({min: 0, max: 0xd7ff}), fc.integer({min: 0xe000, max: 0x10ffff})), {maxLength})
		.map(points => String.fromCodePoint(...points));

/** Plain ones, all of Unicode, and those that a reader might take for something else. */
const anyOrOdd = fc.oneof(
	fc.string(),
	anyText(10),
	fc.json(),
	fc.constantFrom('1', '-0', 'true', 'null', '"x"', ' 12 ', '\u00a01', 'a+b&c=d%20', 'a@b', '\r\n'),
);

const fraction = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);

function kindOf(schema: z.core.$ZodType, leaves?: Leaves): fc.Arbitrary<unknown> {
	const inner = (part: z.core.$ZodType) => arbitraryOf(part, leaves);
	if (schema instanceof z.ZodString) {
		return leaves?.text ?? anyOrOdd;
	}

	if (schema instanceof z.ZodFile) {
		return fc
			.record({bytes: fc.uint8Array(), name: fc.stringMatching(/^[\w.-]+$/)})
			.map(({bytes, name}) => new File([Uint8Array.from(bytes)], name, {type: 'text/plain'}));
	}

	if (schema instanceof z.ZodNumber) {
		if (leaves) {
			return leaves.integer;
		}

		const min = Math.max(schema.minValue ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
		const max = Math.min(schema.maxValue ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
		return schema.isInt ? fc.integer({min, max}) : fraction;
	}

	if (schema instanceof z.ZodBoolean) {
		return fc.boolean();
	}

	if (schema instanceof z.ZodEnum) {
		return fc.constantFrom(...schema.options);
	}

	if (schema instanceof z.ZodLiteral) {
		return fc.constantFrom(...schema.values);
	}

	if (schema instanceof z.ZodNull) {
		return fc.constant(null);
	}

	if (schema instanceof z.ZodUnknown) {
		// JSON has no -0.
		return fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)));
	}

	if (schema instanceof z.ZodNullable) {
		return fc.option(inner(schema.unwrap()));
	}

	if (schema instanceof z.ZodPipe) {
		return inner(schema.out);
	}

	if (schema instanceof z.ZodUnion) {
		return fc.oneof(...schema.options.map(inner));
	}

	if (schema instanceof z.ZodArray) {
		return fc.array(inner(schema.element), {maxLength: 4});
	}

	if (schema instanceof z.ZodTuple) {
		return fc.tuple(...schema.def.items.map(inner));
	}

	if (schema instanceof z.ZodRecord) {
		return fc.dictionary(fc.string({minLength: 1}), inner(schema.valueType), {maxKeys: 4});
	}

	if (schema instanceof z.ZodOptional) {
		return inner(schema.unwrap());
	}

	if (schema instanceof z.ZodObject) {
		const fields: [string, z.core.$ZodType][] = Object.entries(schema.shape);
		// Optional ones come and go.
		const needed = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([name]) => name);
		const values = fields.map(([name, field]) => [name, inner(field)] as const);
		return fc.record(Object.fromEntries(values), {requiredKeys: needed});
	}

	throw new Error(`Expected a schema of a known kind, found ${schema._zod.def.type}`);
}
