import type {Effects} from './effect.js';
import {unlessRefused} from './refusal.js';
import type {World} from './world.js';

const CODES = {heart: '2764', tada: '1f389'};

/** What bob sees under a message of alice, whose own reactions are done to it. */
async function seen(world: World, act: (message_id: number) => Promise<unknown>): Promise<string[]> {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	const {id} = await alice.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'x'});
	await unlessRefused(act(id));
	return (await bob.getMessage({message_id: id})).message.reactions.map(({emoji_name}) => emoji_name);
}

export const reactions: Effects = {
	addReaction: {
		emoji_code: {
			values: [CODES.heart, CODES.tada],
			outcome: (world, emoji_code) =>
				seen(world, async message_id =>
					(await world.as('alice')).addReaction({message_id, emoji_name: 'heart', emoji_code}),
				),
			expected: [['heart'], []],
		},
		reaction_type: {
			values: ['service_extra_emoji', 'unicode_emoji'],
			outcome: (world, reaction_type) =>
				seen(world, async message_id =>
					(await world.as('alice')).addReaction({message_id, emoji_name: 'bothy', emoji_code: 'bothy', reaction_type}),
				),
			expected: [['bothy'], []],
		},
	},
	removeReaction: {
		emoji_name: {
			values: ['heart', 'tada'],
			outcome: (world, emoji_name) =>
				seen(world, async message_id => {
					const alice = await world.as('alice');
					await alice.addReaction({message_id, emoji_name: 'heart'});
					await alice.addReaction({message_id, emoji_name: 'tada'});
					await alice.removeReaction({message_id, emoji_name});
				}),
			expected: [['tada'], ['heart']],
		},
		emoji_code: {
			values: [CODES.heart, CODES.tada],
			outcome: (world, emoji_code) =>
				seen(world, async message_id => {
					const alice = await world.as('alice');
					await alice.addReaction({message_id, emoji_name: 'heart'});
					await alice.addReaction({message_id, emoji_name: 'tada'});
					await alice.removeReaction({message_id, emoji_code});
				}),
			expected: [['tada'], ['heart']],
		},
		reaction_type: {
			values: ['service_extra_emoji', undefined],
			outcome: (world, reaction_type) =>
				seen(world, async message_id => {
					const alice = await world.as('alice');
					await alice.addReaction({message_id, emoji_name: 'bothy'});
					await alice.removeReaction({message_id, emoji_name: 'bothy', reaction_type});
				}),
			expected: [[], ['bothy']],
		},
	},
};
