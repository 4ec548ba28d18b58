// The realm's clock. It runs with the real time, and tests and the page may move it forward. Or it stands still, and moves only
// when it is moved.

interface Alarm {
	dueMs: number;
	ring: () => void;
	timer: NodeJS.Timeout | undefined;
}

/** A longer timeout would overflow, and Node would fire it at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Clock {
	#offsetMs = 0;
	readonly #alarms = new Set<Alarm>();
	readonly #standsAt: number | undefined;

	/** `standsAt`: where the clock stands still, in milliseconds since 1970. Without it, the clock runs. */
	constructor(standsAt?: number) {
		this.#standsAt = standsAt;
	}

	/** Milliseconds since 1970. */
	now(): number {
		return (this.#standsAt ?? Date.now()) + this.#offsetMs;
	}

	/** Whole seconds since 1970, as in the API. */
	seconds(): number {
		return Math.floor(this.now() / 1000);
	}

	/** How far the clock has been moved, in milliseconds. */
	get offsetMs(): number {
		return this.#offsetMs;
	}

	/** Calls `ring` once after `delayMs`. Returns a function that cancels the alarm. */
	after(delayMs: number, ring: () => void): () => void {
		const alarm: Alarm = {dueMs: this.now() + delayMs, ring, timer: undefined};
		this.#alarms.add(alarm);
		this.#wind(alarm);

		return () => this.#remove(alarm);
	}

	/** Time of the next alarm, in milliseconds since 1970. */
	get next(): number {
		return Math.min(...[...this.#alarms].map(({dueMs}) => dueMs));
	}

	/** Moves the clock forward. Alarms that become due ring at once, in order. */
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

	/** Cancels all alarms. */
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
		// An earlier alarm of this move may have cancelled this one.
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
