import {readActivity} from '../../../src/realm/people/presence.js';
import {effects} from './effect.js';

const BOTH = ['alice@bothy.example', 'bob@bothy.example'];

export const presence = [
	// Whom alice's answer names, bob having come first and she with this call.
	...effects(
		'updatePresence',
		{
			history_limit_days: [1, 0, BOTH, []],
			last_update_id: [-1, 1, ['4', '5'], ['4']],
			ping_only: [false, true, BOTH, undefined],
			slim_presence: [false, true, BOTH, ['4', '5']],
		},
		async ({alice, bob}, given) => {
			await bob.updatePresence({status: 'active', ping_only: true});
			const {presences} = await alice.updatePresence({status: 'active', ...given});
			return presences && Object.keys(presences).sort();
		},
	),
	...effects('updatePresence', {new_user_input: [true, false, [4], []]}, async ({alice, realm}, given) => {
		await alice.updatePresence({status: 'active', ...given});
		// Just what the realm's own statistics hold.
		return readActivity(realm.services.store).map(each => each.user_id);
	}),
];
