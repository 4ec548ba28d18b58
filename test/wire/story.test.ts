import test from 'ava';
import {fill, like} from './story.js';

test('a story accepts only what fits its answer', t => {
	const fits = (expected: Parameters<typeof fill>[0], found: Parameters<typeof fill>[1]) => {
		const result = t.try('', attempt => attempt.deepEqual(fill(expected, found, new Map()), found));
		return result.then(attempt => {
			attempt.discard();
			return attempt.passed;
		});
	};
	const cases: ReadonlyArray<readonly [boolean, Parameters<typeof fill>[0], Parameters<typeof fill>[1]]> = [
		[true, {a: '<integer>'}, {a: 1}],
		[false, {a: '<integer>'}, {a: 'x'}],
		[false, {a: '<any>'}, {}],
		[false, {a: 1}, {a: 1, b: 2}],
		[true, like({a: 1}), {a: 1, b: 2}],
		[false, like({a: 1}), {b: 2}],
		[false, like({a: 1}), [1]],
		[true, like({a: 1, b: undefined}), {a: 1}],
		[false, like({a: 1, b: undefined}), {a: 1, b: 2}],
		[true, ['$x', '$x'], [1, 1]],
		[false, ['$x', '$x'], [1, 2]],
		[false, [1], [1, 2]],
		[false, [1, 2], [1]],
		[false, {a: null}, {}],
	];
	return Promise.all(
		cases.map(async ([isFitting, expected, found]) =>
			t.is(await fits(expected, found), isFitting, JSON.stringify({expected, found})),
		),
	).then(() => {});
});
