// Changes channels, and publishes each change to everybody who sees the channel.

import {badRequest, RealmError} from '../errors.js';
import {isSameSetting, plainSetting} from '../groups/settings.js';
import type {Call} from '../http/handler.js';
import {renderMarkdown} from '../markdown/markdown.js';
import {channelRecipientId} from '../messages/conversations.js';
import {EMPTY_TOPIC_DISPLAY_NAME} from '../organization.js';
import {type Account, isAdministrator} from '../people/accounts.js';
import type {Services} from '../services.js';
import {mayReadChannel} from './access.js';
import {type ChannelRow, findChannel, findChannelByName, listChannels} from './channels.js';
import {checkChannelName, cleanDescription} from './name.js';
import {noticeDescription, noticePosting, noticePrivacy, noticeRenaming, noticeRetention} from './notices.js';
import {postPolicy} from './present.js';
import {checkMayOpen, checkPrivacy} from './privacy.js';
import {publishArrivals, publishChannel, publishDepartures, viewerIds} from './publish.js';
import {checkMayRetain, parseRetention} from './retention.js';
import {channelSettings, checkChannelSetting, readChannelSetting, writeChannelSetting} from './settings.js';

export interface ChannelRequest {
	readonly caller: Account;
	/** The channel before the call. */
	readonly channel: ChannelRow;
	readonly changes: Call<'updateStream'>['parameters'];
}

/** Changes whether the channel is private, public or web-public, and whether new subscribers see the history. */
export function changePrivacy(services: Services, {caller, channel, changes}: ChannelRequest): void {
	const {store} = services;
	const {is_private: wanted, is_web_public: web, history_public_to_subscribers: history} = changes;
	const isPrivate = wanted ?? channel.invite_only === 1;
	const isWebPublic = web ?? channel.is_web_public === 1;
	const usualHistory = wanted === undefined ? channel.history_public_to_subscribers === 1 : !wanted;
	const isHistoryPublic = history ?? usualHistory;
	const isDefault = changes.is_default_stream ?? channel.is_default === 1;
	checkPrivacy({isPrivate, isWebPublic, isHistoryPublic, isDefault});
	if (wanted !== undefined && !mayReadChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	checkMayOpen(caller, {isWebPublic: web ?? false});
	const [before, after] = [
		[channel.invite_only, channel.is_web_public, channel.history_public_to_subscribers],
		[isPrivate, isWebPublic, isHistoryPublic].map(Number),
	];
	const isSame = before.every((value, index) => value === after[index]);
	if (isSame && wanted === undefined && web === undefined && history === undefined) {
		return;
	}

	const viewers = viewerIds(store, channel.id);
	store.run(
		`UPDATE channels SET invite_only = ?, is_web_public = ?, history_public_to_subscribers = ? WHERE id = ?`,
		Number(isPrivate),
		Number(isWebPublic),
		Number(isHistoryPublic),
		channel.id,
	);
	publishArrivals(services, channel.id, viewers);
	publishDepartures(services, channel.id, viewers);
	publishChannel(services, channel.id, {
		name: channel.name,
		property: 'invite_only',
		value: isPrivate,
		is_web_public: isWebPublic,
		history_public_to_subscribers: isHistoryPublic,
	});
	const changed = findChannel(store, channel.id);
	if (changed) {
		noticePrivacy(services, caller, channel, changed);
	}
}

export function changeDefault(services: Services, {caller, channel, changes}: ChannelRequest): void {
	if (changes.is_default_stream === undefined) {
		return;
	}

	if (!isAdministrator(caller)) {
		throw badRequest('You do not have permission to change default channels.');
	}

	setDefault(services, channel, changes.is_default_stream);
}

/** Publishes the list of default channels, but only if it has changed. */
export function setDefault({store, queues, featureLevel}: Services, channel: ChannelRow, isDefault: boolean): void {
	if (channel.is_default === Number(isDefault)) {
		return;
	}

	store.run('UPDATE channels SET is_default = ? WHERE id = ?', Number(isDefault), channel.id);
	store.afterCommit(() => {
		const channels = listChannels(store).filter(each => each.is_default && !each.is_archived);
		const ids = channels.map(({id}) => id);
		const all = featureLevel < FIRST_LEVEL_WITH_DEFAULT_IDS ? ids.map(stream_id => ({stream_id})) : ids;
		queues.publish({type: 'default_streams', default_streams: all});
	});
}

const FIRST_LEVEL_WITH_DEFAULT_IDS = 330;

export function changeRetention(services: Services, {caller, channel, changes}: ChannelRequest): void {
	if (changes.message_retention_days !== undefined) {
		checkMayRetain(caller);
		const days = parseRetention(changes.message_retention_days);
		changeColumn(services, channel, {column: 'message_retention_days', value: days});
		if (days !== channel.message_retention_days) {
			noticeRetention(services, {caller, channel, before: channel.message_retention_days, after: days});
		}

		services.store.afterCommit(services.wakeExpiry);
	}
}

export function changeTopicsPolicy(services: Services, {channel, changes}: ChannelRequest): void {
	const {store} = services;
	const {topics_policy: policy} = changes;
	const hasNames = () =>
		store.get(
			"SELECT 1 AS found FROM messages WHERE recipient_id = ? AND topic <> '' LIMIT 1",
			channelRecipientId(store, channel.id),
		) !== undefined;
	if (policy === 'empty_topic_only' && hasNames()) {
		throw badRequest(
			`To enable this configuration, all messages in this channel must be in the ${EMPTY_TOPIC_DISPLAY_NAME} topic. Consider renaming or deleting other topics.`,
			{empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME},
		);
	}

	if (policy !== undefined) {
		changeColumn(services, channel, {column: 'topics_policy', value: policy});
	}
}

export function changeTexts(services: Services, {caller, channel, changes}: ChannelRequest): void {
	const {store} = services;
	if (changes.description !== undefined) {
		const value = cleanDescription(changes.description);
		changeColumn(
			services,
			channel,
			{column: 'description', value},
			{rendered_description: renderMarkdown(store, value).html},
		);
		if (value !== channel.description) {
			noticeDescription(services, caller, channel, value);
		}
	}

	if (changes.new_name === undefined) {
		return;
	}

	const name = checkChannelName(changes.new_name);
	if (name === channel.name) {
		throw badRequest('Channel already has that name.');
	}

	const other = findChannelByName(store, name);
	if (other && other.id !== channel.id) {
		throw badRequest('Channel name already in use.');
	}

	changeColumn(services, channel, {column: 'name', value: name});
	noticeRenaming(services, caller, channel, name);
}

function changeColumn(
	services: Services,
	channel: ChannelRow,
	{
		column,
		value,
	}: {
		readonly column: 'name' | 'description' | 'topics_policy' | 'message_retention_days';
		readonly value: string | number | null;
	},
	besides: Readonly<Record<string, unknown>> = {},
): void {
	if (value !== channel[column]) {
		services.store.run(`UPDATE channels SET ${column} = ? WHERE id = ?`, value, channel.id);
		publishChannel(services, channel.id, {name: channel.name, property: column, value, ...besides});
	}
}

export function changeSettings(services: Services, {caller, channel, changes}: ChannelRequest): void {
	const {store} = services;
	for (const name of channelSettings) {
		const change = changes[name];
		const present = readChannelSetting(store, channel.id, name);
		if (change?.old !== undefined && !isSameSetting(change.old, present)) {
			throw new RealmError("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH');
		}

		if (change && !isSameSetting(change.new, present)) {
			if (!mayReadChannel(store, caller, channel)) {
				throw badRequest('Invalid channel ID');
			}

			checkChannelSetting(store, name, change.new);
			const [viewers, policy] = [viewerIds(store, channel.id), postPolicy(store, channel)];
			writeChannelSetting(store, channel.id, {name, value: change.new});
			publishArrivals(services, channel.id, viewers);
			publishDepartures(services, channel.id, viewers);
			publishChannel(services, channel.id, {name: channel.name, property: name, value: plainSetting(change.new)});
			publishPostPolicy(services, channel, policy);
			if (name === 'can_send_message_group') {
				noticePosting(services, {caller, channel, before: present, after: change.new});
			}
		}
	}
}

/** Older clients know a number instead of `can_send_message_group`. */
function publishPostPolicy(services: Services, channel: ChannelRow, before: number): void {
	const value = postPolicy(services.store, channel);
	if (value !== before) {
		publishChannel(services, channel.id, {name: channel.name, property: 'stream_post_policy', value});
		publishChannel(services, channel.id, {name: channel.name, property: 'is_announcement_only', value: value === 2});
	}
}
