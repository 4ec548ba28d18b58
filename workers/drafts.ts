// Keeps our copy of people's drafts and the service's copy equal: syncs after every change by a bot, and every minute to
// see what people have changed.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Channel, NewDraft, User} from '../src/api/index.js';
import type {Client} from '../src/client/client.js';
import {ApiError, NetworkError, ResponseError} from '../src/client/errors.js';
import {Target} from '../src/delivery/target.js';
import {needsSync} from '../src/drafts/records.js';
import {Later, type Outcome, type Refused, type Service} from '../src/drafts/service.js';
import type {DraftStore} from '../src/drafts/store.js';
import {syncDrafts} from '../src/drafts/sync.js';
import {defineWorker, TryLater, type WorkerLog} from '../src/queue/define-worker.js';
import {drafts} from '../src/queue/drafts.js';
import {accountTag} from '../src/redis/account-key.js';

interface AccountName {
	readonly site: string;
	readonly email: string;
}

export interface DraftDependencies {
	readonly accounts: readonly AccountName[];
	/** The client of one of our accounts. Undefined if the configuration no longer contains it. */
	clientOf(account: AccountName): Client | undefined;
	readonly store: DraftStore;
	readonly log: WorkerLog;
	/** Milliseconds since 1970. */
	now(): number;
	/** Syncs the drafts of an account. */
	enqueue(account: AccountName): Promise<void>;
}

/** Delay while another worker syncs the account. */
const BUSY_MS = 500;

/** Delay before a service that cannot be reached is tried again. */
const UNREACHABLE_MS = 5_000;

/** Long enough for a service to finish its work after the connection broke. */
const UNKNOWN_MS = 10_000;

/**
 * How long to wait for the events of our own writes, and how often to read them. Once all are there, they are read once
 * more: the event of a person's earlier write may come after ours (service-facts.md 4.9).
 */
const TOLD_MS = 5_000;
const ASK_MS = 200;

/** The queue of a dead worker must be read within this time. */
const QUEUE_SECONDS = 3600;

export default defineWorker({
	queue: drafts,
	concurrency: 10,
	every: {periodMs: 60_000, data: [{v: 1}]},
	async run({account}, dependencies: DraftDependencies) {
		if (!account) {
			await enqueueAll(dependencies);
			return {};
		}

		const client = dependencies.clientOf(account);
		if (!client) {
			throw new Error(`No account ${account.email} on ${account.site} in the configuration`);
		}

		const {store, log, now} = dependencies;
		const sync = {account: accountTag(account), store, log, service: serviceOf(client), now};
		const result = await syncDrafts(sync).catch((error: unknown) => {
			throw error instanceof Later ? new TryLater(error.delayMs) : error;
		});
		if (result !== 'synced') {
			throw new TryLater(result === 'busy' ? BUSY_MS : UNKNOWN_MS);
		}

		return {};
	},
});

async function enqueueAll({accounts, store, enqueue}: DraftDependencies): Promise<void> {
	await Promise.all(
		accounts.map(async account => {
			if (needsSync(await store.load(accountTag(account)))) {
				await enqueue(account);
			}
		}),
	);
}

function serviceOf(client: Client): Service {
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

	const found = channels.value.find(({name}) => name.toLowerCase() === channel.trim().toLowerCase());
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
		const isMeant = (address: unknown) => String(address).toLowerCase() === email.toLowerCase();
		const found = users.value.find(user => isMeant(user.email) || isMeant(user.delivery_email));
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
		if (error instanceof ApiError && error.status === 429) {
			throw new Later(Math.ceil((error.retryAfterSeconds ?? 1) * 1000));
		}

		if (error instanceof ApiError) {
			return {kind: 'refused', reason: `${error.reason} (${error.code})`, isMissing: error.status === 404};
		}

		if (error instanceof NetworkError && !error.mayHaveArrived) {
			throw new Later(UNREACHABLE_MS);
		}

		if (error instanceof NetworkError || error instanceof ResponseError) {
			return {kind: 'unknown'};
		}

		throw error;
	}
}
