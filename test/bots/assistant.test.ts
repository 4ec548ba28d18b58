import test from 'ava';
import {testBot} from 'bothy/testing';
import assistant from '../../bots/assistant.js';

const MINUTES = '**Minutes**\n\n* Present: \n* Decided: \n* To do: ';

test('assistant drafts an outline of minutes for the person who asks, in the conversation where they asked', async t => {
	const kit = await testBot(assistant, {name: 'Assistant'});

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Assistant** minutes'), [
		'The outline will be in your drafts in a moment. I will not overwrite your changes.',
	]);
	t.deepEqual(kit.drafts, [{of: 'alice', where: '#general > lunch', text: MINUTES.trim()}]);
});

test('assistant deletes the drafts that it made, and reports the state of the others', async t => {
	const kit = await testBot(assistant, {name: 'Assistant'});
	t.deepEqual(await kit.alice.dm('drafts'), ['I have prepared nothing for you.']);
	await kit.alice.says('#general > lunch', '@**Assistant** minutes');
	await kit.alice.says('#general > tea', '@**Assistant** minutes');

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Assistant** discard'), [
		'I will delete it, unless you have changed it.',
	]);
	t.deepEqual(
		kit.drafts.map(({where}) => where),
		['#general > tea'],
	);
	t.deepEqual(await kit.alice.dm('drafts'), ['* #**general>tea**: as I prepared it']);
	const [draft] = (await kit.alice.api.getDrafts()).drafts;
	await kit.alice.api.deleteDraft({draft_id: draft?.id ?? 0});
	await kit.wait('2 minutes');
	t.deepEqual(await kit.alice.dm('drafts'), ['* #**general>tea**: sent or deleted']);
});

test('assistant says what is missing if it has no access to drafts', async t => {
	const {alice} = await testBot(assistant, {drafts: []});

	t.regex((await alice.dm('minutes')).join(), /^I have no access to your drafts\. My operator can add it/);
});
