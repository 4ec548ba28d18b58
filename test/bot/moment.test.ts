// Times and durations in words.

import test from 'ava';
import {readDuration, readMoment, sayDuration} from '../../src/bot/moment.js';

const now = Date.parse('2026-11-21T10:00:00Z');

test('the longest beginning of a text that is a time is the time', t => {
	const read: [string, string | undefined, string][] = [
		['in 1 minute before regen', 'in 1 minute', '10:01'],
		['in 1h from now tea', 'in 1h from now', '11:00'],
		['2 hours from now', '2 hours from now', '12:00'],
		['in one hour and a half tea', 'in one hour and a half', '11:30'],
		['in two and a half hours', 'in two and a half hours', '12:30'],
		['in a quarter of an hour call', 'in a quarter of an hour', '10:15'],
		['in three quarters of an hour', 'in three quarters of an hour', '10:45'],
		['in an hour and a half', 'in an hour and a half', '11:30'],
		['in twenty minutes tea', 'in twenty minutes', '10:20'],
		['in half an hour', 'in half an hour', '10:30'],
		['at 11:15 tea', 'at 11:15', '11:15'],
		['may we go', undefined, ''],
		['5 apples', undefined, ''],
		['in Berlin', undefined, ''],
	];
	for (const [text, words, time] of read) {
		const found = readMoment(text, {now, zone: 'UTC'});
		t.is(found && text.slice(0, found.length), words, text);
		t.is(found?.value.toISOString().slice(11, 16) ?? '', time, text);
	}
});

test('durations are read, and said, in words', t => {
	const read: [string, number | undefined][] = [
		['90 minutes', 90],
		['1h30m', 90],
		['one hour and a half', 90],
		['2 days and 3 hours', 51 * 60],
		['1,5 h', 90],
		['three quarters of an hour', 45],
		['twelve minutes', 12],
		['a lot', undefined],
		['one', undefined],
		['an apple', undefined],
	];
	for (const [text, minutes] of read) {
		t.is(readDuration(text)?.value, minutes && minutes * 60_000, text);
	}

	t.is(sayDuration(90 * 60_000), '1 hour and 30 minutes');
	t.is(sayDuration(26 * 3_600_000), '1 day and 2 hours');
	t.is(sayDuration(1_000), '1 second');
	t.is(sayDuration(0), '0 seconds');
});
