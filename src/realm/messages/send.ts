// Sends a message. All messages take this path: over the API, from a webhook's answer, or from the realm itself.

import {checkMayCreateTopic, checkMayPost} from '../channels/access.js';
import {type ChannelRow, subscriberIds} from '../channels/channels.js';
import {badRequest, RealmError} from '../errors.js';
import {escapeHtml} from '../markdown/escape-html.js';
import {renderMarkdown} from '../markdown/markdown.js';
import {EMPTY_TOPIC_DISPLAY_NAME, organization} from '../organization.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {channelRecipientId, directRecipientId} from './conversations.js';
import {type CheckedPost, type Delivered, deliver} from './deliver.js';
import {checkMentions, type TopicPlace} from './mention-rights.js';
import type {Destination, Post} from './post.js';
import {type ChannelReference, findReferenced} from './recipients.js';
import {cleanContent, cleanTopic, topicKey} from './text.js';
import {widgetSubmessage} from './widgets.js';

/** Checks, stores and publishes a message. Returns its ID. */
export function sendMessage(services: Services, post: Post): number {
	return postMessage(services, post).id;
}

/** The same, but also returns what has changed for the sender. */
export function postMessage(services: Services, post: Post): Delivered {
	return services.store.transaction(() => deliver(services, checkPost(services, post)));
}

/** Checks a message, in the service's order (service-facts.md 7.4). */
export function checkPost(services: Services, post: Post): CheckedPost {
	return post.destination.kind === 'channel'
		? checkForChannel(services, post, post.destination)
		: checkForAccounts(services, post, post.destination.accounts);
}

function checkForAccounts({store}: Services, post: Post, accounts: readonly Account[]): CheckedPost {
	const content = cleanContent(post.content);
	const widget = widgetSubmessage(content, post.widgetContent);
	const rendered = renderMarkdown(store, content, post.sender);
	checkMentions(store, post.sender, rendered.mentions);
	const memberIds = [...new Set([post.sender.id, ...accounts.map(account => account.id)])];

	return {
		...post,
		content,
		rendered,
		widget,
		topic: '',
		recipientId: directRecipientId(store, memberIds),
		receiverIds: memberIds,
		channel: undefined,
	};
}

function checkForChannel(services: Services, post: Post, to: Destination & {kind: 'channel'}): CheckedPost {
	const {store} = services;
	if (to.topic === undefined) {
		throw badRequest('Missing topic');
	}

	const topic = cleanTopic(to.topic, services);
	const content = cleanContent(post.content);
	const channel = findDestination(store, to.channel);
	const recipientId = channelRecipientId(store, channel.id);
	if (!post.bypassesAccess) {
		checkMayPost(store, post.sender, channel);
	}

	checkTopic(services, post, {channel, topic, recipientId});
	const widget = widgetSubmessage(content, post.widgetContent);
	const rendered = renderMarkdown(store, content, post.sender);
	checkMentions(store, post.sender, rendered.mentions, {channel, topic, recipientId});

	return {
		...post,
		content,
		rendered,
		widget,
		topic,
		recipientId,
		receiverIds: subscriberIds(store, channel.id),
		channel,
	};
}

function findDestination(store: Store, reference: ChannelReference): ChannelRow {
	const channel = findReferenced(store, reference);
	if (channel) {
		return channel;
	}

	throw 'id' in reference
		? channelMissing(`Channel with ID '${reference.id}' does not exist`, {stream_id: reference.id})
		: channelMissing(`Channel '${escapeHtml(reference.name)}' does not exist`, {stream: escapeHtml(reference.name)});
}

function channelMissing(message: string, fields: Record<string, unknown>): RealmError {
	return new RealmError(message, 'STREAM_DOES_NOT_EXIST', 400, fields);
}

/** Throws if the topic may not be created, or may not be used. */
export function checkTopic(
	{store}: Services,
	{sender, bypassesAccess}: Pick<Post, 'sender' | 'bypassesAccess'>,
	{channel, topic, recipientId}: TopicPlace,
): void {
	const isKnown = store.get(
		'SELECT 1 AS found FROM messages WHERE recipient_id = ? AND topic_key = ? LIMIT 1',
		recipientId,
		topicKey(topic),
	);
	if (!isKnown && !bypassesAccess) {
		checkMayCreateTopic(store, sender, channel);
	}

	const policy = channel.topics_policy === 'inherit' ? organization(store).topics_policy : channel.topics_policy;
	const name = {empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME};
	if (topic === '' && policy === 'disable_empty_topic') {
		throw badRequest(`Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} is not allowed in this channel.`, name);
	}

	if (topic !== '' && policy === 'empty_topic_only') {
		throw badRequest(`Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`, name);
	}
}
