// The suite in short: `npm run faults sends` is the long form.

import test from 'ava';
import {runSends} from './sends-run.js';

test('while workers die and the service fails each message is posted once, in order', async t => {
	t.timeout(180_000);

	const {lost, doubled, disordered, unknown, intended} = await runSends(
		{
			sends: 300,
			overMs: 12_000,
			accounts: 3,
			crons: 1,
			killEveryMs: 3_000,
			troubledShare: 0.1,
			changeEveryMs: 500,
			expiries: 1,
			restartsRedis: false,
			patienceMs: 90_000,
		},
		line => t.log(line),
	);

	t.deepEqual({lost, doubled, disordered}, {lost: [], doubled: [], disordered: []});
	t.true(unknown <= intended / 1_000);
});
