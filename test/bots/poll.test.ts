import test from 'ava';
import poll from '../../bots/poll.js';
import {talk} from '../helpers/talk.js';

test('poll asks with a button for each option, and counts one vote of each person', async t => {
	const {say, widgets} = talk(poll);

	t.deepEqual(await say({text: '@**Poll** ask "Where to eat?" pizza, big soup', botName: 'Poll', message: {id: 7}}), [
		'**Where to eat?** (`results 7` counts)',
	]);
	t.like(JSON.parse(widgets[0] ?? ''), {
		extra_data: {
			choices: [
				{long_name: 'pizza', reply: '@**Poll** vote 7 pizza'},
				{long_name: 'big soup', reply: '@**Poll** vote 7 big soup'},
			],
		},
	});
	t.deepEqual(await say({text: 'vote 7 pizza'}), ['Alice Ahn: pizza']);
	t.deepEqual(await say({text: 'vote 7 big soup'}), ['Alice Ahn: big soup']);
	await say({text: 'vote 7 big soup', message: {sender_id: 10}});
	t.deepEqual(await say({text: 'results 7'}), ['**Where to eat?**\n\n* big soup: 2\n* pizza: 0']);
});

test('poll takes no vote for what it did not ask', async t => {
	const {say} = talk(poll);
	await say({text: 'ask "Where?" pizza', message: {id: 7}});

	t.deepEqual(await say({text: 'vote 7 soup'}), ['There is no such poll or option.']);
	t.deepEqual(await say({text: 'vote 8 pizza'}), ['There is no such poll or option.']);
	t.deepEqual(await say({text: 'results 8'}), ['There is no such poll.']);
});
