import {effects, type Given} from './effect.js';
import type {World} from './world.js';

/** What bob, who listens to typing everywhere, hears when alice types. */
async function heard({alice, bob, watch}: World, given: Partial<Given<'setTypingStatus'>>): Promise<unknown> {
	const events = await watch(bob, {
		event_types: ['typing'],
		client_capabilities: {notification_settings_null: true, stream_typing_notifications: true},
	});
	await alice.setTypingStatus({op: 'start', ...given});
	const [event] = await events();
	return event?.message_type === 'direct' ? event.recipients : event && [event.stream_id, event.topic];
}

const ALICE = {user_id: 4, email: 'alice@bothy.example'};
const BOB = {user_id: 5, email: 'bob@bothy.example'};
const LUNCH = 2;

export const typing = [
	...effects('setTypingStatus', {to: [[5], [6], [BOB, ALICE], undefined]}, heard),
	...effects('setTypingStatus', {type: ['stream', 'direct', [LUNCH, 'soup'], [BOB, ALICE]]}, (world, given) =>
		heard(world, {to: [5], stream_id: LUNCH, topic: 'soup', ...given}),
	),
	...effects(
		'setTypingStatus',
		{
			stream_id: [1, LUNCH, [1, 'soup'], [LUNCH, 'soup']],
			topic: ['soup', 'bread', [LUNCH, 'soup'], [LUNCH, 'bread']],
		},
		(world, given) => heard(world, {type: 'stream', stream_id: LUNCH, topic: 'soup', ...given}),
	),
];
