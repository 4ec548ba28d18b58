// Reports to a bot that a message could not be posted after its handler had ended. Bothy makes a delivery for it, in the
// conversation of the message that the bot had answered.

/** A message could not be posted after its handler had ended. Bothy does not retry it. `.catch()` gets this error. */
export class SendError extends Error {
	override name = 'SendError' as const;

	constructor(
		/** The `sendId` of the handle that `ctx.send()` or `ctx.reply()` resolved with. */
		readonly send: string,
		/** The reason that the service gave. */
		readonly reason: string,
	) {
		super(`A message could not be posted: ${reason}`);
	}
}
