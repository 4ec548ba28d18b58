import type {Operations, ParametersOf} from '../../src/api/index.js';
import type {Client} from '../../src/client/client.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

type NewBot = Omit<ParametersOf<Operations['createBot']>, 'full_name' | 'short_name'>;
type Changes = Omit<ParametersOf<Operations['updateBot']>, 'bot_id'>;

interface Made {
	readonly bot: Client;
	readonly key: string;
	readonly userId: number;
}

/** Alice's bot. */
async function make(world: World, parameters: NewBot): Promise<Made> {
	const alice = await world.as('alice');
	const {api_key: key, user_id: userId} = await alice.createBot({full_name: 'Tea', short_name: 'tea', ...parameters});
	return {bot: world.client('tea-bot@bothy.example', key), key, userId};
}

/** The same after a change. */
async function change(world: World, changes: Changes): Promise<Made> {
	const made = await make(world, {bot_type: 3, payload_url: 'http://127.0.0.1:9/'});
	await (await world.as('alice')).updateBot({bot_id: made.userId, ...changes});
	return made;
}

/** What everybody sees of the bot. */
async function account(world: World, {userId}: Made) {
	const {members} = await (await world.as('gus')).getUsers({user_ids: [userId]});
	return members[0];
}

/** What a receiver is sent when bob mentions the bot. */
async function delivered(world: World, prepare: (url: string) => Promise<Made>) {
	const receiver = await world.receiver();
	await prepare(receiver.url);
	await (await world.as('bob')).sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: '@**Tea**'});
	const {url, headers} = await receiver.delivery(1);
	return {path: url, type: headers['content-type']};
}

/** What an administrator sees of its outgoing webhook. */
async function service(world: World, {userId}: Made, name: string): Promise<unknown> {
	const adam = await world.as('adam');
	const {realm_bots: bots} = await adam.register({fetch_event_types: ['realm_bot'], event_types: []});
	const found = bots?.find(bot => bot.user_id === userId);
	const [first] = Array.isArray(found?.services) ? found.services : [];
	return first?.[name];
}

/** Where bob finds what the bot says without naming a place. */
async function place(world: World, {key}: Made): Promise<unknown> {
	const credentials = Buffer.from(`tea-bot@bothy.example:${key}`).toString('base64');
	await fetch(`${world.realm.url}/api/v1/messages`, {
		method: 'POST',
		headers: {authorization: `Basic ${credentials}`},
		body: new URLSearchParams({type: 'channel', topic: 'soup', content: 'hot'}),
	});
	const {messages} = await (await world.as('bob')).getMessages({anchor: 'newest', num_before: 1});
	return messages[0]?.display_recipient;
}

/** Whether the bot hears of a channel that it is not subscribed to. */
async function hears(world: World, {bot}: Made): Promise<boolean> {
	const events = await world.watch(bot, {event_types: ['message']});
	await (await world.as('bob')).sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'hot'});
	return (await events()).length > 0;
}

/** On a receiver of the test's own. */
const PATHS = ['kettle', 'pot'] as const;
const CHANNELS = ['general', 'lunch'] as const;

export const bots: Effects = {
	createBot: {
		bot_type: {
			values: [1, 3],
			outcome: async (world, bot_type) => (await account(world, await make(world, {bot_type})))?.bot_type,
			expected: [1, 3],
		},
		payload_url: {
			values: PATHS,
			outcome: async (world, path) =>
				(await delivered(world, url => make(world, {bot_type: 3, payload_url: `${url}${path}`}))).path,
			expected: ['/kettle', '/pot'],
		},
		service_name: {
			values: ['kettle', 'pot'],
			outcome: async (world, service_name) =>
				service(world, await make(world, {bot_type: 3, service_name}), 'service_name'),
			expected: ['kettle', 'pot'],
		},
		interface_type: {
			values: [1, 2],
			outcome: async (world, interface_type) =>
				(await delivered(world, payload_url => make(world, {bot_type: 3, payload_url, interface_type}))).type,
			expected: ['application/json', 'application/x-www-form-urlencoded'],
		},
		default_sending_stream: {
			values: CHANNELS,
			outcome: async (world, default_sending_stream) => place(world, await make(world, {default_sending_stream})),
			expected: CHANNELS,
		},
		default_all_public_streams: {
			values: [true, false],
			outcome: async (world, default_all_public_streams) =>
				hears(world, await make(world, {default_all_public_streams})),
			expected: [true, false],
		},
	},
	updateBot: {
		full_name: {
			values: ['Coffee', 'Cocoa'],
			outcome: async (world, full_name) => (await account(world, await change(world, {full_name})))?.full_name,
			expected: ['Coffee', 'Cocoa'],
		},
		bot_owner_id: {
			values: [5, 6],
			outcome: async (world, bot_owner_id) => (await account(world, await change(world, {bot_owner_id})))?.bot_owner_id,
			expected: [5, 6],
		},
		service_payload_url: {
			values: PATHS,
			outcome: async (world, path) =>
				(await delivered(world, url => change(world, {service_payload_url: `${url}${path}`}))).path,
			expected: ['/kettle', '/pot'],
		},
		service_interface: {
			values: [1, 2],
			outcome: async (world, service_interface) =>
				(await delivered(world, service_payload_url => change(world, {service_payload_url, service_interface}))).type,
			expected: ['application/json', 'application/x-www-form-urlencoded'],
		},
		default_sending_stream: {
			values: CHANNELS,
			outcome: async (world, default_sending_stream) => place(world, await change(world, {default_sending_stream})),
			expected: CHANNELS,
		},
		default_all_public_streams: {
			values: [true, false],
			outcome: async (world, default_all_public_streams) =>
				hears(world, await change(world, {default_all_public_streams})),
			expected: [true, false],
		},
	},
};
