// Keeps a number of receivers running behind one listening socket. They are plain child processes that inherit the socket.
// node:cluster would close the socket with its last worker, and would lose a connection that it has passed to a dead or blocked
// worker.

import type {BotReport} from '../playground/bot-report.js';
import {type ListeningSocket, type ListenTarget, openSocket} from './listening-socket.js';
import type {Needs} from './primary-messages.js';
import {launchReceiver, type ReceiverProcess, type ReceiverProgram} from './receiver-process.js';
import {type PrimaryLog, Slot} from './slot.js';

export interface PrimaryOptions {
	/** Number of receivers. */
	readonly count: number;
	/** The receivers' module: compiled, and it calls `joinPrimary`. */
	readonly exec: string;
	readonly args: readonly string[];
	/** Environment of the receivers. Default: that of this process. */
	readonly env?: NodeJS.ProcessEnv;
	/** More environment, if it is not known yet. Meanwhile, the receivers load their code. If it rejects, the start fails. */
	readonly lateEnv?: Promise<Readonly<Record<string, string>>>;
	/** Starts one more process for each item, with these variables, once the receivers are ready. They do not listen. */
	readonly besides?: readonly NodeJS.ProcessEnv[];
	/** Where to listen, see `listenTarget`. Absent: nowhere. */
	readonly listen?: ListenTarget;
	readonly log: PrimaryLog;
	/** Time for a receiver to drain before it is killed. */
	readonly graceMs: number;
	/** Time for a receiver to become ready. Default 60 s. */
	readonly startMs?: number;
	/** Keeps a spare process for each receiver that has loaded everything but the bots, for fast restarts. Default false. */
	readonly spares?: boolean;
	/** Called when a receiver reports, before it is ready, what its bots need of their accounts. */
	onNeeds?(needs: Needs): void;
	/** Called when a receiver tells, before it is ready, of its bots. */
	onBots?(bots: BotReport[]): void;
}

export interface Primary {
	/**
	 * Starts the receivers. Resolves when all of them are ready.
	 * @throws ReceiverStartError with the reason of the receiver that failed. Then nothing is left running.
	 */
	start(): Promise<void>;
	/** Whether a receiver is ready: from then on, `close` may take long. */
	readonly isServing: boolean;
	/** The URL of the receivers. */
	address(): string;
	/**
	 * Replaces the receivers one by one, once all have started. Each old one drains when its successor is ready.
	 * @throws ReceiverStartError if a successor fails. The old receiver then stays.
	 */
	roll(): Promise<void>;
	/**
	 * Replaces all receivers at once. Resolves when the new ones are ready; the old ones may still drain.
	 * @throws ReceiverStartError if one fails. The old receiver in its place then stays.
	 */
	renew(): Promise<void>;
	/** Reads the metrics of each process that answers in time. */
	metrics(): Promise<readonly (readonly unknown[])[]>;
	/** Drains and ends all receivers. */
	close(): Promise<void>;
}

/**
 * Opens the socket. Connections to it wait until a receiver is ready.
 * @throws An error with the system's code, such as EADDRINUSE.
 */
export async function openPrimary(options: PrimaryOptions): Promise<Primary> {
	// Awaited only after the socket is open.
	options.lateEnv?.catch(() => {});
	return new Supervisor(options, options.listen && (await openSocket(options.listen)));
}

/** A new receiver learns of this many dead ones at most. */
const DEAD_KEPT = 100;

class Supervisor implements Primary {
	readonly #options: PrimaryOptions;
	readonly #socket: ListeningSocket | undefined;
	readonly #slots: readonly Slot[];
	readonly #living = new Set<ReceiverProcess>();
	readonly #closing = new AbortController();
	readonly #dead: string[] = [];
	#rolled: Promise<void> = Promise.resolve();
	#closed: Promise<void> | undefined;

	constructor(options: PrimaryOptions, socket: ListeningSocket | undefined) {
		const {exec, args, env = process.env, count, besides = [], lateEnv, spares = false, log} = options;
		this.#options = options;
		this.#socket = socket;
		const receivers: NodeJS.ProcessEnv[] = Array.from({length: count}, () => ({}));
		this.#slots = [...receivers, ...besides].map((more, index) => {
			const program = {exec, args, env: {...env, ...more}};
			// A process that does not accept must not have the socket open: connections to it would be lost.
			const fd = index < count ? socket?.fd : undefined;
			const launch = () => this.#launch(program, fd);
			return new Slot({launch, lateEnv, spares, log, closing: this.#closing.signal});
		});
	}

	start(): Promise<void> {
		this.#rolled = this.#start();
		return this.#rolled;
	}

	async #start(): Promise<void> {
		const {count} = this.#options;
		const fill = (slots: readonly Slot[]) => Promise.all(slots.map(slot => slot.fill()));
		try {
			// Loading takes half a second of CPU time per process. The first receiver gets the cores, because then webhooks are
			// answered; the others follow; the processes that answer none come last.
			await fill(this.#slots.slice(0, Math.min(1, count)));
			await fill(this.#slots.slice(Math.min(1, count), count));
			await fill(this.#slots.slice(count));
		} catch (error) {
			await this.close();
			throw error;
		}
	}

	get isServing(): boolean {
		return this.#slots.some(({receiver}) => receiver !== undefined);
	}

	address(): string {
		return this.#slots[0]?.url ?? '';
	}

	roll(): Promise<void> {
		const roll = async () => {
			const drains: Promise<void>[] = [];
			try {
				for (const slot of this.#slots) {
					if (!this.#closing.signal.aborted) {
						// A slow handler in one receiver does not delay the replacement of the next.
						drains.push(this.#drain(await slot.succeed()));
					}
				}
			} finally {
				await Promise.all(drains);
			}
		};
		this.#rolled = this.#rolled.then(roll, roll);
		return this.#rolled;
	}

	async renew(): Promise<void> {
		await Promise.all(
			this.#slots.map(async slot => {
				void this.#drain(await slot.succeed());
			}),
		);
	}

	async metrics(): Promise<readonly (readonly unknown[])[]> {
		const found = await Promise.all(this.#slots.map(({receiver}) => receiver?.metrics()));
		return found.filter(metrics => metrics !== undefined);
	}

	close(): Promise<void> {
		this.#closing.abort();
		this.#closed ??= this.#end();
		return this.#closed;
	}

	async #end(): Promise<void> {
		// If the primary kept it open, it would take connections that nobody accepts while the last handlers run.
		this.#socket?.close();
		await Promise.all([...this.#living].map(receiver => this.#drain(receiver)));
	}

	#launch(program: ReceiverProgram, fd: number | undefined): ReceiverProcess {
		const {startMs = 60_000, spares = false, lateEnv, onNeeds, onBots} = this.#options;
		const receiver = launchReceiver(program, {
			fd,
			startMs,
			waits: spares || lateEnv !== undefined,
			...(onNeeds && {onNeeds}),
			...(onBots && {onBots}),
		});
		this.#living.add(receiver);
		for (const id of this.#dead) {
			receiver.tell({kind: 'dead', process: id});
		}

		void receiver.ended.then(() => this.#bury(receiver));
		return receiver;
	}

	#bury(receiver: ReceiverProcess): void {
		this.#living.delete(receiver);
		this.#dead.push(receiver.id);
		this.#dead.splice(0, this.#dead.length - DEAD_KEPT);
		for (const other of this.#living) {
			other.tell({kind: 'dead', process: receiver.id});
		}
	}

	async #drain(receiver: ReceiverProcess | undefined): Promise<void> {
		if (!receiver || !this.#living.has(receiver)) {
			return;
		}

		const {how} = await receiver.drain(this.#options.graceMs);
		const fields = {process: receiver.id, receiver: receiver.pid, ended: how};
		if (how === 'SIGKILL') {
			this.#options.log.warn(fields, 'a receiver did not drain in time; killed it');
		} else {
			this.#options.log.info(fields, how === 'code 0' ? 'a receiver drained' : 'a receiver ended');
		}
	}
}
