// Sites with people, and the presence worker for them; every ping that a site takes is noted.

import {once, setMaxListeners} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ExecutionContext} from 'ava';
import {type Client, createClient} from '../../src/client/client.js';
import type {PresentAccount} from '../../src/presence/account.js';
import {createSites} from '../../src/presence/sites.js';
import {createPresenceStore} from '../../src/presence/store.js';
import {startWorker} from '../../src/queue/define-worker.js';
import {createAccount, findAccount, Role} from '../../src/realm/people/accounts.js';
import {openStore} from '../../src/realm/store/store.js';
import presenceWorker from '../../workers/presence.js';
import {dataFolder} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {openRealm} from '../realm/realm-kit.js';

export interface Call {
	readonly operation: string;
	readonly email: string;
	readonly status: number;
	readonly atMs: number;
}

/** A realm with so many people more, each to be shown as present. */
export async function openSite(
	t: ExecutionContext,
	{people, name, pingSeconds}: {people: number; name: string; pingSeconds: number},
) {
	const calls: Call[] = [];
	const pings = new Map<string, number[]>();
	const file = join(await dataFolder(t), 'realm.db');
	const realm = await openRealm(t, {
		file,
		presencePingSeconds: pingSeconds,
		log({event, operation, account, status}) {
			if (event === 'request' && typeof account === 'string') {
				const call = {operation: String(operation), email: account, status: Number(status), atMs: Date.now()};
				calls.push(call);
				if (operation === 'updatePresence') {
					pings.set(account, [...(pings.get(account) ?? []), call.atMs]);
				}
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
		pingsOf: ({email}: {email: string}): readonly number[] => pings.get(email) ?? [],
	};
}

/** A site that answers every call late; it notes how many were there at once. */
export async function openSlowSite(t: ExecutionContext, delayMs: number) {
	const site = {url: '', mostAtOnce: 0};
	let atOnce = 0;
	const server = createServer((_request, response) => {
		atOnce += 1;
		site.mostAtOnce = Math.max(site.mostAtOnce, atOnce);
		response.once('close', () => {
			atOnce -= 1;
		});
		setTimeout(() => response.end('{"result":"success","msg":""}\n'), delayMs).unref();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.close();
		server.closeAllConnections();
	});
	site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return site;
}

export interface WorkerOptions {
	readonly accounts: readonly PresentAccount[];
	/** For how long a job has its slice; the product takes 30 s. */
	readonly lastsMs: number;
	readonly now?: () => number;
	/** Told of every call. */
	readonly onCall?: (email: string) => void;
}

/** One worker process's share, in this process. */
export async function startPresence(t: ExecutionContext, redisUrl: string, options: WorkerOptions) {
	const {accounts, lastsMs, now = Date.now, onCall} = options;
	const stopping = new AbortController();
	setMaxListeners(0, stopping.signal);
	const clients = new Map<string, Client>();
	const clientOf = ({site, email}: {site: string; email: string}) => {
		const account = accounts.find(candidate => candidate.site === site && candidate.email === email);
		const id = `${site} ${email}`;
		const client = clients.get(id) ?? (account && createClient({...account, userAgent: 'Bothy/1.2.3'}));
		if (client) {
			clients.set(id, client);
		}

		onCall?.(email);
		return client;
	};
	const every = {
		periodMs: lastsMs,
		data: (presenceWorker.every?.data ?? []).map(data => ({...data, lastsMs})),
	};
	const warnings: object[] = [];
	const worker = await startWorker({...presenceWorker, every}, await connect(t, redisUrl), {
		accounts,
		clientOf,
		siteOf: createSites(now),
		store: createPresenceStore(await connect(t, redisUrl)),
		log: {info() {}, warn: fields => warnings.push(fields), error: fields => warnings.push(fields)},
		now,
		signal: stopping.signal,
	});
	let closing: Promise<void> | undefined;
	const close = () => {
		closing ??= (async () => {
			stopping.abort();
			await worker.close();
			await Promise.all([...clients.values()].map(client => client.close()));
		})();
		return closing;
	};
	t.teardown(close);
	return {close, warnings};
}

/** Waits until something holds that is bound to come. */
export async function until(holds: () => boolean, withinMs = 30_000): Promise<void> {
	const deadline = performance.now() + withinMs;
	while (!holds()) {
		if (performance.now() > deadline) {
			throw new Error(`Expected it within ${withinMs} ms: ${holds}`);
		}

		await sleep(20);
	}
}

/** How many commands a Redis server has run, also within scripts. */
export async function countCommands(redis: {info(section: string): Promise<string>}): Promise<number> {
	const text = await redis.info('commandstats');
	return [...text.matchAll(/calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
