import type {DeliveryRef} from '../../delivery/ref.js';
import {createOutboxStore} from '../../outbox/store.js';
import type {RedisConnection} from '../../redis/connection.js';
import {createCronStore} from '../../schedules/cron-store.js';
import {createSchedules, type StoredSchedules} from '../../schedules/schedules.js';

/** Opens the schedules of accounts. */
export function openSchedules(
	connection: RedisConnection,
	enqueue: (ref: DeliveryRef) => Promise<void>,
): StoredSchedules {
	return createSchedules({
		outboxes: createOutboxStore(connection),
		crons: createCronStore(connection),
		enqueue,
		now: Date.now,
	});
}
