/** The handler's time is over, or another run has taken over. */
export class RunExpiredError extends Error {
	override name = 'RunExpiredError';
}

/** The lease of this run expired, and another process runs the handler from the start. */
export class TakenOverError extends RunExpiredError {
	constructor() {
		super('Another run has taken over this delivery');
	}
}

/** The host stops. Another process runs the handler again from the start. */
export class HostStoppingError extends RunExpiredError {
	constructor() {
		super('The host is stopping; another process runs this handler again');
	}
}

/** Whether an error, or the reason of an abort, means that another process runs the handler again. The bot did not fail then. */
export function isRunElsewhere(error: unknown): boolean {
	return error instanceof TakenOverError || error instanceof HostStoppingError;
}
