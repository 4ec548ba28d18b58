// People's policies for topics: muted, unmuted or followed (service-facts.md 7.8).

import type {ChannelRow} from '../channels/channels.js';
import {displayTopic, topicKey} from '../messages/text.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {Policy} from './policy.js';

interface Topic {
	readonly channel: ChannelRow;
	readonly topic: string;
}

interface TopicNames {
	/** Whether the reader knows the empty topic. */
	readonly allowEmptyTopicName: boolean;
}

export function topicPolicy(store: Store, {id}: Pick<Account, 'id'>, {channel, topic}: Topic): Policy {
	const row = store.get<{visibility_policy: Policy}>(
		'SELECT visibility_policy FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
		id,
		channel.id,
		topicKey(topic),
	);
	return row?.visibility_policy ?? Policy.none;
}

/** Publishes a change to the account's clients. `isFirst`: another one follows at once, so the list of muted topics waits for it. */
export function setTopicPolicy(
	services: Services,
	{id}: Pick<Account, 'id'>,
	place: Topic & {readonly isFirst?: boolean},
	policy: Policy,
): void {
	const {store, clock} = services;
	const {channel, topic} = place;
	if (topicPolicy(store, {id}, place) === policy) {
		return;
	}

	const lastUpdated = clock.seconds();
	store.transaction(() => {
		const sql = 'DELETE FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?';
		store.run(sql, id, channel.id, topicKey(topic));
		if (policy !== Policy.none) {
			store.run(
				`INSERT INTO user_topics (user_id, channel_id, topic_key, topic, visibility_policy, last_updated)
				VALUES (?, ?, ?, ?, ?, ?)`,
				id,
				channel.id,
				topicKey(topic),
				topic,
				policy,
				lastUpdated,
			);
		}

		store.afterCommit(() =>
			publish(
				services,
				id,
				{channel_id: channel.id, topic, visibility_policy: policy, last_updated: lastUpdated},
				place.isFirst ?? false,
			),
		);
	});
}

function publish({store, queues}: Services, userId: number, row: UserTopicRow, isFirst: boolean): void {
	queues.publishEach('muted_topics', ({options}) =>
		options.userId === userId && !isFirst ? {muted_topics: listMutedTopics(store, userId)} : undefined,
	);
	queues.publishEach('user_topic', ({options}) =>
		options.userId === userId ? present(row, {allowEmptyTopicName: options.emptyTopicName}) : undefined,
	);
}

interface UserTopicRow {
	readonly channel_id: number;
	readonly topic: string;
	readonly visibility_policy: Policy;
	readonly last_updated: number;
}

/** As in the initial state. */
export function listUserTopics(store: Store, userId: number, names: TopicNames) {
	const rows = store.all<UserTopicRow>(
		'SELECT * FROM user_topics WHERE user_id = ? ORDER BY channel_id, topic_key',
		userId,
	);
	return rows.map(row => present(row, names));
}

/** The older form: name of the channel, topic, and time of muting. The empty topic has no display name here. */
export function listMutedTopics(store: Store, userId: number) {
	const rows = store.all<UserTopicRow & {name: string}>(
		`SELECT u.*, c.name FROM user_topics u JOIN channels c ON c.id = u.channel_id
		WHERE u.user_id = ? AND u.visibility_policy = ? ORDER BY u.channel_id, u.topic_key`,
		userId,
		Policy.muted,
	);
	return rows.map(row => [row.name, row.topic, row.last_updated]);
}

function present(row: UserTopicRow, {allowEmptyTopicName}: TopicNames) {
	return {
		stream_id: row.channel_id,
		topic_name: displayTopic(row.topic, allowEmptyTopicName),
		visibility_policy: row.visibility_policy,
		last_updated: row.last_updated,
	};
}
