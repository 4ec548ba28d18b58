// For questions that anybody may ask as often as they like.

/** Asks again only when the last answer is older than `everyMs`. */
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
