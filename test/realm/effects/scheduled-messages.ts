import type {Client} from '../../../src/client/client.js';
import {effects, type Given} from './effect.js';
import type {World} from './world.js';

const TEN_MINUTES_MS = 600_000;
const [GENERAL, LUNCH] = [1, 2];
const SOUP = {content: 'one', to: LUNCH, type: 'channel', topic: 'soup'} as const;

/** Alice schedules a message, perhaps changes it, and its time comes. */
async function deliver(
	{alice, realm, pass}: World,
	wanted: Partial<Given<'createScheduledMessage'>>,
	change?: Partial<Given<'updateScheduledMessage'>>,
): Promise<void> {
	const scheduled_delivery_timestamp = realm.services.clock.seconds() + TEN_MINUTES_MS / 1000;
	const {scheduled_message_id} = await alice.createScheduledMessage({...SOUP, ...wanted, scheduled_delivery_timestamp});
	if (change) {
		await alice.updateScheduledMessage({...change, scheduled_message_id});
	}

	pass(TEN_MINUTES_MS + 61_000);
}

/** The newest message that somebody sees. */
async function newest(client: Client) {
	const {messages} = await client.getMessages({anchor: 'newest', num_before: 1, apply_markdown: false});
	return messages[0];
}

async function place({bob}: World) {
	const message = await newest(bob);
	return message && {channel: message.stream_id, topic: message.subject, content: message.content};
}

const ONE = {channel: LUNCH, topic: 'soup', content: 'one'};

export const scheduledMessages = [
	...effects(
		'createScheduledMessage',
		{topic: ['soup', 'bread', ONE, {...ONE, topic: 'bread'}]},
		async (world, given) => {
			await deliver(world, given);
			return place(world);
		},
	),
	...effects('createScheduledMessage', {read_by_sender: [true, false, ['read'], []]}, async (world, given) => {
		await deliver(world, given);
		return (await newest(world.alice))?.flags;
	}),
	...effects(
		'updateScheduledMessage',
		{
			content: ['two', 'three', {...ONE, content: 'two'}, {...ONE, content: 'three'}],
			topic: ['bread', 'cake', {...ONE, topic: 'bread'}, {...ONE, topic: 'cake'}],
			to: [GENERAL, LUNCH, {...ONE, channel: GENERAL}, ONE],
		},
		async (world, given) => {
			await deliver(world, {}, given);
			return place(world);
		},
	),
	...effects(
		'updateScheduledMessage',
		{type: ['direct', 'channel', {channel: undefined, topic: '', content: 'one'}, ONE]},
		async (world, {type}) => {
			await deliver(world, {}, {type, to: type === 'direct' ? [5] : LUNCH, topic: 'soup'});
			return place(world);
		},
	),
	...effects(
		'updateScheduledMessage',
		{scheduled_delivery_timestamp: [undefined, 4_102_444_800, true, false]},
		async (world, given) => {
			await deliver(world, {}, {content: 'two', ...given});
			return (await newest(world.bob))?.content === 'two';
		},
	),
];
