// Code that checks for lapsed leases waits after Redis was away or frozen.

import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {watchSettling} from '../../src/host/settling.js';

/** A Redis and a clock that the test controls. */
function start() {
	let now = 0;
	let look = () => {};
	const answers: ((error?: Error) => void)[] = [];
	const settling = watchSettling({
		ping: () =>
			new Promise<void>((resolve, reject) => {
				answers.push(error => (error ? reject(error) : resolve()));
			}),
		settleMs: 10_000,
		now: () => now,
		every(_ms, act) {
			look = act;
			return () => {};
		},
	});
	return {
		settling,
		/** Checks Redis after this much time. */
		after(ms: number) {
			now += ms;
			look();
		},
		async answer(error?: Error) {
			for (const answer of answers.splice(0)) {
				answer(error);
			}

			await setImmediate();
		},
	};
}

test('a start waits for as long as holders get to renew', async t => {
	const {settling, after, answer} = start();

	after(9_999);
	await answer();
	t.false(settling.isSettled());
	after(1);
	t.true(settling.isSettled());
});

test('a frozen Redis counts as away, from the moment on in which no answer comes back', async t => {
	const {settling, after, answer} = start();
	after(10_000);
	t.true(settling.isSettled());

	after(1_000);
	t.true(settling.isSettled());
	after(1);
	t.false(settling.isSettled());
	await answer();

	t.false(settling.isSettled());
	after(9_999);
	t.false(settling.isSettled());
	await answer();
	after(1);
	t.true(settling.isSettled());
});

test('a Redis that refuses counts as away', async t => {
	const {settling, after, answer} = start();
	after(10_000);

	await answer(new Error('gone'));

	t.false(settling.isSettled());
	after(10_000);
	t.true(settling.isSettled());
});

test('an outage that the connection noticed restarts the wait', async t => {
	const {settling, after, answer} = start();
	after(10_000);
	await answer();

	settling.restart();

	t.false(settling.isSettled());
	after(10_000);
	t.true(settling.isSettled());
});
