import {availableParallelism} from 'node:os';

// The fault suite needs the machine for itself: beside other tests Redis seems slow to it, which is a fault of another kind.
const isFaults = process.env.BOTHY_TEST === 'faults';

// What mostly waits (for periods, deadlines, processes that start) begins first, and everything else fills the gaps.
const waiting = [
	'workers/presence-crowd',
	'workers/presence',
	'journeys/deliveries',
	'journeys/start',
	'journeys/package',
	'journeys/bad-bots',
	'journeys/events',
	'cli/presence',
	'cli/ledger',
	'journeys/questions',
	'journeys/schedules',
	'workers/events',
	'realm/page',
	'journeys/drafts',
	'cli/later',
	'effects/effects',
	'scripts/mutate',
].map(name => `/dist/test/${name}.test.js`);

function turnOf(file) {
	const turn = waiting.findIndex(end => file.endsWith(end));
	return turn === -1 ? waiting.length : turn;
}

export default {
	files: isFaults ? ['dist/test/faults/**/*.test.js'] : ['dist/test/**/*.test.js', '!dist/test/faults/**'],
	// As many files as processors would leave them idle.
	...(!isFaults && {concurrency: 2 * availableParallelism() + 1}),
	sortTestFiles: (one, other) => turnOf(one) - turnOf(other) || (one < other ? -1 : 1),
	timeout: '2m',
	workerThreads: false,
};
