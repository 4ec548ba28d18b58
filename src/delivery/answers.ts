// What people read when no bot answers.

import {isUnasked, type Work} from './work.js';

/** JSON text of the answer that posts nothing. */
export const SILENCE = '{"response_not_required":true}';

/** JSON text of the one answer to a sender who exceeds the flood limit. */
export const FLOOD_ANSWER = JSON.stringify({
	content: 'You are writing faster than I can answer. Please try again in a minute.',
});

/** JSON text of the answer if Redis does not come back before the deadline of a delivery, or of its decision. */
export const AWAY_ANSWER = JSON.stringify({
	content:
		'I cannot reach my database right now. I will answer as soon as I can. ' +
		'If I have not answered in five minutes, please ask again.',
});

/** JSON text of the answer to a delivery that cannot wait for Redis because the waiting room is full. */
export const FULL_ANSWER = JSON.stringify({
	content: 'I cannot reach my database, and too many messages are waiting already. Please ask again in five minutes.',
});

/** For a message that crashed the bot's process repeatedly. */
export const APOLOGY =
	'Sorry, I could not handle this message: I crashed each time I tried. My operator can find it in the ledger.';

/** For a handler that did not end in time; nobody reads an apology if nobody called the bot. */
export function timeoutText(work: Work, timeoutMs: number): string | undefined {
	const [count, unit]: [number, string] =
		timeoutMs >= 60_000 ? [timeoutMs / 60_000, 'minute'] : [timeoutMs / 1000, 'second'];
	const rounded = Math.max(1, Math.round(count));
	const time = `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
	return isUnasked(work) ? undefined : `Sorry, I did not finish within ${time}, so I stopped.`;
}
