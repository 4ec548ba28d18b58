// What bots do their work with, made of this host's parts.

import {createFetchOnce} from '../client/fetch.js';
import type {Account} from '../config/accounts.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {messageOf} from '../outbox/sent.js';
import {createSight} from '../outbox/sight.js';
import {createOutboxStore} from '../outbox/store.js';
import type {RedisConnection} from '../redis/connection.js';
import {createValueStore} from '../storage/values.js';
import {openDrafts} from './bot-drafts.js';
import type {Tools} from './bots.js';
import {openClients} from './clients.js';
import {openSchedules} from './open-schedules.js';
import type {Host} from './parts.js';

export interface ToolParts {
	readonly redisUrl: string;
	/** Where deliveries are kept. */
	readonly connection: RedisConnection;
	readonly accounts: readonly Account[];
	wake(ref: DeliveryRef): Promise<void>;
}

export function openTools(host: Host, {redisUrl, connection, accounts, wake}: ToolParts): Tools {
	const outboxes = createOutboxStore(connection);
	return {
		log: host.log,
		schedules: openSchedules(connection, wake),
		values: createValueStore(connection),
		questions: createValueStore(connection, 'questions'),
		sight: createSight(Date.now),
		fetchOnce: createFetchOnce({proxy: host.settings.HTTPS_PROXY || undefined, noProxy: host.settings.NO_PROXY}),
		draftsOf: openDrafts(host, {connection, accounts}),
		clientOf: openClients(host, {redisUrl, accounts, waits: true}),
		sent: (entry, run) => messageOf(outboxes, entry, run),
	};
}
