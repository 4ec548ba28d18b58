// One process at a time sweeps. If it ends, another one takes over.

import test from 'ava';
import {readSweptAt, startSweeping} from '../../src/host/sweeping.js';
import {connect, startRedis} from '../helpers/redis.js';

test('of two hosts one sweeps in each period, and none before Redis has settled', async t => {
	const redis = await connect(t, await startRedis(t));
	const swept: string[] = [];
	let isSettled = false;
	const start = (name: string) => {
		let go = () => {};
		const looks: Promise<void>[] = [];
		let looked = () => {};
		const nextLook = () => {
			looks.push(
				new Promise(resolve => {
					looked = resolve;
				}),
			);
		};
		nextLook();
		const sweeping = startSweeping({
			redis,
			isSettled: () => isSettled,
			sweep: async () => void swept.push(name),
			report: error => t.fail(error.message),
			wait(_ms, signal) {
				looked();
				return new Promise(resolve => {
					go = () => resolve(undefined);
					signal.addEventListener('abort', go);
				});
			},
		});
		t.teardown(() => sweeping.stop());
		return {
			/** Resolves when it has looked once. */
			looked: () => looks.at(-1),
			again: () => {
				nextLook();
				go();
				return looks.at(-1);
			},
		};
	};

	const one = start('one');
	const other = start('other');
	await Promise.all([one.looked(), other.looked()]);
	t.deepEqual(swept, []);
	t.is(await readSweptAt(redis), undefined);

	isSettled = true;
	await Promise.all([one.again(), other.again()]);
	t.is(swept.length, 1);
	t.true(((await readSweptAt(redis)) ?? 0) > 0);

	await redis.del('{bothy}:sweep-turn');
	await other.again();
	t.is(swept.length, 2);
	t.is(swept[1], 'other');
});
