import {statSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {isSetting} from './scripts/settings.mjs';
import {observeRun} from './scripts/test-events.mjs';

// Tests do not see the settings of the shell that starts them.
for (const name of Object.keys(process.env).filter(isSetting)) {
	delete process.env[name];
}

// The end of the run waits for none of these.
const longest = [
	'journeys/survives',
	'journeys/bad-bots',
	'journeys/dev',
	'journeys/start',
	'journeys/events',
	'journeys/package',
	'scripts/test',
];

// These tests mostly wait for processes that they start. They begin first, and all others use the time that they leave.
const waitingFolders = ['journeys', 'workers', 'cli', 'host', 'processes', 'scripts'];

function turnOf(file) {
	const turn = longest.findIndex(name => file.endsWith(`${path.normalize(name)}.test.js`));
	if (turn >= 0) {
		return turn - longest.length;
	}

	const folder = waitingFolders.indexOf(path.basename(path.dirname(file)));
	return folder === -1 ? waitingFolders.length : folder;
}

export default {
	files: ['dist/test/**/*.test.js'],
	// One file per processor would leave processors idle.
	concurrency: 2 * availableParallelism() + 1,
	sortTestFiles: (one, other) => turnOf(one) - turnOf(other) || statSync(other).size - statSync(one).size,
	timeout: '2m',
	workerThreads: false,
	// A bot imports the modules that the tests import too, not the bundle.
	nodeArguments: ['--conditions=bothy-modules'],
	// scripts/test.mjs listens. AVA itself reports to everybody else.
	...(process.send && {nonSemVerExperiments: {observeRunsFromConfig: true}, observeRun}),
};
