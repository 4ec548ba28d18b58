// Bots that people make for themselves, with their keys (service-facts.md 4.6, 5).

import {maySeeChannel} from '../channels/access.js';
import {findChannelByName} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {publishMemberships} from '../groups/publish.js';
import {organization} from '../organization.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {
	type Account,
	BotType,
	createAccount,
	findAccount,
	findAccountByEmail,
	isAdministrator,
	isBot,
	isGuest,
	listAccounts,
	Role,
	randomKey,
} from './accounts.js';
import {directGroupIds} from './groups.js';
import {checkName} from './name.js';
import {publishNewAccount} from './publish-account.js';
import {publishBot} from './publish-bot.js';
import {changeName} from './update.js';

export function checkNoGuest(caller: Account): void {
	if (isGuest(caller)) {
		throw badRequest('Not allowed for guest users');
	}
}

export function ownBots(store: Store, owner: Account): Account[] {
	return listAccounts(store).filter(
		account => isBot(account) && account.is_active && account.bot_owner_id === owner.id,
	);
}

/** Somebody's bot, as they or an administrator may change it. */
export function findManagedBot(store: Store, caller: Account, id: number): Account {
	const bot = findAccount(store, id);
	if (!bot || !isBot(bot) || bot.is_system_bot) {
		throw badRequest('No such bot');
	}

	if (!isAdministrator(caller) && bot.bot_owner_id !== caller.id) {
		throw badRequest('Insufficient permission');
	}

	return bot;
}

interface NewBot extends BotDefaults {
	readonly full_name: string;
	readonly short_name: string;
	readonly bot_type: number;
	readonly payload_url: string | undefined;
	readonly service_name: string | undefined;
	readonly interface_type: number;
}

export function createBot(services: Services, owner: Account, wanted: NewBot): Account {
	const {store, clock} = services;
	checkNoGuest(owner);
	const name = wanted.full_name.trim();
	const shortName = wanted.short_name.trim();
	checkName(name);
	checkUrl('payload_url', wanted.payload_url);
	if (!/^[^\s@:]+$/.test(shortName)) {
		throw badRequest('Bad name or username');
	}

	const email = `${shortName}-bot@${organization(store).domain}`;
	if (findAccountByEmail(store, email)) {
		throw badRequest('Username already in use');
	}

	if (listAccounts(store).some(account => account.is_active && account.full_name === name)) {
		throw badRequest('Name is already in use!');
	}

	const isOutgoing = wanted.bot_type === BotType.outgoingWebhook;
	return store.transaction(() => {
		const id = createAccount(store, {
			email,
			full_name: name,
			role: Role.member,
			date_joined: clock.seconds(),
			bot_type: wanted.bot_type,
			bot_owner_id: owner.id,
			webhook_token: isOutgoing ? randomKey() : null,
			payload_url: isOutgoing ? (wanted.payload_url ?? '') : null,
		});
		setDefaults(store, {caller: owner, id}, wanted);
		store.run(
			'UPDATE accounts SET service_name = ?, interface = ? WHERE id = ?',
			isOutgoing ? (wanted.service_name ?? shortName) : null,
			wanted.interface_type,
			id,
		);
		return announceBot(services, id);
	});
}

/** Tells everybody of a bot that was just made. */
export function announceBot(services: Services, id: number): Account {
	const bot = findExisting(services.store, id);
	publishNewAccount(services, bot);
	publishBot(services, bot, {op: 'add'});
	publishMemberships(services, id, {before: [], after: directGroupIds(services.store, bot)});
	return bot;
}

interface BotChanges extends BotDefaults {
	readonly full_name: string | undefined;
	readonly bot_owner_id: number | undefined;
	readonly service_payload_url: string | undefined;
	readonly service_interface: 1 | 2 | undefined;
}

/** All or nothing. */
export function changeBot(
	services: Services,
	{caller, bot}: {readonly caller: Account; readonly bot: Account},
	changes: BotChanges,
): Account {
	const {store} = services;
	const {full_name: name, bot_owner_id: ownerId, service_payload_url: url, service_interface: format} = changes;
	checkUrl('service_payload_url', url);
	return store.transaction(() => {
		if (name !== undefined) {
			changeName(services, bot, name);
		}

		setDefaults(store, {caller, id: bot.id}, changes);
		const isOutgoing = bot.bot_type === BotType.outgoingWebhook;
		if (isOutgoing) {
			store.run(
				'UPDATE accounts SET payload_url = ?, interface = ? WHERE id = ?',
				url ?? bot.payload_url,
				format ?? bot.interface,
				bot.id,
			);
		}

		if (ownerId !== undefined && ownerId !== bot.bot_owner_id) {
			changeOwner(services, bot, ownerId);
		}

		const changed = findExisting(store, bot.id);
		publishBot(services, changed, {op: 'update', before: bot});
		return changed;
	});
}

function changeOwner({store, queues}: Services, bot: Account, ownerId: number): void {
	const owner = findAccount(store, ownerId);
	if (!owner) {
		throw badRequest('Failed to change owner, no such user');
	}

	if (!owner.is_active) {
		throw badRequest('Failed to change owner, user is deactivated');
	}

	if (isBot(owner)) {
		throw badRequest("Failed to change owner, bots can't own other bots");
	}

	store.run('UPDATE accounts SET bot_owner_id = ? WHERE id = ?', ownerId, bot.id);
	const person = {user_id: bot.id, bot_owner_id: ownerId};
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
}

export function regenerateKey(services: Services, bot: Account): string {
	const {store} = services;
	const key = randomKey();
	store.run('UPDATE accounts SET api_key = ? WHERE id = ?', key, bot.id);
	publishBot(services, {...bot, api_key: key}, {op: 'update', before: bot});
	return key;
}

interface BotDefaults {
	/** Name of a channel. */
	readonly default_sending_stream: string | undefined;
	readonly default_all_public_streams: boolean | undefined;
}

function setDefaults(
	store: Store,
	{caller, id}: {readonly caller: Account; readonly id: number},
	{default_sending_stream: name, default_all_public_streams: all}: BotDefaults,
): void {
	if (name !== undefined) {
		const channel = findChannelByName(store, name);
		if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
			throw badRequest(`Invalid channel name '${name}'`);
		}

		store.run('UPDATE accounts SET default_sending_channel_id = ? WHERE id = ?', channel.id, id);
	}

	if (all !== undefined) {
		store.run('UPDATE accounts SET default_all_public_streams = ? WHERE id = ?', all ? 1 : 0, id);
	}
}

function checkUrl(name: string, url: string | undefined): void {
	if (url !== undefined && url !== '' && !/^https?:\/\/[^\s]+$/.test(url)) {
		throw badRequest(`${name} is not a URL`);
	}
}

function findExisting(store: Store, id: number): Account {
	const bot = findAccount(store, id);
	if (!bot) {
		throw new Error(`Expected the bot ${id} that was just written, found none`);
	}

	return bot;
}
