// Checks the arguments of `ctx` methods. Errors never contain people's texts.

import {Target} from '../../delivery/target.js';
import {isTooLong, LONGEST_TEXT, wellFormed} from '../../delivery/text.js';

/** The text as Bothy stores and posts it: without lone surrogates and null bytes. */
export function expectText(text: unknown, method: string): string {
	if (typeof text !== 'string' || text.trim() === '') {
		throw new TypeError(`Expected ctx.${method}() with a text that is not blank, got ${describe(text)}`);
	}

	if (isTooLong(text)) {
		throw new RangeError(
			`Expected ctx.${method}() with a text of at most ${LONGEST_TEXT} characters, got ${text.length}; split it into several messages`,
		);
	}

	return wellFormed(text);
}

/** Limit for the key of a schedule or a draft, in characters. */
const LONGEST_KEY = 200;

export function expectKey(key: unknown, method: string): string {
	if (typeof key !== 'string' || key.trim() === '' || key.length > LONGEST_KEY) {
		const got = typeof key === 'string' && key.length > LONGEST_KEY ? `${key.length} characters` : describe(key);
		throw new TypeError(`Expected ctx.${method}() with a key of 1 to ${LONGEST_KEY} characters, got ${got}`);
	}

	return wellFormed(key);
}

export function expectTarget(target: unknown): Target {
	const parsed = Target.safeParse(target);
	if (!parsed.success) {
		throw new TypeError(
			`Expected a target {channel, topic}, {dm: [user ids or emails]} or ctx.here, got ${describe(target)}`,
		);
	}

	if ('dm' in parsed.data) {
		return parsed.data;
	}

	const {channel, topic} = parsed.data;
	return {channel: typeof channel === 'string' ? wellFormed(channel) : channel, topic: wellFormed(topic)};
}

/** Milliseconds since 1970. */
export function expectFuture(when: Date, {method, now}: {method: string; now: number}): number {
	if (!(when.getTime() > now)) {
		const got = Number.isNaN(when.getTime()) ? 'no valid date' : when.toISOString();
		throw new RangeError(`Expected ctx.${method}() with a time in the future, got ${got}`);
	}

	return when.getTime();
}

function describe(value: unknown): string {
	if (typeof value === 'string') {
		return 'a blank string';
	}

	return typeof value === 'object' && value !== null
		? `an object with ${Object.keys(value).join(', ')}`
		: String(value);
}

export function expectHandler(run: unknown, method: string): void {
	if (typeof run !== 'function') {
		throw new TypeError(
			`Expected a handler for ${method}, a function such as \`ctx => ctx.reply('Hello')\`, got ${typeof run}`,
		);
	}
}
