// What each permission of a channel lets people do: tried in `den`, where just Olivia is.

import type {Client} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import type {World} from './world.js';

const [EVERYONE, MEMBERS, MODERATORS] = [2, 3, 5];

type PermissionName =
	| 'can_add_subscribers_group'
	| 'can_remove_subscribers_group'
	| 'can_administer_channel_group'
	| 'can_delete_any_message_group'
	| 'can_delete_own_message_group'
	| 'can_move_messages_out_of_channel_group'
	| 'can_move_messages_within_channel_group'
	| 'can_create_topic_group'
	| 'can_resolve_topics_group'
	| 'can_send_message_group'
	| 'can_subscribe_group';

export interface Permission {
	readonly name: PermissionName;
	/** IDs of two groups to set it to. */
	readonly groups: readonly [number, number];
	readonly isPrivate?: boolean;
	/** What comes of it, with the ID of the channel. */
	tried(world: World, den: number): Promise<unknown>;
	readonly expected: readonly [unknown, unknown];
}

/** Somebody tries something that may be refused. */
async function attempt(call: Promise<unknown>): Promise<void> {
	await call.catch(error => {
		if (!(error instanceof ApiError)) {
			throw error;
		}
	});
}

async function subscribers(world: World, den: number): Promise<number[]> {
	return (await (await world.as('olivia')).getSubscribers({stream_id: den})).subscribers;
}

async function topics(world: World, den: number): Promise<string[]> {
	const found = await (await world.as('olivia')).getStreamTopics({stream_id: den});
	return found.topics.map(({name}) => name);
}

async function say(client: Client, topic: string): Promise<number> {
	return (await client.sendMessage({type: 'channel', to: 'den', topic, content: 'x'})).id;
}

/** Here the organization allows it to everybody, so that the channel's own setting only shows. */
const shown = (name: PermissionName): Permission => ({
	name,
	groups: [MODERATORS, MEMBERS],
	async tried(world, den) {
		const {streams} = await (await world.as('bob')).getStreams();
		return streams.find(({stream_id}) => stream_id === den)?.[name];
	},
	expected: [MODERATORS, MEMBERS],
});

export const permissions: readonly Permission[] = [
	shown('can_delete_own_message_group'),
	shown('can_move_messages_within_channel_group'),
	shown('can_resolve_topics_group'),
	{
		name: 'can_add_subscribers_group',
		groups: [MODERATORS, MEMBERS],
		isPrivate: true,
		async tried(world, den) {
			await attempt((await world.as('bob')).subscribe({subscriptions: [{name: 'den'}], principals: [6]}));
			return subscribers(world, den);
		},
		expected: [[1], [1, 6]],
	},
	{
		name: 'can_subscribe_group',
		groups: [MODERATORS, MEMBERS],
		isPrivate: true,
		async tried(world, den) {
			await attempt((await world.as('bob')).subscribe({subscriptions: [{name: 'den'}]}));
			return subscribers(world, den);
		},
		expected: [[1], [1, 5]],
	},
	{
		name: 'can_remove_subscribers_group',
		groups: [MODERATORS, MEMBERS],
		async tried(world, den) {
			await attempt((await world.as('bob')).unsubscribe({subscriptions: ['den'], principals: [1]}));
			return subscribers(world, den);
		},
		expected: [[1], []],
	},
	{
		name: 'can_administer_channel_group',
		groups: [MODERATORS, MEMBERS],
		async tried(world, den) {
			await attempt((await world.as('bob')).updateStream({stream_id: den, new_name: 'hut'}));
			const {streams} = await (await world.as('olivia')).getStreams();
			return streams.find(({stream_id}) => stream_id === den)?.name;
		},
		expected: ['den', 'hut'],
	},
	{
		name: 'can_delete_any_message_group',
		groups: [MODERATORS, MEMBERS],
		async tried(world, den) {
			const message_id = await say(await world.as('olivia'), 'soup');
			await attempt((await world.as('bob')).deleteMessage({message_id}));
			return topics(world, den);
		},
		expected: [['soup'], []],
	},
	{
		name: 'can_move_messages_out_of_channel_group',
		groups: [MEMBERS, EVERYONE],
		async tried(world, den) {
			const [olivia, gus] = [await world.as('olivia'), await world.as('gus')];
			await olivia.subscribe({subscriptions: [{name: 'den'}], principals: [7]});
			const message_id = await say(gus, 'soup');
			await attempt(gus.updateMessage({message_id, stream_id: 1, send_notification_to_old_thread: false}));
			return topics(world, den);
		},
		expected: [['soup'], []],
	},
	{
		name: 'can_create_topic_group',
		groups: [MODERATORS, MEMBERS],
		async tried(world, den) {
			await say(await world.as('olivia'), 'soup');
			const bob = await world.as('bob');
			await attempt(say(bob, 'soup'));
			await attempt(say(bob, 'bread'));
			return topics(world, den);
		},
		expected: [['soup'], ['bread', 'soup']],
	},
	{
		name: 'can_send_message_group',
		groups: [MODERATORS, MEMBERS],
		async tried(world, den) {
			await attempt(say(await world.as('bob'), 'soup'));
			return topics(world, den);
		},
		expected: [[], ['soup']],
	},
];
