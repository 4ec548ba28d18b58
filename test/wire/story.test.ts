import test from 'ava';
import {fill, inAnyOrder, including, like} from './kit/story.js';

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
		[true, {a: '<number>'}, {a: 1.5}],
		[false, {a: '<number>'}, {a: '1'}],
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
		[true, like({a: undefined}), {b: 2}],
		[false, like({a: undefined}), {a: 1}],
		[true, [/^#[a-f]{2}$/], ['#ab']],
		[false, [/^#[a-f]{2}$/], ['ab']],
		[true, including(2, like({a: 1})), [1, 2, {a: 1, b: 2}]],
		[false, including(2, 3), [1, 2]],
		[false, including(2, 2), [1, 2]],
		[true, inAnyOrder(2, like({a: 1})), [{a: 1}, 2]],
		[false, inAnyOrder(1, 2), [2, 1, 3]],
		[false, inAnyOrder(1, 2), [2]],
		[false, inAnyOrder(like({a: 1})), [{a: 1}, {a: 1}]],
		[false, including(), {}],
	];
	return Promise.all(
		cases.map(async ([isFitting, expected, found]) =>
			t.is(await fits(expected, found), isFitting, JSON.stringify({expected, found})),
		),
	).then(() => {});
});
