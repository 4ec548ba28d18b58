// A pause that one process records holds in all, even in one that starts later.

import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {createPauses} from '../../src/host/pauses.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';

const accountOf = (name: string) => ({site: 'https://chat.example.com', email: `${name}@chat.example.com`});

/** Processes whose clock is stopped. */
async function start(t: ExecutionContext) {
	const url = await openRedis(t);
	const clock = {now: 0};
	return {
		clock,
		async openProcess() {
			const redis = await connect(t, url);
			const pauses = createPauses(redis, await connect(t, url), () => clock.now);
			return {of: pauses.of, isHeard: () => redis.ping()};
		},
	};
}

async function untilPaused(remainingMs: () => number): Promise<number> {
	while (remainingMs() === 0) {
		await setTimeout(5);
	}

	return remainingMs();
}

test('a pause reaches the other processes, and no other account', async t => {
	const {openProcess} = await start(t);
	const [one, two] = [await openProcess(), await openProcess()];
	const elsewhere = two.of(accountOf('echo'));

	one.of(accountOf('ECHO')).begin(60_000);

	t.is(await untilPaused(elsewhere.remainingMs), 60_000);
	t.is(two.of(accountOf('other')).remainingMs(), 0);
});

test('a process that starts later sees a pause, and the pause ends', async t => {
	const {openProcess, clock} = await start(t);
	const one = await openProcess();
	one.of(accountOf('late')).begin(60_000);
	await one.isHeard();

	const later = (await openProcess()).of(accountOf('late'));
	const ms = await untilPaused(later.remainingMs);
	t.true(ms > 0 && ms <= 60_000);
	clock.now = 60_001;

	t.is(later.remainingMs(), 0);
	t.is(one.of(accountOf('late')).remainingMs(), 0);
});
