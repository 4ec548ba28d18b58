// Marks that tell what the words of a command mean. Whoever reads the arguments finds out what is meant, asking the service
// where needed; then the schema checks the result, so that `.refine()`, `.optional()` and the like work as with any other.

import {z} from 'zod';

/** What a marked word means. */
export type Mark = 'when' | 'duration' | 'user' | 'channel';

/** Stands in zod's global registry, so that two copies of the package agree on what is marked. */
const MARK = 'bothy:mark';

/** Marks what a word of a command means. Any zod schema besides takes the word as it stands. */
export const arg = {
	/**
	 * The rest of the line as it was written.
	 *
	 * @example
	 * args: z.object({minutes: z.number(), text: arg.rest()})
	 */
	rest: () => z.string('is missing').min(1, 'is missing'),
	/**
	 * A `Date` out of words: `tomorrow 9:00`, `in 2 hours`, `2026-12-24 18:00`. In the time zone of whoever wrote, as many
	 * words as make a time, never in the past.
	 */
	when: () => z.date('expected a time such as `tomorrow 9:00` or `in 2 hours`').meta({[MARK]: 'when'}),
	/** Milliseconds out of words: `90 minutes`, `1h30m`, `half an hour`. */
	duration: () => z.number('expected a duration such as `90 minutes` or `1h30m`').meta({[MARK]: 'duration'}),
	/** Somebody by mention, address or full name. */
	user: () =>
		z
			.object({id: z.int(), name: z.string(), email: z.string()}, 'expected somebody such as `@**Alice Ahn**`')
			.meta({[MARK]: 'user'}),
	/** A channel by link or name. */
	channel: () =>
		z.object({id: z.int(), name: z.string()}, 'expected a channel such as `#**general**`').meta({[MARK]: 'channel'}),
};

/** What a field of a command's arguments was marked with. */
export function markOf(field: z.ZodType): Mark | undefined {
	// Only this file makes such marks.
	return innermost(field).meta()?.[MARK] as Mark | undefined;
}

/** A field without what only says that it may be left out. */
export function innermost(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable
		? innermost(field.unwrap() as z.ZodType)
		: field;
}
