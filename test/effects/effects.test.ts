// Every optional parameter of every operation does what it says: two values of it, and two things that somebody sees.

import test from 'ava';
import {type Operation, operations} from '../../src/api/index.js';
import {bots} from './bots.js';
import {channels} from './channels.js';
import {drafts} from './drafts.js';
import type {Effect, Effects} from './effect.js';
import {events} from './events.js';
import {groups} from './groups.js';
import {messages} from './messages.js';
import {presence} from './presence.js';
import {reactions} from './reactions.js';
import {scheduledMessages} from './scheduled-messages.js';
import {settings} from './settings.js';
import {status} from './status.js';
import {topics} from './topics.js';
import {typing} from './typing.js';
import {users} from './users.js';
import {openWorld} from './world.js';

const effects = new Map<string, Effect<unknown>>();
for (const group of [
	bots,
	channels,
	drafts,
	events,
	groups,
	messages,
	presence,
	reactions,
	scheduledMessages,
	settings,
	status,
	topics,
	typing,
	users,
] satisfies readonly Effects[]) {
	for (const [operation, parameters] of Object.entries(group)) {
		for (const [parameter, effect] of Object.entries(parameters)) {
			// Each effect is typed where it is written.
			effects.set(`${operation} ${parameter}`, effect as Effect<unknown>);
		}
	}
}

for (const [pair, {values, outcome, expected}] of effects) {
	test.serial(`the two values of ${pair} are told apart`, async t => {
		const seen = [await outcome(await openWorld(t), values[0]), await outcome(await openWorld(t), values[1])];

		t.deepEqual(seen, [...expected]);
		t.notDeepEqual(seen[0], seen[1]);
	});
}

test('every optional parameter in the table has its effect here, and no other', t => {
	const pairs = Object.values<Operation>(operations).flatMap(({name, parameters}) =>
		Object.entries(parameters)
			.filter(([, {required}]) => !required)
			.map(([parameter]) => `${name} ${parameter}`),
	);

	t.deepEqual([...effects.keys()].sort(), pairs.sort());
});
