// Narrows and anchors: which messages an operation is about.

import {z} from '../zod.js';

/** One condition of a narrow: an object that may be negated, or a pair of two strings. Servers refuse any other pair. */
const NarrowTerm = z.union(
	[
		z.looseObject({
			operator: z.string(),
			operand: z.union([z.string(), z.int(), z.array(z.int())]),
			negated: z.boolean().optional(),
		}),
		z.tuple([z.string(), z.string()]),
	],
	{error: ({input}) => problemOf(input)},
);

/** In the service's words. Empty if a field of an object is invalid. */
function problemOf(term: unknown): string | undefined {
	if (Array.isArray(term)) {
		return 'Value error, element is not a string pair';
	}

	if (typeof term !== 'object' || term === null) {
		return 'Value error, dict or list required';
	}

	const {operator = null, operand = null} = term as {readonly operator?: unknown; readonly operand?: unknown};
	if (operand === null || operator === null) {
		return `Value error, ${operand === null ? 'operand' : 'operator'} is missing`;
	}

	return typeof operator === 'string' ? operandProblem(operator, operand) : undefined;
}

const namedByTextOrId = ['channel', 'stream', 'id', 'sender', 'group-pm-with', 'dm-including', 'mentions', 'with'];

/** The error of an operand, in the service's words: only some operators take IDs. */
export function operandProblem(operator: string, operand: unknown): string | undefined {
	if (typeof operand === 'string') {
		return operator === 'search' && operand.trim() === '' ? 'operand cannot be blank.' : undefined;
	}

	if (namedByTextOrId.includes(operator)) {
		return Number.isInteger(operand) ? undefined : 'operand is not a string or integer';
	}

	if (operator === 'dm' || operator === 'pm-with') {
		const list = Array.isArray(operand) ? operand : undefined;
		const wrong = list?.findIndex(each => !Number.isInteger(each)) ?? -1;
		return list
			? wrong < 0
				? undefined
				: `operand[${wrong}] is not an integer`
			: 'operand is not a string or an integer list';
	}

	return 'operand is not a string';
}

/** Null is no narrow. */
export const Narrow = z.array(NarrowTerm).nullable();

export const Anchor = z.union([z.int(), z.enum(['newest', 'oldest', 'first_unread'])]);
