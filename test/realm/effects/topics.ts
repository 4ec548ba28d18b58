import {effects} from './effect.js';

/** Channel and topic of each that alice has muted, as another of her clients learns it. */
export const topics = effects(
	'muteTopic',
	{
		stream_id: [1, 2, [['general', 'soup']], [['lunch', 'soup']]],
		stream: ['general', 'lunch', [['general', 'soup']], [['lunch', 'soup']]],
	},
	async ({alice}, given) => {
		await alice.muteTopic({topic: 'soup', op: 'add', ...given});
		const {muted_topics: muted} = await alice.register({event_types: ['muted_topics']});
		return muted?.map(([channel, topic]) => [channel, topic]);
	},
);
