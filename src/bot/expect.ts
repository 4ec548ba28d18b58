// Checks what a bot hands over, and says what was expected where it does not fit. People's texts are never repeated.

import {Target} from '../queue/sends.js';

export function expectText(text: unknown, method: string): string {
	if (typeof text !== 'string' || text.trim() === '') {
		throw new TypeError(`Expected ctx.${method}() with a text that is not blank, got ${describe(text)}`);
	}

	return text;
}

export function expectTarget(target: unknown): Target {
	const parsed = Target.safeParse(target);
	if (!parsed.success) {
		throw new TypeError(
			`Expected a target {channel, topic}, {dm: [user ids or emails]} or ctx.here, got ${describe(target)}`,
		);
	}

	return parsed.data;
}

/** Milliseconds since 1970. */
export function expectFuture(when: Date, {method, now}: {method: string; now: number}): number {
	if (!(when.getTime() > now)) {
		const got = Number.isNaN(when.getTime()) ? 'no valid date' : when.toISOString();
		throw new RangeError(`Expected ctx.${method}() with a time in the future, got ${got}`);
	}

	return when.getTime();
}

export function describe(value: unknown): string {
	if (typeof value === 'string') {
		return 'a blank string';
	}

	return typeof value === 'object' && value !== null
		? `an object with ${Object.keys(value).join(', ')}`
		: String(value);
}
