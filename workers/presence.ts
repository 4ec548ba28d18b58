// Shows people's accounts as present, as often as their service expects and within their hours.

import type {Client} from '../src/client/client.js';
import {type PresentAccount, presenceStateOf} from '../src/presence/account.js';
import type {Clock} from '../src/presence/clock.js';
import {dueTimes, SLICES, sliceOf} from '../src/presence/due.js';
import {Pinger, TIMEOUT_MS} from '../src/presence/pinger.js';
import type {Site} from '../src/presence/sites.js';
import type {PresenceStore} from '../src/presence/store.js';
import {defineWorker, type WorkerLog} from '../src/queue/define-worker.js';
import {presence} from '../src/queue/presence.js';
import {accountTag} from '../src/redis/account-key.js';

export interface PresenceDependencies {
	readonly accounts: readonly PresentAccount[];
	/** The client of one of our accounts. */
	clientOf(account: {site: string; email: string}): Client | undefined;
	siteOf(url: string): Site;
	readonly store: PresenceStore;
	readonly log: WorkerLog;
	readonly clock: Clock;
	/** Fires when the process must stop. */
	readonly signal: AbortSignal;
}

/** How long a job has its slice. A process that ends leaves at most this much undone. */
const LASTS_MS = 30_000;

export default defineWorker({
	queue: presence,
	// A job takes longer if a site answers late. The next jobs then start while it runs.
	concurrency: 10 * SLICES,
	every: {
		periodMs: LASTS_MS,
		overlaps: true,
		data: Array.from({length: SLICES}, (_, slice) => ({v: 1 as const, slice, lastsMs: LASTS_MS})),
	},
	async run({slice, lastsMs}, dependencies: PresenceDependencies) {
		const accounts = dependencies.accounts.filter(account => sliceOf(accountTag(account)) === slice);
		if (accounts.length === 0 || dependencies.signal.aborted) {
			return {pings: 0};
		}

		const now = dependencies.clock.now();
		const until = now + lastsMs;
		const from = await dependencies.store.claim(slice, {now, until, catchUpMs: lastsMs});
		const bySite = await openPingers(accounts, dependencies);
		const work = {range: {from, until}, staleAt: until + lastsMs / 2, dependencies};
		const pings = await Promise.all(
			[...bySite].map(([url, entries]) => pingSite(dependencies.siteOf(url), entries, work)),
		);
		return {pings: pings.reduce((sum, count) => sum + count, 0)};
	},
});

interface Entry {
	readonly tag: string;
	readonly client: Client;
	readonly pinger: Pinger;
}

/** Accounts by site, with their states. */
async function openPingers(
	accounts: readonly PresentAccount[],
	dependencies: PresenceDependencies,
): Promise<Map<string, Entry[]>> {
	const {store, clientOf, siteOf, log, clock, signal} = dependencies;
	const kept = await store.read(accounts.map(accountTag));
	const bySite = new Map<string, Entry[]>();
	for (const [n, account] of accounts.entries()) {
		const client = clientOf(account);
		if (!client) {
			throw new Error(`Expected a client for ${account.email} on ${account.site}, found none`);
		}

		const tag = accountTag(account);
		const pinger = new Pinger({
			account,
			state: presenceStateOf(account, kept[n]),
			client,
			site: siteOf(account.site),
			log,
			now: clock.now,
			signal,
			keep: state => store.write(new Map([[tag, state]])),
		});
		bySite.set(account.site, [...(bySite.get(account.site) ?? []), {tag, client, pinger}]);
	}

	return bySite;
}

interface Work {
	readonly range: {readonly from: number; readonly until: number};
	/** Pings that still wait at this time are given up. */
	readonly staleAt: number;
	readonly dependencies: PresenceDependencies;
}

/** Pings each account of one site when it is due, waits for the answers and stores the states of the accounts. */
async function pingSite(site: Site, entries: readonly Entry[], {range, staleAt, dependencies}: Work): Promise<number> {
	const {clock, signal, store} = dependencies;
	const before = new Map(entries.map(({tag, pinger}) => [tag, pinger.state]));
	const able = entries.filter(({pinger}) => !pinger.isParked);
	// A ping that the service has accepted before.
	const first = able.find(({pinger}) => pinger.state.isPerson) ?? able[0];
	if (!first) {
		return 0;
	}

	const intervalMs = await site.intervalMs(() => askInterval(first.client, signal));
	const due = able
		.flatMap(({tag, pinger}) => dueTimes(tag, {...range, intervalMs}).map(at => ({at, pinger})))
		.sort((a, b) => a.at - b.at);
	const pings: Promise<void>[] = [];
	for (const {at, pinger} of due) {
		await clock.sleep(Math.max(0, at - clock.now()), signal);
		// A ping that is half an interval late would be too close to the next one.
		const ping = site.line.run(() => pinger.ping({staleAt: Math.min(at + intervalMs / 2, staleAt)}));
		// Redis may refuse to store the state. The error is thrown below; until then it must not end the process.
		ping.catch(() => {});
		pings.push(ping);
	}

	await Promise.all(pings);
	const changed = entries.filter(({tag, pinger}) => pinger.state !== before.get(tag));
	await store.write(new Map(changed.map(({tag, pinger}) => [tag, pinger.state])));
	return entries.reduce((sum, {pinger}) => sum + pinger.pings, 0);
}

/** The service's ping interval. The answer to a registration contains it, so the queue is deleted at once. */
async function askInterval(client: Client, signal: AbortSignal): Promise<number> {
	const options = {signal, timeoutMs: TIMEOUT_MS};
	const state = await client.register({event_types: [], fetch_event_types: ['realm']}, options);
	// If the deletion fails, the queue lapses by itself.
	await client.deleteQueue({queue_id: state.queue_id}, options).catch(() => {});
	const seconds = state.server_presence_ping_interval_seconds;
	if (seconds === undefined || seconds < 1) {
		throw new Error(`Expected a ping interval of at least 1 s, found ${seconds}`);
	}

	return seconds * 1000;
}
