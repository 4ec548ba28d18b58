import {listChannels} from '../../channels/channels.js';
import {addSubscribers} from '../../channels/subscribers.js';
import {organization} from '../../organization.js';
import type {Services} from '../../services.js';
import {type Account, BotType, createAccount, findAccount, findAccountByEmail, Role, randomKey} from '../accounts.js';
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
	readonly isPolled: boolean;
}

export interface BotOptions {
	/** Short name: the address becomes `<name>-bot@…`. */
	readonly name: string;
	readonly fullName: string;
	/** Where the realm posts what concerns the bot. */
	readonly payloadUrl: string;
	/** Whether it may do what administrators may. Default: false. */
	readonly isAdministrator?: boolean;
	/** A generic bot, which gets no webhooks: its host polls. Subscribed to all public channels. Default: false. */
	readonly isPolled?: boolean;
	readonly owner: Account;
}

/** Makes or finds a bot, and sets its name, payload URL, role and type. Key and token never change. */
export function ensureBot(services: Services, options: BotOptions): BotAccount {
	const {name, fullName, payloadUrl, owner, isAdministrator = false, isPolled = false} = options;
	const {store, site} = services;
	const email = `${name}-bot@${organization(store).domain}`;
	const known = findAccountByEmail(store, email);
	const id = known ? known.id : create(services, {email, fullName, owner});
	store.run(
		'UPDATE accounts SET full_name = ?, payload_url = ?, role = ?, bot_type = ?, is_active = 1 WHERE id = ?',
		fullName,
		payloadUrl,
		isAdministrator ? Role.administrator : Role.member,
		isPolled ? BotType.generic : BotType.outgoingWebhook,
		id,
	);

	const bot = findAccount(store, id);
	if (!bot?.webhook_token) {
		throw new Error(`Expected ${email} to be an outgoing-webhook bot, found another kind of account`);
	}

	if (!known) {
		announceBot(services, bot.id);
	}

	if (isPolled && known?.bot_type !== BotType.generic) {
		subscribeToPublic(services, bot);
	}

	return {name, email: bot.email, key: bot.api_key, token: bot.webhook_token, site, userId: bot.id, isPolled};
}

/** A bot that gets no webhooks hears only of channels to which it is subscribed. */
function subscribeToPublic(services: Services, bot: Account): void {
	for (const channel of listChannels(services.store)) {
		if (!channel.invite_only && !channel.is_archived) {
			addSubscribers(services, channel, [bot]);
		}
	}
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
