// A slot for a receiver and its successors. Its changes run one at a time.

import {setTimeout as delay} from 'node:timers/promises';
import type {Ending, ReceiverProcess} from './receiver-process.js';

export interface PrimaryLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

export interface SlotOptions {
	readonly launch: () => ReceiverProcess;
	/** What `PrimaryOptions` says of it. */
	readonly lateEnv: Promise<Readonly<Record<string, string>>> | undefined;
	/** Whether to keep a spare process, as `PrimaryOptions` says. */
	readonly spares: boolean;
	readonly log: PrimaryLog;
	/** From then on, the slot starts nothing. */
	readonly closing: AbortSignal;
}

/** A receiver that lived shorter than this counts as failed. */
const SERVED_MS = 1000;
const LONGEST_DELAY_MS = 5000;

export class Slot {
	readonly #options: SlotOptions;
	#receiver: ReceiverProcess | undefined;
	/** A spare process that has loaded everything but the bots. */
	#spare: ReceiverProcess | undefined;
	#url = '';
	/** How many receivers in a row have failed. */
	#failures = 0;
	/** The change that is under way. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(options: SlotOptions) {
		this.#options = options;
	}

	/** Undefined while none is ready. */
	get receiver(): ReceiverProcess | undefined {
		return this.#receiver;
	}

	/** Where its receivers listen. Empty if they do not, or if none was ready yet. */
	get url(): string {
		return this.#url;
	}

	/** Starts the first receiver. */
	fill(): Promise<void> {
		return this.#inTurn(() => this.#fill());
	}

	/** Starts a successor. Resolves with the previous receiver. */
	succeed(): Promise<ReceiverProcess | undefined> {
		return this.#inTurn(async () => {
			const old = this.#receiver;
			await this.#fill();
			return old;
		});
	}

	async #fill(): Promise<void> {
		const {closing, lateEnv, spares, log} = this.#options;
		closing.throwIfAborted();
		const receiver = this.#spare ?? this.#launch();
		this.#spare = undefined;
		receiver.start(await lateEnv);
		try {
			this.#url = await receiver.ready;
		} finally {
			if (spares && !closing.aborted) {
				this.#spare = this.#launch();
			}
		}

		this.#receiver = receiver;
		log.info({process: receiver.id, receiver: receiver.pid}, 'a receiver is ready');
	}

	#launch(): ReceiverProcess {
		const receiver = this.#options.launch();
		void receiver.ended.then(ending => {
			if (this.#spare === receiver) {
				this.#spare = undefined;
			} else if (this.#receiver === receiver) {
				this.#replace(receiver, ending);
			}
		});
		return receiver;
	}

	#replace({id, pid}: ReceiverProcess, {how, servedMs}: Ending): void {
		const {closing, log} = this.#options;
		this.#receiver = undefined;
		this.#failures = servedMs < SERVED_MS ? this.#failures + 1 : 0;
		if (!closing.aborted) {
			// A receiver that got SIGTERM, as when a service manager stops the whole group, ends with code 0.
			log[how === 'code 0' ? 'info' : 'error'](
				{process: id, receiver: pid, ended: how},
				'a receiver ended; starting another',
			);
			void this.#inTurn(() => this.#refill());
		}
	}

	/** Retries until the slot has a receiver. */
	async #refill(): Promise<void> {
		const {closing, log} = this.#options;
		while (!this.#receiver && !closing.aborted) {
			try {
				await delay(delayAfter(this.#failures), undefined, {signal: closing});
				await this.#fill();
			} catch (error) {
				this.#failures += 1;
				if (!closing.aborted) {
					const reason = error instanceof Error ? error.message : String(error);
					log.error({reason, retryMs: delayAfter(this.#failures)}, 'a receiver failed to start');
				}
			}
		}
	}

	#inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
		const changed = this.#turn.then(change);
		this.#turn = changed.catch(() => {});
		return changed;
	}
}

/** The first two replacements start without a delay. */
function delayAfter(failures: number): number {
	return failures < 2 ? 0 : Math.min(100 * 2 ** (failures - 2), LONGEST_DELAY_MS);
}
