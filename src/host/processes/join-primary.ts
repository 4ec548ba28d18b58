// A receiver's side of the messages to its primary.

import type {BotReport} from '../playground/bot-report.js';
import {FromPrimary, type FromReceiver, type Needs, WAITS} from './primary-messages.js';

export interface JoinOptions {
	/** Called for each dead receiver, including those that died before this one started. */
	onDead(process: string): void;
	/** Called once, on any reason to stop. The process exits when it resolves. */
	onDrain(): Promise<void>;
	/** Reads the metrics of this process. Empty without METRICS_PORT. */
	onMetrics?(): Promise<readonly unknown[]>;
	/** After this long, the process exits even if it has not drained. */
	readonly graceMs: number;
}

export interface Joined {
	/** ID of this receiver, from the primary. */
	readonly process: string;
	/** Resolves, with more environment, when the receiver may start. For a spare, that is when it replaces another one. */
	readonly started: Promise<NodeJS.ProcessEnv>;
	needs(needs: Needs): void;
	bots(bots: BotReport[]): void;
	ready(url: string): void;
	/** Reports why the start failed. Resolves when the primary has the message and the process may exit. */
	failed(message: string): Promise<void>;
}

/** Joins the primary that started this process. Undefined if there is none. */
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

	let start = (_env: NodeJS.ProcessEnv) => {};
	const started = new Promise<NodeJS.ProcessEnv>(resolve => {
		start = resolve;
	});
	if (process.env[WAITS] === undefined) {
		start({});
	}

	process.on('message', message => {
		const {data} = FromPrimary.safeParse(message);
		if (data?.kind === 'dead') {
			onDead(data.process);
		} else if (data?.kind === 'start') {
			start(data.env ?? {});
		} else if (data?.kind === 'drain') {
			void drain();
		} else if (data?.kind === 'metrics') {
			void onMetrics().then(metrics => tell({kind: 'metrics', metrics: [...metrics]}));
		}
	});
	// The primary is gone, maybe since before this listener was set.
	process.on('disconnect', drain);
	if (!process.connected) {
		void drain();
	}

	process.on('SIGTERM', drain);
	// A terminal sends these to the whole process group. Leave the decision to the primary.
	process.on('SIGINT', ignore);
	process.on('SIGHUP', ignore);

	return {
		process: id,
		started,
		needs: needs => void tell({kind: 'needs', needs}),
		bots: bots => void tell({kind: 'bots', bots}),
		ready: url => void tell({kind: 'ready', url}),
		failed: message => tell({kind: 'failed', message}),
	};
}

function ignore(): void {}

/** Also resolves if the primary is gone: the 'disconnect' event handles that. */
function tell(message: FromReceiver): Promise<void> {
	return new Promise(resolve => {
		process.send?.(message, undefined, {}, () => resolve());
	});
}
