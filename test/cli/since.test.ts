import test from 'ava';
import {duration, localTime, parseSince} from '../../src/cli/since.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('a time is so long ago, a day here, or an ISO time', t => {
	t.is(parseSince('90s', NOW), NOW - 90_000);
	t.is(parseSince('1.5h', NOW), NOW - 5_400_000);
	t.is(parseSince('2d', NOW), NOW - 172_800_000);
	t.is(localTime(parseSince('2026-11-20', NOW)), '2026-11-20 00:00:00');
	t.is(localTime(parseSince('2026-11-20 10:30', NOW)), '2026-11-20 10:30:00');
	t.is(parseSince('2026-11-20T10:30:00Z', NOW), Date.parse('2026-11-20T10:30:00Z'));
});

const refused = test.macro({
	exec(t, text: string) {
		t.throws(() => parseSince(text, NOW), {message: /^Expected 30s, 15m, 2h, 3d, 2026-11-21/});
	},
	title: (_, text) => `"${text}" is no time`,
});

test(refused, 'yesterday');
test(refused, '5');
test(refused, '-2h');
test(refused, '2026-13-41');
test(refused, '');

test('a duration has one unit', t => {
	t.deepEqual([-3, 0.4, 999, 1_000, 119_949, 300_000].map(duration), [
		'0 ms',
		'0 ms',
		'999 ms',
		'1.0 s',
		'119.9 s',
		'5 min',
	]);
});
