// A command that is told to reload. What it opened first closes slowly. Its second start never ends, or ends at once.

import {setTimeout as sleep} from 'node:timers/promises';
import {runReloading} from '../../src/host/run.js';

const isEndless = process.argv[2] === 'endless';
let starts = 0;

await runReloading(async ({teardown}) => {
	starts += 1;
	if (starts === 1) {
		teardown.add(async () => {
			process.stdout.write('closing\n');
			await sleep(1_500);
			process.stdout.write('closed\n');
		});
		setImmediate(() => process.kill(process.pid, 'SIGHUP'));
		return;
	}

	if (isEndless) {
		process.stdout.write('opening\n');
		await new Promise(() => {});
	}
});
