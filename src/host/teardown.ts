// Closes what was opened, in reverse order and once, after a signal or a failed start.

export interface Teardown {
	/** `serves`: whether it serves others. Closing it may take long then, even if the start has not finished. */
	add(close: () => Promise<unknown>, serves?: () => boolean): void;
	/** Whether a part serves others. */
	readonly isServing: boolean;
	run(): Promise<void>;
}

export function createTeardown(report: (error: unknown) => void): Teardown {
	const closers: {readonly close: () => Promise<unknown>; readonly serves: () => boolean}[] = [];
	let running: Promise<void> | undefined;

	async function closeAll(): Promise<void> {
		for (let closer = closers.pop(); closer; closer = closers.pop()) {
			await closer.close().catch(report);
		}
	}

	return {
		add(close, serves = () => false) {
			closers.push({close, serves});
		},
		get isServing() {
			return closers.some(({serves}) => serves());
		},
		run() {
			running ??= closeAll();
			return running;
		},
	};
}

/** One Ctrl-C may arrive twice at once: from the terminal, and from npm, which passes it on. */
const REPEATED_MS = 500;

/**
 * Resolves with the first signal that asks the process to stop. A later one ends the process at once. `onHangUp`: whether a
 * closed terminal counts too.
 */
export function waitForStop({onHangUp = false}: {onHangUp?: boolean} = {}): Promise<NodeJS.Signals> {
	return new Promise(resolve => {
		// A signal handler keeps no process alive, and nothing else may be open.
		setInterval(() => {}, 3_600_000);
		let stoppingSince: number | undefined;
		const stop = (signal: NodeJS.Signals) => {
			stoppingSince ??= performance.now();
			if (performance.now() - stoppingSince > REPEATED_MS) {
				process.exit(1);
			}

			resolve(signal);
		};
		process.on('SIGINT', stop);
		process.on('SIGTERM', stop);
		if (onHangUp) {
			process.on('SIGHUP', stop);
		}
	});
}
