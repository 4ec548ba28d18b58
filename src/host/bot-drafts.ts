// The drafts of this host's accounts, in Redis.

import {createDraftAccounts} from '../bot/context/draft-accounts.js';
import type {Account} from '../config/accounts.js';
import {createDraftStore} from '../drafts/store.js';
import {openQueue} from '../queue/define-queue.js';
import {drafts, enqueueSync} from '../queue/drafts.js';
import type {RedisConnection} from '../redis/connection.js';
import type {DraftsOf} from './bots.js';
import type {Host} from './connections.js';

export function openDrafts(
	{log, teardown}: Host,
	{connection, accounts}: {connection: RedisConnection; accounts: readonly Account[]},
): DraftsOf {
	const queue = openQueue(drafts, connection);
	teardown.add(() => queue.close());

	return createDraftAccounts({
		accounts,
		store: createDraftStore(connection),
		async enqueue(account) {
			await enqueueSync(queue, account).catch((error: Error) => {
				// The worker looks at all accounts every minute.
				log.warn(
					{account: account.name, reason: error.message},
					'could not enqueue a sync of drafts; the next one is within a minute',
				);
			});
		},
	});
}
