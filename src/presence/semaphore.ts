// Limits the concurrent calls to one site; the others queue. A slow site delays only its own queue.

export class Semaphore {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(places: number) {
		this.#free = places;
	}

	async run(work: () => Promise<void>): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
		} else {
			await new Promise<void>(resolve => this.#waiting.push(resolve));
		}

		try {
			await work();
		} finally {
			const next = this.#waiting.shift();
			if (next) {
				next();
			} else {
				this.#free += 1;
			}
		}
	}
}
