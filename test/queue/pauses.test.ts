// A pause that one process is asked for holds in all, also in one that starts later.

import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {createPauses} from '../../src/queue/pauses.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';

const ECHO = {site: 'https://chat.example.com', email: 'Echo-bot@chat.example.com'};
const OTHER = {...ECHO, email: 'other-bot@chat.example.com'};

async function openProcess(t: ExecutionContext, url: string) {
	return createPauses(await connect(t, url), await connect(t, url));
}

async function untilPaused(remainingMs: () => number): Promise<number> {
	while (remainingMs() === 0) {
		await setTimeout(5);
	}

	return remainingMs();
}

test('a pause reaches the other processes, and no other account', async t => {
	const url = await openRedis(t);
	const [one, two] = [await openProcess(t, url), await openProcess(t, url)];
	const elsewhere = two.of({...ECHO, email: ECHO.email.toLowerCase()});

	one.of(ECHO).begin(60_000);

	const ms = await untilPaused(elsewhere.remainingMs);
	t.true(ms > 50_000 && ms <= 60_000);
	t.is(two.of(OTHER).remainingMs(), 0);
});

test('a process that starts later learns of it, and it ends', async t => {
	const url = await openRedis(t);
	const one = await openProcess(t, url);
	one.of(ECHO).begin(1_500);
	await setTimeout(50);

	const later = (await openProcess(t, url)).of(ECHO);

	await untilPaused(later.remainingMs);
	while (later.remainingMs() > 0) {
		await setTimeout(20);
	}

	t.is(one.of(ECHO).remainingMs(), 0);
});
