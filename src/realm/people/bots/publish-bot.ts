// Bots with their keys and services, as their owners and administrators see them (service-facts.md 3.3).

import {findChannel} from '../../channels/channels.js';
import type {Services} from '../../services.js';
import type {Store} from '../../store/store.js';
import {type Account, avatarUrl, findAccount, isAdministrator, isBot, listAccounts} from '../accounts.js';

/** The fields that every answer about a bot has. */
export function presentOwnBot(store: Store, bot: Account) {
	const nameOf = (id: number | null) => (id === null ? null : (findChannel(store, id)?.name ?? null));
	return {
		full_name: bot.full_name,
		avatar_url: avatarUrl(bot, {clientGravatar: false}),
		default_sending_stream: nameOf(bot.default_sending_channel_id),
		default_events_register_stream: nameOf(bot.default_events_register_channel_id),
		default_all_public_streams: bot.default_all_public_streams === 1,
	};
}

function presentBot(store: Store, bot: Account): Record<string, unknown> {
	return {
		...presentOwnBot(store, bot),
		user_id: bot.id,
		email: bot.email,
		bot_type: bot.bot_type,
		is_active: bot.is_active === 1,
		api_key: bot.api_key,
		owner_id: bot.bot_owner_id,
		services: bot.webhook_token
			? [{base_url: bot.payload_url, interface: bot.interface, token: bot.webhook_token}]
			: [],
	};
}

/** The bots whose keys the viewer may know. */
export function knownBots(store: Store, viewer: Account) {
	return listAccounts(store)
		.filter(account => isBot(account) && !account.is_system_bot && mayKnow(viewer, account))
		.map(account => presentBot(store, account));
}

function mayKnow(viewer: Account, bot: Account): boolean {
	return isAdministrator(viewer) || bot.bot_owner_id === viewer.id;
}

/** Publishes a change of a bot to the people who may know its key. Does nothing for people. */
export function publishBotChange(services: Services, before: Account): void {
	const bot = findAccount(services.store, before.id);
	if (bot && isBot(bot)) {
		publishBot(services, bot, {op: 'update', before});
	}
}

type BotNews = {readonly op: 'add'} | {readonly op: 'update'; readonly before: Account};

/** Publishes one event with all changes. People who may know the bot only now, or no longer, get a creation or a deletion. */
export function publishBot({store, queues}: Services, bot: Account, news: BotNews): void {
	const now = presentBot(store, bot);
	const before = news.op === 'update' ? presentBot(store, news.before) : {};
	const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
	if (changed.length === 0) {
		return;
	}

	store.afterCommit(() =>
		queues.publishEach('realm_bot', ({options: {userId}}) => {
			const viewer = findAccount(store, userId);
			const knew = viewer && news.op === 'update' && mayKnow(viewer, news.before);
			if (!viewer || !mayKnow(viewer, bot)) {
				return knew ? {op: 'delete', bot: {user_id: bot.id}} : undefined;
			}

			return knew ? {op: 'update', bot: {user_id: bot.id, ...Object.fromEntries(changed)}} : {op: 'add', bot: now};
		}),
	);
}
