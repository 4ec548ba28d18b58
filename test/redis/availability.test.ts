// Which errors mean that Redis is away, and which are real errors.

import test from 'ava';
import {createAvailability} from '../../src/redis/availability.js';

const quiet = {info() {}, warn() {}};

/** In the form in which ioredis reports a server's error. */
function refusal(message: string): Error {
	return Object.assign(new Error(message), {name: 'ReplyError'});
}

const away = test.macro({
	title: (_, error: Error) => `Redis is away when it says "${error.message}"`,
	async exec(t, error: Error) {
		const availability = createAvailability({probe: () => new Promise(() => {}), log: quiet});
		t.teardown(() => availability.close());

		t.is(await availability.attempt(() => Promise.reject(error)), undefined);

		t.true(availability.isAway);
	},
});

test(away, refusal("READONLY You can't write against a read only replica. script: 24e8, on @user_script:3."));
test(
	away,
	refusal(
		'ERR Error running script (call to f_24e8): @user_script:3: @user_script: 3: -READONLY You can not write against a read only replica.',
	),
);
test(away, refusal('NOREPLICAS Not enough good replicas to write.'));
test(away, refusal('LOADING Redis is loading the dataset in memory'));
test(away, refusal('CLUSTERDOWN The cluster is down'));
test(away, refusal('UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)'));
test(away, new Error('Command timed out'));
test(away, new Error('Connection is closed.'));
test(away, new Error("Cluster isn't ready and enableOfflineQueue options is false"));
test(away, new Error('Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down'));

const fault = test.macro({
	title: (_, error: Error) => `"${error.message}" is thrown to the caller`,
	async exec(t, error: Error) {
		const availability = createAvailability({probe: async () => {}, log: quiet});

		t.is(await t.throwsAsync(availability.attempt(() => Promise.reject(error))), error);

		t.false(availability.isAway);
	},
});

test(fault, refusal('ERR Error running script (call to f_24e8): @user_script:3: attempt to index a nil value'));
test(fault, refusal('WRONGTYPE Operation against a key holding the wrong kind of value'));
test(fault, new TypeError("Cannot read properties of undefined (reading 'READONLY')"));

test('a Redis that answers few steps in time still runs all waiting steps', async t => {
	let isThere = false;
	let together: {steps: number} | undefined;
	const availability = createAvailability({
		async probe() {
			if (!isThere) {
				throw new Error('Command timed out');
			}
		},
		log: quiet,
	});
	t.teardown(() => availability.close());
	// A waiting step does not keep a process alive.
	const alive = setInterval(() => {}, 1_000);
	t.teardown(() => clearInterval(alive));
	/** With too many at once, it answers none of them in time. */
	async function step(): Promise<string> {
		together ??= {steps: 0};
		const others = together;
		others.steps++;
		await new Promise(setImmediate);
		together = undefined;
		if (!isThere || others.steps > 100) {
			throw new Error('Command timed out');
		}

		return 'done';
	}

	const waiting = Array.from({length: 1_000}, () => availability.retry(step, () => false));
	await new Promise(setImmediate);
	t.true(availability.isAway);
	isThere = true;

	t.is((await Promise.all(waiting)).length, 1_000);
});
