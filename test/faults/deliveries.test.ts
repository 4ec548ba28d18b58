// The suite in short: `npm run faults deliveries` is the long form.

import test from 'ava';
import {runDeliveries} from './deliveries-run.js';

const SHORT = {
	deliveries: 80,
	cutsOfEach: 3,
	mortals: 3,
	freezes: 0,
	slowestMs: 9_000,
	hosts: 2,
	receiversPerHost: 2,
	loadMs: 12_000,
	killEveryMs: 4_000,
	killWorkerEveryMs: 8_000,
	stepEveryMs: 3_000,
	// Outages are for the long form: a receiver that is killed during one may repeat, as docs/guarantees.md says.
	restartRedisAt: 2,
	pauseRedisAt: 2,
	pauseMs: 0,
	patienceMs: 90_000,
	isHurried: true,
};

test('while receivers die and connections break every delivery gets its reply once', async t => {
	t.timeout(180_000);

	const {accepted, lost, doubled, wrong} = await runDeliveries(SHORT, line => t.log(line));

	t.deepEqual({lost, doubled, wrong}, {lost: [], doubled: [], wrong: []});
	t.is(accepted, SHORT.deliveries);
});
