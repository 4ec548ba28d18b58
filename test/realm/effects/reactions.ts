import {effects, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

const [HEART, TADA] = ['2764', '1f389'];

/** What bob sees under a message of alice, once she reacted to it and took one reaction back. */
async function seen(
	{alice, bob}: World,
	added: Partial<Given<'addReaction'>>[],
	removed?: Partial<Given<'removeReaction'>>,
) {
	const {id: message_id} = await alice.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'x'});
	for (const reaction of added) {
		await unlessRefused(alice.addReaction({emoji_name: 'heart', ...reaction, message_id}));
	}

	if (removed) {
		await unlessRefused(alice.removeReaction({...removed, message_id}));
	}

	return (await bob.getMessage({message_id})).message.reactions?.map(({emoji_name}) => emoji_name);
}

const TWO = [{emoji_name: 'heart'}, {emoji_name: 'tada'}];

export const reactions = [
	...effects('addReaction', {emoji_code: [HEART, TADA, ['heart'], []]}, (world, given) => seen(world, [given])),
	...effects('addReaction', {reaction_type: ['service_extra_emoji', 'unicode_emoji', ['zulip'], []]}, (world, given) =>
		seen(world, [{emoji_name: 'zulip', emoji_code: 'zulip', ...given}]),
	),
	...effects(
		'removeReaction',
		{
			emoji_name: ['heart', 'tada', ['tada'], ['heart']],
			emoji_code: [HEART, TADA, ['tada'], ['heart']],
		},
		(world, given) => seen(world, TWO, given),
	),
	...effects('removeReaction', {reaction_type: ['service_extra_emoji', undefined, [], ['zulip']]}, (world, given) =>
		seen(world, [{emoji_name: 'zulip'}], {emoji_name: 'zulip', ...given}),
	),
];
