import {operation, optional, required} from './operation.js';
import {z} from './zod.js';

const defaults = {
	default_sending_stream: optional(z.string(), 'Name of the channel that messages without `to` go to'),
	default_events_register_stream: optional(
		z.string(),
		'Name of the channel that `register` without `narrow` listens to',
	),
	default_all_public_streams: optional(z.boolean(), 'Whether `register` starts with `all_public_streams`'),
};

/** Left out by servers that are older than the field. */
const presentedDefaults = {
	avatar_url: z.string().nullable().optional(),
	default_sending_stream: z.string().nullable().optional(),
	default_events_register_stream: z.string().nullable().optional(),
	default_all_public_streams: z.boolean().optional(),
};

export const getBots = operation({
	name: 'getBots',
	method: 'GET',
	path: '/bots',
	about: 'List your bots, with their keys',
	callers: 'humans',
	parameters: {},
	result: z.looseObject({
		bots: z.array(
			z.looseObject({
				username: z.string(),
				full_name: z.string(),
				api_key: z.string(),
				...presentedDefaults,
			}),
		),
	}),
});

export const createBot = operation({
	name: 'createBot',
	method: 'POST',
	path: '/bots',
	about: 'Create a bot',
	callers: 'humans',
	parameters: {
		full_name: required(z.string(), 'Name'),
		short_name: required(z.string(), 'The address becomes `<short_name>-bot@…`'),
		bot_type: optional(z.int(), 'Generic 1, incoming webhook 2, outgoing webhook 3', {default: 1}),
		payload_url: optional(z.string(), 'URL that webhooks are posted to, as a JSON string', {encoding: 'json'}),
		service_name: optional(z.string(), 'Name of the outgoing webhook. Default: the short name'),
		interface_type: optional(z.int(), 'What outgoing webhooks look like: native 1, like Slack’s 2', {default: 1}),
		...defaults,
	},
	result: z.looseObject({
		user_id: z.int(),
		api_key: z.string(),
		...presentedDefaults,
	}),
});

export const updateBot = operation({
	name: 'updateBot',
	method: 'PATCH',
	path: '/bots/{bot_id}',
	about: 'Change a bot',
	callers: 'humans',
	parameters: {
		bot_id: required(z.int(), 'ID of the bot'),
		full_name: optional(z.string(), 'The new name'),
		bot_owner_id: optional(z.int(), 'The new owner'),
		service_payload_url: optional(z.string(), 'URL that webhooks are posted to, as a JSON string', {
			encoding: 'json',
		}),
		service_interface: optional(
			z.int(),
			'What outgoing webhooks look like: native 1, like Slack’s 2; goes with the URL',
			{
				default: 1,
			},
		),
		role: optional(z.int().pipe(z.literal([100, 200, 300, 400, 600])), 'The new role; only administrators may'),
		...defaults,
	},
	result: z.looseObject({
		full_name: z.string(),
		...presentedDefaults,
		/** What the call set, not what the bot has. */
		service_interface: z.int().optional(),
		service_payload_url: z.string().nullable().optional(),
		config_data: z.record(z.string(), z.string()).nullable().optional(),
		/** Absent for a bot without owner. */
		bot_owner: z.string().optional(),
	}),
});

export const deactivateBot = operation({
	name: 'deactivateBot',
	method: 'DELETE',
	path: '/bots/{bot_id}',
	about: 'Deactivate a bot',
	callers: 'humans',
	parameters: {bot_id: required(z.int(), 'Which bot')},
	result: z.looseObject({}),
});

export const regenerateBotApiKey = operation({
	name: 'regenerateBotApiKey',
	method: 'POST',
	path: '/bots/{bot_id}/api_key/regenerate',
	about: 'Give a bot a new key. The old one stops working at once',
	callers: 'humans',
	parameters: {bot_id: required(z.int(), 'ID of the bot')},
	result: z.looseObject({api_key: z.string()}),
});
