// Any value that a zod schema takes, for property tests.

import fc from 'fast-check';
import {z} from 'zod';

/** Throws for a kind of schema that no parameter has had so far. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
	// Refinements are not looked into: what they refuse is left out.
	return kindOf(schema).filter(value => z.safeParse(schema, value).success);
}

/** Plain ones, all of Unicode, and those that a reader might take for something else. */
const text = fc.oneof(
	fc.string(),
	fc.string({unit: 'binary'}),
	fc.json(),
	fc.constantFrom('1', '-0', 'true', 'null', '"x"', ' 12 ', '\u00a01', 'a+b&c=d%20', 'a@b', '\r\n'),
);

const fraction = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);

function kindOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
	if (schema instanceof z.ZodString) {
		return text;
	}

	if (schema instanceof z.ZodFile) {
		return fc
			.record({bytes: fc.uint8Array(), name: fc.stringMatching(/^[\w.-]+$/)})
			.map(({bytes, name}) => new File([Uint8Array.from(bytes)], name, {type: 'text/plain'}));
	}

	if (schema instanceof z.ZodNumber) {
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
		return fc.option(arbitraryOf(schema.unwrap()));
	}

	if (schema instanceof z.ZodPipe) {
		return arbitraryOf(schema.out);
	}

	if (schema instanceof z.ZodUnion) {
		return fc.oneof(...schema.options.map(arbitraryOf));
	}

	if (schema instanceof z.ZodArray) {
		return fc.array(arbitraryOf(schema.element), {maxLength: 4});
	}

	if (schema instanceof z.ZodTuple) {
		return fc.tuple(...schema.def.items.map(arbitraryOf));
	}

	if (schema instanceof z.ZodRecord) {
		return fc.dictionary(fc.string({minLength: 1}), arbitraryOf(schema.valueType), {maxKeys: 4});
	}

	if (schema instanceof z.ZodOptional) {
		return arbitraryOf(schema.unwrap());
	}

	if (schema instanceof z.ZodObject) {
		const fields: [string, z.core.$ZodType][] = Object.entries(schema.shape);
		// Optional ones come and go.
		const needed = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([name]) => name);
		const values = fields.map(([name, field]) => [name, arbitraryOf(field)] as const);
		return fc.record(Object.fromEntries(values), {requiredKeys: needed});
	}

	throw new Error(`Expected a schema of a known kind, found ${schema._zod.def.type}`);
}
