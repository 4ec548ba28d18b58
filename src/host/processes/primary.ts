// Keeps a number of receivers running behind one listening socket. They are plain child processes that inherit the socket.
// node:cluster would close the socket with its last worker, and would lose a connection that it has passed to a dead or blocked
// worker.

import {setTimeout as delay} from 'node:timers/promises';
import type {BotReport} from '../playground/bot-report.js';
import {type ListeningSocket, type ListenTarget, openSocket} from './listening-socket.js';
import type {Needs} from './primary-messages.js';
import {type Ending, launchReceiver, type ReceiverProcess, type ReceiverProgram} from './receiver-process.js';

export interface PrimaryOptions {
	/** Number of receivers. */
	readonly count: number;
	/** The receivers' module: compiled, and it calls `joinPrimary`. */
	readonly exec: string;
	readonly args: readonly string[];
	/** Environment of the receivers. Default: that of this process. */
	readonly env?: NodeJS.ProcessEnv;
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

export interface PrimaryLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

export interface Primary {
	/** The URL of the receivers. */
	address(): string;
	/**
	 * Replaces the receivers one by one. Each old one drains when its successor is ready.
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
 * Resolves when all receivers are ready.
 * @throws ReceiverStartError with the reason of the receiver that failed. Then nothing is left running.
 */
export async function startPrimary(options: PrimaryOptions): Promise<Primary> {
	const supervisor = new Supervisor(options, options.listen && (await openSocket(options.listen)));
	try {
		await supervisor.start();
	} catch (error) {
		await supervisor.close();
		throw error;
	}

	return supervisor;
}

/** A new receiver learns of this many dead ones at most. */
const DEAD_KEPT = 100;
/** A receiver that lived shorter than this counts as failed. */
const SERVED_MS = 1000;
const LONGEST_DELAY_MS = 5000;

/** A slot for a receiver and its successors. */
interface Place {
	readonly program: ReceiverProgram;
	/** Undefined for a process that does not accept: if it had the socket open, connections to it would be lost. */
	readonly fd: number | undefined;
	receiver: ReceiverProcess | undefined;
	/** A spare process that has loaded everything but the bots. */
	spare: ReceiverProcess | undefined;
	/** How many receivers in a row have failed. */
	failures: number;
	/** The change of the receiver that is under way. Changes run one at a time. */
	turn: Promise<unknown>;
}

class Supervisor implements Primary {
	readonly #options: PrimaryOptions;
	readonly #socket: ListeningSocket | undefined;
	readonly #places: readonly Place[];
	readonly #living = new Set<ReceiverProcess>();
	readonly #closing = new AbortController();
	readonly #dead: string[] = [];
	#url = '';
	#rolled: Promise<void> = Promise.resolve();
	#closed: Promise<void> | undefined;

	constructor(options: PrimaryOptions, socket: ListeningSocket | undefined) {
		const {exec, args, env = process.env} = options;
		this.#options = options;
		this.#socket = socket;
		const receivers: NodeJS.ProcessEnv[] = Array.from({length: options.count}, () => ({}));
		this.#places = [...receivers, ...(options.besides ?? [])].map((more, index) => ({
			program: {exec, args, env: {...env, ...more}},
			fd: index < options.count ? socket?.fd : undefined,
			receiver: undefined,
			spare: undefined,
			failures: 0,
			turn: Promise.resolve(),
		}));
	}

	address(): string {
		return this.#url;
	}

	async start(): Promise<void> {
		const fill = (places: readonly Place[]) =>
			Promise.all(places.map(place => this.#inTurn(place, () => this.#fill(place))));
		// Loading takes a second of CPU time per process. Those that answer webhooks get the cores first.
		await fill(this.#places.slice(0, this.#options.count));
		await fill(this.#places.slice(this.#options.count));
	}

	roll(): Promise<void> {
		const roll = async () => {
			const drains: Promise<void>[] = [];
			try {
				for (const place of this.#places) {
					if (!this.#closing.signal.aborted) {
						// A slow handler in one receiver does not delay the replacement of the next.
						drains.push(this.#drain(await this.#succeed(place)));
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
			this.#places.map(async place => {
				void this.#drain(await this.#succeed(place));
			}),
		);
	}

	async metrics(): Promise<readonly (readonly unknown[])[]> {
		const found = await Promise.all(this.#places.map(({receiver}) => receiver?.metrics()));
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

	/** Starts a receiver in a slot. */
	async #fill(place: Place): Promise<void> {
		this.#closing.signal.throwIfAborted();
		const receiver = place.spare ?? this.#launch(place);
		place.spare = undefined;
		receiver.start();
		try {
			// A process that does not listen has no URL.
			this.#url = (await receiver.ready) || this.#url;
		} finally {
			if (this.#options.spares && !this.#closing.signal.aborted) {
				place.spare = this.#launch(place);
			}
		}

		place.receiver = receiver;
		this.#options.log.info({process: receiver.id, receiver: receiver.pid}, 'a receiver is ready');
	}

	#launch(place: Place): ReceiverProcess {
		const {startMs = 60_000, spares = false, onNeeds, onBots} = this.#options;
		const receiver = launchReceiver(place.program, {
			fd: place.fd,
			startMs,
			waits: spares,
			...(onNeeds && {onNeeds}),
			...(onBots && {onBots}),
		});
		this.#living.add(receiver);
		for (const id of this.#dead) {
			receiver.tell({kind: 'dead', process: id});
		}

		void receiver.ended.then(ending => {
			this.#bury(receiver);
			if (place.spare === receiver) {
				place.spare = undefined;
			} else if (place.receiver === receiver) {
				this.#replace(place, ending);
			}
		});
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

	#replace(place: Place, {how, servedMs}: Ending): void {
		const {id, pid} = place.receiver ?? {};
		place.receiver = undefined;
		place.failures = servedMs < SERVED_MS ? place.failures + 1 : 0;
		if (!this.#closing.signal.aborted) {
			// A receiver that got SIGTERM, as when a service manager stops the whole group, ends with code 0.
			this.#options.log[how === 'code 0' ? 'info' : 'error'](
				{process: id, receiver: pid, ended: how},
				'a receiver ended; starting another',
			);
			void this.#inTurn(place, () => this.#refill(place));
		}
	}

	/** Retries until the slot has a receiver. */
	async #refill(place: Place): Promise<void> {
		while (!place.receiver && !this.#closing.signal.aborted) {
			try {
				await delay(delayAfter(place.failures), undefined, {signal: this.#closing.signal});
				await this.#fill(place);
			} catch (error) {
				place.failures += 1;
				this.#reportFailure(error, delayAfter(place.failures));
			}
		}
	}

	#reportFailure(error: unknown, retryMs: number): void {
		if (!this.#closing.signal.aborted) {
			const reason = error instanceof Error ? error.message : String(error);
			this.#options.log.error({reason, retryMs}, 'a receiver failed to start');
		}
	}

	/** Starts a successor in a slot. Resolves with the previous receiver. */
	async #succeed(place: Place): Promise<ReceiverProcess | undefined> {
		let old: ReceiverProcess | undefined;
		await this.#inTurn(place, async () => {
			old = place.receiver;
			await this.#fill(place);
		});
		return old;
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

	#inTurn(place: Place, change: () => Promise<void>): Promise<void> {
		const changed = place.turn.then(change);
		place.turn = changed.catch(() => {});
		return changed;
	}
}

/** The first two replacements start without a delay. */
function delayAfter(failures: number): number {
	return failures < 2 ? 0 : Math.min(100 * 2 ** (failures - 2), LONGEST_DELAY_MS);
}
