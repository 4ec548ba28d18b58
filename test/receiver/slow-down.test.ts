import test from 'ava';
import {createSlowDown} from '../../src/receiver/slow-down.js';

function failOften(slowDown: ReturnType<typeof createSlowDown>) {
	for (let count = 0; count < 20; count++) {
		slowDown('10.0.0.1', 'echo@x');
	}
}

test('the first failures cost nothing, and each further one costs more, up to a limit', t => {
	const slowDown = createSlowDown(() => 0);

	const waits = Array.from({length: 60}, () => slowDown('10.0.0.1', 'echo@x'));

	t.deepEqual(waits.slice(0, 7), [0, 0, 0, 0, 0, 100, 200]);
	t.is(waits.at(-1), 3000);
});

test('each address and each bot has its own count', t => {
	const slowDown = createSlowDown(() => 0);
	failOften(slowDown);

	t.is(slowDown('10.0.0.2', 'echo@x'), 0);
	t.is(slowDown('10.0.0.1', 'dice@x'), 0);
	t.true(slowDown('10.0.0.1', 'ECHO@x') > 0);
});

test('failures are forgotten after ten quiet minutes', t => {
	let now = 0;
	const slowDown = createSlowDown(() => now);
	failOften(slowDown);

	now = 10 * 60_000;

	t.is(slowDown('10.0.0.1', 'echo@x'), 0);
});

test('a client that guesses with a new name each time does not fill the memory', t => {
	const slowDown = createSlowDown(() => 0);
	failOften(slowDown);

	for (let count = 0; count < 10_000; count++) {
		slowDown('10.0.0.1', `bot-${count}@x`);
	}

	t.is(slowDown('10.0.0.1', 'echo@x'), 0, 'the oldest is forgotten');
});
