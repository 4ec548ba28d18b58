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
