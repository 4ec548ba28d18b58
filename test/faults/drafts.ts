// `npm run faults drafts`: two thousand races of a person and a worker for the same draft; with `--short` three hundred.

import {type DraftsSize, runDrafts} from './drafts-run.js';

const FULL: DraftsSize = {races: 2_000, people: 6, draftsEach: 20, timeoutMs: 60_000};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const size = {
	...FULL,
	...(process.argv.includes('--short') && {races: 300}),
	...(JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<DraftsSize>),
};
say('drafts, with two workers');
const {races, lost, doubled} = await runDrafts(size, say);
for (const [what, found] of Object.entries({lost, doubled})) {
	if (found.length > 0) {
		say(`  ${what}: ${found.slice(0, 10).join(' | ')}`);
	}
}

say(`lost ${lost.length}, doubled ${doubled.length} of ${races}`);
process.exit(lost.length + doubled.length === 0 ? 0 : 1);
