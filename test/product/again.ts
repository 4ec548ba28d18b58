// Runs a file of test/bots/ once more, as it is, with the whole product in the place of the kit.

import {register} from 'node:module';
import {tally} from './tally.js';

export async function again(name: string): Promise<void> {
	register('./resolve.js', import.meta.url);
	await import(`../bots/${name}.test.js`);
	if (tally.tests === 0) {
		throw new Error(`Expected the tests of ${name} to be run in the whole product, they would run with the kit`);
	}
}
