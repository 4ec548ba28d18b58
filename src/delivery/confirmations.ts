// Records which inline answers reached the network, many with one call.

import type {Availability} from '../redis/availability.js';
import type {Carried, DeliveryStore} from './store.js';

const EVERY_MS = 50;

/** The outcome of one answer on one connection. */
export interface Outcome {
	/** The network took all of it. */
	onFlushed(): void;
	/** The connection closed before that. */
	onLost(): void;
}

export interface ConfirmationsOptions {
	readonly store: DeliveryStore;
	readonly availability: Availability;
	/** An answer turned out to be late. A worker should post it. */
	enqueue(ref: Carried['ref']): Promise<void>;
	readonly log: {warn(fields: object, message: string): void};
}

export type Confirmations = ReturnType<typeof createConfirmations>;

export function createConfirmations({store, availability, enqueue, log}: ConfirmationsOptions) {
	/** How many connections carry an answer, by delivery and carrier. */
	const open = new Map<string, number>();
	let flushed: Carried[] = [];
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;

	async function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const confirmed = flushed;
		flushed = [];
		if (confirmed.length > 0) {
			// An unconfirmed answer is searched for before a worker posts it.
			await availability
				.retry(
					() => store.confirm(confirmed),
					() => isClosed,
				)
				.catch((error: Error) => log.warn({reason: error.message}, 'could not confirm answers'));
		}
	}

	async function lose(carried: Carried): Promise<void> {
		try {
			const isLate = await availability.retry(
				() => store.answerLost(carried),
				() => isClosed,
			);
			if (isLate) {
				log.warn({delivery: carried.ref.id}, 'a connection closed before its answer was written; posting the answer');
				await enqueue(carried.ref);
			}
		} catch (error) {
			log.warn({delivery: carried.ref.id, reason: String(error)}, 'could not record that an answer was not written');
		}
	}

	return {
		/** If several connections carry one answer, the first one that is flushed confirms it. Only the last one can lose it. */
		carry(carried: Carried): Outcome {
			const key = `${carried.ref.account} ${carried.ref.id} ${carried.carrier}`;
			open.set(key, (open.get(key) ?? 0) + 1);
			return {
				onFlushed() {
					open.delete(key);
					flushed.push(carried);
					timer ??= setTimeout(flush, EVERY_MS);
				},
				onLost() {
					const others = (open.get(key) ?? 0) - 1;
					if (others > 0) {
						open.set(key, others);
					} else if (open.delete(key)) {
						void lose(carried);
					}
				},
			};
		},
		lose,
		async close(): Promise<void> {
			isClosed = true;
			await flush();
		},
	};
}
