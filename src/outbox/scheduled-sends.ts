// Sends that the service itself stores until they are due, as scheduled messages.

import type {Client} from '../client/client.js';
import {findByEmail, findChannel} from '../client/directory.js';
import {judge} from '../client/judge.js';
import type {StoredEntry} from '../delivery/store.js';
import type {Target} from '../delivery/target.js';
import type {Attempt, Change} from './entry-state.js';
import type {OutboxItem} from './item.js';
import {outcomeOf, type Posted} from './outcome.js';

/** Delay while the service cannot be asked. */
const AGAIN_MS = 5_000;

export async function schedule(
	client: Client,
	{target, entry, attempt}: {target: Target; entry: StoredEntry; attempt: Attempt},
): Promise<Posted> {
	try {
		const address = await addressOf(client, target);
		if (!address) {
			return {kind: 'refused', reason: 'the service has no such channel or person'};
		}

		const {scheduled_message_id: scheduledId} = await client.createScheduledMessage({
			...address,
			content: entry.text,
			scheduled_delivery_timestamp: seconds(entry),
		});
		return {kind: 'scheduled', scheduledId};
	} catch (error) {
		return outcomeOf(error, attempt);
	}
}

/** Ids of scheduled messages with the same text, target and time. */
export async function listScheduled(client: Client, entry: StoredEntry): Promise<number[] | 'later'> {
	try {
		const {scheduled_messages: found} = await client.getScheduledMessages({});
		return found
			.filter(message => message.scheduled_delivery_timestamp === seconds(entry))
			.filter(message => message.content.trim() === entry.text.trim())
			.map(message => message.scheduled_message_id);
	} catch {
		return 'later';
	}
}

/** Safe to repeat: the second time the service says that the message is gone, or sets the same time. */
export async function tellChange(
	client: Client,
	{entry}: OutboxItem,
	{kind, scheduledId}: Change,
): Promise<'done' | 'gone' | {delayMs: number}> {
	const id = {scheduled_message_id: scheduledId};
	try {
		await (kind === 'retracting'
			? client.deleteScheduledMessage(id)
			: client.updateScheduledMessage({...id, scheduled_delivery_timestamp: seconds(entry)}));
		return 'done';
	} catch (error) {
		const found = judge(error);
		if (found.kind === 'refused' && !(await isKept(client, scheduledId))) {
			return 'gone';
		}

		return {delayMs: found.kind === 'wait' ? found.waitMs : AGAIN_MS};
	}
}

/** If a message was already sent, the service does not call it unknown: it refuses to change it. */
async function isKept(client: Client, id: number): Promise<boolean> {
	try {
		const {scheduled_messages: kept} = await client.getScheduledMessages({});
		return kept.some(({scheduled_message_id}) => scheduled_message_id === id);
	} catch {
		return true;
	}
}

function seconds({dueAt}: StoredEntry): number {
	return Math.ceil(dueAt / 1000);
}

/** The service accepts only IDs here. */
async function addressOf(client: Client, target: Target) {
	if (!('dm' in target)) {
		const {channel, topic} = target;
		const to = typeof channel === 'number' ? channel : await channelId(client, channel);
		return to === undefined ? undefined : ({type: 'stream', to, topic} as const);
	}

	const to = await userIds(client, target.dm);
	return to && ({type: 'direct', to} as const);
}

async function channelId(client: Client, name: string): Promise<number | undefined> {
	const {streams} = await client.getStreams({include_owner_subscribed: true});
	return findChannel(streams, name)?.stream_id;
}

async function userIds(client: Client, people: readonly (number | string)[]): Promise<number[] | undefined> {
	if (people.every(person => typeof person === 'number')) {
		return [...people];
	}

	const {members} = await client.getUsers({});
	const ids = people.map(person => findByEmail(members, String(person))?.user_id);
	return ids.every(id => id !== undefined) ? ids : undefined;
}
