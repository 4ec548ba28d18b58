import {ECHO} from '../realm-kit.js';
import {effects, type Given} from './effect.js';
import {
	changedChannelEffects,
	historyForBob,
	NOTHING_ELSE,
	namesOf,
	newChannelEffects,
	OPEN,
	OPEN_AND_DEN,
	type Wanted,
} from './new-channel.js';
import type {World} from './world.js';

const [ATTIC, PLAZA] = [5, 6];
const ALL = [...OPEN, 'staff'];

const create = ({olivia}: World, wanted: Wanted & {description?: string | undefined}) =>
	olivia.createChannel({name: 'den', subscribers: [1], ...wanted});

/** Olivia makes `den`, and changes it. */
async function change(world: World, wanted: Wanted, given: Omit<Given<'updateStream'>, 'stream_id'>): Promise<void> {
	await create(world, wanted);
	const {stream_id} = await world.olivia.getStreamId({stream: 'den'});
	await world.olivia.deleteTopic({stream_id, topic_name: 'channel events'});
	await world.olivia.updateStream({stream_id, ...given});
}

async function descriptionForBob({bob}: World): Promise<string | undefined> {
	return (await bob.getStreams()).streams.find(({name}) => name === 'den')?.description;
}

export const channels = [
	...effects(
		'getStreams',
		{
			include_public: [true, false, OPEN, []],
			include_web_public: [true, false, ['announcements'], []],
			include_subscribed: [true, false, ['announcements', 'general', 'plaza', 'staff'], []],
			include_all: [true, false, ALL, []],
			include_default: [true, false, ['general'], []],
			include_can_access_content: [true, false, ALL, []],
			include_all_active: [true, false, ALL, []],
		},
		({olivia}, given) => namesOf(olivia, {...NOTHING_ELSE, ...given}),
	),
	...effects('getStreamEmailAddress', {sender_id: [4, undefined, false, true]}, async ({alice}, given) => {
		const {email} = await alice.getStreamEmailAddress({stream_id: 2});
		return (await alice.getStreamEmailAddress({stream_id: 2, ...given})).email === email;
	}),
	...effects(
		'getStreams',
		{exclude_archived: [true, false, ALL, ['announcements', 'attic', 'general', 'lunch', 'plaza', 'staff']]},
		({olivia}, given) => namesOf(olivia, {include_all: true, ...given}),
	),
	...effects(
		'getStreams',
		{include_owner_subscribed: [true, false, ['announcements', 'general', 'plaza', 'staff'], []]},
		({realm, client}, given) => {
			const bot = realm.ensureBot(ECHO);
			return namesOf(client(bot.email, bot.key), {...NOTHING_ELSE, ...given});
		},
	),
	...effects(
		'getStreamTopics',
		{allow_empty_topic_name: [true, false, ['band', ''], ['band', 'general chat']]},
		async ({alice}, given) => (await alice.getStreamTopics({stream_id: PLAZA, ...given})).topics.map(({name}) => name),
	),
	...newChannelEffects('createChannel', create),
	...effects('createChannel', {description: ['Quiet', undefined, 'Quiet', '']}, async (world, given) => {
		await create(world, given);
		return descriptionForBob(world);
	}),
	...changedChannelEffects('updateStream', change),
	...effects('updateStream', {description: ['Quiet', undefined, 'Quiet', '']}, async (world, given) => {
		await change(world, {}, {topics_policy: 'inherit', ...given});
		return descriptionForBob(world);
	}),
	...effects(
		'updateStream',
		{
			new_name: [
				'hut',
				'Den',
				['announcements', 'general', 'hut', 'lunch', 'plaza'],
				['announcements', 'Den', 'general', 'lunch', 'plaza'],
			],
			is_private: [true, false, OPEN, OPEN_AND_DEN],
		},
		async (world, given) => {
			await change(world, {}, given);
			return namesOf(world.alice);
		},
	),
	...effects('updateStream', {history_public_to_subscribers: [true, false, ['soup'], []]}, async (world, given) => {
		await create(world, {invite_only: true});
		const {stream_id} = await world.olivia.getStreamId({stream: 'den'});
		return historyForBob(world, stream_id, () => world.olivia.updateStream({stream_id, ...given}));
	}),
	...effects(
		'updateStream',
		{is_archived: [false, true, ['announcements', 'attic', 'general', 'lunch', 'plaza'], OPEN]},
		async ({olivia, alice}, given) => {
			await olivia.updateStream({stream_id: ATTIC, ...given});
			return namesOf(alice);
		},
	),
];
