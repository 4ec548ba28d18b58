import type {Client} from '../../../src/client/client.js';
import {effects, type Given} from './effect.js';
import type {World} from './world.js';

interface Made {
	readonly bot: Client;
	readonly key: string;
	readonly userId: number;
}

/** Alice's bot. */
async function make(world: World, given: Partial<Given<'createBot'>>): Promise<Made> {
	const made = await world.alice.createBot({full_name: 'Tea', short_name: 'tea', ...given});
	return {bot: world.client('tea-bot@bothy.example', made.api_key), key: made.api_key, userId: made.user_id};
}

/** The same after a change. */
async function change(world: World, given: Partial<Given<'updateBot'>>): Promise<Made> {
	const made = await make(world, {bot_type: 3, payload_url: world.receiver});
	await world.alice.updateBot({...given, bot_id: made.userId});
	return made;
}

/** What everybody sees of the bot. */
async function account({gus}: World, {userId}: Made) {
	const [found] = (await gus.getUsers({user_ids: [userId]})).members;
	return found;
}

/** What the receiver is sent when bob mentions the bot. */
async function webhook(world: World) {
	const delivery = world.delivery();
	await world.bob.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: '@**Tea**'});
	const {url, headers} = await delivery;
	return {path: url, type: headers['content-type']};
}

/** Where bob finds what the bot says without naming a place. */
async function place({bob, realm}: World, {key}: Made): Promise<unknown> {
	const credentials = Buffer.from(`tea-bot@bothy.example:${key}`).toString('base64');
	await fetch(`${realm.url}/api/v1/messages`, {
		method: 'POST',
		headers: {authorization: `Basic ${credentials}`},
		body: new URLSearchParams({type: 'channel', topic: 'soup', content: 'hot'}),
	});
	const {messages} = await bob.getMessages({anchor: 'newest', num_before: 1});
	return messages[0]?.display_recipient;
}

/** Whether the bot hears of a channel that it is not subscribed to. */
async function hears({bob, watch}: World, {bot}: Made): Promise<boolean> {
	const events = await watch(bot, {event_types: ['message']});
	await bob.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'hot'});
	return (await events()).length > 0;
}

const sending = {default_sending_stream: ['general', 'lunch']} as const;
const hearing = {default_all_public_streams: [true, false]} as const;
const types = ['application/json', 'application/x-www-form-urlencoded'] as const;

const registering = {default_events_register_stream: ['lunch', 'general']} as const;

/** The channel whose messages the bot hears of. */
async function listensTo({watch, bob}: World, {bot}: Made) {
	const events = await watch(bot, {event_types: ['message'], all_public_streams: true});
	for (const to of ['lunch', 'general']) {
		await bob.sendMessage({type: 'channel', to, topic: 'x', content: 'x'});
	}

	const [first, ...others] = await events();
	return others.length === 0 && Object(first).message.display_recipient;
}

export const bots = [
	...effects(
		'createBot',
		{bot_type: [1, 3]},
		async (world, given) => (await account(world, await make(world, given)))?.bot_type,
	),
	...effects('createBot', {payload_url: ['kettle', 'pot', '/kettle', '/pot']}, async (world, {payload_url: path}) => {
		await make(world, {bot_type: 3, payload_url: `${world.receiver}${path}`});
		return (await webhook(world)).path;
	}),
	...effects('createBot', {interface_type: [1, 2, ...types]}, async (world, given) => {
		await make(world, {bot_type: 3, payload_url: world.receiver, ...given});
		return (await webhook(world)).type;
	}),
	...effects('createBot', sending, async (world, given) => place(world, await make(world, given))),
	...effects('createBot', hearing, async (world, given) => hears(world, await make(world, given))),
	...effects(
		'updateBot',
		{full_name: ['Coffee', 'Cocoa']},
		async (world, given) => (await account(world, await change(world, given)))?.full_name,
	),
	...effects(
		'updateBot',
		{bot_owner_id: [5, 6]},
		async (world, given) => (await account(world, await change(world, given)))?.bot_owner_id,
	),
	...effects(
		'updateBot',
		{service_payload_url: ['kettle', 'pot', '/kettle', '/pot']},
		async (world, {service_payload_url: path}) => {
			await change(world, {service_payload_url: `${world.receiver}${path}`});
			return (await webhook(world)).path;
		},
	),
	...effects('updateBot', {service_interface: [1, 2, ...types]}, async (world, given) => {
		await change(world, {service_payload_url: world.receiver, ...given});
		return (await webhook(world)).type;
	}),
	...effects('updateBot', {role: [300, 400]}, async (world, {role}) => {
		const made = await make(world, {});
		await world.adam.updateBot({bot_id: made.userId, ...(role && {role})});
		return (await account(world, made))?.role;
	}),
	...effects('createBot', registering, async (world, given) => listensTo(world, await make(world, given))),
	...effects('updateBot', registering, async (world, given) => listensTo(world, await change(world, given))),
	...effects('updateBot', sending, async (world, given) => place(world, await change(world, given))),
	...effects('updateBot', hearing, async (world, given) => hears(world, await change(world, given))),
];
