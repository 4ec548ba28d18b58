import type {Operations, ParametersOf} from '../../src/api/index.js';
import {ApiError} from '../../src/client/errors.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

/** The status of alice as gus sees it; what the service refuses leaves none. */
async function seen(world: World, parameters: ParametersOf<Operations['updateStatus']>): Promise<unknown> {
	const [alice, gus] = [await world.as('alice'), await world.as('gus')];
	try {
		await alice.updateStatus(parameters);
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
	}

	return (await gus.getUserStatus({user_id: 4})).status;
}

const COFFEE = {emoji_name: 'coffee', emoji_code: '2615', reaction_type: 'unicode_emoji'};

export const status: Effects = {
	updateStatus: {
		status_text: {
			values: ['at lunch', 'in a meeting'],
			outcome: (world, status_text) => seen(world, {status_text}),
			expected: [{status_text: 'at lunch'}, {status_text: 'in a meeting'}],
		},
		away: {
			values: [true, false],
			outcome: (world, away) => seen(world, {away}),
			expected: [{away: true}, {}],
		},
		emoji_name: {
			values: ['coffee', 'beer'],
			outcome: (world, emoji_name) => seen(world, {emoji_name}),
			expected: [COFFEE, {emoji_name: 'beer', emoji_code: '1f37a', reaction_type: 'unicode_emoji'}],
		},
		emoji_code: {
			values: ['2615', '1f37a'],
			outcome: (world, emoji_code) => seen(world, {emoji_name: 'coffee', emoji_code}),
			expected: [COFFEE, {}],
		},
		reaction_type: {
			values: ['unicode_emoji', 'realm_emoji'],
			outcome: (world, reaction_type) => seen(world, {emoji_name: 'coffee', reaction_type}),
			expected: [COFFEE, {}],
		},
	},
};
