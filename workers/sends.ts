// Posts what bots say outside of a webhook's answer.

import {ApiError, NetworkError} from '../src/client/errors.js';
import {defineWorker, TryLater} from '../src/queue/define-worker.js';
import {sends, type Target} from '../src/queue/sends.js';

/** Wait before a service that cannot be reached is tried again. */
const UNREACHABLE_MS = 5_000;

export default defineWorker({
	queue: sends,
	concurrency: 50,
	async run({site, email, target, text}, {clientOf}) {
		const client = clientOf({site, email});
		if (!client) {
			throw new Error(`No account ${email} on ${site} in the configuration`);
		}

		try {
			const {id} = await client.sendMessage({...addressOf(target), content: text});
			return {messageId: id};
		} catch (error) {
			throw whatNext(error);
		}
	},
});

function addressOf(target: Target) {
	return 'dm' in target
		? ({type: 'direct', to: target.dm} as const)
		: ({type: 'channel', to: target.channel, topic: target.topic} as const);
}

/** Only what the service certainly did not carry out is tried again: a message is never posted twice. */
function whatNext(error: unknown): unknown {
	if (error instanceof ApiError && error.status === 429) {
		return new TryLater((error.retryAfterSeconds ?? 1) * 1000, {cause: error});
	}

	if (error instanceof NetworkError && !error.mayHaveArrived) {
		return new TryLater(UNREACHABLE_MS, {cause: error});
	}

	return error;
}
