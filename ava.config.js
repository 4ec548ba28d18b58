import {availableParallelism} from 'node:os';
import {gather} from './scripts/together.mjs';

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

/** These keep a process busy by themselves. */
const heavy = new Set(['realm/fuzz.test.js', 'realm/levels.test.js', 'realm/page.test.js']);

function turnOf(file) {
	const turn = waiting.findIndex(end => file.endsWith(end));
	return turn === -1 ? waiting.length : turn;
}

function files() {
	if (isFaults) {
		return ['dist/test/faults/**/*.test.js'];
	}

	const all = ['dist/test/**/*.test.js', '!dist/test/faults/**'];
	const isOfNamedFiles = process.argv.slice(2).some(word => word.endsWith('.js'));
	if (isOfNamedFiles) {
		return [...all, '!dist/test/together/**'];
	}

	const gathered = gather(['bot', 'bots', 'realm', 'wire'], file => heavy.has(file));
	return [...all, ...gathered.map(file => `!dist/test/${file}`)];
}

export default {
	files: files(),
	// As many files as processors would leave them idle.
	...(!isFaults && {concurrency: 2 * availableParallelism() + 1}),
	sortTestFiles: (one, other) => turnOf(one) - turnOf(other) || (one < other ? -1 : 1),
	timeout: '2m',
	workerThreads: false,
};
