import test from 'ava';
import remind from '../../bots/remind.js';
import {talk} from '../helpers/talk.js';

test('remind schedules the reminder where it was asked, for whoever asked', async t => {
	const now = Date.now();
	const {say, sent} = talk(remind, now);

	t.deepEqual(await say({text: '@**Remind** in 10 tea is "ready"', botName: 'Remind'}), [
		'I will remind you in 10 minutes.',
	]);
	t.like(sent[0] ?? {}, {target: {channel: 3, topic: 'lunch'}, text: '@**Alice Ahn|9** tea is "ready"'});
	t.true(Math.abs((sent[0]?.dueAt ?? 0) - (now + 600_000)) < 60_000);
});

test('remind says what it could not read', async t => {
	const {say, sent} = talk(remind);

	t.deepEqual(await say({text: 'in a-while tea'}), [
		'`minutes` cannot be “a-while”: expected a number of minutes. Usage: `in <minutes> <text…>`',
	]);
	t.deepEqual(await say({text: 'in 5'}), ['`text` is missing. Usage: `in <minutes> <text…>`']);
	t.deepEqual(sent, []);
});

test('remind lists and cancels the reminders of whoever asks', async t => {
	const {say} = talk(remind, new Date('2026-11-21T10:00:00Z').getTime());

	t.deepEqual(await say({text: 'list'}), ['I have nothing to remind you of.']);
	t.deepEqual(await say({text: 'daily 9:30 stand up'}), ['I will remind you every day at 9:30 UTC.']);
	await say({text: 'daily 8:00 rise', message: {sender_id: 10}});
	t.deepEqual(await say({text: 'list'}), ['1. 2026-11-22 09:30 UTC, every day: stand up']);
	t.deepEqual(await say({text: 'cancel 2'}), ['There is no such reminder; `list` shows yours.']);
	t.deepEqual(await say({text: 'cancel 1'}), ['Cancelled.']);
	t.deepEqual(await say({text: 'list'}), ['I have nothing to remind you of.']);
	t.deepEqual(await say({text: 'daily 25:00 x'}), [
		'`time` cannot be “25:00”: expected a time such as 9:00. Usage: `daily <time> <text…>`',
	]);
});
