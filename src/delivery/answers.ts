// What people read when no bot answers.

/** JSON text of the answer that posts nothing. */
export const SILENCE = '{"response_not_required":true}';

/** JSON text of the one answer to somebody who writes faster than a bot listens. */
export const FLOOD_ANSWER = JSON.stringify({
	content: 'That is faster than I can follow. I will listen again in a minute.',
});

/** For a message over which the bot's process ended again and again. */
export const APOLOGY =
	'Sorry, I could not handle this message: I broke down over it several times. Whoever runs me finds it in the ledger.';
