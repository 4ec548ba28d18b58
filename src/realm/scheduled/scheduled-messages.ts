// Stores scheduled messages until they are due (service-facts.md 6.7).

import type {ScheduledMessage} from '../../api/index.js';
import type {Clock} from '../clock.js';
import {badRequest, RealmError} from '../errors.js';
import {isFullClient} from '../messages/clients.js';
import type {CheckedPost} from '../messages/deliver.js';
import type {Destination} from '../messages/post.js';
import {findDirectRecipients} from '../messages/recipients.js';
import {checkPost} from '../messages/send.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

export interface ScheduledRow {
	readonly id: number;
	readonly sender_id: number;
	/** Null for direct messages. */
	readonly channel_id: number | null;
	/** Null for channel messages. */
	readonly recipients: string | null;
	readonly topic: string;
	readonly content: string;
	readonly rendered_content: string;
	readonly delivery_timestamp: number;
	readonly read_by_sender: 0 | 1;
	readonly client: string;
	readonly state: 'pending' | 'failed' | 'sent';
}

/** The target, as IDs only. */
interface Address {
	readonly kind: 'direct' | 'channel';
	readonly to: number | readonly number[];
	readonly topic: string | undefined;
}

export interface NewScheduledMessage extends Address {
	readonly content: string;
	readonly deliveryTimestamp: number;
	/** Absent: derived from the client's name. */
	readonly readBySender: boolean | undefined;
	readonly client: string;
}

/** Undefined fields stay as they are. */
export interface Changes {
	readonly kind: Address['kind'] | undefined;
	readonly to: Address['to'] | undefined;
	readonly topic: string | undefined;
	readonly content: string | undefined;
	readonly deliveryTimestamp: number | undefined;
	readonly client: string;
}

/** All unsent messages, including failed ones. The next one comes first. */
export function listScheduledMessages(store: Store, sender: Account): ScheduledMessage[] {
	return store
		.all<ScheduledRow>(
			`SELECT * FROM scheduled_messages WHERE sender_id = ? AND state != 'sent' ORDER BY delivery_timestamp, id`,
			sender.id,
		)
		.map(presentScheduledMessage);
}

/** Returns its ID. */
export function createScheduledMessage(services: Services, sender: Account, message: NewScheduledMessage): number {
	const {store, clock, queues} = services;
	checkFuture(clock, message.deliveryTimestamp);
	return store.transaction(() => {
		const {client, content} = message;
		const post = checkPost(services, {sender, client, content, destination: readAddress(store, message)});
		const others = post.receiverIds.filter(id => id !== sender.id);
		const isNote = post.channel === undefined && others.length === 0;
		const id = store.run(
			`INSERT INTO scheduled_messages (sender_id, channel_id, recipients, topic, content, rendered_content,
				delivery_timestamp, read_by_sender, client)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			sender.id,
			...columnsOf(post),
			message.deliveryTimestamp,
			(message.readBySender ?? (isFullClient(client) && !isNote)) ? 1 : 0,
			client,
		);
		store.afterCommit(() => {
			const added = [presentScheduledMessage(findOwn(store, sender, id))];
			queues.publishTo(sender.id, {type: 'scheduled_messages', op: 'add', scheduled_messages: added});
			services.wakeDeliverer();
		});

		return id;
	});
}

/** Checks target and text again if they change. A failed message becomes pending again. */
export function updateScheduledMessage(services: Services, sender: Account, id: number, changes: Changes): void {
	const {store, clock, queues} = services;
	const isRewritten = [changes.kind, changes.to, changes.topic, changes.content].some(value => value !== undefined);
	checkChanges(clock, changes, isRewritten);
	store.transaction(() => {
		const row = findOwn(store, sender, id);
		checkChangeable(row, changes);
		const columns = isRewritten
			? columnsOf(checkPost(services, rewrite(store, sender, row, changes)))
			: ([row.channel_id, row.recipients, row.topic, row.content, row.rendered_content] as const);
		store.run(
			`UPDATE scheduled_messages SET channel_id = ?, recipients = ?, topic = ?, content = ?, rendered_content = ?,
				delivery_timestamp = ?, client = ?, state = 'pending', failure = NULL
			WHERE id = ?`,
			...columns,
			changes.deliveryTimestamp ?? row.delivery_timestamp,
			changes.client,
			id,
		);
	});
	const updated = presentScheduledMessage(findOwn(store, sender, id));
	queues.publishTo(sender.id, {type: 'scheduled_messages', op: 'update', scheduled_message: updated});
	services.wakeDeliverer();
}

export function deleteScheduledMessage({store, queues}: Services, sender: Account, id: number): void {
	findOwn(store, sender, id);
	store.run('DELETE FROM scheduled_messages WHERE id = ?', id);
	queues.publishTo(sender.id, {type: 'scheduled_messages', op: 'remove', scheduled_message_id: id});
}

/** The target, unless its channel or a person is gone. */
export function destinationOf(store: Store, row: ScheduledRow): Destination {
	return readAddress(store, addressOf(row));
}

/** The API object of a scheduled message. */
export function presentScheduledMessage(row: ScheduledRow): ScheduledMessage {
	const {kind, to, topic} = addressOf(row);

	return {
		scheduled_message_id: row.id,
		type: kind === 'direct' ? 'private' : 'stream',
		to: typeof to === 'number' ? to : [...to],
		...(topic !== undefined && {topic}),
		content: row.content,
		rendered_content: row.rendered_content,
		scheduled_delivery_timestamp: row.delivery_timestamp,
		failed: row.state === 'failed',
	};
}

function addressOf({channel_id, recipients, topic}: ScheduledRow): Address {
	return channel_id === null
		? {kind: 'direct', to: JSON.parse(recipients ?? '[]') as number[], topic: undefined}
		: {kind: 'channel', to: channel_id, topic};
}

function readAddress(store: Store, {kind, to, topic}: Address): Destination {
	if (kind === 'direct') {
		if (typeof to === 'number') {
			throw badRequest('Invalid data type for recipients');
		}

		return {kind, accounts: findDirectRecipients(store, to)};
	}

	if (typeof to !== 'number') {
		throw badRequest('Invalid data type for channel ID');
	}

	return {kind, channel: {id: to}, topic};
}

function rewrite(store: Store, sender: Account, row: ScheduledRow, changes: Changes) {
	const known = addressOf(row);
	const destination = readAddress(store, {
		kind: changes.kind ?? known.kind,
		to: changes.to ?? known.to,
		topic: changes.topic ?? known.topic,
	});

	return {sender, client: changes.client, content: changes.content ?? row.content, destination};
}

function columnsOf(post: CheckedPost) {
	const {channel, topic, content, rendered} = post;
	if (channel) {
		return [channel.id, null, topic, content, rendered.html] as const;
	}

	// Contains the sender only for a message to themselves.
	const ids = [...post.receiverIds].sort((a, b) => a - b);
	const others = ids.filter(id => id !== post.sender.id);
	return [null, JSON.stringify(others.length > 0 ? others : ids), topic, content, rendered.html] as const;
}

function findOwn(store: Store, sender: Account, id: number): ScheduledRow {
	const sql = 'SELECT * FROM scheduled_messages WHERE id = ? AND sender_id = ?';
	const row = store.get<ScheduledRow>(sql, id, sender.id);
	if (!row) {
		throw new RealmError('Scheduled message does not exist', 'BAD_REQUEST', 404);
	}

	return row;
}

function checkChanges(clock: Clock, changes: Changes, isRewritten: boolean): void {
	if (!isRewritten && changes.deliveryTimestamp === undefined) {
		throw badRequest('Nothing to change');
	}

	if (changes.kind !== undefined && changes.to === undefined) {
		throw badRequest('Recipient required when updating type of scheduled message.');
	}

	if (changes.kind === 'channel' && changes.topic === undefined) {
		throw badRequest('Topic required when updating scheduled message type to channel.');
	}

	if (changes.deliveryTimestamp !== undefined) {
		checkFuture(clock, changes.deliveryTimestamp);
	}
}

function checkChangeable(row: ScheduledRow, {deliveryTimestamp}: Changes): void {
	if (row.state === 'sent') {
		throw badRequest('Scheduled message was already sent');
	}

	if (row.state === 'failed' && deliveryTimestamp === undefined) {
		throw notInFuture();
	}
}

function checkFuture(clock: Clock, timestamp: number): void {
	if (timestamp * 1000 <= clock.now()) {
		throw notInFuture();
	}
}

function notInFuture(): RealmError {
	return badRequest('Scheduled delivery time must be in the future.');
}
