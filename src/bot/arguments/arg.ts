// Marks for argument schemas. `arguments.ts` resolves a marked argument, with calls to the service if needed. Then the schema
// checks the result, so `.refine()`, `.optional()` and the like work as with any other schema.

import {z} from '../../api/zod.js';
import {loadMoments} from './moment.js';

/** The kinds of marks. */
export type Mark = 'when' | 'duration' | 'user' | 'channel';

/** In zod's global registry, so that two copies of the package share it. */
const MARK = 'bothy:mark';

/**
 * Schemas for arguments that zod does not have: times, people, channels, several words. All of zod's methods work on them, such
 * as `.optional()` and `.refine()`. Any other zod schema takes one word.
 */
export const arg = {
	/**
	 * The rest of the line, unchanged. It must not be empty.
	 *
	 * @example
	 * bot({about: 'Announces things'}).command(
	 * 	'announce',
	 * 	{about: 'Announce something', args: z.object({text: arg.rest()})},
	 * 	(ctx, {text}) => ctx.send({channel: 'general', topic: 'news'}, ctx.quote(text)),
	 * );
	 */
	rest: () => z.string('is missing').min(1, 'is missing'),
	/**
	 * A `Date`, from words such as `tomorrow 9:00`, `in 2 hours` or `2026-12-24 18:00`. It takes all words that belong to the
	 * time, reads them in the sender's time zone, and refuses times in the past.
	 *
	 * @example
	 * bot({about: 'Reminds people'}).command(
	 * 	'remind',
	 * 	{about: 'Remind you', args: z.object({when: arg.when(), text: arg.rest()})},
	 * 	(ctx, {when, text}) => ctx.schedule(when, ctx.here, `${ctx.sender.mention} ${ctx.quote(text)}`),
	 * );
	 */
	when: () => {
		loadMoments();
		return z.date('expected a time such as `tomorrow 9:00` or `in 2 hours`').meta({[MARK]: 'when'});
	},
	/**
	 * Milliseconds, from words such as `90 minutes`, `1h30m` or `half an hour`.
	 *
	 * @example
	 * bot({about: 'Waits'}).command(
	 * 	'wait',
	 * 	{about: 'Tell you when the time is over', args: z.object({time: arg.duration()})},
	 * 	(ctx, {time}) => ctx.schedule(new Date(ctx.now().getTime() + time), ctx.here, 'Time is over'),
	 * );
	 */
	duration: () => z.number('expected a duration such as `90 minutes` or `1h30m`').meta({[MARK]: 'duration'}),
	/**
	 * A user `{id, name, email}`, from a mention, an email address or a full name.
	 *
	 * @limits Ten look-ups of users and channels for one message.
	 * @example
	 * bot({about: 'Thanks people'}).command(
	 * 	'thank',
	 * 	{about: 'Thank somebody', args: z.object({who: arg.user()})},
	 * 	(ctx, {who}) => ctx.send({dm: [who.id]}, `${ctx.sender.name} thanks you.`),
	 * );
	 */
	user: () =>
		z
			.object({id: z.int(), name: z.string(), email: z.string()}, 'expected somebody such as `@**Alice Ahn**`')
			.meta({[MARK]: 'user'}),
	/**
	 * A channel `{id, name}`, from `#**general**` or a name.
	 *
	 * @limits Ten look-ups of users and channels for one message.
	 * @example
	 * bot({about: 'Greets'}).command(
	 * 	'greet',
	 * 	{about: 'Greet a channel', args: z.object({channel: arg.channel()})},
	 * 	(ctx, {channel}) => ctx.send({channel: channel.id, topic: 'hello'}, 'Hello!'),
	 * );
	 */
	channel: () =>
		z.object({id: z.int(), name: z.string()}, 'expected a channel such as `#**general**`').meta({[MARK]: 'channel'}),
};

/** The mark of an argument's schema. */
export function markOf(field: z.ZodType): Mark | undefined {
	// Only this file adds marks.
	return innermost(field).meta()?.[MARK] as Mark | undefined;
}

/** Unwraps `.optional()`, `.default()` and the like. */
export function innermost(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable
		? innermost(field.unwrap() as z.ZodType)
		: field;
}
