// Follows or unmutes topics automatically after a message, a reaction or a mention (service-facts.md 7.7).

import {type ChannelRow, isMuted} from '../channels/channels.js';
import {selectMessages} from '../messages/rows.js';
import {topicKey} from '../messages/text.js';
import {type Account, findAccount, isBot} from '../people/accounts.js';
import {readSetting} from '../people/settings.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

import {Policy} from './policy.js';
import {setTopicPolicy, topicPolicy} from './user-topics.js';

/** The level that brought the settings, and the one that brought the setting about mentions. */
export const FIRST_LEVEL_WITH_POLICIES = 214;
const FIRST_LEVEL_WITH_MENTIONS = 235;

/** For each action, the values of a setting that it meets: 1 participating, 2 sending, 3 starting a topic; 4 is never. */
const fulfils = {react: [1], send: [1, 2], start: [1, 2, 3]} as const;

interface Place {
	readonly channel: ChannelRow;
	readonly topic: string;
}

export function raiseForSender(
	services: Services,
	sender: Account,
	message: Place & {readonly id: number; readonly recipientId: number},
): void {
	const deed = startsTopic(services.store, sender, message) ? 'start' : 'send';
	raise(services, sender, message, deed);
}

/** After a reaction. */
export function raiseForReaction(services: Services, account: Account, place: Place): void {
	raise(services, account, place, 'react');
}

/** A mentioned person follows the topic, unless they muted it. */
export function raiseForMention(services: Services, userId: number, place: Place): void {
	const {store, featureLevel} = services;
	const account = findAccount(store, userId);
	if (!account || isBot(account) || featureLevel < FIRST_LEVEL_WITH_MENTIONS) {
		return;
	}

	const isWanted = readSetting(store, account, 'automatically_follow_topics_where_mentioned');
	if (isWanted && topicPolicy(store, account, place) !== Policy.muted) {
		setTopicPolicy(services, account, place, Policy.followed);
	}
}

function raise(services: Services, account: Account, place: Place, deed: keyof typeof fulfils): void {
	const {store, featureLevel} = services;
	if (isBot(account) || featureLevel < FIRST_LEVEL_WITH_POLICIES) {
		return;
	}

	const policy = wantedPolicy(store, account, place.channel, deed);
	if (policy > topicPolicy(store, account, place)) {
		setTopicPolicy(services, account, place, policy);
	}
}

function wantedPolicy(store: Store, account: Account, channel: ChannelRow, deed: keyof typeof fulfils): Policy {
	const values: readonly number[] = fulfils[deed];
	if (values.includes(readSetting(store, account, 'automatically_follow_topics_policy'))) {
		return Policy.followed;
	}

	const unmutes = values.includes(readSetting(store, account, 'automatically_unmute_topics_in_muted_streams_policy'));
	return unmutes && isMuted(store, account.id, channel.id) ? Policy.unmuted : Policy.none;
}

/** Whether the sender sees no earlier message in the topic. */
function startsTopic(
	store: Store,
	sender: Account,
	{id, recipientId, topic}: {readonly id: number; readonly recipientId: number; readonly topic: string},
): boolean {
	const conditions = [
		{sql: 'm.recipient_id = ? AND m.topic_key = ?', values: [recipientId, topicKey(topic)]},
		{sql: 'm.id < ?', values: [id]},
	];
	return selectMessages(store, sender, {conditions, limit: 1}).length === 0;
}
