// `npm run bench [name]`: every benchmark, or the one that is named.

import {benchReceiver} from './receiver.js';
import {missedFigures, note} from './report.js';

const benchmarks: Record<string, () => Promise<void>> = {receiver: benchReceiver};

const [wanted] = process.argv.slice(2);
const chosen = Object.entries(benchmarks).filter(([name]) => wanted === undefined || name === wanted);
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
