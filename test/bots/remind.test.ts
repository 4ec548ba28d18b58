import test from 'ava';
import {testBot} from 'bothy/testing';
import remind from '../../bots/remind.js';

const options = {name: 'Remind', now: '2026-11-21T10:00:00Z'};

test('remind reminds the person who asked, in the same conversation, at the right time', async t => {
	const kit = await testBot(remind, options);

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Remind** me in 10 minutes tea is "ready"'), [
		'I will remind you at <time:2026-11-21T10:10:00Z>, in 10 minutes.',
	]);
	t.deepEqual(await kit.wait('9 minutes'), []);
	t.like(await kit.wait('1 minute'), [{where: '#general > lunch', text: `${kit.alice.mention} tea is "ready"`}]);
});

test('remind says what it could not read', async t => {
	const kit = await testBot(remind, options);

	t.deepEqual(await kit.alice.dm('me a-while tea'), [
		'`when` cannot be “a-while”: expected a time such as `tomorrow 9:00` or `in 2 hours`. Usage: `me <when> <text…>`',
	]);
	t.deepEqual(await kit.alice.dm('me in 5 minutes'), ['`text` is missing. Usage: `me <when> <text…>`']);
	t.deepEqual(kit.scheduled, []);
});

test('remind lists and cancels the reminders of the person who asks', async t => {
	const {alice, bob, wait} = await testBot(remind, options);

	t.deepEqual(await alice.dm('list'), ['I have nothing to remind you of.']);
	t.deepEqual(await alice.dm('daily 9:30 stand up'), ['I will remind you every day at 9:30 UTC.']);
	await bob.dm('daily 8:00 rise');
	t.deepEqual(await alice.dm('list'), ['1. 2026-11-22 09:30 UTC, every day: stand up']);
	t.deepEqual(await alice.dm('cancel 2'), ['There is no such reminder; `list` shows yours.']);
	t.deepEqual(
		(await wait('2 days')).map(({where, text}) => `${where} ${text}`),
		[
			`@bob ${bob.mention} rise`,
			`@alice ${alice.mention} stand up`,
			`@bob ${bob.mention} rise`,
			`@alice ${alice.mention} stand up`,
		],
	);
	t.deepEqual(await alice.dm('cancel 1'), ['Cancelled.']);
	t.deepEqual(await alice.dm('list'), ['I have nothing to remind you of.']);
	t.deepEqual(await alice.dm('daily 25:00 x'), [
		'`time` cannot be “25:00”: expected a time such as 9:00. Usage: `daily <time> <text…>`',
	]);
});
