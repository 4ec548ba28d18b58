// Random values that fit the schema of a parameter, mostly such as mean something to a chat service.

import fc from 'fast-check';
import type {z} from '../../src/api/zod.js';
import {anyText, arbitraryOf} from '../api/arbitrary.js';

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
	{weight: 2, arbitrary: anyText(30)},
);

const integer = fc.oneof(
	{weight: 6, arbitrary: fc.integer({min: 1, max: 12})},
	{weight: 1, arbitrary: fc.integer({min: -3, max: 3000})},
	{weight: 1, arbitrary: fc.constantFrom(2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 1e9, 4_000_000_000)},
);

export function fitting(schema: z.ZodType): fc.Arbitrary<unknown> {
	return fc.oneof({weight: 12, arbitrary: arbitraryOf(schema, {text, integer})}, fc.constant(null));
}
