// Keeps event queues across an orderly restart of the realm: saves them in the database and restores them at the start
// (service-facts.md 3.2).

import {findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import {messageFilter} from './message-filter.js';
import type {SavedQueue} from './queue.js';

export function saveQueues({store, queues}: Pick<Services, 'store' | 'queues'>): void {
	store.transaction(() => {
		for (const queue of queues.saved()) {
			store.run('INSERT INTO event_queues (id, queue) VALUES (?, ?)', queue.id, JSON.stringify(queue));
		}
	});
}

/** Restores the queues that the last realm saved, and publishes the restart to them. */
export function restoreQueues(services: Services): void {
	const {store, queues, version, featureLevel, generation} = services;
	for (const row of store.all<{queue: string}>('SELECT queue FROM event_queues')) {
		// Only `saveQueues` writes this table.
		const saved = JSON.parse(row.queue) as SavedQueue;
		const owner = findAccount(store, saved.options.userId);
		if (owner) {
			queues.restore(saved, messageFilter(store, owner, saved.options.narrow));
		}
	}

	store.run('DELETE FROM event_queues');
	queues.publish({
		type: 'restart',
		zulip_version: version,
		zulip_merge_base: version,
		zulip_feature_level: featureLevel,
		server_generation: generation,
	});
}
