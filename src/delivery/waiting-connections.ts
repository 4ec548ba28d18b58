// The connections that wait for the answer of one run. Each gets the answer in time, or an empty one, or a text if Redis is away.

import {AWAY_ANSWER, SILENCE} from './answers.js';

/** The answer of a run, and whether this run carries it. The answer may be a replacement text. */
export interface RunAnswer {
	/** JSON text. */
	readonly body: string;
	readonly isCarried: boolean;
}

export const SILENT: RunAnswer = {body: SILENCE, isCarried: false};

/** How long a connection may wait for Redis beyond its deadline. The service waits two seconds longer. */
export const DECISION_MS = 1_000;

/**
 * Resolves when the process has noticed which connections the service closed until now. A process that was busy or frozen learns of
 * that late. An answer that it writes before then looks as if it had arrived.
 */
export async function noticeCloses(): Promise<void> {
	await new Promise(setImmediate);
	// The first turn may have been a long one.
	await new Promise(setImmediate);
}

export interface WaitingConnectionsOptions {
	/** Makes the answer late, unless it was decided inline before. */
	decideLate(): Promise<{readonly answer: string} | 'late'>;
	/** Makes a worker post what the bot sends from now on. */
	turnLate(): Promise<void>;
	warn(error: unknown, message: string): void;
}

export class WaitingConnections {
	/** Ends the waiting of all connections. */
	readonly answer: (answer: RunAnswer | 'taken over') => void;
	readonly #options: WaitingConnectionsOptions;
	readonly #answer: Promise<RunAnswer | 'taken over'>;
	/** Whether each of them is still open. */
	readonly #open = new Set<() => boolean>();
	#deadlines: {readonly at: number; pass(): void}[] = [];
	#isCarried = false;

	constructor(options: WaitingConnectionsOptions) {
		this.#options = options;
		let resolveAnswer: (answer: RunAnswer | 'taken over') => void = () => {};
		this.#answer = new Promise(resolve => {
			resolveAnswer = resolve;
		});
		this.answer = resolveAnswer;
	}

	/** Whether one of them can carry the answer. */
	isAnyOpen(): boolean {
		return [...this.#open].some(isOpen => isOpen());
	}

	/** Whether a connection already carries the answer, before Redis confirmed that it may be inline. */
	get isCarried(): boolean {
		return this.#isCarried;
	}

	/** Called regularly. */
	tick(now: number): void {
		const due = this.#deadlines.filter(({at}) => at <= now);
		if (due.length > 0) {
			this.#deadlines = this.#deadlines.filter(({at}) => at > now);
			for (const {pass} of due) {
				pass();
			}
		}
	}

	/**
	 * The webhook's answer. If `at` (by the host's `elapsed`) comes first, the answer is late. `isOpen` tells whether the
	 * connection can still carry an answer. If another run has taken over, that run has the answer.
	 */
	async answerBefore(at: number, isOpen: () => boolean = () => true): Promise<RunAnswer | 'taken over'> {
		this.#open.add(isOpen);
		try {
			const first = await Promise.race([this.#answer, this.#passed(at)]);
			return first ?? (await this.#answerLate(at + DECISION_MS, isOpen));
		} finally {
			this.#open.delete(isOpen);
		}
	}

	/** Resolves at that time, by the host's `elapsed`. */
	#passed(at: number): Promise<undefined> {
		return new Promise(resolve => {
			this.#deadlines.push({at, pass: () => resolve(undefined)});
		});
	}

	/** At its deadline a connection gets silence. If Redis is not back in time to decide that, it gets a text. */
	async #answerLate(at: number, isOpen: () => boolean): Promise<RunAnswer | 'taken over'> {
		const {decideLate, turnLate, warn} = this.#options;
		const deciding = decideLate();
		// In both cases a worker posts what the bot sends from now on.
		const turned = deciding
			.then(decided => (decided === 'late' ? turnLate() : undefined))
			.catch(error => warn(error, 'could not store the messages of a run'));
		const decided = await Promise.race([deciding.catch(() => undefined), this.#answer, this.#passed(at)]);
		if (decided === undefined) {
			return {body: AWAY_ANSWER, isCarried: false};
		}

		if (decided === 'late') {
			await Promise.race([turned, this.#passed(at)]);
			return SILENT;
		}

		if (decided === 'taken over' || !('answer' in decided)) {
			return decided;
		}

		// Redis has recorded the end of this run, but its result has not arrived yet.
		await noticeCloses();
		this.#isCarried ||= isOpen();
		return {body: decided.answer, isCarried: true};
	}
}
