// The calls of a sync, made by an account's client.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Channel, NewDraft, User} from '../api/index.js';
import type {Client} from '../client/client.js';
import {findByEmail, findChannel} from '../client/directory.js';
import {judge} from '../client/judge.js';
import {Target} from '../delivery/target.js';
import {Later, type Outcome, type Refused, type Service} from './service.js';

/** Delay before a service that cannot be reached is tried again. */
const UNREACHABLE_MS = 5_000;

/**
 * How long to wait for the events of our own writes, and how often to read them. Once all are there, they are read once
 * more: the event of a person's earlier write may come after ours (service-facts.md 4.9).
 */
const TOLD_MS = 5_000;
const ASK_MS = 200;

/** The queue of a dead worker must be read within this time. */
const QUEUE_SECONDS = 3600;

export function serviceOf(client: Client): Service {
	const directory = directoryOf(client);
	return {
		resolve: (target, content) => resolve(directory, {target: Target.parse(JSON.parse(target)), content}),
		async read() {
			const found = await ask(client.getDrafts());
			return found.kind === 'refused' ? found : found.value.drafts;
		},
		async create(created) {
			const outcome = await attempt(client.createDrafts({drafts: [...created]}));
			return outcome.kind === 'done' ? {kind: 'done', value: outcome.value.ids} : outcome;
		},
		edit: (id, draft) => attempt(client.editDraft({draft_id: id, draft})),
		remove: id => attempt(client.deleteDraft({draft_id: id})),
		async watch() {
			const opened = await ask(
				client.register({event_types: ['drafts'], fetch_event_types: [], queue_lifespan_secs: QUEUE_SECONDS}),
			);
			if (opened.kind === 'refused') {
				throw new Error(`Expected an event queue for drafts, but the service refused it: ${opened.reason}`);
			}

			return {queueId: opened.value.queue_id, lastEventId: opened.value.last_event_id};
		},
		async events({queueId, lastEventId}, isAll) {
			const parameters = {queue_id: queueId, last_event_id: lastEventId, dont_block: true};
			for (let waitedMs = 0, wasAll = !isAll; ; waitedMs += ASK_MS) {
				const told = await ask(client.getEvents(parameters));
				if (told.kind === 'refused') {
					return undefined;
				}

				const {events} = told.value;
				if (wasAll || waitedMs >= TOLD_MS) {
					return events;
				}

				wasAll = !isAll || isAll(events);
				await sleep(ASK_MS);
			}
		},
		async unwatch(queueId) {
			// The service deletes it later by itself.
			await attempt(client.deleteQueue({queue_id: queueId})).catch(() => {});
		},
	};
}

/** Users and channels, requested once at most. */
interface Directory {
	me(): Promise<{user_id: number}>;
	users(): Promise<readonly User[]>;
	channels(): Promise<readonly Channel[]>;
}

function directoryOf(client: Client): Directory {
	return {
		me: once(() => client.getOwnUser()),
		users: once(async () => (await client.getUsers()).members),
		channels: once(async () => (await client.getStreams()).streams),
	};
}

function once<Value>(call: () => Promise<Value>): () => Promise<Value> {
	let answer: Promise<Value> | undefined;
	return () => {
		answer ??= call();
		return answer;
	};
}

/** Builds the draft from a target and a text. Channels and people may be given by name. */
async function resolve(
	directory: Directory,
	{target, content}: {target: Target; content: string},
): Promise<NewDraft | Refused> {
	if ('dm' in target) {
		const to = await peopleOf(directory, target.dm);
		return 'reason' in to ? to : {type: 'private', to, topic: '', content};
	}

	const {channel, topic} = target;
	if (typeof channel === 'number') {
		return {type: 'stream', to: [channel], topic, content};
	}

	const channels = await ask(directory.channels());
	if (channels.kind === 'refused') {
		return channels;
	}

	const found = findChannel(channels.value, channel.trim());
	return found
		? {type: 'stream', to: [found.stream_id], topic, content}
		: refused(`Channel '${channel}' does not exist`);
}

/** Their IDs as the service stores them: the owner is included only if alone. */
async function peopleOf(directory: Directory, people: number[] | string[]): Promise<number[] | Refused> {
	const me = await ask(directory.me());
	const ids = me.kind === 'refused' ? me : await idsOf(directory, people);
	if (me.kind === 'refused' || 'reason' in ids) {
		return ids;
	}

	const others = ids.filter(id => id !== me.value.user_id);
	return others.length > 0 ? others : ids;
}

async function idsOf(directory: Directory, people: number[] | string[]): Promise<number[] | Refused> {
	if (typeof people[0] === 'number') {
		// People are given by id or by email, never both.
		return people as number[];
	}

	const users = await ask(directory.users());
	if (users.kind === 'refused') {
		return users;
	}

	const ids: number[] = [];
	for (const email of people.map(String)) {
		const found = findByEmail(users.value, email);
		if (!found) {
			return refused(`Invalid email '${email}'`);
		}

		ids.push(found.user_id);
	}

	return ids;
}

function refused(reason: string): Refused {
	return {kind: 'refused', reason, isMissing: false};
}

/** A call that changes nothing. Without an answer it is retried later. */
async function ask<Value>(call: Promise<Value>): Promise<Outcome<Value> & {kind: 'done' | 'refused'}> {
	const outcome = await attempt(call);
	if (outcome.kind === 'unknown') {
		throw new Later(UNREACHABLE_MS);
	}

	return outcome;
}

async function attempt<Value>(call: Promise<Value>): Promise<Outcome<Value>> {
	try {
		return {kind: 'done', value: await call};
	} catch (error) {
		const found = judge(error);
		switch (found.kind) {
			case 'wait':
				throw new Later(found.waitMs);
			case 'refused':
				return {kind: 'refused', reason: found.reason, isMissing: found.error.status === 404};
			case 'unreached':
				throw new Later(UNREACHABLE_MS);
			case 'other':
				throw error;
			default:
				return {kind: 'unknown'};
		}
	}
}
