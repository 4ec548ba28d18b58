// Recurring jobs of BullMQ run at our due times, not at its own.

import test from 'ava';
import {DateTime} from 'luxon';
import {z} from 'zod';
import {Queue} from '../../src/queue/bullmq.js';
import {defineQueue, openQueue} from '../../src/queue/define-queue.js';
import {connectToRedis} from '../helpers/shared-redis.js';

/** The next midnight that Egypt's clocks skip: on the last Friday of April. */
function nextLeap(): DateTime {
	const now = DateTime.now().setZone('Africa/Cairo');
	for (let year = now.year; ; year++) {
		const last = DateTime.fromObject({year, month: 4, day: 30, hour: 1}, {zone: 'Africa/Cairo'});
		const leap = last.minus({days: (last.weekday + 2) % 7});
		if (leap > now) {
			return leap;
		}
	}
}

test('a scheduler makes its job on a day whose midnight is skipped by the clocks', async t => {
	const connection = await connectToRedis(t);
	const definition = defineQueue({name: 'leaps', schema: z.object({v: z.literal(1)}), result: z.object({})});
	const queue = openQueue(definition, connection);
	const leap = nextLeap();

	await queue.repeat('leap', {pattern: `0 0 ${leap.day} 4 *`, tz: 'Africa/Cairo'}, {v: 1});

	const raw = new Queue('leaps', {connection, prefix: '{bothy}'});
	const [job] = await raw.getDelayed();
	t.is(job?.opts.prevMillis, leap.toMillis());
	await Promise.all([raw.close(), queue.close()]);
});
