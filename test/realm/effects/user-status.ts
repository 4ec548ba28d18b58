import {effects, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

/** The status of alice as gus sees it. */
async function seen({alice, gus}: World, given: Given<'updateStatus'>): Promise<unknown> {
	await unlessRefused(alice.updateStatus(given));
	return (await gus.getUserStatus({user_id: 4})).status;
}

const COFFEE = {emoji_name: 'coffee', emoji_code: '2615', reaction_type: 'unicode_emoji'};

export const userStatus = [
	...effects(
		'updateStatus',
		{
			status_text: ['at lunch', 'in a meeting', {status_text: 'at lunch'}, {status_text: 'in a meeting'}],
			away: [true, false, {away: true}, {}],
			emoji_name: ['coffee', 'beer', COFFEE, {...COFFEE, emoji_name: 'beer', emoji_code: '1f37a'}],
		},
		seen,
	),
	...effects(
		'updateStatus',
		{
			emoji_code: ['2615', '1f37a', COFFEE, {}],
			reaction_type: ['unicode_emoji', 'realm_emoji', COFFEE, {}],
		},
		(world, given) => seen(world, {emoji_name: 'coffee', ...given}),
	),
];
