// All time in the realm. It runs with the real one, but tests and the page may make it jump forward; or it stands still, and
// jumps are all there is.

interface Alarm {
	dueMs: number;
	ring: () => void;
	timer: NodeJS.Timeout | undefined;
}

/** Node rings at once when asked to wait longer than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Clock {
	#offsetMs = 0;
	readonly #alarms = new Set<Alarm>();
	readonly #standsAt: number | undefined;

	/** `standsAt`: where it stands still, in milliseconds since 1970; it runs where that is absent. */
	constructor(standsAt?: number) {
		this.#standsAt = standsAt;
	}

	/** Milliseconds since 1970. */
	now(): number {
		return (this.#standsAt ?? Date.now()) + this.#offsetMs;
	}

	/** Whole seconds since 1970, as the wire has them. */
	seconds(): number {
		return Math.floor(this.now() / 1000);
	}

	/** How far the clock was moved, in milliseconds. */
	get offsetMs(): number {
		return this.#offsetMs;
	}

	/** Calls `ring` once after `delayMs`; the answer takes it back. */
	after(delayMs: number, ring: () => void): () => void {
		const alarm: Alarm = {dueMs: this.now() + delayMs, ring, timer: undefined};
		this.#alarms.add(alarm);
		this.#wind(alarm);

		return () => this.#remove(alarm);
	}

	/** When the next alarm rings, in milliseconds since 1970. */
	get next(): number {
		return Math.min(...[...this.#alarms].map(({dueMs}) => dueMs));
	}

	/** Moves the time forward; what becomes due rings at once, in its order. */
	advance(ms: number): void {
		this.#offsetMs += ms;
		const due = [...this.#alarms].filter(alarm => alarm.dueMs <= this.now()).sort((a, b) => a.dueMs - b.dueMs);
		for (const alarm of due) {
			this.#ring(alarm);
		}

		for (const alarm of this.#alarms) {
			this.#wind(alarm);
		}
	}

	/** Forgets all alarms. */
	stop(): void {
		for (const alarm of this.#alarms) {
			this.#remove(alarm);
		}
	}

	#wind(alarm: Alarm): void {
		clearTimeout(alarm.timer);
		if (this.#standsAt !== undefined) {
			return;
		}

		const waitMs = Math.min(Math.max(alarm.dueMs - this.now(), 0), LONGEST_TIMER_MS);
		alarm.timer = setTimeout(() => (this.now() < alarm.dueMs ? this.#wind(alarm) : this.#ring(alarm)), waitMs);
	}

	#ring(alarm: Alarm): void {
		// An alarm that rang before it in the same jump may have taken this one back.
		if (this.#alarms.has(alarm)) {
			this.#remove(alarm);
			alarm.ring();
		}
	}

	#remove(alarm: Alarm): void {
		clearTimeout(alarm.timer);
		this.#alarms.delete(alarm);
	}
}
