import test from 'ava';
import {testBot} from 'bothy/testing';
import poll from '../../bots/poll.js';

test('poll asks with a button for each option, and counts one vote of each person', async t => {
	const {alice, bob, sent} = await testBot(poll, {name: 'Poll'});

	const [question = ''] = await alice.says('#general > lunch', '@**Poll** ask "Where to eat?" pizza, big soup');
	const [, number] = /^\*\*Where to eat\?\*\* \(`results (\d+)` shows the votes\)$/.exec(question) ?? [];
	t.deepEqual(sent[0]?.choices, ['pizza', 'big soup']);
	t.deepEqual(await alice.presses('pizza'), ['Alice Ahn: pizza']);
	t.deepEqual(await alice.presses('big soup'), ['Alice Ahn: big soup']);
	await bob.presses('big soup');

	t.deepEqual(await alice.dm(`results ${number}`), ['**Where to eat?**\n\n* big soup: 2\n* pizza: 0']);
});

test('poll counts no vote for an option that it does not have', async t => {
	const {alice} = await testBot(poll, {name: 'Poll'});
	const [question = ''] = await alice.dm('ask "Where?" pizza');
	const number = /\d+/.exec(question)?.[0];

	t.deepEqual(await alice.dm(`vote ${number} soup`), ['There is no such poll or option.']);
	t.deepEqual(await alice.dm(`vote ${number}0 pizza`), ['There is no such poll or option.']);
	t.deepEqual(await alice.dm(`results ${number}0`), ['There is no such poll.']);
});

test('poll accepts odd options, and no button mentions everybody', async t => {
	const {alice, sent} = await testBot(poll, {name: 'Poll'});
	const [question = ''] = await alice.dm('ask "Where?" @**all**, soup');
	const number = /\d+/.exec(question)?.[0];

	t.deepEqual(sent[0]?.choices, ['@all', 'soup']);
	t.deepEqual(await alice.presses('@all'), ['Alice Ahn: @\u200b**all**']);
	t.deepEqual(await alice.dm(`vote ${number} constructor`), ['There is no such poll or option.']);
	t.deepEqual(await alice.dm('ask "Where?" ,'), ['Expected 1 to 26 options, found 0.']);
	t.deepEqual(await alice.dm(`ask "Where?" ${'a, '.repeat(27)}`), ['Expected 1 to 26 options, found 27.']);
});
