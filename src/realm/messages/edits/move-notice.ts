import type {ChannelRow} from '../../channels/channels.js';
import {silentMention} from '../../channels/notices.js';
import {RealmError} from '../../errors.js';
import {channelHref, hashPart} from '../../markdown/channel-link-rule.js';
import {type Account, findNotificationBot} from '../../people/accounts.js';
import {readSetting} from '../../people/settings.js';
import type {Services} from '../../services.js';
import {Policy} from '../../topics/policy.js';
import {topicPolicy} from '../../topics/user-topics.js';
import {removeMessages} from '../delete.js';
import {participantIds} from '../mention-rights.js';
import type {Post} from '../post.js';
import {selectMessages} from '../rows.js';
import {sendMessage} from '../send.js';
import {RESOLVED_PREFIX, topicKey} from '../text.js';
import {isResolving} from './edit-history.js';
import type {Move} from './move.js';

/** Posts a notice where people will look for the messages. */
export function announceMove(
	services: Services,
	move: Move & {readonly isWholeTopic: boolean},
	{noticeInOldPlace, noticeInNewPlace}: {noticeInOldPlace: boolean; noticeInNewPlace: boolean},
): void {
	const {editor, message, messages, from, channel, topic, isWholeTopic} = move;
	const notifier = findNotificationBot(services.store);
	if (!notifier) {
		return;
	}

	const who = silentMention(editor);
	const oldPlace = {channel: from, topic: message.topic};
	const newPlace = {channel: channel ?? from, topic: topic ?? message.topic};
	const say = (place: Place, content: string, isReadBy?: (userId: number) => boolean) =>
		sendWherePossible(services, {
			sender: notifier,
			client: 'Internal',
			destination: {kind: 'channel', channel: {id: place.channel.id}, topic: place.topic},
			content,
			bypassesAccess: true,
			isReadBy,
		});
	if (!channel && topic !== undefined && isResolving(message.topic, topic)) {
		const mark = topic.startsWith(RESOLVED_PREFIX) ? 'resolved' : 'unresolved';
		const place = {recipientId: message.recipient_id, topic};
		if (noticeInNewPlace && !takeBack(services, notifier, place)) {
			say(newPlace, `${who} has marked this topic as ${mark}.`, isReadBy(services, newPlace, place.recipientId));
		}

		return;
	}

	const isOne = messages.length === 1;
	const many = `${messages.length} messages were`;
	if (noticeInOldPlace) {
		const what = isOne ? 'A message was' : many;
		const text = isWholeTopic ? 'This topic was moved to' : `${what} moved from this topic to`;
		say(oldPlace, `${text} ${linkTo(newPlace)} by ${who}.`);
	}

	if (noticeInNewPlace) {
		const url = `${services.site}${channelHref(newPlace.channel)}/topic/${hashPart(newPlace.topic)}/near/${message.id}`;
		const what = isOne ? `[A message](${url}) was` : many;
		say(newPlace, `${isWholeTopic ? 'This topic was' : what} moved here from ${linkTo(oldPlace)} by ${who}.`);
	}
}

const FIRST_LEVEL_WITH_SETTING = 385;

/** The people who get the notice as read: by their setting or, on servers without it, everybody who did not take part. */
function isReadBy({store, featureLevel}: Services, {channel, topic}: Place, recipientId: number) {
	if (featureLevel < FIRST_LEVEL_WITH_SETTING) {
		const participants = participantIds(store, {recipientId, topic});
		return (id: number) => !participants.includes(id);
	}

	return (id: number) => {
		const policy = readSetting(store, {id}, 'resolved_topic_notice_auto_read_policy');
		const isFollowed = topicPolicy(store, {id}, {channel, topic}) === Policy.followed;
		return policy === 'always' || (policy === 'except_followed' && !isFollowed);
	};
}

const UNDO_SECONDS = 60;

/** If a person undoes the resolving within a minute, deletes the notice instead of adding one. */
function takeBack(
	services: Services,
	notifier: Account,
	{recipientId, topic}: {readonly recipientId: number; readonly topic: string},
): boolean {
	const conditions = [{sql: 'm.recipient_id = ? AND m.topic_key = ?', values: [recipientId, topicKey(topic)]}];
	const [last] = selectMessages(services.store, notifier, {conditions, limit: 1, newestFirst: true});
	const isNotice = last?.sender_id === notifier.id && / has marked this topic as (?:un)?resolved\.$/.test(last.content);
	if (!last || !isNotice || services.clock.seconds() - last.timestamp > UNDO_SECONDS) {
		return false;
	}

	removeMessages(services, last, [last.id]);
	return true;
}

/** Messages can be moved out of a topic that the channel's policy no longer allows, but no notice can be posted there. */
function sendWherePossible(services: Services, post: Post): void {
	try {
		sendMessage(services, post);
	} catch (error) {
		if (!(error instanceof RealmError)) {
			throw error;
		}
	}
}

interface Place {
	readonly channel: ChannelRow;
	readonly topic: string;
}

function linkTo({channel, topic}: Place): string {
	return topic === '' ? `#**${channel.name}**` : `#**${channel.name}>${topic}**`;
}
