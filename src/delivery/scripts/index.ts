// The steps of a delivery as Redis scripts. All keys of a script belong to one account, so they share one slot of a Cluster.
// A broken connection may have run a script whose result was lost. So a repeated call gets its first result.

import {answerLost, confirm, decideLate, turnLate} from './answer.js';
import {claim} from './claim.js';
import {append, enterSession, finish, park, release, renew} from './run.js';

export const scripts = {
	claim,
	renew,
	release,
	decideLate,
	finish,
	append,
	turnLate,
	answerLost,
	confirm,
	enterSession,
	park,
} as const;
