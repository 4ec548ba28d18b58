import test from 'ava';
import {testBot} from 'bothy/testing';
import standup from '../../bots/standup.js';

/** A Saturday: the next standup is on Monday. */
const options = {name: 'Standup', now: '2026-11-21T10:00:00Z'};

test('standup asks in the morning of weekdays', async t => {
	const {wait} = await testBot(standup, options);

	t.deepEqual(await wait('46 hours'), []);
	const [question] = await wait('1 hour');

	t.like(question ?? {}, {where: '#general > standup', at: new Date('2026-11-23T08:30:00Z')});
	t.regex(question?.text ?? '', /Tell me in a direct message before 9:00 UTC/);
});

test('standup keeps the last plan of each person for the next weekday, and counts them', async t => {
	const {alice, bob, waitUntil} = await testBot(standup, options);

	t.deepEqual(await alice.dm('sleep'), ['Noted for the next standup. Write again to change it.']);
	await alice.dm('work');
	await bob.dm('play');
	const said = await waitUntil('2026-11-23T09:01:00Z');

	t.deepEqual(
		said.slice(1).map(({where, text, at}) => [where, text, at.toISOString()]),
		[
			['#general > standup', 'Good morning! Today there are 2 plans.', '2026-11-23T09:00:00.000Z'],
			['#general > standup', '**Alice Ahn**: work', '2026-11-23T09:00:05.000Z'],
			['#general > standup', '**Bob Birk**: play', '2026-11-23T09:00:05.000Z'],
		],
	);
});

test('standup in a channel asks for a direct message', async t => {
	const {alice} = await testBot(standup, options);

	t.deepEqual(await alice.says('#general > standup', '@**Standup** work'), [
		'Tell me in a direct message what you are going to do.',
	]);
});
