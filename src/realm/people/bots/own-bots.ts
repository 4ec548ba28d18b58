// The bots that a person creates, with their keys (service-facts.md 4.6, 5).

import {maySeeChannel} from '../../channels/access.js';
import {findChannelByName} from '../../channels/channels.js';
import {badRequest} from '../../errors.js';
import {publishMemberships} from '../../groups/publish.js';
import {organization} from '../../organization.js';
import type {Services} from '../../services.js';
import type {Store} from '../../store/store.js';
import {
	type Account,
	BotType,
	createAccount,
	findAccount,
	findAccountByEmail,
	Interface,
	isAdministrator,
	isBot,
	isGuest,
	listAccounts,
	Role,
	randomKey,
} from '../accounts.js';
import {directGroupIds} from '../groups.js';
import {checkName} from '../name.js';
import {publishNewAccount} from '../publish-account.js';
import {changeName, changeRole} from '../update.js';
import {publishBot} from './publish-bot.js';

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

/** Finds a bot that the caller may change: as its owner, or as an administrator. */
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

const MAX_EMAIL_LENGTH = 254;

/** What an address may have before the `@`. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{}|~-]+(\.[\w!#$%&'*+/=?^`{}|~-]+)*$/;

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
	checkUrl('payload_url', wanted.payload_url);
	const name = wanted.full_name.trim();
	const shortName = wanted.short_name.trim();
	if (shortName !== '') {
		checkName(name);
	}

	const email = `${shortName}-bot@${organization(store).domain}`;
	if (shortName === '' || email.length > MAX_EMAIL_LENGTH || !LOCAL_PART.test(shortName)) {
		throw badRequest('Bad name or username');
	}

	if (wanted.bot_type === BotType.embedded) {
		throw badRequest('Invalid embedded bot name.');
	}

	if (findAccountByEmail(store, email)) {
		throw badRequest('Username already in use');
	}

	checkFree(store, name);
	if (!Object.values<number>(BotType).includes(wanted.bot_type)) {
		throw badRequest('Invalid bot type');
	}

	checkInterface(wanted.interface_type);
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

function checkFree(store: Store, name: string): void {
	if (listAccounts(store).some(account => account.is_active && account.full_name === name)) {
		throw badRequest('Name is already in use!');
	}
}

/** Publishes a new bot. */
export function announceBot(services: Services, id: number): Account {
	const bot = findExisting(services.store, id);
	publishNewAccount(services, bot);
	publishMemberships(services, id, {before: [], after: directGroupIds(services.store, bot)});
	publishBot(services, bot, {op: 'add'});
	return bot;
}

interface BotChanges extends BotDefaults {
	readonly full_name: string | undefined;
	readonly bot_owner_id: number | undefined;
	readonly service_payload_url: string | undefined;
	readonly service_interface: number;
	readonly role: number | undefined;
}

/** Makes all changes, or none. */
export function changeBot(
	services: Services,
	{caller, bot}: {readonly caller: Account; readonly bot: Account},
	changes: BotChanges,
): Account {
	const {store, queues} = services;
	const {full_name: name, bot_owner_id: ownerId, service_payload_url: url, service_interface: format, role} = changes;
	checkUrl('service_payload_url', url);
	return store.transaction(() => {
		if (name !== undefined && name.trim() !== bot.full_name) {
			checkName(name.trim());
			checkFree(store, name.trim());
			changeName(services, bot, name);
		}

		if (role !== undefined) {
			changeRole(services, {caller, target: bot, role});
		}

		setDefaults(store, {caller, id: bot.id}, changes);
		if (url !== undefined) {
			checkInterface(format);
		}

		if (bot.bot_type === BotType.outgoingWebhook && url !== undefined) {
			store.run('UPDATE accounts SET payload_url = ?, interface = ? WHERE id = ?', url, format, bot.id);
		}

		const isHandedOver = ownerId !== undefined && ownerId !== bot.bot_owner_id;
		if (isHandedOver) {
			changeOwner(store, bot, ownerId);
		}

		const changed = findExisting(store, bot.id);
		publishBot(services, changed, {op: 'update', before: bot});
		if (isHandedOver) {
			const person = {user_id: bot.id, bot_owner_id: ownerId};
			store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
		}

		return changed;
	});
}

function changeOwner(store: Store, bot: Account, ownerId: number): void {
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
	readonly default_events_register_stream: string | undefined;
	readonly default_all_public_streams: boolean | undefined;
}

function setDefaults(
	store: Store,
	{caller, id}: {readonly caller: Account; readonly id: number},
	wanted: BotDefaults,
): void {
	const {default_all_public_streams: all} = wanted;
	for (const [column, name] of [
		['default_sending_channel_id', wanted.default_sending_stream],
		['default_events_register_channel_id', wanted.default_events_register_stream],
	] as const) {
		if (name !== undefined) {
			// An empty name removes the setting.
			const channel = name === '' ? undefined : findChannelByName(store, name);
			if (name !== '' && (!channel || channel.is_archived || !maySeeChannel(store, caller, channel))) {
				throw badRequest(`Invalid channel name '${name}'`);
			}

			store.run(`UPDATE accounts SET ${column} = ? WHERE id = ?`, channel?.id ?? null, id);
		}
	}

	if (all !== undefined) {
		store.run('UPDATE accounts SET default_all_public_streams = ? WHERE id = ?', all ? 1 : 0, id);
	}
}

function checkInterface(format: number): void {
	if (!Object.values<number>(Interface).includes(format)) {
		throw badRequest('Invalid interface type');
	}
}

/** A host is an address, `localhost` or a name whose last part has two letters at least. */
function checkUrl(name: string, url: string | undefined): void {
	const isUrl = url !== undefined && URL.canParse(url) && /^https?:\/\/[^\s]+$/i.test(url);
	const host = isUrl ? new URL(url).hostname : '';
	if (url !== undefined && url !== '' && !/^(?:localhost|\[.*\]|[\d.]+|.*\.[^.]*[^.\d][^.]+\.?)$/.test(host)) {
		throw badRequest(`Invalid ${name}: Value error, Not a URL`);
	}
}

function findExisting(store: Store, id: number): Account {
	const bot = findAccount(store, id);
	if (!bot) {
		throw new Error(`Expected the bot ${id} that was just written, found none`);
	}

	return bot;
}
