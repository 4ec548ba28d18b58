// Publishes typing notifications to everybody who would get the message and wants them (service-facts.md 3.3).

import {checkMayPost, mayReadChannel} from '../channels/access.js';
import {findChannel, subscriberIds} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {presentTopic} from '../messages/present.js';
import {readTopic} from '../messages/text.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type Account, findAccount} from './accounts.js';
import {shownEmail} from './addresses.js';
import {readSetting} from './settings.js';

interface Typing {
	readonly sender: Account;
	readonly op: 'start' | 'stop';
}

export function tellTypingToPeople({store, queues}: Services, {sender, op}: Typing, to: readonly number[]): void {
	if (to.length === 0) {
		throw badRequest("Empty 'to' list");
	}

	if (!readSetting(store, sender, 'send_private_typing_notifications')) {
		throw badRequest('User has disabled typing notifications for direct messages');
	}

	const people = [...new Set([...to, sender.id])].map(id => findPerson(store, id));
	const event = {
		type: 'typing',
		op,
		message_type: 'direct',
		sender: presentPerson(store, sender),
		recipients: people.map(person => presentPerson(store, person)),
	};
	for (const person of people.filter(each => wantsToKnow(store, each))) {
		queues.publishTo(person.id, event);
	}
}

export function tellTypingInChannel(
	services: Services,
	{sender, op}: Typing,
	place: {readonly channelId: number; readonly topic: string},
): void {
	const {store, queues} = services;
	if (!readSetting(store, sender, 'send_stream_typing_notifications')) {
		throw badRequest('User has disabled typing notifications for channel messages');
	}

	const channel = findChannel(store, place.channelId);
	if (!channel || channel.is_archived || !mayReadChannel(store, sender, channel)) {
		throw badRequest('Invalid channel ID');
	}

	checkMayPost(store, sender, channel);
	const topic = readTopic(place.topic.trim(), services);
	const listeners = new Set(
		subscriberIds(store, channel.id).filter(id => {
			const account = findAccount(store, id);
			return account && wantsToKnow(store, account);
		}),
	);
	queues.publishEach('typing', ({options}) =>
		options.streamTyping && listeners.has(options.userId)
			? {
					op,
					message_type: 'stream',
					sender: presentPerson(store, sender),
					stream_id: channel.id,
					topic: presentTopic({topic, channel_id: channel.id}, {allowEmptyTopicName: options.emptyTopicName}),
				}
			: undefined,
	);
}

function findPerson(store: Store, id: number): Account {
	const account = findAccount(store, id);
	if (!account) {
		throw badRequest(`Invalid user ID ${id}`);
	}

	return account;
}

function wantsToKnow(store: Store, account: Account): boolean {
	return account.is_active === 1 && readSetting(store, account, 'receives_typing_notifications');
}

function presentPerson(store: Store, person: Account) {
	return {user_id: person.id, email: shownEmail(store, person)};
}
