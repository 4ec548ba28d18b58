import test from 'ava';
import assistant from '../../bots/assistant.js';
import {talk} from '../helpers/talk.js';

const MINUTES = '**Minutes**\n\n* Present: \n* Decided: \n* To do: ';

test('assistant puts the outline of minutes among the drafts of whoever asks, for where they asked', async t => {
	const {say, drafts} = talk(assistant);

	t.deepEqual(await say({text: '@**Assistant** minutes', botName: 'Assistant'}), [
		'The outline will be among your drafts in a moment. What you change in it stays.',
	]);
	t.deepEqual(drafts, [
		{
			account: 'user9@chat.example.com',
			key: '#**general>lunch**',
			target: {channel: 3, topic: 'lunch'},
			text: MINUTES,
			status: 'waiting',
		},
	]);
});

test('assistant takes back what it prepared, and says what became of the rest', async t => {
	const {say, drafts} = talk(assistant);
	t.deepEqual(await say({text: 'drafts'}), ['I have prepared nothing for you.']);
	await say({text: 'minutes'});
	await say({text: 'minutes', message: {subject: 'tea'}});

	t.deepEqual(await say({text: 'discard'}), ['I take it back, unless you have changed it: then it is yours.']);

	t.is(drafts.length, 1);
	drafts[0] = {...drafts[0], status: 'refused', reason: 'no'} as (typeof drafts)[0];
	t.deepEqual(await say({text: 'drafts'}), ['* #**general>tea**: not taken: no']);
});

test('assistant says what is missing when nobody allowed it to look into drafts', async t => {
	const {say, failures} = talk(assistant, 0, {accounts: []});

	t.regex((await say({text: 'minutes'})).join(), /^I may not look into your drafts\. Whoever runs me can allow it/);
	t.deepEqual(failures, []);
});
