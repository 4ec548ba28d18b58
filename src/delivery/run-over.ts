/** The handler's time is over, or another run has taken its place. */
export class RunOver extends Error {
	override name = 'RunOver' as const;
}
