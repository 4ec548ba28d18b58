import {createCronStore} from '../delivery/crons.js';
import {createOutboxStore} from '../delivery/outbox-store.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {createSchedules, type Schedules} from '../delivery/schedules.js';
import type {RedisConnection} from '../queue/connection.js';

/** What the accounts have said for later. */
export function openSchedules(connection: RedisConnection, wake: (ref: DeliveryRef) => Promise<void>): Schedules {
	return createSchedules({
		outboxes: createOutboxStore(connection),
		crons: createCronStore(connection),
		wake,
		now: Date.now,
	});
}
