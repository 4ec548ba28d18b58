// Every optional parameter of every operation does what it says: two values of it, and two things that somebody sees.

import test from 'ava';
import {type Operation, operations} from '../../src/api/index.js';
import {bots} from './effects/bots.js';
import {channels} from './effects/channels.js';
import {drafts} from './effects/drafts.js';
import {events} from './effects/events.js';
import {invites} from './effects/invites.js';
import {messages} from './effects/messages.js';
import {presence} from './effects/presence.js';
import {profileFields} from './effects/profile-fields.js';
import {reactions} from './effects/reactions.js';
import {savedTexts} from './effects/saved-texts.js';
import {scheduledMessages} from './effects/scheduled-messages.js';
import {settings} from './effects/settings.js';
import {subscriptions} from './effects/subscriptions.js';
import {topics} from './effects/topics.js';
import {typing} from './effects/typing.js';
import {userGroups} from './effects/user-groups.js';
import {userStatus} from './effects/user-status.js';
import {users} from './effects/users.js';
import {openWorld, type World} from './effects/world.js';

/** The service keeps it, and shows it to nobody. */
const unseen = [
	'createBot service_name',
	'sendMessage time',
	'sendInvites include_realm_default_subscriptions',
	'createInviteLink include_realm_default_subscriptions',
];

const effects = [
	...bots,
	...channels,
	...drafts,
	...events,
	...invites,
	...messages,
	...presence,
	...profileFields,
	...reactions,
	...savedTexts,
	...scheduledMessages,
	...settings,
	...subscriptions,
	...topics,
	...typing,
	...userGroups,
	...userStatus,
	...users,
];

let world: World;
test.before(async () => {
	world = await openWorld();
});
test.after.always(() => world?.close());

for (const {operation, parameter, values, outcome, expected} of effects) {
	test.serial(`the two values of ${operation} ${parameter} are told apart`, async t => {
		const seen = [];
		for (const value of values) {
			await world.forget();
			seen.push(await outcome(world, value));
		}

		t.deepEqual(seen, [...expected]);
		t.notDeepEqual(seen[0], seen[1]);
	});
}

test('every optional parameter in the table has its effect here, and no other', t => {
	const pairs = Object.values<Operation>(operations).flatMap(({name, parameters}) =>
		Object.entries(parameters)
			.filter(([parameter, {required}]) => !required && !unseen.includes(`${name} ${parameter}`))
			.map(([parameter]) => `${name} ${parameter}`),
	);

	t.deepEqual(effects.map(({operation, parameter}) => `${operation} ${parameter}`).sort(), pairs.sort());
});
