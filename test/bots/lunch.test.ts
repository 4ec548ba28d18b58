import test from 'ava';
import lunch from '../../bots/lunch.js';
import {talk} from '../helpers/talk.js';

const config = {channel: 'lunch', topic: 'today'};
const TODAY = 1_795_000_000;
const bob = {sender_id: 10, sender_full_name: 'Bob Birk', timestamp: TODAY};

test('lunch remembers who goes where, until the next day', async t => {
	const {say} = talk(lunch, 0, {config});

	t.deepEqual(await say({text: 'join Golden Spoon', message: {timestamp: TODAY}}), ['* **Golden Spoon**: Alice Ahn']);
	t.deepEqual(await say({text: 'join Golden Spoon', message: bob}), ['* **Golden Spoon**: Alice Ahn, Bob Birk']);
	t.deepEqual(await say({text: 'join Market', message: {timestamp: TODAY}}), [
		'* **Golden Spoon**: Bob Birk\n* **Market**: Alice Ahn',
	]);
	t.deepEqual(await say({text: 'leave', message: bob}), ['* **Market**: Alice Ahn']);
	t.deepEqual(await say({text: 'who', message: {...bob, timestamp: TODAY + 86_400}}), ['Nobody goes out yet.']);
});

test('lunch knows over the days where people went most', async t => {
	const {say} = talk(lunch, 0, {config});

	t.deepEqual(await say({text: 'favourites'}), ['Nobody went anywhere yet.']);
	await say({text: 'join Market', message: {timestamp: TODAY}});
	await say({text: 'join Golden Spoon', message: bob});
	await say({text: 'join Golden Spoon', message: {...bob, timestamp: TODAY + 86_400}});
	t.deepEqual(await say({text: 'favourites', message: bob}), ['* Golden Spoon (2)\n* Market (1)']);
});

test('lunch asks at noon where its config says', async t => {
	const {fire, sent} = talk(lunch, 0, {config: {channel: 'food', topic: 'soon'}});
	await fire('ask');

	t.deepEqual(sent, [
		{
			target: {channel: 'food', topic: 'soon'},
			text: 'Where do you go for lunch? Tell me with `join <place>`.',
			dueAt: 0,
		},
	]);
});
