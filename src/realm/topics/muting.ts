// The older operation to mute a topic. It needs a subscription (spec.md, operation 6).

import {maySeeChannel} from '../channels/access.js';
import {type ChannelRow, isSubscribed} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {type ChannelReference, findReferenced} from '../messages/recipients.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {Policy} from './policy.js';
import {setTopicPolicy, topicPolicy} from './user-topics.js';

/** Before this level, muting a muted topic or unmuting another one was an error. */
const FIRST_LEVEL_THAT_REPEATS = 170;

interface Muting {
	readonly channel: ChannelReference;
	readonly topic: string;
}

export function addMute(services: Services, account: Account, {channel: reference, topic}: Muting): void {
	const {store} = services;
	const channel = findVisible(store, account, reference);
	if (!channel || channel.is_archived) {
		throw badRequest('id' in reference ? 'Invalid channel ID' : `Invalid channel name '${reference.name}'`);
	}

	checkSubscribed(store, account, channel);
	if (topicPolicy(store, account, {channel, topic}) === Policy.muted) {
		checkRepeats(services, 'Topic already muted');
		return;
	}

	setTopicPolicy(services, account, {channel, topic}, Policy.muted);
}

/** A followed topic is not muted, and stays followed. */
export function removeMute(services: Services, account: Account, {channel: reference, topic}: Muting): void {
	const {store} = services;
	const channel = findVisible(store, account, reference);
	if (!channel) {
		throw badRequest('Topic is not muted');
	}

	checkSubscribed(store, account, channel);
	if (topicPolicy(store, account, {channel, topic}) !== Policy.muted) {
		checkRepeats(services, 'Topic is not muted');
		return;
	}

	setTopicPolicy(services, account, {channel, topic}, Policy.none);
}

function findVisible(store: Store, account: Account, reference: ChannelReference): ChannelRow | undefined {
	const channel = findReferenced(store, reference);
	return channel && maySeeChannel(store, account, channel) ? channel : undefined;
}

function checkSubscribed(store: Store, {id}: Account, channel: ChannelRow): void {
	if (!isSubscribed(store, id, channel.id)) {
		throw badRequest(`Not subscribed to channel '${channel.name}'`);
	}
}

function checkRepeats({featureLevel}: Services, complaint: string): void {
	if (featureLevel < FIRST_LEVEL_THAT_REPEATS) {
		throw badRequest(complaint);
	}
}
