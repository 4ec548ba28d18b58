// A process with a watchdog, for tests. Its first argument is the action, and the second is how long it may be blocked.

import {writeSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {startWatchdog} from '../../../src/host/processes/watchdog.js';
import {prepareTypeScript} from '../../../src/plugins/import-plugin.js';

const STALL_MS = Number(process.argv[3]);
const SOURCE = process.argv[4] ?? '';

let stutters = 0;
const tasks: Record<string, () => void | Promise<void>> = {
	loop() {
		watchdog.enter('finished echo')();
		watchdog.enter('first echo');
		watchdog.enter('second looper');
		setImmediate(loopForEver);
	},
	idle() {},
	/** Loads a loop in TypeScript, as `npm run dev` loads bots. */
	async typed() {
		await import(SOURCE);
	},
	/** Loads a loop in JavaScript. */
	async plain() {
		await import(SOURCE);
	},
	crowd() {
		for (let count = 0; count < 1000; count += 1) {
			watchdog.enter(`delivery ${count} ${'ü'.repeat(300)}`);
		}

		setImmediate(loopForEver);
	},
	/** Answers each line. */
	talk() {
		createInterface(process.stdin).on('line', line => writeSync(1, `${line}\n`));
		writeSync(1, 'ready\n');
	},
	/** Stands still for twice the limit, as if the machine had no CPU time left. */
	starve() {
		standStill(2 * STALL_MS);
	},
	/** Waits for something that never happens. */
	wait() {
		standStill(Number.POSITIVE_INFINITY);
	},
	/** Blocks, but never for too long. */
	stutter() {
		standStill(STALL_MS / 2);
		if (stutters < 4) {
			stutters += 1;
			setTimeout(tasks.stutter ?? (() => {}), 1);
		}
	},
};

// This blocks, too.
await (process.argv[2] === 'typed' ? prepareTypeScript() : undefined);
const watchdog = startWatchdog({
	stallMs: STALL_MS,
	// However busy the machine is.
	stackMs: 60_000,
	report(error) {
		throw error;
	},
});
tasks[process.argv[2] ?? '']?.();

function loopForEver(): never {
	for (;;) {
		Math.random();
	}
}

function standStill(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
