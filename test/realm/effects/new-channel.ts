// What each detail of a new channel does, whichever way it is made: tried in `den`, where just Olivia is.

import type {Client} from '../../../src/client/client.js';
import {type Effect, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

const [EVERYONE, MEMBERS, MODERATORS] = [2, 3, 5];

/** What everybody may read, and the same with `den`. */
export const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
export const OPEN_AND_DEN = ['announcements', 'den', 'general', 'lunch', 'plaza'];
export const NOTHING_ELSE = {include_public: false, include_subscribed: false};

export type Wanted = Omit<Given<'createChannel'>, 'name' | 'subscribers' | 'description'>;

export async function namesOf(client: Client, flags: Given<'getStreams'> = {}): Promise<string[]> {
	return (await client.getStreams(flags)).streams.map(({name}) => name);
}

async function topicsFor(reader: Client, stream_id: number): Promise<string[]> {
	const {topics} = await reader.getStreamTopics({stream_id, allow_empty_topic_name: true});
	return topics.map(({name}) => name).filter(name => name !== 'channel events');
}

const say = async (client: Client, topic: string) =>
	(await client.sendMessage({type: 'channel', to: 'den', topic, content: 'x'})).id;

/** What bob, who comes later, sees of Olivia's message. */
export async function historyForBob({olivia, bob}: World, den: number, before: () => Promise<unknown>) {
	await say(olivia, 'soup');
	await before();
	await olivia.subscribe({subscriptions: [{name: 'den'}], principals: [5]});
	return topicsFor(bob, den);
}

/** Channels in which somebody who joins the organization now finds themselves. */
async function joinedByNewcomer({olivia, as}: World) {
	await olivia.createUser({email: 'nora@bothy.example', full_name: 'Nora North', password: 'secret'});
	return (await as('nora').getSubscriptions()).subscriptions.map(({name}) => name);
}

/** What bob still reads when a message is 32 days old. */
async function keptForBob({olivia, bob, pass}: World, den: number) {
	await say(olivia, 'soup');
	pass(32 * 24 * 3_600_000);
	return topicsFor(bob, den);
}

/** Topics in which bob could write: an empty one, and one with a name. */
async function topicsOfBob({bob}: World, den: number) {
	await unlessRefused(say(bob, ''));
	await unlessRefused(say(bob, 'soup'));
	return topicsFor(bob, den);
}

/** What is tried in a channel with a detail, and what comes of each of two values. */
interface Trial {
	readonly values: readonly [unknown, unknown];
	/** What the channel is made with besides. */
	readonly wanted?: Wanted;
	tried(world: World, den: number): Promise<unknown>;
	readonly expected: readonly [unknown, unknown];
}

/** Of these only a new channel can be told. */
const ofNew: Readonly<Record<string, Trial>> = {
	invite_only: {values: [true, false], tried: ({alice}) => namesOf(alice), expected: [OPEN, OPEN_AND_DEN]},
	history_public_to_subscribers: {
		values: [true, false],
		wanted: {invite_only: true},
		tried: (world, den) => historyForBob(world, den, async () => {}),
		expected: [['soup'], []],
	},
	announce: {
		values: [true, false],
		tried: ({bob}) => topicsFor(bob, 1),
		expected: [['new channels', 'welcome'], ['welcome']],
	},
};

const ofAny: Readonly<Record<string, Trial>> = {
	is_web_public: {
		values: [true, false],
		tried: ({gus}) => namesOf(gus, {...NOTHING_ELSE, include_web_public: true}),
		expected: [['announcements', 'den'], ['announcements']],
	},
	is_default_stream: {values: [true, false], tried: joinedByNewcomer, expected: [['den', 'general'], ['general']]},
	message_retention_days: {values: [30, 'unlimited'], tried: keptForBob, expected: [[], ['soup']]},
	topics_policy: {
		values: ['empty_topic_only', 'disable_empty_topic'],
		tried: topicsOfBob,
		expected: [[''], ['soup']],
	},
};

const subscribers = async ({olivia}: World, den: number) => (await olivia.getSubscribers({stream_id: den})).subscribers;

/** Here the organization allows it to everybody, so that the channel's own setting only shows. */
const shown = (name: string): Trial => ({
	values: [MODERATORS, MEMBERS],
	async tried({bob}, den) {
		const {streams} = await bob.getStreams();
		return Object(streams.find(({stream_id}) => stream_id === den))[name];
	},
	expected: [MODERATORS, MEMBERS],
});

/** What people can do where a group may. */
const permissions: Readonly<Record<string, Trial>> = {
	can_delete_own_message_group: shown('can_delete_own_message_group'),
	can_move_messages_within_channel_group: shown('can_move_messages_within_channel_group'),
	can_resolve_topics_group: shown('can_resolve_topics_group'),
	can_add_subscribers_group: {
		values: [MODERATORS, MEMBERS],
		wanted: {invite_only: true},
		async tried(world, den) {
			await unlessRefused(world.bob.subscribe({subscriptions: [{name: 'den'}], principals: [6]}));
			return subscribers(world, den);
		},
		expected: [[1], [1, 6]],
	},
	can_subscribe_group: {
		values: [MODERATORS, MEMBERS],
		wanted: {invite_only: true},
		async tried(world, den) {
			await unlessRefused(world.bob.subscribe({subscriptions: [{name: 'den'}]}));
			return subscribers(world, den);
		},
		expected: [[1], [1, 5]],
	},
	can_remove_subscribers_group: {
		values: [MODERATORS, MEMBERS],
		async tried(world, den) {
			await unlessRefused(world.bob.unsubscribe({subscriptions: ['den'], principals: [1]}));
			return subscribers(world, den);
		},
		expected: [[1], []],
	},
	can_administer_channel_group: {
		values: [MODERATORS, MEMBERS],
		async tried({olivia, bob}, den) {
			await unlessRefused(bob.updateStream({stream_id: den, new_name: 'hut'}));
			return (await olivia.getStreams()).streams.find(({stream_id}) => stream_id === den)?.name;
		},
		expected: ['den', 'hut'],
	},
	can_delete_any_message_group: {
		values: [MODERATORS, MEMBERS],
		async tried({olivia, bob}, den) {
			const message_id = await say(olivia, 'soup');
			await unlessRefused(bob.deleteMessage({message_id}));
			return topicsFor(olivia, den);
		},
		expected: [['soup'], []],
	},
	can_move_messages_out_of_channel_group: {
		values: [MEMBERS, EVERYONE],
		async tried({olivia, gus}, den) {
			await olivia.subscribe({subscriptions: [{name: 'den'}], principals: [7]});
			const message_id = await say(gus, 'soup');
			await unlessRefused(gus.updateMessage({message_id, stream_id: 1, send_notification_to_old_thread: false}));
			return topicsFor(olivia, den);
		},
		expected: [['soup'], []],
	},
	can_create_topic_group: {
		values: [MODERATORS, MEMBERS],
		async tried({olivia, bob}, den) {
			await say(olivia, 'soup');
			await unlessRefused(say(bob, 'soup'));
			await unlessRefused(say(bob, 'bread'));
			return topicsFor(olivia, den);
		},
		expected: [['soup'], ['bread', 'soup']],
	},
	can_send_message_group: {
		values: [MODERATORS, MEMBERS],
		async tried({olivia, bob}, den) {
			await unlessRefused(say(bob, 'soup'));
			return topicsFor(olivia, den);
		},
		expected: [[], ['soup']],
	},
};

type Make = (world: World, wanted: Wanted, given: object) => Promise<unknown>;

function effectsOf(operation: Effect['operation'], trials: Readonly<Record<string, Trial>>, make: Make): Effect[] {
	return Object.entries(trials).map(([parameter, {values, wanted = {}, tried, expected}]) => ({
		operation,
		parameter,
		values,
		async outcome(world, value) {
			await make(world, wanted, {[parameter]: value});
			return tried(world, (await world.olivia.getStreamId({stream: 'den'})).stream_id);
		},
		expected,
	}));
}

/** What each detail does that an operation gives to a new channel. */
export function newChannelEffects(
	operation: 'createChannel' | 'subscribe',
	make: (world: World, wanted: Wanted) => Promise<unknown>,
): Effect[] {
	return effectsOf(operation, {...ofNew, ...ofAny, ...permissions}, (world, wanted, given) =>
		make(world, {...wanted, ...given}),
	);
}

/** The same for a channel that was made before and is changed: `change` gets what it is made with, and the change. */
export function changedChannelEffects(operation: 'updateStream', change: Make): Effect[] {
	return [
		...effectsOf(operation, ofAny, change),
		...effectsOf(operation, permissions, (world, wanted, given) =>
			change(world, wanted, Object.fromEntries(Object.entries(given).map(([name, group]) => [name, {new: group}]))),
		),
	];
}
