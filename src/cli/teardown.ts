// What was opened is closed again in reverse order, once, whether by a signal or by a failed start.

export interface Teardown {
	/** Closes `opened` when everything is closed. */
	add(close: () => Promise<unknown>): void;
	run(): Promise<void>;
}

export function createTeardown(report: (error: unknown) => void): Teardown {
	const closers: (() => Promise<unknown>)[] = [];
	let running: Promise<void> | undefined;

	async function closeAll(): Promise<void> {
		for (let close = closers.pop(); close; close = closers.pop()) {
			await close().catch(report);
		}
	}

	return {
		add(close) {
			closers.push(close);
		},
		run() {
			running ??= closeAll();
			return running;
		},
	};
}

/** Resolves with the first signal that asks us to stop; a second one ends the process at once. */
export function waitForStop(): Promise<NodeJS.Signals> {
	return new Promise(resolve => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => {
				process.once(signal, () => process.exit(1));
				resolve(signal);
			});
		}
	});
}
