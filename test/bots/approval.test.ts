import test from 'ava';
import {testBot} from 'bothy/testing';
import approval from '../../bots/approval.js';

test('approval asks the other person in a direct message and posts the answer in the conversation of the request', async t => {
	const {alice, bob, sent} = await testBot(approval, {name: 'Approval'});

	t.deepEqual(await alice.says('#general > lunch', `@**Approval** request @**${bob.name}** a laptop`), [
		`I have asked ${bob.name}.`,
	]);
	t.like(
		sent.find(({where}) => where === '@bob'),
		{choices: ['Approve', 'Refuse']},
	);
	t.deepEqual(await bob.presses('Approve'), ['Approved.']);
	t.deepEqual(await bob.presses('Approve'), ['This question is closed.']);
	t.is(sent.find(({text}) => text.includes('approved'))?.text, `${alice.mention} ${bob.name} approved: a laptop`);
});

test('approval asks for the reason of a refusal, and reports when nobody decided', async t => {
	const {alice, bob, sent, wait} = await testBot(approval, {name: 'Approval'});
	const request = `request @**${bob.name}** a laptop`;

	await alice.says('#general > lunch', `@**Approval** ${request}`);
	t.deepEqual(await bob.presses('Refuse'), ['Why?']);
	t.deepEqual(await bob.dm('too @**all** dear'), ['Refused.']);
	t.is(sent.find(({text}) => text.includes('refused'))?.where, '#general > lunch');
	t.deepEqual(await wait('2 days'), []);
	await alice.says('#general > lunch', `@**Approval** ${request}`);
	t.like(await wait('1 day'), [{where: '#general > lunch', text: 'Nobody decided within a day: a laptop'}]);
	t.deepEqual(await bob.presses('Approve'), ['This question is closed.']);
	t.deepEqual(await alice.dm(`request @**${alice.name}** a laptop`), [
		'You cannot approve your own request. Ask somebody else.',
	]);
});

test('approval takes a button of an older request for no decision about the newest one', async t => {
	const {alice, bob, sent} = await testBot(approval, {name: 'Approval'});
	await alice.says('#general > lunch', `@**Approval** request @**${bob.name}** a laptop`);
	await alice.says('#general > lunch', `@**Approval** request @**${bob.name}** a yacht`);

	t.deepEqual(await bob.dm('approve 1'), ['Please decide about the newest request: a yacht']);
	t.is(
		sent.find(({text}) => text.includes('approved')),
		undefined,
	);
	t.deepEqual(await bob.presses('Approve'), ['Approved.']);
	t.is(sent.find(({text}) => text.endsWith('approved: a yacht'))?.where, '#general > lunch');
});
