import test from 'ava';
import {testBot} from 'bothy/testing';
import lunch from '../../bots/lunch.js';

const options = {name: 'Lunch', now: '2026-11-20T10:00:00Z'};
const HERE = '#lunch > today';

test('lunch remembers who goes where until the next day', async t => {
	const {alice, bob, wait} = await testBot(lunch, options);

	t.deepEqual(await alice.says(HERE, '@**Lunch** join Golden Spoon'), ['* **Golden Spoon**: Alice Ahn']);
	t.deepEqual(await bob.says(HERE, '@**Lunch** join Golden Spoon'), ['* **Golden Spoon**: Alice Ahn, Bob Birk']);
	t.deepEqual(await alice.says(HERE, '@**Lunch** join Market'), [
		'* **Golden Spoon**: Bob Birk\n* **Market**: Alice Ahn',
	]);
	t.deepEqual(await bob.says(HERE, '@**Lunch** leave'), ['* **Market**: Alice Ahn']);
	await wait('1 day');
	t.deepEqual(await bob.says(HERE, '@**Lunch** who'), ['Nobody has joined yet.']);
});

test('lunch counts over several days where people went most often', async t => {
	const {alice, bob, wait} = await testBot(lunch, options);

	t.deepEqual(await alice.dm('favourites'), ['Nobody has joined anything yet.']);
	await alice.dm('join Market');
	await bob.dm('join Golden Spoon');
	await wait('1 day');
	await bob.dm('join Golden Spoon');
	t.deepEqual(await bob.dm('favourites'), ['* Golden Spoon (2)\n* Market (1)']);
});

test('lunch asks before noon on weekdays, in the channel of its config', async t => {
	const {wait} = await testBot(lunch, {...options, config: {channel: 'general', topic: 'soon'}});

	t.deepEqual(
		(await wait('4 days')).map(({where, text, at}) => [where, text, at.toISOString()]),
		[
			['#general > soon', 'Where are you going for lunch? Tell me with `join <place>`.', '2026-11-20T11:30:00.000Z'],
			['#general > soon', 'Where are you going for lunch? Tell me with `join <place>`.', '2026-11-23T11:30:00.000Z'],
		],
	);
});

test('a place may have the name of something that every object has', async t => {
	const {alice} = await testBot(lunch, options);

	t.deepEqual(await alice.dm('join constructor'), ['* **constructor**: Alice Ahn']);
	t.deepEqual(await alice.dm('favourites'), ['* constructor (1)']);
});
