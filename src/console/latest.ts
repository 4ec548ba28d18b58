// Limits how often something is read, however many operators look.

export interface Latest<Answer> {
	/** At most `everyMs` old. A failure is not kept: the next call reads again. */
	read(): Promise<Answer>;
	/** The next call reads again. */
	forget(): void;
}

export function keepLatest<Answer>(everyMs: number, ask: () => Promise<Answer>): Latest<Answer> {
	let kept: {readonly at: number; readonly answer: Promise<Answer>} | undefined;
	return {
		read() {
			if (kept && performance.now() - kept.at < everyMs) {
				return kept.answer;
			}

			const asked = {at: performance.now(), answer: ask()};
			kept = asked;
			asked.answer.catch(() => {
				kept = kept === asked ? undefined : kept;
			});
			return asked.answer;
		},
		forget() {
			kept = undefined;
		},
	};
}
