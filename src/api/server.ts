import {operation, required} from './operation.js';
import {z} from './zod.js';

export const getServerSettings = operation({
	name: 'getServerSettings',
	method: 'GET',
	path: '/server_settings',
	about: "Fetch the server's version and the organization's settings",
	callers: 'anyone',
	parameters: {},
	result: z.looseObject({
		zulip_version: z.string().optional(),
		/** Servers older than these levels leave them out. */
		zulip_feature_level: z.int().optional(),
		push_notifications_enabled: z.boolean().optional(),
		is_incompatible: z.boolean().optional(),
		authentication_methods: z.record(z.string(), z.boolean()).optional(),
		email_auth_enabled: z.boolean().optional(),
		require_email_format_usernames: z.boolean().optional(),
		realm_url: z.string().optional(),
		realm_name: z.string().optional(),
		realm_icon: z.string().optional(),
		realm_description: z.string().optional(),
		realm_web_public_access_enabled: z.boolean().optional(),
	}),
});

const DevelopmentUser = z.looseObject({email: z.string()});

export const devListUsers = operation({
	name: 'devListUsers',
	method: 'GET',
	path: '/dev_list_users',
	about: 'List the accounts that need no password. Development servers only',
	callers: 'anyone',
	parameters: {},
	result: z.looseObject({
		direct_admins: z.array(DevelopmentUser),
		direct_users: z.array(DevelopmentUser),
	}),
});

export const devFetchApiKey = operation({
	name: 'devFetchApiKey',
	method: 'POST',
	path: '/dev_fetch_api_key',
	about: "Fetch an account's API key without a password. Development servers only",
	callers: 'anyone',
	parameters: {username: required(z.string(), "The account's email")},
	result: z.looseObject({api_key: z.string(), email: z.string(), user_id: z.int().optional()}),
});

export const fetchApiKey = operation({
	name: 'fetchApiKey',
	method: 'POST',
	path: '/fetch_api_key',
	about: "Fetch an account's API key by its password. In the local realm, every password is `bothy`",
	callers: 'anyone',
	parameters: {
		username: required(z.string(), "The account's email"),
		password: required(z.string(), 'Its password'),
	},
	/** Level 171 added the ID. */
	result: z.looseObject({api_key: z.string(), email: z.string(), user_id: z.int().optional()}),
});
