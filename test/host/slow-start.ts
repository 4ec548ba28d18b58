// A command whose start never ends. What it has opened serves others, or not, and closes slowly.

import {setTimeout as sleep} from 'node:timers/promises';
import {run} from '../../src/host/run.js';

const isServing = process.argv[2] === 'serves';

await run(async ({teardown}) => {
	teardown.add(
		async () => {
			await sleep(1_500);
			process.stdout.write('closed\n');
		},
		() => isServing,
	);
	process.stdout.write('opened\n');
	await new Promise(() => {});
});
