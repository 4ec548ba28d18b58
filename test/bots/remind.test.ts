import test from 'ava';
import remind from '../../bots/remind.js';
import {talk} from '../helpers/talk.js';

test('remind schedules the reminder where it was asked, for whoever asked', async t => {
	const {say, sent} = talk(remind, Date.parse('2026-11-21T10:00:00Z'));

	t.deepEqual(await say({text: '@**Remind** me in 10 minutes tea is "ready"', botName: 'Remind'}), [
		'I will remind you at <time:2026-11-21T10:10:00Z>.',
	]);
	t.deepEqual(sent, [
		{
			target: {channel: 3, topic: 'lunch'},
			text: '@**Alice Ahn|9** tea is "ready"',
			dueAt: Date.parse('2026-11-21T10:10:00Z'),
		},
	]);
});

test('remind says what it could not read', async t => {
	const {say, sent} = talk(remind);

	t.deepEqual(await say({text: 'me a-while tea'}), [
		'`when` cannot be “a-while”: expected a time such as `tomorrow 9:00` or `in 2 hours`. Usage: `me <when> <text…>`',
	]);
	t.deepEqual(await say({text: 'me in 5 minutes'}), ['`text` is missing. Usage: `me <when> <text…>`']);
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
