// Trouble on purpose: what is to go wrong next, with webhooks and with calls.

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
 * The next `count` calls: refused (`429`, `500`, `502-html`), never answered (`silence`), cut before anything is done
 * (`break-before`), or done without a readable answer (`accept-and-break`, `unreadable`).
 */
export const CallTrouble = z.strictObject({
	kind: z.enum(['429', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable']),
	operation: z.enum(operationNames).optional(),
	account: z.string().optional(),
	count,
	/** Seconds that a 429 asks to wait. */
	retry_after: z.number().min(0).max(3600).default(1),
});
export type CallTrouble = z.infer<typeof CallTrouble>;

export class Trouble {
	#webhooks: WebhookTrouble[] = [];
	#calls: CallTrouble[] = [];

	addWebhook(trouble: WebhookTrouble): void {
		this.#webhooks.push(trouble);
	}

	addCall(trouble: CallTrouble): void {
		this.#calls.push(trouble);
	}

	/** What still waits for its victim. */
	pending(): {webhooks: readonly WebhookTrouble[]; calls: readonly CallTrouble[]} {
		return {webhooks: this.#webhooks, calls: this.#calls};
	}

	clear(): void {
		this.#webhooks = [];
		this.#calls = [];
	}

	/** The oldest trouble meant for this bot; it is used up by that. */
	takeWebhook(email: string): WebhookTrouble | undefined {
		const found = this.#webhooks.find(trouble => matches(trouble.bot, email));
		this.#webhooks = useUp(this.#webhooks, found);
		return found;
	}

	/** The oldest trouble meant for this call; it is used up by that. */
	takeCall(operation: OperationName, email: string | undefined): CallTrouble | undefined {
		const found = this.#calls.find(
			trouble => (trouble.operation ?? operation) === operation && matches(trouble.account, email),
		);
		this.#calls = useUp(this.#calls, found);
		return found;
	}
}

function matches(wanted: string | undefined, email: string | undefined): boolean {
	return wanted === undefined || wanted.toLowerCase() === email?.toLowerCase();
}

function useUp<T extends {count: number}>(all: readonly T[], used: T | undefined): T[] {
	return all
		.map(trouble => (trouble === used ? {...trouble, count: trouble.count - 1} : trouble))
		.filter(trouble => trouble.count > 0);
}
