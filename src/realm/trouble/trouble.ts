// Trouble on purpose: what is to go wrong next, with webhooks and with calls.

import {createHash} from 'node:crypto';
import {z} from 'zod';
import {type OperationName, operations} from '../../api/index.js';

const count = z.int().min(1).max(10_000).default(1);
const bot = z.string().optional();

/** The next `count` posts to a receiver: late, cut before the answer, or cut after it. */
export const WebhookTrouble = z.discriminatedUnion('kind', [
	z.strictObject({kind: z.literal('delay'), bot, count, delay_ms: z.int().min(0).max(3_600_000)}),
	z.strictObject({kind: z.literal('break-before'), bot, count}),
	z.strictObject({kind: z.literal('break-after'), bot, count}),
]);
export type WebhookTrouble = z.infer<typeof WebhookTrouble>;

const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/**
 * What may happen to a call: it is refused (`429`, `500`, `502-html`), never answered (`silence`), cut before anything
 * is done (`break-before`), or done without a readable answer (`accept-and-break`, `unreadable`).
 */
const kind = z.enum(['429', 'busy', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable']);

const callTrouble = {
	operation: z.enum(operationNames).optional(),
	account: z.string().optional(),
	/** Seconds that a 429 asks to wait. */
	retry_after: z.number().min(0).max(3600).default(1),
	/** How long a `silence` lasts; after it the call is done and answered, though perhaps nobody waits any more. */
	for_ms: z.int().min(0).max(3_600_000).optional(),
};

/** The next `count` calls. */
export const CallTrouble = z.strictObject({kind, ...callTrouble, count});
export type CallTrouble = z.infer<typeof CallTrouble>;

/**
 * A share of all calls, each meeting one of `kinds`, until it is switched off. Which calls, and what they meet, follows
 * from `seed` and from how many calls came before.
 */
export const CallShare = z.strictObject({
	share: z.number().gt(0).max(1),
	kinds: z.array(kind).min(1),
	seed: z.int(),
	...callTrouble,
});
export type CallShare = z.infer<typeof CallShare>;

/** The next `count` events each come behind the one that follows, as on busy servers (service-facts.md 4.9). */
export const EventSwap = z.strictObject({
	account: z.string().optional(),
	event_type: z.string().optional(),
	count,
	/** How long an event is held back for the next one, on the clock of the realm. */
	within_ms: z.int().min(0).max(3_600_000).default(1_000),
});
export type EventSwap = z.infer<typeof EventSwap>;

/** What one call meets. */
export type Mishap = Pick<CallTrouble, 'kind' | 'retry_after' | 'for_ms'>;

/** A share, and what became of it so far. */
export type CountedShare = CallShare & {readonly calls: number; readonly troubled: number};

export class Trouble {
	#webhooks: WebhookTrouble[] = [];
	#calls: CallTrouble[] = [];
	#shares: CountedShare[] = [];
	#swaps: EventSwap[] = [];

	addWebhook(trouble: WebhookTrouble): void {
		this.#webhooks.push(trouble);
	}

	addCall(trouble: CallTrouble): void {
		this.#calls.push(trouble);
	}

	addShare(share: CallShare): void {
		this.#shares.push({...share, calls: 0, troubled: 0});
	}

	addSwap(swap: EventSwap): void {
		this.#swaps.push(swap);
	}

	/** What still waits for its victim. */
	pending(): {
		webhooks: readonly WebhookTrouble[];
		calls: readonly CallTrouble[];
		shares: readonly CountedShare[];
		swaps: readonly EventSwap[];
	} {
		return {webhooks: this.#webhooks, calls: this.#calls, shares: this.#shares, swaps: this.#swaps};
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

	/** The oldest trouble meant for this bot; it is used up by that. */
	takeWebhook(email: string): WebhookTrouble | undefined {
		const found = this.#webhooks.find(trouble => matches(trouble.bot, email));
		this.#webhooks = useUp(this.#webhooks, found);
		return found;
	}

	/** The oldest trouble meant for this call, which is used up by that; else what a share has for it. */
	takeCall(operation: OperationName, email: string | undefined): Mishap | undefined {
		const isMeant = (trouble: CallTrouble | CallShare) =>
			(trouble.operation ?? operation) === operation && matches(trouble.account, email);
		const found = this.#calls.find(isMeant);
		this.#calls = useUp(this.#calls, found);
		return found ?? this.#takeShare(isMeant);
	}

	/** How long an event of this account is held back; the swap is used up by that. */
	takeSwap(type: string, email: () => string | undefined): number | undefined {
		const found = this.#swaps.find(swap => (swap.event_type ?? type) === type && matches(swap.account, email()));
		this.#swaps = useUp(this.#swaps, found);
		return found?.within_ms;
	}

	/** Every share that the call belongs to counts it, up to the one that troubles it. */
	#takeShare(isMeant: (share: CallShare) => boolean): Mishap | undefined {
		for (const [index, share] of this.#shares.entries()) {
			if (isMeant(share)) {
				const kind = draw(share);
				const troubled = share.troubled + (kind ? 1 : 0);
				this.#shares[index] = {...share, calls: share.calls + 1, troubled};
				if (kind) {
					return {kind, retry_after: share.retry_after, for_ms: share.for_ms};
				}
			}
		}

		return undefined;
	}
}

/** The same for the same seed and call, and else as good as chance. */
function draw({share, kinds, seed, calls}: CountedShare): CallTrouble['kind'] | undefined {
	const bytes = createHash('sha256').update(`${seed} ${calls}`).digest();
	const isHit = bytes.readUInt32BE(0) / 2 ** 32 < share;
	return isHit ? kinds[bytes.readUInt32BE(4) % kinds.length] : undefined;
}

function matches(wanted: string | undefined, email: string | undefined): boolean {
	return wanted === undefined || wanted.toLowerCase() === email?.toLowerCase();
}

function useUp<T extends {count: number}>(all: readonly T[], used: T | undefined): T[] {
	return all
		.map(trouble => (trouble === used ? {...trouble, count: trouble.count - 1} : trouble))
		.filter(trouble => trouble.count > 0);
}
