// Recurring work, done by the process that first notices that it is due.

import test from 'ava';
import {takeTurns} from '../../src/queue/turns.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';

test('only one of several processes takes each turn, by the clock of Redis', async t => {
	const url = await openRedis(t);
	const redis = await connect(t, url);
	const taken: string[] = [];
	const start = async (process: string) => {
		const turns = takeTurns({
			redis: await connect(t, url),
			name: t.title,
			periodMs: 100,
			count: 2,
			act: async index => void taken.push(`${process} ${index}`),
			report: error => t.fail(String(error)),
		});
		t.teardown(() => turns.stop());
	};
	const before = Number((await redis.time())[0]);
	await start('a');
	await start('b');
	while (taken.length < 20) {
		await new Promise(setImmediate);
	}

	const seconds = Number((await redis.time())[0]) + 1 - before;
	t.true(taken.length <= seconds * 20 + 2, `${taken.length} turns in ${seconds} s`);
	const counts = [0, 1].map(index => taken.filter(turn => turn.endsWith(` ${index}`)).length);
	t.true(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 4, `${counts}`);
});

test('a machine whose clock is two hours ahead does not delay the others', async t => {
	const url = await openRedis(t);
	const redis = await connect(t, url);
	const taken: number[] = [];
	const options = {redis, name: t.title, periodMs: 50, report: (error: Error) => t.fail(String(error))};
	const realNow = Date.now;
	Date.now = () => realNow() + 7_200_000;
	const ahead = takeTurns({...options, act: async () => void taken.push(0)});
	while (taken.length < 2) {
		await new Promise(setImmediate);
	}

	await ahead.stop();
	Date.now = realNow;
	taken.length = 0;
	const right = takeTurns({...options, act: async () => void taken.push(1)});
	t.teardown(() => right.stop());
	while (taken.length < 2) {
		await new Promise(setImmediate);
	}

	t.deepEqual(taken.slice(0, 2), [1, 1]);
});
