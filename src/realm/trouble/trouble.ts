// Faults on purpose: what fails next, with webhooks and with calls.

import {createHash} from 'node:crypto';
import {type OperationName, operations} from '../../api/index.js';
import {z} from '../../api/zod.js';
import {type Account, isBot} from '../people/accounts.js';

const count = z.int().min(1).max(10_000).default(1);
const bot = z.string().optional();

/** The next `count` posts to a receiver are late, cut before the answer, or cut after it. */
export const WebhookTrouble = z.discriminatedUnion('kind', [
	z.strictObject({kind: z.literal('delay'), bot, count, delay_ms: z.int().min(0).max(3_600_000)}),
	z.strictObject({kind: z.literal('break-before'), bot, count}),
	z.strictObject({kind: z.literal('break-after'), bot, count}),
]);
export type WebhookTrouble = z.infer<typeof WebhookTrouble>;

const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/**
 * A fault of a call. The realm refuses it (`429`, `500`, `502-html`), never answers (`silence`), cuts the connection before it acts
 * (`break-before`), or acts but gives no readable answer (`accept-and-break`, `unreadable`).
 */
const kind = z.enum(['429', 'busy', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable']);

const callTrouble = {
	operation: z.enum(operationNames).optional(),
	account: z.string().optional(),
	/** Calls of people do not fail. */
	only_bots: z.boolean().optional(),
	/** How many seconds a 429 says to wait. */
	retry_after: z.number().min(0).max(3600).default(1),
	/** How long a `silence` lasts. After it, the realm runs and answers the call, even if nobody waits any more. */
	for_ms: z.int().min(0).max(3_600_000).optional(),
};

/** The next `count` calls fail. */
export const CallTrouble = z.strictObject({kind, ...callTrouble, count});
export type CallTrouble = z.infer<typeof CallTrouble>;

/**
 * A share of all calls fails, each with one of `kinds`, until it is switched off. `seed` and the number of earlier calls determine
 * which calls fail, and how.
 */
export const CallShare = z.strictObject({
	share: z.number().gt(0).max(1),
	kinds: z.array(kind).min(1),
	seed: z.int(),
	...callTrouble,
});
export type CallShare = z.infer<typeof CallShare>;

/** Each of the next `count` events comes after the one that follows it, as on busy servers (service-facts.md 4.9). */
export const EventSwap = z.strictObject({
	account: z.string().optional(),
	event_type: z.string().optional(),
	count,
	/** How long to wait for the following event, on the realm's clock. */
	within_ms: z.int().min(0).max(3_600_000).default(1_000),
});
export type EventSwap = z.infer<typeof EventSwap>;

/** The fault of one call. */
export type CallFault = Pick<CallTrouble, 'kind' | 'retry_after' | 'for_ms'>;

/** A share, and its counts so far. */
export type CountedShare = CallShare & {readonly calls: number; readonly troubled: number};

/** Faults that have not happened yet, by what they hit. */
interface Pending {
	readonly webhooks: readonly WebhookTrouble[];
	readonly calls: readonly CallTrouble[];
	readonly shares: readonly CountedShare[];
	readonly swaps: readonly EventSwap[];
}

/** With an ID, by which it can be cancelled. IDs count from 1 since the start of the realm. */
export interface Numbered<Fault> {
	readonly id: number;
	readonly fault: Fault;
}

/** One pending fault, and what it hits. */
export type PendingFault = {
	[What in keyof Pending]: Numbered<Pending[What][number]> & {readonly what: What};
}[keyof Pending];

export class Trouble {
	#webhooks: Numbered<WebhookTrouble>[] = [];
	#calls: Numbered<CallTrouble>[] = [];
	#shares: Numbered<CountedShare>[] = [];
	#swaps: Numbered<EventSwap>[] = [];
	#added = 0;

	addWebhook(fault: WebhookTrouble): void {
		this.#webhooks.push({id: ++this.#added, fault});
	}

	addCall(fault: CallTrouble): void {
		this.#calls.push({id: ++this.#added, fault});
	}

	addShare(share: CallShare): void {
		this.#shares.push({id: ++this.#added, fault: {...share, calls: 0, troubled: 0}});
	}

	addSwap(fault: EventSwap): void {
		this.#swaps.push({id: ++this.#added, fault});
	}

	/** Faults that have not happened yet. */
	pending(): Pending {
		const faultsOf = <Fault>(all: readonly Numbered<Fault>[]) => all.map(({fault}) => fault);
		return {
			webhooks: faultsOf(this.#webhooks),
			calls: faultsOf(this.#calls),
			shares: faultsOf(this.#shares),
			swaps: faultsOf(this.#swaps),
		};
	}

	/** The same, oldest first. */
	list(): readonly PendingFault[] {
		return [
			...this.#webhooks.map(fault => ({what: 'webhooks' as const, ...fault})),
			...this.#calls.map(fault => ({what: 'calls' as const, ...fault})),
			...this.#shares.map(fault => ({what: 'shares' as const, ...fault})),
			...this.#swaps.map(fault => ({what: 'swaps' as const, ...fault})),
		].toSorted((a, b) => a.id - b.id);
	}

	/** False if no fault has this ID: it has happened, or was cancelled. */
	cancel(id: number): boolean {
		const isFound = this.list().some(fault => fault.id === id);
		this.#webhooks = without(this.#webhooks, id);
		this.#calls = without(this.#calls, id);
		this.#shares = without(this.#shares, id);
		this.#swaps = without(this.#swaps, id);
		return isFound;
	}

	clear(): void {
		this.#webhooks = [];
		this.#calls = [];
		this.#shares = [];
		this.#swaps = [];
	}

	clearShares(): void {
		this.#shares = [];
	}

	/** Takes the oldest fault for this bot. */
	takeWebhook(email: string): WebhookTrouble | undefined {
		const found = this.#webhooks.find(({fault}) => matches(fault.bot, email));
		this.#webhooks = useUp(this.#webhooks, found);
		return found?.fault;
	}

	/** Takes the oldest fault for this call, or else the fault of a share. */
	takeCall(operation: OperationName, caller: Account | undefined): CallFault | undefined {
		const isMeant = (trouble: CallTrouble | CallShare) =>
			(trouble.operation ?? operation) === operation &&
			matches(trouble.account, caller?.email) &&
			(trouble.only_bots !== true || (caller !== undefined && isBot(caller)));
		const found = this.#calls.find(({fault}) => isMeant(fault));
		this.#calls = useUp(this.#calls, found);
		return found?.fault ?? this.#takeShare(isMeant);
	}

	/** Takes a swap: how long an event of this account is held back. */
	takeSwap(type: string, email: () => string | undefined): number | undefined {
		const isMeant = (swap: EventSwap) => (swap.event_type ?? type) === type && matches(swap.account, email());
		const found = this.#swaps.find(({fault}) => isMeant(fault));
		this.#swaps = useUp(this.#swaps, found);
		return found?.fault.within_ms;
	}

	/** Every share that matches a call counts it, up to the one that makes it fail. */
	#takeShare(isMeant: (share: CallShare) => boolean): CallFault | undefined {
		for (const [index, {id, fault: share}] of this.#shares.entries()) {
			if (isMeant(share)) {
				const kind = draw(share);
				const troubled = share.troubled + (kind ? 1 : 0);
				this.#shares[index] = {id, fault: {...share, calls: share.calls + 1, troubled}};
				if (kind) {
					return {kind, retry_after: share.retry_after, for_ms: share.for_ms};
				}
			}
		}

		return undefined;
	}
}

/** Pseudo-random: the same for the same seed and call. */
function draw({share, kinds, seed, calls}: CountedShare): CallTrouble['kind'] | undefined {
	const bytes = createHash('sha256').update(`${seed} ${calls}`).digest();
	const isHit = bytes.readUInt32BE(0) / 2 ** 32 < share;
	return isHit ? kinds[bytes.readUInt32BE(4) % kinds.length] : undefined;
}

function matches(wanted: string | undefined, email: string | undefined): boolean {
	return wanted === undefined || wanted.toLowerCase() === email?.toLowerCase();
}

function without<Fault>(all: readonly Numbered<Fault>[], id: number): Numbered<Fault>[] {
	return all.filter(one => one.id !== id);
}

function useUp<Fault extends {count: number}>(
	all: readonly Numbered<Fault>[],
	used: Numbered<Fault> | undefined,
): Numbered<Fault>[] {
	return all
		.map(one => (one === used ? {...one, fault: {...one.fault, count: one.fault.count - 1}} : one))
		.filter(({fault}) => fault.count > 0);
}
