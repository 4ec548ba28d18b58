// The store that the receiver uses: Redis, and memory while Redis is slow or away. What happened meanwhile is written to
// Redis when it is back, step by step; each step is fenced there, so that another process's run is never overwritten.

import {setTimeout as sleep} from 'node:timers/promises';
import {createMemoryStore, type MemoryStore} from './memory-store.js';
import type {DeliveryRef} from './ref.js';
import type {Claim, ClaimRequest, DeliveryStore} from './store.js';

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

/** The service repeats a delivery within its own patience, four times ten seconds; memory is finite. */
const REMEMBERED_MS = 2 * 60_000;

/** How long a step that failed waits before it is tried once more. */
const AGAIN_MS = 200;

/** How often Redis is asked whether it is back. */
const PROBE_MS = 250;

/** What happened to a delivery while Redis was away. */
interface Noted {
	readonly ref: DeliveryRef;
	/** Whether Redis knows nothing of it. */
	readonly isNew: boolean;
	/** Whether it waits in memory for a worker to post something. */
	hasMore: boolean;
	/** Whether the bot's answer was given here. */
	isAnswered: boolean;
	/** The number of its run in Redis. */
	run: number | undefined;
	readonly steps: Step[];
}

export function createFallbackStore(options: FallbackOptions): FallbackStore {
	const {redis, log} = options;
	let memory: MemoryStore | undefined;
	let probe: NodeJS.Timeout | undefined;
	let isClosed = false;
	const journal = new Map<string, Noted>();

	/** Does a step in Redis; where Redis does not answer, in memory, and notes it for later. */
	async function step<Result>(ref: DeliveryRef, does: (store: DeliveryStore) => Promise<Result>, note: Note<Result>) {
		// A step of which no answer came may be done in Redis all the same.
		let mayBeThere = false;
		for (let attempt = 1; !memory; attempt++) {
			try {
				return await does(redis);
			} catch (error) {
				if (!isOutage(error)) {
					throw error;
				}

				mayBeThere = true;
				// A connection that broke is soon back, and a busy machine is no outage; a step may be repeated.
				if (attempt === 1) {
					await sleep(AGAIN_MS);
				} else {
					goAway(error);
				}
			}
		}

		const here = memory as unknown as MemoryStore;
		if (note.run !== undefined) {
			here.adopt(ref, note.run);
		}

		const result = await does(here);
		const key = `${ref.account} ${ref.id}`;
		const noted = journal.get(key) ?? newNoted(ref, note.isNew === true && !mayBeThere);
		note.mark?.(noted, result);
		noted.steps.push(store => note.again(store, result, noted));
		journal.set(key, noted);
		return result;
	}

	function expectRedis(what: string): void {
		if (memory) {
			throw new Error(`Redis is away, and with it ${what}`);
		}
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
				memory?.forget(options.now() - REMEMBERED_MS);
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
				isNew: true,
				async again(store, claimed, noted) {
					// A repeat changes nothing; only what was begun here is begun there.
					if (claimed.kind !== 'run') {
						return 'go on';
					}

					const there = await claimAfterwards(store, {ref, request, noted});
					noted.run = there.kind === 'run' ? there.run : undefined;
					return there.kind === 'run' ? 'go on' : 'drop';
				},
			}),
		renew: (ref, run, session) =>
			step(ref, store => store.renew(ref, run, session), {
				run,
				// A holder that outlived the outage says so before anybody takes its lease for lapsed.
				again: async (store, _, noted) => dropStale(await store.renew(ref, noted.run ?? run, session)),
			}),
		async enterSession(ref, run, request) {
			expectRedis('the sessions of conversations');
			return redis.enterSession(ref, run, request);
		},
		async schedule(ref, run, entry) {
			expectRedis('what is said at a set time');
			return redis.schedule(ref, run, entry);
		},
		async repeat(ref, run, repeated) {
			expectRedis('what is said again and again');
			return redis.repeat(ref, run, repeated);
		},
		decideLate: ref =>
			step(ref, store => store.decideLate(ref), {
				async again(store) {
					await store.decideLate(ref);
					return 'go on';
				},
			}),
		finish: (ref, finish) =>
			step(ref, store => store.finish(ref, finish), {
				run: finish.run,
				mark(noted, standing) {
					noted.isAnswered = standing === 'inline';
					noted.hasMore ||= standing === 'late' && finish.replies.length > 0;
				},
				again: async (store, _, noted) => dropStale(await store.finish(ref, {...finish, run: noted.run ?? finish.run})),
			}),
		append: (ref, run, entries) =>
			step(ref, store => store.append(ref, run, entries), {
				run,
				mark(noted) {
					noted.hasMore = true;
				},
				again: async (store, _, noted) => dropStale(await store.append(ref, noted.run ?? run, entries)),
			}),
		async markSpoken(refs) {
			if (!memory) {
				await redis.markSpoken(refs);
				return;
			}

			for (const ref of refs) {
				const key = `${ref.account} ${ref.id}`;
				const noted = journal.get(key);
				if (noted?.isNew && !noted.hasMore) {
					// Begun and answered without Redis: nobody there needs to hear of it.
					journal.delete(key);
					memory.dropText(ref);
				} else {
					noted?.steps.push(async store => {
						await store.markSpoken([ref]);
						return 'go on';
					});
				}
			}
		},
		close() {
			isClosed = true;
			clearTimeout(probe);
		},
	};
}

interface Note<Result> {
	readonly isNew?: boolean;
	/** The run whose step it is; memory takes over what Redis had begun. */
	readonly run?: number;
	mark?(noted: Noted, result: Result): void;
	/** Does in Redis what was done in memory. */
	again(store: DeliveryStore, result: Result, noted: Noted): Promise<'go on' | 'drop'>;
}

function newNoted(ref: DeliveryRef, isNew: boolean): Noted {
	return {ref, isNew, hasMore: false, isAnswered: false, run: undefined, steps: []};
}

/** Whoever had a delivery when Redis went away must not answer it too when somebody else has answered it meanwhile. */
async function claimAfterwards(
	store: DeliveryStore,
	{ref, request, noted}: {ref: DeliveryRef; request: ClaimRequest; noted: Noted},
): Promise<Claim> {
	const free = {...request, perMinute: 0};
	const claimed = await store.claim(ref, free);
	return claimed.kind === 'busy' && noted.isAnswered
		? store.claim(ref, {...free, deadHolder: claimed.holder, leavesLapsed: false})
		: claimed;
}

function dropStale(result: unknown): 'go on' | 'drop' {
	return result === 'stale' ? 'drop' : 'go on';
}

const OUTAGE = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS)/;

/** A refusal of a script is our bug; everything else means that Redis is not there for us. */
function isOutage(error: unknown): boolean {
	return !(error instanceof Error) || error.name !== 'ReplyError' || OUTAGE.test(error.message);
}
