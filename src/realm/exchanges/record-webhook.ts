// Records the attempts of outgoing webhooks.

import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {WebhookTrouble} from '../trouble/trouble.js';
import type {Outcome} from '../webhooks/post.js';
import type {WebhookCall} from '../webhooks/triggers.js';
import type {PostedMessage} from './exchange.js';

export interface WebhookRecord {
	/** The realm posts now. Before, a fault may have delayed it. */
	posts(): void;
	ends(outcome: Outcome, posted: readonly PostedMessage[]): void;
}

export function recordWebhook(
	{exchanges}: Pick<Services, 'exchanges'>,
	{call, bot, trouble, body}: {call: WebhookCall; bot: Account; trouble: WebhookTrouble | undefined; body: string},
): WebhookRecord {
	let startMs = performance.now();
	const end = exchanges.begin({
		kind: 'webhook',
		bot,
		message_id: call.message_id,
		linked_by: 'webhook',
		attempt: call.failed_tries + 1,
		operation: null,
		method: 'POST',
		url: bot.payload_url ?? '',
		request: body,
		fault: trouble ? faultText(trouble) : null,
	});

	return {
		posts() {
			startMs = performance.now();
		},
		ends(outcome, posted) {
			end({ms: Math.round(performance.now() - startMs), posted, ...endOf(outcome)});
		},
	};
}

function faultText(trouble: WebhookTrouble): string {
	return trouble.kind === 'delay' ? `delay ${trouble.delay_ms} ms` : trouble.kind;
}

function endOf(outcome: Outcome) {
	switch (outcome.kind) {
		case 'answer':
			return {outcome: 'answered', status: outcome.status, answer: outcome.body.toString()} as const;
		case 'timeout':
			return {outcome: 'timeout', reason: `No answer within ${outcome.afterMs / 1000} s`} as const;
		case 'broken':
			return {outcome: 'broken', reason: outcome.within ?? 'The connection broke, or nobody listens there'} as const;
		case 'failed':
			return {outcome: 'failed', reason: `${outcome.type}: ${outcome.reason}`} as const;
		case 'unfit':
			return {outcome: 'failed', reason: outcome.reason} as const;
		case 'stopped':
			return {outcome: 'broken', reason: 'The realm stopped'} as const;
	}
}
