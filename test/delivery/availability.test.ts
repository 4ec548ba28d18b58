import test from 'ava';
import {createAvailability} from '../../src/delivery/availability.js';

const log = {warn() {}, info() {}};

test('a Redis that answers few steps in time gets to all that waited', async t => {
	let isThere = false;
	let together: {steps: number} | undefined;
	const availability = createAvailability({
		async probe() {
			if (!isThere) {
				throw new Error('Command timed out');
			}
		},
		log,
	});
	t.teardown(() => availability.close());
	// What waits keeps no process alive.
	const alive = setInterval(() => {}, 1_000);
	t.teardown(() => clearInterval(alive));
	/** Too many at once, and it says nothing to any of them in time. */
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
