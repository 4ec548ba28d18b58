// `npm run bench [name]`: every benchmark, or the one that is named.

import {benchClient} from './client.js';
import {benchConsole} from './console.js';
import {benchMemory} from './memory.js';
import {benchPayload} from './payload.js';
import {benchReceiver} from './receiver.js';
import {missedFigures, note} from './report.js';
import {benchScaling} from './scaling.js';
import {benchSends} from './sends.js';
import {benchSoak} from './soak.js';
import {benchStart} from './start.js';

const benchmarks: Record<string, () => void | Promise<void>> = {
	receiver: benchReceiver,
	payload: benchPayload,
	client: benchClient,
	memory: benchMemory,
	sends: benchSends,
	scaling: benchScaling,
	console: benchConsole,
	start: benchStart,
	soak: benchSoak,
};

const [wanted] = process.argv.slice(2);
const chosen = Object.entries(benchmarks).filter(([name]) =>
	// The soak takes a quarter of an hour: only for those who ask for it.
	wanted === undefined ? name !== 'soak' : name === wanted,
);
if (chosen.length === 0) {
	process.stderr.write(`Expected one of ${Object.keys(benchmarks).join(', ')}, found ${wanted}\n`);
	process.exit(1);
}

for (const [name, run] of chosen) {
	process.stdout.write(`${name}\n`);
	await run();
}

note(`${missedFigures()} figures missed their bound`);
process.exit(0);
