// One row of a table of refusals: a literal request and the literal answer to it.

import test from 'ava';
import {type Caller, expectRefusal, type Json, type RawAnswer, signIn} from './raw-request.js';

interface Refusal {
	/** Whoever asks; the demo organization's member Alice unless said otherwise. */
	readonly as?: string;
	ask(caller: Caller): Promise<RawAnswer>;
	readonly answer: {readonly status: string; readonly json: Json};
}

export const refused = test.macro({
	title: (title = '') => `the realm refuses ${title}`,
	async exec(t, {as = 'alice', ask, answer}: Refusal) {
		const caller = await signIn(t, as);

		expectRefusal(t, await ask(caller), answer);
	},
});
