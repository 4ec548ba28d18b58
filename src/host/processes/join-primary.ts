// A receiver's side of its primary.

import {FromPrimary, type FromReceiver, type Needs, WAITS} from './primary-messages.js';

export interface JoinOptions {
	/** Told of each receiver that is gone, also of those that went before this one came. */
	onDead(process: string): void;
	/** Called once, whatever the reason; the process exits when it resolves. */
	onDrain(): Promise<void>;
	/** Gives the metrics of this process; empty without METRICS_PORT. */
	onMetrics?(): Promise<readonly unknown[]>;
	/** After this long the process exits though it has not drained. */
	readonly graceMs: number;
}

export interface Joined {
	/** Id of this receiver, given by the primary. */
	readonly process: string;
	/** Resolves at once, or when the turn has come of a receiver that was started to wait. */
	readonly started: Promise<void>;
	needs(needs: Needs): void;
	ready(url: string): void;
	/** Says why the start failed; resolves when it was said and the process may exit. */
	failed(message: string): Promise<void>;
}

/** Joins the primary that started this process; undefined when none did. */
export function joinPrimary({onDead, onDrain, onMetrics = async () => [], graceMs}: JoinOptions): Joined | undefined {
	const id = process.env.BOTHY_PROCESS;
	if (id === undefined || !process.send) {
		return undefined;
	}

	let isDraining = false;
	async function drain(): Promise<void> {
		if (isDraining) {
			return;
		}

		isDraining = true;
		setTimeout(() => process.exit(1), graceMs);
		await onDrain();
		process.exit(0);
	}

	let start = () => {};
	const started = new Promise<void>(resolve => {
		start = resolve;
	});
	if (process.env[WAITS] === undefined) {
		start();
	}

	process.on('message', message => {
		const {data} = FromPrimary.safeParse(message);
		if (data?.kind === 'dead') {
			onDead(data.process);
		} else if (data?.kind === 'start') {
			start();
		} else if (data?.kind === 'drain') {
			void drain();
		} else if (data?.kind === 'metrics') {
			void onMetrics().then(metrics => tell({kind: 'metrics', metrics: [...metrics]}));
		}
	});
	// The primary is gone, perhaps before we came here.
	process.on('disconnect', drain);
	if (!process.connected) {
		void drain();
	}

	process.on('SIGTERM', drain);
	// A terminal sends these to the whole group; the primary decides what follows.
	process.on('SIGINT', ignore);
	process.on('SIGHUP', ignore);

	return {
		process: id,
		started,
		needs: needs => void tell({kind: 'needs', needs}),
		ready: url => void tell({kind: 'ready', url}),
		failed: message => tell({kind: 'failed', message}),
	};
}

function ignore(): void {}

/** Resolves also when the primary is gone: 'disconnect' tells what to do then. */
function tell(message: FromReceiver): Promise<void> {
	return new Promise(resolve => {
		process.send?.(message, undefined, {}, () => resolve());
	});
}
