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

/** A Ctrl-C may come twice at once: from the terminal, and from npm which passes it on. */
const REPEATED_MS = 500;

/**
 * Resolves with the first signal that asks us to stop; a later one ends the process at once. `onHangUp`: whether a closed terminal
 * asks so too.
 */
export function waitForStop({onHangUp = false}: {onHangUp?: boolean} = {}): Promise<NodeJS.Signals> {
	return new Promise(resolve => {
		// Waiting for a signal keeps no process alive, and there may be nothing else to wait for.
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
