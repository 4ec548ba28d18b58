// Closes what was opened, in reverse order and once, after a signal or a failed start.

export interface Teardown {
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
