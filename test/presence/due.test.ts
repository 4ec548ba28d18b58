import test from 'ava';
import fc from 'fast-check';
import {dueTimes, SLICES, sliceOf} from '../../src/presence/due.js';

const tags = Array.from({length: 1_000}, (_, n) => `https://chat.example.com|person-${n}@example.com`);

test('consecutive ranges each get their own pings, one for every interval', t => {
	const cut = fc.array(fc.integer({min: 1, max: 90_000}), {minLength: 1, maxLength: 20});
	const details = fc.check(
		fc.property(
			fc.constantFrom(...tags),
			fc.integer({min: 1_000, max: 120_000}),
			fc.integer({min: 0, max: 2e12}),
			cut,
			(tag, intervalMs, start, lengths) => {
				let from = start;
				const found: number[] = [];
				for (const length of lengths) {
					const until = from + length;
					const times = dueTimes(tag, {intervalMs, from, until});
					if (times.some(at => at < from || at >= until)) {
						return false;
					}

					found.push(...times);
					from = until;
				}

				const expected = Math.floor((from - start) / intervalMs);
				const isEven = found.slice(1).every((at, n) => at - (found[n] ?? 0) === intervalMs);
				return isEven && found.length >= expected && found.length <= expected + 1;
			},
		),
	);
	t.is(fc.defaultReportMessage(details), undefined);
});

test('a range that ends before it begins has no ping due', t => {
	t.deepEqual(dueTimes('x', {intervalMs: 1_000, from: 5_000, until: 2_000}), []);
});

test('accounts spread over the interval and over the slices', t => {
	const tenths = Array.from({length: 10}, () => 0);
	const slices = Array.from({length: SLICES}, () => 0);
	for (const tag of tags) {
		const [at = -1] = dueTimes(tag, {intervalMs: 60_000, from: 0, until: 60_000});
		tenths[Math.floor(at / 6_000)] = (tenths[Math.floor(at / 6_000)] ?? 0) + 1;
		slices[sliceOf(tag)] = (slices[sliceOf(tag)] ?? 0) + 1;
	}

	t.true(
		tenths.every(count => count > 60 && count < 140),
		tenths.join(' '),
	);
	t.true(
		slices.every(count => count > 110 && count < 225),
		slices.join(' '),
	);
});
