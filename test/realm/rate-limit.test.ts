// How often one may call within longer times than a test can wait for.

import test from 'ava';
import {Clock} from '../../src/realm/clock.js';
import {LeakyLimit, WindowLimit} from '../../src/realm/http/rate-limit.js';

const START_MS = 1_700_000_000_000;
const ALICE = 4;

test('an hour has room for two thousand calls, however they lie in it', t => {
	const clock = new Clock(START_MS);
	const limit = new WindowLimit(clock);
	for (let minute = 0; minute < 10; minute += 1) {
		for (let call = 0; call < 200; call += 1) {
			t.is(limit.count(ALICE).retryAfter, undefined);
		}

		clock.advance(60_000);
	}

	const refused = limit.count(ALICE);
	clock.advance(3_000_000);
	const later = limit.count(ALICE);

	t.deepEqual(refused, {limit: 2000, remaining: 0, reset: START_MS / 1000 + 9 * 60 + 3600, retryAfter: 3000});
	t.deepEqual(later, {limit: 2000, remaining: 199, reset: START_MS / 1000 + 2 * 3600});
});

test('after 200 polls at once there is room for another every 0.3 seconds', t => {
	const clock = new Clock(START_MS);
	const limit = new LeakyLimit(clock);
	for (let call = 0; call < 200; call += 1) {
		t.is(limit.count(ALICE).retryAfter, undefined);
	}

	t.is(limit.count(ALICE).retryAfter, 0.3);
	clock.advance(300);
	t.is(limit.count(ALICE).retryAfter, undefined);
	t.is(limit.count(ALICE).retryAfter, 0.3);
});

test('whoever polls every 0.3 seconds has to slow down within the hour', t => {
	const clock = new Clock(START_MS);
	const limit = new LeakyLimit(clock);
	let polls = 0;
	while (limit.count(ALICE).retryAfter === undefined) {
		polls += 1;
		clock.advance(300);
	}

	// Of six polls the hour's bucket keeps five.
	t.true(polls > 2390 && polls <= 2400, String(polls));
	t.is(limit.count(ALICE).limit, 2000);
});
