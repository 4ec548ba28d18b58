// People and bots of the organization.

import {createHash, randomInt} from 'node:crypto';
import type {User} from '../../api/index.js';
import type {Store} from '../store/store.js';
import {emailsFor, maySeeEmail, placeholderId, shownEmail} from './addresses.js';
import {takeDefaults} from './settings.js';

export interface Account {
	readonly id: number;
	readonly email: string;
	readonly full_name: string;
	readonly role: number;
	readonly is_active: 0 | 1;
	readonly api_key: string;
	readonly date_joined: number;
	readonly timezone: string;
	/** Null for people. */
	readonly bot_type: number | null;
	readonly bot_owner_id: number | null;
	readonly is_system_bot: 0 | 1;
	/** Proof and address of outgoing webhooks; null for everybody else. */
	readonly webhook_token: string | null;
	readonly payload_url: string | null;
	readonly service_name: string | null;
	/** What outgoing webhooks look like: 1 native, 2 like Slack's. */
	readonly interface: 1 | 2;
	/** Where a bot's messages go that name no place. */
	readonly default_sending_channel_id: number | null;
	/** The one channel whose messages a bot's event queues hear of unless they say otherwise. */
	readonly default_events_register_channel_id: number | null;
	/** Whether a bot's event queues hear of all public channels. */
	readonly default_all_public_streams: 0 | 1;
	readonly can_create_users: 0 | 1;
	readonly can_change_user_emails: 0 | 1;
	/** The profile was deleted: a placeholder is left. */
	readonly is_deleted: 0 | 1;
}

export const Role = {owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600} as const;
/** What outgoing webhooks look like. */
export const Interface = {native: 1, slack: 2} as const;
export const BotType = {generic: 1, incomingWebhook: 2, outgoingWebhook: 3} as const;

/** Who reads without login: like a guest who is subscribed to nothing. */
export const visitor: Account = {
	id: 0,
	email: '',
	full_name: '',
	role: Role.guest,
	is_active: 0,
	api_key: '',
	date_joined: 0,
	timezone: '',
	bot_type: null,
	bot_owner_id: null,
	is_system_bot: 0,
	webhook_token: null,
	payload_url: null,
	service_name: null,
	interface: 1,
	default_sending_channel_id: null,
	default_events_register_channel_id: null,
	default_all_public_streams: 0,
	can_create_users: 0,
	can_change_user_emails: 0,
	is_deleted: 0,
};

export function isBot(account: Account): boolean {
	return account.bot_type !== null;
}

export function isGuest(account: Account): boolean {
	return account.role >= Role.guest;
}

export function isAdministrator(account: Account): boolean {
	return account.role <= Role.administrator;
}

export function findAccount(store: Store, id: number): Account | undefined {
	return store.get<Account>('SELECT * FROM accounts WHERE id = ?', id);
}

/** By real address; case does not matter. */
export function findAccountByEmail(store: Store, email: string): Account | undefined {
	return store.get<Account>('SELECT * FROM accounts WHERE email = ?', email.trim());
}

/** By an address that `viewer` may know: a placeholder, or the real one where its owner lets them see it. */
export function findVisibleByEmail(store: Store, viewer: Account, email: string): Account | undefined {
	const id = placeholderId(store, email.trim());
	const account = id === undefined ? undefined : findAccount(store, id);
	if (account) {
		return account;
	}

	const known = findAccountByEmail(store, email);
	return known && maySeeEmail(store, viewer, known) ? known : undefined;
}

/** By the address that everybody sees, as messages are addressed. */
export function findByShownEmail(store: Store, email: string): Account | undefined {
	const id = placeholderId(store, email.trim());
	const account = findAccountByEmail(store, email) ?? (id === undefined ? undefined : findAccount(store, id));
	return account && shownEmail(store, account).toLowerCase() === email.trim().toLowerCase() ? account : undefined;
}

/** Says what the organization itself has to say. */
export function findNotificationBot(store: Store): Account | undefined {
	return store.get<Account>('SELECT * FROM accounts WHERE is_system_bot = 1 LIMIT 1');
}

export function listAccounts(store: Store): Account[] {
	return store.all<Account>('SELECT * FROM accounts ORDER BY id');
}

/** Bots cannot stand in for one. */
export function isOnlyOwner(store: Store, account: Account): boolean {
	const owners = store.all<Account>(
		'SELECT * FROM accounts WHERE role = ? AND is_active = 1 AND bot_type IS NULL',
		Role.owner,
	);
	return owners.length === 1 && owners[0]?.id === account.id;
}

export type NewAccount = Pick<Account, 'email' | 'full_name' | 'role' | 'date_joined'> &
	Partial<Pick<Account, 'bot_type' | 'bot_owner_id' | 'is_system_bot' | 'webhook_token' | 'payload_url'>>;

export function createAccount(store: Store, account: NewAccount): number {
	const id = store.run(
		`INSERT INTO accounts (email, full_name, role, date_joined, api_key, bot_type, bot_owner_id, is_system_bot, webhook_token, payload_url)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		account.email,
		account.full_name,
		account.role,
		account.date_joined,
		randomKey(),
		account.bot_type ?? null,
		account.bot_owner_id ?? null,
		account.is_system_bot ?? 0,
		account.webhook_token ?? null,
		account.payload_url ?? null,
	);
	if ((account.bot_type ?? null) === null) {
		takeDefaults(store, id);
	}

	return id;
}

const KEY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 32 letters and digits, as API keys and webhook tokens are. */
export function randomKey(): string {
	return Array.from({length: 32}, () => KEY_LETTERS[randomInt(KEY_LETTERS.length)]).join('');
}

interface AccountView {
	/** Undefined without login. */
	readonly viewer: Account | undefined;
	readonly clientGravatar: boolean;
}

/** An account as callers see it (service-facts.md 6.4). */
export function presentAccount(store: Store, account: Account, {viewer, clientGravatar}: AccountView): User {
	const emails = emailsFor(store, viewer, account);

	return {
		user_id: account.id,
		...emails,
		full_name: account.full_name,
		date_joined: new Date(account.date_joined * 1000).toISOString().replace(/:\d\d\.\d+Z$/, '+00:00'),
		is_active: account.is_active === 1,
		is_owner: account.role === Role.owner,
		is_admin: isAdministrator(account),
		is_guest: isGuest(account),
		is_bot: isBot(account),
		role: account.role,
		timezone: account.timezone,
		avatar_url: avatarUrl(
			{email: emails.email, is_deleted: account.is_deleted},
			{clientGravatar: clientGravatar && emails.email === account.email},
		),
		avatar_version: 1,
		is_imported_stub: false,
		...(isBot(account) && {bot_type: account.bot_type, bot_owner_id: account.bot_owner_id}),
		...(account.is_system_bot && {is_system_bot: true}),
	};
}

const NO_PICTURE = 'https://secure.gravatar.com/avatar/?d=mp&f=y';

/** Null if the client can derive the gravatar's address from the email. A deleted account has no picture. */
export function avatarUrl(
	{email, is_deleted}: Pick<Account, 'email' | 'is_deleted'>,
	{clientGravatar}: {clientGravatar: boolean},
): string | null {
	if (is_deleted) {
		return NO_PICTURE;
	}

	if (clientGravatar) {
		return null;
	}

	const hash = createHash('md5').update(email.toLowerCase()).digest('hex');
	return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=1`;
}
