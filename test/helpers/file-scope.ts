// A scope for what all tests of a file share.

import test from 'ava';
import type {Scope} from './bothy.js';

/** Closes what the tests of a file share after the last of them, in reverse order. */
export function fileScope(title: string): Scope {
	const closing: (() => unknown)[] = [];
	test.after.always(async () => {
		for (const close of closing.toReversed()) {
			await close();
		}
	});
	return {title, teardown: close => closing.push(close)};
}
