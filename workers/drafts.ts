// Keeps our copy of people's drafts and the service's copy equal: syncs after every change by a bot, and every minute to
// see what people have changed.

import type {Client} from '../src/client/client.js';
import {needsSync} from '../src/drafts/records.js';
import {Later} from '../src/drafts/service.js';
import {serviceOf} from '../src/drafts/service-of.js';
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

/** Long enough for a service to finish its work after the connection broke. */
const UNKNOWN_MS = 10_000;

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
