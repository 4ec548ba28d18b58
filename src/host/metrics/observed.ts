// Wraps stores and handlers so that they publish diagnostics events.

import type sendsWorker from '../../../workers/sends.js';
import {SILENCE} from '../../delivery/answers.js';
import type {DeliveriesOptions} from '../../delivery/deliveries.js';
import type {DeliveryRef} from '../../delivery/ref.js';
import type {DeliveryStore} from '../../delivery/store.js';
import type {Work} from '../../delivery/work.js';
import {readState} from '../../outbox/entry-state.js';
import type {OutboxStore} from '../../outbox/store.js';
import {accountTag} from '../../redis/account-key.js';
import type {BotAccount} from '../bots.js';
import {publish, working} from './diagnostics.js';

interface Named {
	readonly name: string;
	readonly site: string;
	readonly email: string;
}

/** Limit for remembered deliveries. Beyond that, the oldest is dropped. */
const MOST_KNOWN = 10_000;

function createMemory<Value>() {
	const known = new Map<string, Value>();
	const keyOf = ({account, id}: DeliveryRef) => `${account} ${id}`;
	return {
		put(ref: DeliveryRef, value: Value) {
			known.set(keyOf(ref), value);
			if (known.size > MOST_KNOWN) {
				known.delete(known.keys().next().value ?? '');
			}
		},
		get: (ref: DeliveryRef) => known.get(keyOf(ref)),
		drop: (ref: DeliveryRef) => known.delete(keyOf(ref)),
	};
}

function namesOf(accounts: readonly Named[]): (ref: DeliveryRef) => string {
	const names = new Map(accounts.map(account => [accountTag(account), account.name]));
	return ({account}) => names.get(account) ?? '';
}

/** The trigger's name in metrics: the service's, or one of Bothy's own kinds of work. */
function triggerOf(work: Work): string {
	return work.kind === 'message' ? work.payload.trigger : `bothy:${work.kind === 'sendFailed' ? 'failed' : work.kind}`;
}

type Handle = DeliveriesOptions<BotAccount>['handle'];

/** Publishes how each delivery ends, and how long handlers take. */
export function observeDeliveries<Store extends DeliveryStore>(
	accounts: readonly Named[],
	{store, handle}: {store: Store; handle: Handle},
): {store: Store; handle: Handle} {
	const nameOf = namesOf(accounts);
	const triggers = createMemory<string>();
	const told = (ref: DeliveryRef) => ({bot: nameOf(ref), delivery: ref.id, trigger: triggers.get(ref) ?? ''});
	return {
		async handle(task) {
			const {ref} = task.run.writer;
			triggers.put(ref, triggerOf(task.work));
			await working(
				ref.id,
				async () => handle(task),
				work => publish('handler', {...work, ...told(ref)}),
			);
		},
		store: {
			...store,
			async claim(ref, request) {
				const claim = await store.claim(ref, request);
				if (claim.kind === 'answer') {
					publish('delivery', {outcome: claim.isFlood ? 'flood' : 'repeat', answer: 'inline', ...told(ref)});
				}

				return claim;
			},
			async finish(ref, finish) {
				const standing = await store.finish(ref, finish);
				if (standing !== 'stale') {
					const outcome = finish.error === undefined ? 'done' : 'failed';
					const answer = finish.answer === SILENCE ? 'none' : standing;
					publish('delivery', {outcome, answer, ...told(ref)});
				}

				triggers.drop(ref);
				return standing;
			},
		},
	};
}

/** Publishes how long each job for an outbox takes. */
export function observeJobs<Worker extends typeof sendsWorker>(accounts: readonly Named[], worker: Worker): Worker {
	const nameOf = namesOf(accounts);
	return {
		...worker,
		run(job, ...rest) {
			const bot = nameOf({account: accountTag(job), id: job.delivery});
			return working(
				job.delivery,
				() => worker.run(job, ...rest),
				work => publish('job', {bot, ...work}),
			);
		},
	};
}

/** Publishes how each attempt to post ends. */
export function observeSends(accounts: readonly Named[], store: OutboxStore): OutboxStore {
	const nameOf = namesOf(accounts);
	const dueTimes = createMemory<ReadonlyMap<number, number>>();
	return {
		...store,
		async open(ref, nonce, attempt) {
			const opened = await store.open(ref, nonce, attempt);
			if (opened) {
				dueTimes.put(ref, new Map(opened.entries.map(({n, dueAt}) => [n, dueAt])));
			}

			return opened;
		},
		async end(ref, nonce, end) {
			const ended = await store.end(ref, nonce, end);
			if (ended === 'recorded') {
				const dueAt = dueTimes.get(ref)?.get(end.n) ?? 0;
				const outcome = readState(end.state).kind;
				const lateMs = outcome === 'sent' && dueAt > 0 ? Math.max(0, Date.now() - dueAt) : undefined;
				publish('send', {bot: nameOf(ref), delivery: ref.id, outcome, lateMs});
			}

			if (end.closeMs !== undefined) {
				dueTimes.drop(ref);
			}

			return ended;
		},
		async close(ref, nonce, nextMs) {
			dueTimes.drop(ref);
			return store.close(ref, nonce, nextMs);
		},
	};
}
