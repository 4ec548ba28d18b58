// Opens what bots need from the host.

import {createFetchOnce} from '../client/fetch.js';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {awaitMessage} from '../outbox/await-message.js';
import {createSight} from '../outbox/sight.js';
import {createOutboxStore} from '../outbox/store.js';
import type {RedisConnection} from '../redis/connection.js';
import {createValueStore} from '../storage/values.js';
import {openDrafts} from './bot-drafts.js';
import type {Dependencies} from './bots.js';
import {openClients} from './clients.js';
import type {Host} from './connections.js';
import {openSchedules} from './schedules/open-schedules.js';

export interface DependencyOptions {
	readonly redisUrl: string;
	/** The store of deliveries. */
	readonly connection: RedisConnection;
	readonly accounts: readonly Account[];
	enqueue(ref: DeliveryRef): Promise<void>;
}

export function openDependencies(
	host: Host,
	{redisUrl, connection, accounts, enqueue}: DependencyOptions,
): Dependencies {
	const outboxes = createOutboxStore(connection);
	return {
		log: host.log,
		schedules: openSchedules(connection, enqueue),
		values: createValueStore(connection),
		questions: createValueStore(connection, 'questions'),
		sight: createSight(Date.now),
		fetchOnce: createFetchOnce({proxy: host.settings.HTTPS_PROXY || undefined, noProxy: host.settings.NO_PROXY}),
		draftsOf: openDrafts(host, {connection, accounts}),
		clientOf: openClients(host, {redisUrl, accounts, waits: true}),
		sent: (entry, run) => awaitMessage(outboxes, entry, run),
	};
}
