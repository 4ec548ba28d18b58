// Who looks for lapsed leases waits after Redis was away, and also when it only stood still.

import {setTimeout} from 'node:timers/promises';
import test from 'ava';
import {watchSettling} from '../../src/cli/settling.js';
import {startOwnRedis} from '../faults/own-redis.js';
import {dataFolder} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) {
		await setTimeout(5);
	}
}

test('a Redis that stood still counts as one that was away, from the moment on in which nothing came back', async t => {
	const redis = await startOwnRedis(await dataFolder(t));
	t.teardown(() => redis.stop());
	const connection = await connect(t, redis.url);
	const settling = watchSettling({ping: () => connection.ping(), settleMs: 1_500});
	t.teardown(() => settling.stop());
	t.false(settling.isSettled());
	await until(settling.isSettled);

	let isOver = false;
	const paused = redis.pause(3_000).then(() => {
		isOver = true;
	});
	await until(() => !settling.isSettled());

	t.false(isOver, 'it is noticed while nothing comes back');
	await paused;
	const back = performance.now();
	await until(settling.isSettled);
	t.true(performance.now() - back > 1_000);
});

test('an outage that the connection noticed starts the time anew', async t => {
	const settling = watchSettling({ping: async () => {}, settleMs: 200});
	t.teardown(() => settling.stop());
	await until(settling.isSettled);

	const restarted = performance.now();
	settling.restart();

	t.false(settling.isSettled());
	await until(settling.isSettled);
	t.true(performance.now() - restarted >= 200);
});
