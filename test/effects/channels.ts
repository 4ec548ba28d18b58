import type {Operations, ParametersOf} from '../../src/api/index.js';
import type {Client} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import {cause} from '../realm/realm-kit.js';
import {type Permission, permissions} from './channel-permissions.js';
import type {Effect, Effects} from './effect.js';
import type {World} from './world.js';

type Flags = ParametersOf<Operations['getStreams']>;
type Wanted = Omit<ParametersOf<Operations['createChannel']>, 'name' | 'subscribers' | 'description'>;
type Changes = Omit<ParametersOf<Operations['updateStream']>, 'stream_id'>;

const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
const ALL = [...OPEN, 'staff'];
const NOTHING_ELSE = {include_public: false, include_subscribed: false};

async function namesOf(client: Client, flags: Flags = {}): Promise<string[]> {
	const {streams} = await client.getStreams(flags);
	return streams.map(({name}) => name);
}

/** One flag, true and then false, on top of others; what is listed for somebody. */
function flag(
	name: keyof Flags,
	as: string,
	besides: Flags,
	expected: readonly [string[], string[]],
): Effect<boolean | undefined> {
	return {
		values: [true, false],
		outcome: async (world, value) => namesOf(await world.as(as), {...besides, [name]: value}),
		expected,
	};
}

/** A way to make the channel `den`, with Olivia in it. */
type Way = (olivia: Client, wanted: Wanted) => Promise<unknown>;

const created: Way = (olivia, wanted) => olivia.createChannel({name: 'den', subscribers: [1], ...wanted});
const subscribed: Way = (olivia, wanted) => olivia.subscribe({subscriptions: [{name: 'den'}], ...wanted});

async function idOfDen(olivia: Client): Promise<number> {
	return (await olivia.getStreamId({stream: 'den'})).stream_id;
}

async function seenByBob<Field extends string>(world: World, field: Field): Promise<unknown> {
	const {streams} = await (await world.as('bob')).getStreams({include_default: true});
	const den = streams.find(({name}) => name === 'den');
	return den?.[field];
}

/** What becomes of Olivia's message for Bob, who comes after it. */
async function historyForBob(world: World, den: number, before: () => Promise<unknown>): Promise<unknown> {
	const [olivia, bob] = [await world.as('olivia'), await world.as('bob')];
	await olivia.sendMessage({type: 'channel', to: 'den', topic: 'soup', content: 'x'});
	await before();
	await olivia.subscribe({subscriptions: [{name: 'den'}], principals: [5]});
	return (await bob.getStreamTopics({stream_id: den})).topics.map(({name}) => name);
}

/** Channels in which somebody who joins the organization now finds themselves. */
async function joinedByNewcomer(world: World): Promise<unknown> {
	const olivia = await world.as('olivia');
	await olivia.createUser({email: 'nora@bothy.example', full_name: 'Nora North', password: 'secret'});
	const {subscriptions} = await (await world.as('nora')).getSubscriptions();
	return subscriptions.map(({name}) => name);
}

/** Topics that Bob still reads when a message is 32 days old. */
async function keptForBob(world: World, den: number): Promise<unknown> {
	const [olivia, bob] = [await world.as('olivia'), await world.as('bob')];
	await olivia.sendMessage({type: 'channel', to: 'den', topic: 'soup', content: 'x'});
	await cause(world.realm, '/clock', {advance_ms: 32 * 24 * 3_600_000});
	return (await bob.getStreamTopics({stream_id: den})).topics.map(({name}) => name);
}

/** Topics in which Bob could write: an empty one, and one with a name. */
async function topicsOfBob(world: World, den: number): Promise<unknown> {
	const bob = await world.as('bob');
	for (const topic of ['', 'soup']) {
		await bob.sendMessage({type: 'channel', to: 'den', topic, content: 'x'}).catch(expectRefusal);
	}

	const {topics} = await bob.getStreamTopics({stream_id: den, allow_empty_topic_name: true});
	return topics.map(({name}) => name);
}

function expectRefusal(error: unknown): void {
	if (!(error instanceof ApiError)) {
		throw error;
	}
}

/** Each permission set one way or the other, and what people can do then. */
function permissionEffects<Value>(
	wrap: (group: number) => Value,
	make: (world: World, permission: Permission, value: Value) => Promise<number>,
): Record<Permission['name'], Effect<Value>> {
	const entries = permissions.map((permission): [string, Effect<Value>] => [
		permission.name,
		{
			values: [wrap(permission.groups[0]), wrap(permission.groups[1])],
			outcome: async (world, value) => permission.tried(world, await make(world, permission, value)),
			expected: permission.expected,
		},
	]);

	// There is an entry for each name.
	return Object.fromEntries(entries) as Record<Permission['name'], Effect<Value>>;
}

type NewChannelEffects = Required<Omit<NonNullable<Effects['createChannel']>, 'description'>>;

/** The same whichever way a channel is made. */
function newChannelEffects(way: Way): NewChannelEffects {
	const make = async (world: World, wanted: Wanted) => {
		const olivia = await world.as('olivia');
		await way(olivia, wanted);
		return idOfDen(olivia);
	};

	return {
		invite_only: {
			values: [true, false],
			async outcome(world, invite_only) {
				await make(world, {invite_only});
				return namesOf(await world.as('alice'));
			},
			expected: [OPEN, ['announcements', 'den', 'general', 'lunch', 'plaza']],
		},
		is_web_public: {
			values: [true, false],
			async outcome(world, is_web_public) {
				await make(world, {is_web_public});
				return namesOf(await world.as('gus'), {...NOTHING_ELSE, include_web_public: true});
			},
			expected: [['announcements', 'den'], ['announcements']],
		},
		is_default_stream: {
			values: [true, false],
			async outcome(world, is_default_stream) {
				await make(world, {is_default_stream});
				return joinedByNewcomer(world);
			},
			expected: [['den', 'general'], ['general']],
		},
		history_public_to_subscribers: {
			values: [true, false],
			async outcome(world, history_public_to_subscribers) {
				const den = await make(world, {invite_only: true, history_public_to_subscribers});
				return historyForBob(world, den, async () => {});
			},
			expected: [['soup'], []],
		},
		message_retention_days: {
			values: [30, 'unlimited'],
			outcome: async (world, message_retention_days) => keptForBob(world, await make(world, {message_retention_days})),
			expected: [[], ['soup']],
		},
		topics_policy: {
			values: ['empty_topic_only', 'disable_empty_topic'],
			outcome: async (world, topics_policy) => topicsOfBob(world, await make(world, {topics_policy})),
			expected: [[''], ['soup']],
		},
		announce: {
			values: [true, false],
			async outcome(world, announce) {
				await make(world, {announce});
				const {topics} = await (await world.as('bob')).getStreamTopics({stream_id: 1});
				return topics.map(({name}) => name);
			},
			expected: [['new channels', 'welcome'], ['welcome']],
		},
		...permissionEffects<Wanted['can_send_message_group']>(
			group => group,
			(world, {name, isPrivate}, value) => make(world, {invite_only: isPrivate, [name]: value}),
		),
	};
}

/** Olivia makes `den`, and changes it. */
async function changed(world: World, wanted: Wanted, changes: Changes): Promise<number> {
	const olivia = await world.as('olivia');
	await created(olivia, wanted);
	const den = await idOfDen(olivia);
	await olivia.updateStream({stream_id: den, ...changes});
	return den;
}

export const channels: Effects = {
	getStreams: {
		include_public: flag('include_public', 'alice', {include_subscribed: false}, [OPEN, []]),
		include_web_public: flag('include_web_public', 'alice', NOTHING_ELSE, [['announcements'], []]),
		include_subscribed: flag('include_subscribed', 'mona', {include_public: false}, [ALL, []]),
		exclude_archived: flag('exclude_archived', 'olivia', {include_all: true}, [
			ALL,
			['announcements', 'attic', 'general', 'lunch', 'plaza', 'staff'],
		]),
		include_all: flag('include_all', 'olivia', NOTHING_ELSE, [ALL, []]),
		include_default: flag('include_default', 'alice', NOTHING_ELSE, [['general'], []]),
		include_owner_subscribed: {
			values: [true, false],
			async outcome({realm, client}, include_owner_subscribed) {
				const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
				return namesOf(client(bot.email, bot.key), {...NOTHING_ELSE, include_owner_subscribed});
			},
			expected: [['announcements', 'general', 'plaza', 'staff'], []],
		},
		include_can_access_content: flag('include_can_access_content', 'olivia', NOTHING_ELSE, [ALL, []]),
		include_all_active: flag('include_all_active', 'olivia', NOTHING_ELSE, [ALL, []]),
	},
	getStreamTopics: {
		allow_empty_topic_name: {
			values: [true, false],
			async outcome(world, allow_empty_topic_name) {
				const {topics} = await (await world.as('alice')).getStreamTopics({stream_id: 6, allow_empty_topic_name});
				return topics.map(({name}) => name);
			},
			expected: [
				['band', ''],
				['band', 'general chat'],
			],
		},
	},
	getSubscriptions: {
		include_subscribers: {
			values: [true, false],
			async outcome(world, include_subscribers) {
				const {subscriptions} = await (await world.as('gus')).getSubscriptions({include_subscribers});
				return subscriptions.map(({subscribers}) => subscribers);
			},
			expected: [
				[
					[1, 2, 3, 4, 5, 6, 7],
					[1, 2, 3, 4, 5, 6, 7],
				],
				[undefined, undefined],
			],
		},
	},
	subscribe: {
		...newChannelEffects(subscribed),
		principals: {
			values: [[7], ['adam@bothy.example']],
			async outcome(world, principals) {
				await (await world.as('alice')).subscribe({subscriptions: [{name: 'lunch'}], principals});
				return (await (await world.as('bob')).getSubscribers({stream_id: 2})).subscribers;
			},
			expected: [
				[3, 4, 5, 6, 7],
				[2, 3, 4, 5, 6],
			],
		},
		authorization_errors_fatal: {
			values: [true, false],
			async outcome(world, authorization_errors_fatal) {
				const alice = await world.as('alice');
				const subscriptions = [{name: 'staff'}, {name: 'den'}];
				await alice.subscribe({subscriptions, authorization_errors_fatal}).catch(expectRefusal);
				return namesOf(await world.as('bob'));
			},
			expected: [OPEN, ['announcements', 'den', 'general', 'lunch', 'plaza']],
		},
	},
	unsubscribe: {
		principals: {
			values: [[4], ['bob@bothy.example']],
			async outcome(world, principals) {
				await (await world.as('adam')).unsubscribe({subscriptions: ['lunch'], principals});
				return (await (await world.as('olivia')).getSubscribers({stream_id: 2})).subscribers;
			},
			expected: [
				[3, 5, 6],
				[3, 4, 6],
			],
		},
	},
	createChannel: {
		...newChannelEffects(created),
		description: {
			values: ['Quiet', undefined],
			async outcome(world, description) {
				await (await world.as('olivia')).createChannel({name: 'den', subscribers: [1], description});
				return seenByBob(world, 'description');
			},
			expected: ['Quiet', ''],
		},
	},
	updateStream: {
		description: {
			values: ['Quiet', undefined],
			async outcome(world, description) {
				await changed(world, {}, {description, topics_policy: 'inherit'});
				return seenByBob(world, 'description');
			},
			expected: ['Quiet', ''],
		},
		new_name: {
			values: ['hut', 'Den'],
			async outcome(world, new_name) {
				await changed(world, {}, {new_name});
				return namesOf(await world.as('alice'));
			},
			expected: [
				['announcements', 'general', 'hut', 'lunch', 'plaza'],
				['announcements', 'Den', 'general', 'lunch', 'plaza'],
			],
		},
		is_private: {
			values: [true, false],
			async outcome(world, is_private) {
				await changed(world, {}, {is_private});
				return namesOf(await world.as('alice'));
			},
			expected: [OPEN, ['announcements', 'den', 'general', 'lunch', 'plaza']],
		},
		is_default_stream: {
			values: [true, false],
			async outcome(world, is_default_stream) {
				await changed(world, {}, {is_default_stream});
				return joinedByNewcomer(world);
			},
			expected: [['den', 'general'], ['general']],
		},
		history_public_to_subscribers: {
			values: [true, false],
			async outcome(world, history_public_to_subscribers) {
				const olivia = await world.as('olivia');
				await created(olivia, {invite_only: true});
				const den = await idOfDen(olivia);
				return historyForBob(world, den, () => olivia.updateStream({stream_id: den, history_public_to_subscribers}));
			},
			expected: [['soup'], []],
		},
		is_web_public: {
			values: [true, false],
			async outcome(world, is_web_public) {
				await changed(world, {}, {is_web_public});
				return namesOf(await world.as('gus'), {...NOTHING_ELSE, include_web_public: true});
			},
			expected: [['announcements', 'den'], ['announcements']],
		},
		message_retention_days: {
			values: [30, 'unlimited'],
			outcome: async (world, message_retention_days) =>
				keptForBob(world, await changed(world, {}, {message_retention_days})),
			expected: [[], ['soup']],
		},
		is_archived: {
			values: [false, true],
			async outcome(world, is_archived) {
				await (await world.as('olivia')).updateStream({stream_id: 5, is_archived});
				return namesOf(await world.as('alice'));
			},
			expected: [['announcements', 'attic', 'general', 'lunch', 'plaza'], OPEN],
		},
		topics_policy: {
			values: ['empty_topic_only', 'disable_empty_topic'],
			outcome: async (world, topics_policy) => topicsOfBob(world, await changed(world, {}, {topics_policy})),
			expected: [[''], ['soup']],
		},
		...permissionEffects<Changes['can_send_message_group']>(
			group => ({new: group}),
			(world, {name, isPrivate}, value) => changed(world, {invite_only: isPrivate}, {[name]: value}),
		),
	},
};
