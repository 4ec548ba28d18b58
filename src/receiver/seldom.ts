// Limits how often a check runs that any client may trigger.

/** Runs the check again only if the last result is older than `everyMs`. */
export function seldom<Answer>(
	everyMs: number,
	ask: () => Promise<Answer>,
	now = () => performance.now(),
): () => Promise<Answer> {
	let asked: {readonly at: number; readonly answer: Promise<Answer>} | undefined;
	return () => {
		if (!asked || now() - asked.at >= everyMs) {
			asked = {at: now(), answer: ask()};
		}

		return asked.answer;
	};
}
