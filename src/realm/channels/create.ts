// Creates a channel, for all operations that can.

import type {GroupSetting} from '../../api/index.js';
import {badRequest} from '../errors.js';
import {type Account, isAdministrator} from '../people/accounts.js';
import type {Services} from '../services.js';
import {checkMayOpen, checkPrivacy} from './privacy.js';
import {checkMayRetain, parseRetention} from './retention.js';
import {type ChannelSettingName, channelSettings, checkChannelSetting, writeChannelSetting} from './settings.js';

/** The wanted properties. They apply to all channels that one call creates. */
export type NewChannel = {
	readonly invite_only: boolean;
	readonly is_web_public: boolean;
	readonly is_default_stream: boolean;
	readonly history_public_to_subscribers: boolean | undefined;
	readonly message_retention_days: number | string | undefined;
	readonly topics_policy: string;
} & {readonly [N in ChannelSettingName]: GroupSetting | undefined};

/** Throws if a permission or the retention cannot have the value. The service checks them even if it creates no channel. */
export function checkNewChannel({store}: Services, wanted: NewChannel): void {
	for (const setting of channelSettings) {
		const value = wanted[setting];
		if (value !== undefined) {
			checkChannelSetting(store, setting, value);
		}
	}

	parseRetention(wanted.message_retention_days ?? 'realm_default');
}

/** Checks and stores a channel; returns its ID. Sends no event: the caller does when it subscribes people. */
export function insertChannel(
	{store, clock, wakeExpiry}: Services,
	caller: Account,
	{name, description, ...wanted}: NewChannel & {readonly name: string; readonly description: string},
): number {
	const isHistoryPublic = !wanted.invite_only || (wanted.history_public_to_subscribers ?? false);
	checkMayOpen(caller, {isWebPublic: wanted.is_web_public});
	const retention = parseRetention(wanted.message_retention_days ?? 'realm_default');
	if (retention !== null) {
		checkMayRetain(caller);
	}

	if (wanted.is_default_stream && !isAdministrator(caller)) {
		throw badRequest('Insufficient permission');
	}

	checkPrivacy({
		isPrivate: wanted.invite_only,
		isWebPublic: wanted.is_web_public,
		isHistoryPublic,
		isDefault: wanted.is_default_stream,
	});
	const id = store.run(
		`INSERT INTO channels (name, description, date_created, creator_id, invite_only, is_web_public, is_default,
			history_public_to_subscribers, topics_policy, message_retention_days)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		name,
		description,
		clock.seconds(),
		caller.id,
		Number(wanted.invite_only),
		Number(wanted.is_web_public),
		Number(wanted.is_default_stream),
		Number(isHistoryPublic),
		wanted.topics_policy,
		retention,
	);
	store.afterCommit(wakeExpiry);
	const creator = {direct_members: [caller.id], direct_subgroups: []};
	writeChannelSetting(store, id, {name: 'can_administer_channel_group', value: creator});
	for (const setting of channelSettings) {
		const value = wanted[setting];
		if (value !== undefined) {
			checkChannelSetting(store, setting, value);
			writeChannelSetting(store, id, {name: setting, value});
		}
	}

	return id;
}
