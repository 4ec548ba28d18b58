import type {Effects} from './effect.js';
import type {World} from './world.js';

interface Typing {
	readonly type?: 'direct' | 'stream' | 'channel' | undefined;
	readonly to?: number[] | undefined;
	readonly channel?: string | undefined;
	readonly topic?: string | undefined;
}

/** Where bob, who listens to typing everywhere, hears that alice types; the service's own code where it refuses. */
async function heard(world: World, {type, to, channel, topic}: Typing): Promise<unknown> {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	const events = await world.watch(bob, {
		event_types: ['typing'],
		client_capabilities: {notification_settings_null: true, stream_typing_notifications: true},
	});
	const stream_id = channel === undefined ? undefined : (await alice.getStreamId({stream: channel})).stream_id;

	await alice.setTypingStatus({op: 'start', type, to, stream_id, topic});

	const [event] = await events();
	return event?.message_type === 'direct' ? event.recipients : event?.topic;
}

const ALICE = {user_id: 4, email: 'alice@bothy.example'};
const BOB = {user_id: 5, email: 'bob@bothy.example'};

export const typing: Effects = {
	setTypingStatus: {
		to: {
			values: [[5], [6]],
			outcome: (world, to) => heard(world, {to}),
			expected: [[BOB, ALICE], undefined],
		},
		type: {
			values: ['stream', 'direct'],
			outcome: (world, type) => heard(world, {type, to: [5], channel: 'lunch', topic: 'soup'}),
			expected: ['soup', [BOB, ALICE]],
		},
		stream_id: {
			values: [1, 2],
			async outcome(world, stream_id) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				const events = await world.watch(bob, {
					client_capabilities: {notification_settings_null: true, stream_typing_notifications: true},
				});
				await alice.setTypingStatus({op: 'start', type: 'stream', stream_id, topic: 'soup'});
				return (await events()).map(event => event.stream_id);
			},
			expected: [[1], [2]],
		},
		topic: {
			values: ['soup', 'bread'],
			outcome: (world, topic) => heard(world, {type: 'stream', channel: 'lunch', topic}),
			expected: ['soup', 'bread'],
		},
	},
};
