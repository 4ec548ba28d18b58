// The store that the receiver uses: Redis, and memory while Redis is slow or away. What happened meanwhile is written to
// Redis when it is back, step by step; each step is fenced there, so that another process's run is never overwritten.

import {createMemoryStore, type MemoryStore} from './memory-store.js';
import type {DeliveryRef} from './ref.js';
import type {Claim, DeliveryStore} from './store.js';

type Step = (redis: DeliveryStore) => Promise<'go on' | 'drop'>;

export interface FallbackOptions {
	readonly redis: DeliveryStore;
	/** Resolves when Redis answers. */
	ping(): Promise<unknown>;
	now(): number;
	/** A delivery that was handled without Redis is in Redis now. */
	wake(ref: DeliveryRef): Promise<void>;
	readonly log: {warn(fields: object, message: string): void; info(fields: object, message: string): void};
}

export interface FallbackStore extends DeliveryStore {
	readonly isAway: boolean;
	close(): void;
}

/** How often Redis is asked whether it is back. */
const PROBE_MS = 250;

export function createFallbackStore(options: FallbackOptions): FallbackStore {
	const {redis, log} = options;
	let memory: MemoryStore | undefined;
	let probe: NodeJS.Timeout | undefined;
	let isClosed = false;
	const journal = new Map<string, {ref: DeliveryRef; steps: Step[]}>();

	/** Runs a step in Redis; where Redis does not answer, in memory, and notes it for later. */
	async function step<Result>(
		ref: DeliveryRef,
		inRedis: (store: DeliveryStore) => Promise<Result>,
		{run, note}: {run?: number; note?: (result: Result) => Step},
	): Promise<Result> {
		if (!memory) {
			try {
				return await inRedis(redis);
			} catch (error) {
				if (!isOutage(error)) {
					throw error;
				}

				goAway(error);
			}
		}

		const here = memory as MemoryStore;
		if (run !== undefined) {
			here.adopt(ref, run);
		}

		const result = await inRedis(here);
		if (note) {
			const key = `${ref.account} ${ref.id}`;
			const noted = journal.get(key) ?? {ref, steps: []};
			noted.steps.push(note(result));
			journal.set(key, noted);
		}

		return result;
	}

	function goAway(error: unknown): void {
		if (!memory) {
			memory = createMemoryStore(options.now);
			log.warn({reason: String(error)}, 'Redis does not answer; deliveries are kept in memory');
			scheduleProbe();
		}
	}

	function scheduleProbe(): void {
		probe = setTimeout(async () => {
			try {
				await options.ping();
				await writeJournal();
				memory = undefined;
				log.info({}, 'Redis answers again; deliveries are kept there');
			} catch {
				if (!isClosed) {
					scheduleProbe();
				}
			}
		}, PROBE_MS);
	}

	async function writeJournal(): Promise<void> {
		for (const [key, {ref, steps}] of journal) {
			for (let next = steps[0]; next; next = steps[0]) {
				if ((await next(redis)) === 'drop') {
					log.warn({delivery: ref.id}, 'another process handled a delivery while Redis was away');
					break;
				}

				steps.shift();
			}

			journal.delete(key);
			await options.wake(ref);
		}
	}

	return {
		get isAway() {
			return memory !== undefined;
		},
		claim: (ref, request) =>
			step<Claim>(ref, store => store.claim(ref, request), {
				note: result => async store => {
					// A repeat of what was claimed in Redis before the outage changes nothing there.
					const claimed = result.kind === 'run' ? await store.claim(ref, {...request, perMinute: 0}) : undefined;
					return claimed && claimed.kind !== 'run' ? 'drop' : 'go on';
				},
			}),
		renew: (ref, run, session) =>
			step(ref, store => store.renew(ref, run, session), {
				run,
				// A holder that outlived the outage says so before anybody takes its lease for lapsed.
				note: () => async store => ((await store.renew(ref, run, session)) === 'stale' ? 'drop' : 'go on'),
			}),
		async enterSession(ref, run, request) {
			if (memory) {
				throw new Error('Redis is away, and with it the sessions of conversations');
			}

			return redis.enterSession(ref, run, request);
		},
		decideLate: ref =>
			step(ref, store => store.decideLate(ref), {
				note: () => async store => {
					await store.decideLate(ref);
					return 'go on';
				},
			}),
		finish: (ref, finish) =>
			step(ref, store => store.finish(ref, finish), {
				run: finish.run,
				note: () => async store => ((await store.finish(ref, finish)) === 'stale' ? 'drop' : 'go on'),
			}),
		append: (ref, run, entries) =>
			step(ref, store => store.append(ref, run, entries), {
				run,
				note: () => async store => ((await store.append(ref, run, entries)) === 'stale' ? 'drop' : 'go on'),
			}),
		async markSpoken(refs) {
			if (memory) {
				// Written after the journal: an answer is spoken only once it is finished there.
				for (const ref of refs) {
					await step(ref, async store => store.markSpoken([ref]), {
						note: () => async store => {
							await store.markSpoken([ref]);
							return 'go on';
						},
					});
				}

				return;
			}

			await redis.markSpoken(refs);
		},
		close() {
			isClosed = true;
			clearTimeout(probe);
		},
	};
}

const OUTAGE = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS)/;

/** A refusal of a script is our bug; everything else means that Redis is not there for us. */
function isOutage(error: unknown): boolean {
	return !(error instanceof Error) || error.name !== 'ReplyError' || OUTAGE.test(error.message);
}
