// What a host stores, in memory. Hosts that share it take over from each other.

import type {DeliveryStore} from '../delivery/store.js';
import type {DraftStore} from '../drafts/store.js';
import type {OutboxStore} from '../outbox/store.js';
import type {CronStore} from '../schedules/cron-store.js';
import type {ValueStore} from '../storage/values.js';
import {Memory} from './memory.js';
import {createMemoryCronStore} from './memory-cron-store.js';
import {createMemoryDraftStore} from './memory-draft-store.js';
import {createMemoryOutboxStore} from './memory-outbox-store.js';
import {createMemoryStore} from './memory-store.js';
import {createMemoryValueStore} from './memory-value-store.js';

export interface MemoryStores {
	readonly memory: Memory;
	readonly deliveries: DeliveryStore;
	readonly outboxes: OutboxStore;
	readonly crons: CronStore;
	readonly values: ValueStore;
	readonly questions: ValueStore;
	readonly drafts: DraftStore;
}

export function createMemoryStores(now: () => number): MemoryStores {
	const memory = new Memory();
	return {
		memory,
		deliveries: createMemoryStore(now, memory),
		outboxes: createMemoryOutboxStore(memory, now),
		crons: createMemoryCronStore(memory),
		values: createMemoryValueStore(memory),
		questions: createMemoryValueStore(memory, 'questions'),
		drafts: createMemoryDraftStore(now),
	};
}
