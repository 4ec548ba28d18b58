import type {Operations, ParametersOf} from '../../src/api/index.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

/** Whom alice's answer names, bob having come first and she with this call. */
async function named(world: World, parameters: Partial<ParametersOf<Operations['updatePresence']>>): Promise<unknown> {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	await bob.updatePresence({status: 'active', ping_only: true});
	const {presences} = await alice.updatePresence({status: 'active', ...parameters});
	return presences && Object.keys(presences).sort();
}

const BOTH = ['alice@bothy.example', 'bob@bothy.example'];

export const presence: Effects = {
	updatePresence: {
		history_limit_days: {
			values: [1, 0],
			outcome: (world, history_limit_days) => named(world, {history_limit_days}),
			expected: [BOTH, []],
		},
		last_update_id: {
			values: [-1, 1],
			outcome: (world, last_update_id) => named(world, {last_update_id}),
			expected: [['4', '5'], ['4']],
		},
		ping_only: {
			values: [false, true],
			outcome: (world, ping_only) => named(world, {ping_only}),
			expected: [BOTH, undefined],
		},
		slim_presence: {
			values: [false, true],
			outcome: (world, slim_presence) => named(world, {slim_presence}),
			expected: [BOTH, ['4', '5']],
		},
		new_user_input: {
			values: [true, false],
			async outcome(world, new_user_input) {
				const alice = await world.as('alice');
				await alice.updatePresence({status: 'active', new_user_input});
				const response = await fetch(`${world.realm.url}/trouble/activity`);
				// Just what the realm's own statistics hold.
				const {activity} = (await response.json()) as {activity: Array<{user_id: number}>};
				return activity.map(each => each.user_id);
			},
			expected: [[4], []],
		},
	},
};
