// The line in front of one site: so many calls at once, the others wait. A site that answers late holds up its own line.

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
