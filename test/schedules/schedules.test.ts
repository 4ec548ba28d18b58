// Listing schedules takes one read for each outbox, whatever its size.

import test from 'ava';
import type {OutboxEntry} from '../../src/delivery/store.js';
import {createOutboxStore, type OutboxStore} from '../../src/outbox/store.js';
import {createCronStore} from '../../src/schedules/cron-store.js';
import {createSchedules} from '../../src/schedules/schedules.js';
import {connectToRedis} from '../helpers/shared-redis.js';

const ACCOUNT = 'https://chat|bot@x';
const NOW = 1_000_000_000_000;
const EACH = 300;

test('a listing reads each outbox once, and one id reads one entry', async t => {
	const redis = await connectToRedis(t);
	const stored = createOutboxStore(redis);
	let reads = 0;
	const outboxes: OutboxStore = {
		...stored,
		read(ref) {
			reads++;
			return stored.read(ref);
		},
	};
	for (const id of ['7-a', '8-b']) {
		for (let n = 1; n <= EACH; n++) {
			const entry = {n, kind: 'send', target: '{"dm":[9]}', text: 'tea', dueAt: NOW + n, mayBePosted: false};
			await outboxes.put({account: ACCOUNT, id}, entry as OutboxEntry, `${id}-${n}`);
		}
	}

	const enqueued: string[] = [];
	const schedules = createSchedules({
		outboxes,
		crons: createCronStore(redis),
		enqueue: async ({id}) => void enqueued.push(id),
		now: () => NOW,
	});

	const listed = await schedules.list(ACCOUNT);
	t.is(listed.length, 2 * EACH);
	t.is(reads, 2);

	t.like(await schedules.find(ACCOUNT, '8-b-17'), {kind: 'once', id: '8-b-17', dueAt: NOW + 17, text: 'tea'});
	t.true(await schedules.cancel(ACCOUNT, '8-b-17'));
	t.is(await schedules.find(ACCOUNT, '8-b-17'), undefined);
	t.is(await schedules.find(ACCOUNT, 'nothing'), undefined);
	t.deepEqual(enqueued, ['8-b']);
	t.is(reads, 2);
	t.is((await schedules.list(ACCOUNT)).length, 2 * EACH - 1);
});
