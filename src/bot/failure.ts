// Tells a bot that a message could not be posted after its handler had ended: a delivery that Bothy makes itself, in the
// conversation of the message that the bot had answered.

/** A message of a handler that has ended was not posted, and will not be. `.catch()` gets it. */
export class SendError extends Error {
	override name = 'SendError' as const;

	constructor(
		/** The id of the send, as `ctx.send()` returned it. */
		readonly send: string,
		/** The reason that the service gave. */
		readonly reason: string,
	) {
		super(`A message could not be posted: ${reason}`);
	}
}
