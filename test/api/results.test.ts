// Servers gain values as they grow: no result may fail on one that we do not know.

import test from 'ava';
import {z} from 'zod';
import {type Operation, operations} from '../../src/api/index.js';

interface JsonSchema {
	readonly const?: unknown;
	readonly enum?: unknown;
	readonly additionalProperties?: unknown;
	readonly [key: string]: unknown;
}

/** Places in a schema that take certain values, or certain fields, only. */
function closedPlaces(schema: unknown, place: string): string[] {
	if (typeof schema !== 'object' || schema === null) {
		return [];
	}

	// JSON Schema as zod writes it.
	const {const: value, enum: values, additionalProperties} = schema as JsonSchema;
	const isClosed = value !== undefined || values !== undefined || additionalProperties === false;
	return [
		...(isClosed ? [place] : []),
		...Object.entries(schema).flatMap(([key, inner]) => closedPlaces(inner, `${place}.${key}`)),
	];
}

for (const {name, result} of Object.values<Operation>(operations)) {
	test(`the result of ${name} takes values and fields that are new to us`, t => {
		const schema = z.toJSONSchema(result, {io: 'input', unrepresentable: 'any'});

		t.deepEqual(closedPlaces(schema, name), []);
	});
}

test('a closed place is found', t => {
	const schema = z.toJSONSchema(z.looseObject({a: z.array(z.enum(['x']))}), {io: 'input'});

	t.deepEqual(closedPlaces(schema, 'x'), ['x.properties.a.items']);
});
