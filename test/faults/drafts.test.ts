// The suite in short: `npm run faults drafts` is the long form.

import test from 'ava';
import {runDrafts} from './drafts-run.js';

const SHORT = {races: 120, people: 3, draftsEach: 20, timeoutMs: 60_000};

test('if a person and a worker write the same draft at the same moment, no text is lost, in any order', async t => {
	t.timeout(180_000);

	const {races, lost, doubled} = await runDrafts(SHORT, line => t.log(line));

	t.deepEqual({lost, doubled}, {lost: [], doubled: []});
	t.is(races, SHORT.races);
});
