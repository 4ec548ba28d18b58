// Limits how many tasks run at the same time. The others wait, in order.

export class Semaphore {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(places: number) {
		this.#free = places;
	}

	/** Resolves when a place is free. */
	async enter(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
		} else {
			await new Promise<void>(resolve => this.#waiting.push(resolve));
		}
	}

	leave(): void {
		const next = this.#waiting.shift();
		if (next) {
			next();
		} else {
			this.#free += 1;
		}
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		await this.enter();
		try {
			return await work();
		} finally {
			this.leave();
		}
	}
}
