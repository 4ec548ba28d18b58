// Stands in for AVA in the tests of example bots: a house takes the whole machine, so they run one after the other.

import test, {type ImplementationFn} from 'ava';
import {tally} from './tally.js';

export default function oneByOne(title: string, implementation: ImplementationFn<[]>): void {
	tally.tests += 1;
	test.serial(title, async t => {
		t.timeout(120_000);
		const before = tally.guests;
		await implementation(t);
		t.true(tally.guests > before, 'it spoke to a bot that was in no house');
	});
}
