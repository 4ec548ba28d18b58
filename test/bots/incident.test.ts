import test from 'ava';
import {testBot} from 'bothy/testing';
import incident from '../../bots/incident.js';

const config = {alertSecret: 'a secret of alerts', channel: 'general'};

test('incident announces an alert once, and who takes it', async t => {
	const {alice, bob, http, sent, wait} = await testBot(incident, {name: 'Incident', config});

	t.is(await http('/alert', {id: '7', title: 'Disk full'}), 200);
	t.is(await http('/alert', {id: '7', title: 'Disk full'}), 200);
	t.is(await http('/alert', {id: '8', title: 'evil'}, {secret: 'another secret'}), 401);
	t.like(sent, [{where: '#general > incident 7', text: '**Disk full** Who takes it?', choices: ['I take it']}]);
	t.deepEqual(await alice.presses('I take it'), ['Alice Ahn has it: Disk full']);
	t.deepEqual(await bob.presses('I take it'), ['Alice Ahn has it: Disk full']);
	t.deepEqual(await wait('1 hour'), []);
	t.deepEqual(await bob.dm('close 7'), ['Closed.']);
	t.deepEqual(await bob.dm('close 7'), ['There is no such incident.']);
});

test('incident escalates when nobody takes it', async t => {
	const {http, wait} = await testBot(incident, {name: 'Incident', config: {...config, escalateMinutes: 5}});
	await http('/alert', {id: '7', title: 'Disk full'});

	t.like(await wait('5 minutes'), [
		{where: '#general > incident 7', text: '@**all** Nobody has taken this yet: Disk full'},
	]);
});
