/** The handler's time is over, or another run has taken over. */
export class RunExpiredError extends Error {
	override name = 'RunExpiredError';
}

/** The host stops. Another process runs the handler again from the start. */
export class HostStoppingError extends RunExpiredError {
	constructor() {
		super('The host is stopping; another process runs this handler again');
	}
}
