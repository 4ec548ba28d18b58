import type {Client} from '../../src/client/client.js';
import {cause} from '../realm/realm-kit.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

const TEN_MINUTES_MS = 600_000;
const LUNCH = 2;

/** UNIX seconds, ten minutes from now. */
const soon = () => Math.floor((Date.now() + TEN_MINUTES_MS) / 1000);

const SOUP = {content: 'one', to: LUNCH, type: 'channel', topic: 'soup'} as const;

type Change = Omit<Parameters<Client['updateScheduledMessage']>[0], 'scheduled_message_id'>;

/** Alice schedules a message, changes her mind, and its time comes. */
async function deliverChanged(world: World, change: Change): Promise<void> {
	const alice = await world.as('alice');
	const {scheduled_message_id} = await alice.createScheduledMessage({...SOUP, scheduled_delivery_timestamp: soon()});
	await alice.updateScheduledMessage({scheduled_message_id, ...change});
	await letTimePass(world);
}

async function letTimePass(world: World): Promise<void> {
	await cause(world.realm, '/clock', {advance_ms: TEN_MINUTES_MS + 61_000});
}

/** The newest message that bob sees, and where. */
async function newest(world: World) {
	const bob = await world.as('bob');
	const {messages} = await bob.getMessages({anchor: 'newest', num_before: 1, apply_markdown: false});
	const [message] = messages;
	return message && {channel: message.stream_id, topic: message.subject, content: message.content};
}

export const scheduledMessages: Effects = {
	createScheduledMessage: {
		topic: {
			values: ['soup', 'bread'],
			async outcome(world, topic) {
				const alice = await world.as('alice');
				await alice.createScheduledMessage({...SOUP, topic, scheduled_delivery_timestamp: soon()});
				await letTimePass(world);
				return newest(world);
			},
			expected: [
				{channel: LUNCH, topic: 'soup', content: 'one'},
				{channel: LUNCH, topic: 'bread', content: 'one'},
			],
		},
		read_by_sender: {
			values: [true, false],
			async outcome(world, read_by_sender) {
				const alice = await world.as('alice');
				await alice.createScheduledMessage({...SOUP, read_by_sender, scheduled_delivery_timestamp: soon()});
				await letTimePass(world);
				const {messages} = await alice.getMessages({anchor: 'newest', num_before: 1, narrow: [['topic', 'soup']]});
				return messages.map(({flags}) => flags);
			},
			expected: [[['read']], [[]]],
		},
	},
	updateScheduledMessage: {
		content: {
			values: ['two', 'three'],
			async outcome(world, content) {
				await deliverChanged(world, {content});
				return newest(world);
			},
			expected: [
				{channel: LUNCH, topic: 'soup', content: 'two'},
				{channel: LUNCH, topic: 'soup', content: 'three'},
			],
		},
		topic: {
			values: ['bread', 'cake'],
			async outcome(world, topic) {
				await deliverChanged(world, {topic});
				return newest(world);
			},
			expected: [
				{channel: LUNCH, topic: 'bread', content: 'one'},
				{channel: LUNCH, topic: 'cake', content: 'one'},
			],
		},
		to: {
			values: [1, LUNCH],
			async outcome(world, to) {
				await deliverChanged(world, {to});
				return newest(world);
			},
			expected: [
				{channel: 1, topic: 'soup', content: 'one'},
				{channel: LUNCH, topic: 'soup', content: 'one'},
			],
		},
		type: {
			values: ['direct', 'channel'],
			async outcome(world, type) {
				await deliverChanged(world, {type, to: type === 'direct' ? [5] : LUNCH, topic: 'soup'});
				return newest(world);
			},
			expected: [
				{channel: undefined, topic: '', content: 'one'},
				{channel: LUNCH, topic: 'soup', content: 'one'},
			],
		},
		scheduled_delivery_timestamp: {
			values: [undefined, 4_102_444_800],
			async outcome(world, scheduled_delivery_timestamp) {
				await deliverChanged(world, {content: 'two', scheduled_delivery_timestamp});
				return (await newest(world))?.content === 'two';
			},
			expected: [true, false],
		},
	},
};
