// A bot hears of what could not be posted when its handler had long ended: a delivery of our own making, in the conversation
// of the message that it had answered.

/** What a handler had said was not posted, and will not be. */
export class SendError extends Error {
	override name = 'SendError' as const;

	constructor(
		/** Id of the send, as `ctx.send()` gave it. */
		readonly send: string,
		/** What the service said. */
		readonly reason: string,
	) {
		super(`A message could not be posted: ${reason}`);
	}
}
