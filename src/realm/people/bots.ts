import {organization} from '../organization.js';
import type {Services} from '../services.js';
import {type Account, BotType, createAccount, findAccount, findAccountByEmail, Role, randomKey} from './accounts.js';
import {announceBot} from './own-bots.js';

/** What a bot host needs to know of a bot's account. */
export interface BotAccount {
	readonly name: string;
	readonly email: string;
	/** API key. */
	readonly key: string;
	/** Proof that a payload comes from this realm. */
	readonly token: string;
	readonly site: string;
	readonly userId: number;
}

export interface BotOptions {
	/** Short name: the address becomes `<name>-bot@…`. */
	readonly name: string;
	readonly fullName: string;
	/** Where the realm posts what concerns the bot. */
	readonly payloadUrl: string;
	/** Whether it may do what administrators may. Default: false. */
	readonly isAdministrator?: boolean;
	readonly owner: Account;
}

/** Makes or finds an outgoing-webhook bot, and sets its name, payload URL and role. Key and token never change. */
export function ensureBot(services: Services, options: BotOptions): BotAccount {
	const {name, fullName, payloadUrl, owner, isAdministrator = false} = options;
	const {store, site} = services;
	const email = `${name}-bot@${organization(store).domain}`;
	const known = findAccountByEmail(store, email);
	const id = known ? known.id : create(services, {email, fullName, owner});
	store.run(
		'UPDATE accounts SET full_name = ?, payload_url = ?, role = ?, is_active = 1 WHERE id = ?',
		fullName,
		payloadUrl,
		isAdministrator ? Role.administrator : Role.member,
		id,
	);

	const bot = findAccount(store, id);
	if (!bot?.webhook_token) {
		throw new Error(`Expected ${email} to be an outgoing-webhook bot, found another kind of account`);
	}

	if (!known) {
		announceBot(services, bot.id);
	}

	return {name, email: bot.email, key: bot.api_key, token: bot.webhook_token, site, userId: bot.id};
}

function create({store, clock}: Services, bot: {email: string; fullName: string; owner: Account}): number {
	return createAccount(store, {
		email: bot.email,
		full_name: bot.fullName,
		role: Role.member,
		date_joined: clock.seconds(),
		bot_type: BotType.outgoingWebhook,
		bot_owner_id: bot.owner.id,
		webhook_token: randomKey(),
	});
}
