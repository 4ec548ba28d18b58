// Limits a log line to one a minute for each cause.

const MINUTE_MS = 60_000;

/** Returns whether nobody asked about this cause within the last minute. Callers pass causes of limited number, such as accounts. */
export function onceAMinute(now = () => Date.now()): (cause: string) => boolean {
	const toldAt = new Map<string, number>();
	return cause => {
		const isNew = now() - (toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) >= MINUTE_MS;
		if (isNew) {
			toldAt.set(cause, now());
		}

		return isNew;
	};
}
