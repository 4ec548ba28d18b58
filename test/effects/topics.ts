import type {Effects} from './effect.js';
import type {World} from './world.js';

/** Channel and topic of each that alice has muted, as another of her clients learns it. */
async function muted(world: World) {
	const state = await (await world.as('alice')).register({event_types: ['muted_topics']});
	return state.muted_topics?.map(([channel, topic]) => [channel, topic]);
}

export const topics: Effects = {
	muteTopic: {
		stream_id: {
			values: [1, 2],
			async outcome(world, stream_id) {
				await (await world.as('alice')).muteTopic({stream_id, topic: 'soup', op: 'add'});
				return muted(world);
			},
			expected: [[['general', 'soup']], [['lunch', 'soup']]],
		},
		stream: {
			values: ['general', 'lunch'],
			async outcome(world, stream) {
				await (await world.as('alice')).muteTopic({stream, topic: 'soup', op: 'add'});
				return muted(world);
			},
			expected: [[['general', 'soup']], [['lunch', 'soup']]],
		},
	},
};
