// Services with people, and the presence worker for them in virtual time.

import {setMaxListeners} from 'node:events';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import type {Client} from '../../src/client/client.js';
import type {PresentAccount} from '../../src/presence/account.js';
import {createSites} from '../../src/presence/sites.js';
import {createPresenceStore} from '../../src/presence/store.js';
import {createAccount, findAccount, Role} from '../../src/realm/people/accounts.js';
import {openStore} from '../../src/realm/store/store.js';
import presenceWorker, {type PresenceDependencies} from '../../workers/presence.js';
import {dataFolder} from '../helpers/bothy.js';
import {openRealm} from '../realm/realm-kit.js';
import type {VirtualTime} from './virtual-time.js';

export interface Call {
	readonly operation: string;
	readonly email: string;
	readonly status: number;
	readonly atMs: number;
}

/** A realm with this many extra people, each shown as present. */
export async function openSite(
	t: ExecutionContext,
	{people, name, pingSeconds}: {people: number; name: string; pingSeconds: number},
) {
	const calls: Call[] = [];
	const file = join(await dataFolder(t), 'realm.db');
	const realm = await openRealm(t, {
		file,
		presencePingSeconds: pingSeconds,
		log({event, operation, account, status}) {
			if (event === 'request' && typeof account === 'string') {
				calls.push({operation: String(operation), email: account, status: Number(status), atMs: Date.now()});
			}
		},
	});
	const store = openStore(file);
	const accounts = store.transaction(() =>
		Array.from({length: people}, (_, n): PresentAccount => {
			const email = `${name}-${n}@bothy.example`;
			const id = createAccount(store, {email, full_name: email, role: Role.member, date_joined: 1_700_000_000});
			const key = findAccount(store, id)?.api_key ?? '';
			return {name: `${name}-${n}`, email, key, site: realm.url, tokens: [], presence: {status: 'active'}};
		}),
	);
	store.close();
	return {
		realm,
		accounts,
		calls,
		/** When the account was pinged, in milliseconds. */
		pingsOf: ({email}: {email: string}) =>
			calls.filter(call => call.operation === 'updatePresence' && call.email === email).map(({atMs}) => atMs),
	};
}

/** How a service handles a call before it answers. */
type Serve = (call: {readonly operation: string; readonly email: string}) => Promise<void>;

interface ServiceOptions {
	readonly people: number;
	readonly site?: string;
	readonly pingSeconds?: number;
	readonly serve?: Serve;
}

/** A service in memory with people. It takes no time unless `serve` does. */
export function createService(time: VirtualTime, {people, pingSeconds = 60, ...options}: ServiceOptions) {
	const {site = 'https://chat.example.com', serve = async () => {}} = options;
	const calls: Omit<Call, 'status'>[] = [];
	const accounts = Array.from(
		{length: people},
		(_, n): PresentAccount => ({
			name: `person-${n}`,
			email: `person-${n}@example.com`,
			key: 'abcdefghijklmnopqrstuvwxyz012345',
			site,
			tokens: [],
			presence: {status: 'active'},
		}),
	);
	return {
		accounts,
		calls,
		clientOf({email}: {email: string}): Client {
			const answer = (operation: string, json: object) => async () => {
				calls.push({operation, email, atMs: time.now()});
				await serve({operation, email});
				return json;
			};
			const client = {
				register: answer('register', {queue_id: 'q', server_presence_ping_interval_seconds: pingSeconds}),
				deleteQueue: answer('deleteQueue', {}),
				getOwnUser: answer('getOwnUser', {is_bot: false}),
				updatePresence: answer('updatePresence', {}),
			};
			// Presence calls no other operation.
			return client as unknown as Client;
		},
		/** When the account was pinged. */
		pingsOf: ({email}: {email: string}) =>
			calls.filter(call => call.operation === 'updatePresence' && call.email === email).map(({atMs}) => atMs),
	};
}

type Redis = Parameters<typeof createPresenceStore>[0];

/** One process's share of the work. */
export function createProcess(
	time: VirtualTime,
	redis: Redis,
	given: Pick<PresenceDependencies, 'accounts' | 'clientOf'>,
) {
	const stopping = new AbortController();
	setMaxListeners(0, stopping.signal);
	const told: object[] = [];
	const dependencies: PresenceDependencies = {
		...given,
		clock: time,
		siteOf: createSites(time.now),
		store: time.holdDuring(createPresenceStore(redis)),
		log: {info() {}, warn: fields => told.push(fields), error: fields => told.push(fields)},
		signal: stopping.signal,
	};
	return {
		/** Its warnings. */
		told,
		stop: () => stopping.abort(),
		run: (data: {v: 1; slice: number; lastsMs: number}) => presenceWorker.run(data, dependencies, time.now()),
	};
}

type Process = ReturnType<typeof createProcess>;

/** Makes the jobs of all slices, each once per period, as the queue does. `takers` decides who takes the n-th. */
export function makeJobs(time: VirtualTime, takers: (n: number) => readonly Process[]) {
	const failed: unknown[] = [];
	const {periodMs = 0, data = []} = presenceWorker.every ?? {};
	let made = 0;
	data.forEach(async (job, n) => {
		await time.sleep((n * periodMs) / data.length);
		for (;;) {
			for (const taker of takers(made++)) {
				taker.run(job).catch(error => failed.push(error));
			}

			await time.sleep(periodMs);
		}
	});
	return {
		failed,
		get made() {
			return made;
		},
	};
}
