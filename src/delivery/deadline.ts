/** A moment until which something is waited for. */
export class Deadline {
	readonly passed: Promise<'passed'>;
	#timer: NodeJS.Timeout;
	#at: number;

	/** @param at by `performance.now()` */
	constructor(at: number) {
		this.#at = at;
		let pass: (value: 'passed') => void = () => {};
		this.passed = new Promise(resolve => {
			pass = resolve;
		});
		this.#timer = setTimeout(() => pass('passed'), Math.max(0, at - performance.now()));
	}

	/** Waits for `ms`; true when the moment came before. */
	async passes(ms: number): Promise<boolean> {
		let timer: NodeJS.Timeout | undefined;
		const waited = new Promise<'waited'>(resolve => {
			timer = setTimeout(() => resolve('waited'), ms);
		});
		const first = await Promise.race([waited, this.passed]);
		clearTimeout(timer);
		return first === 'passed' || performance.now() >= this.#at;
	}

	clear(): void {
		clearTimeout(this.#timer);
	}
}
