/** The handler's time is over, or another run has taken its place. */
export class RunOver extends Error {
	override name = 'RunOver';
}

/** The host stops: another process runs the handler again from the start. */
export class HostStopping extends RunOver {
	constructor() {
		super('The host is stopping; another process runs this handler again');
	}
}
