// Posts what bots send outside the webhook's answer, each post once. workOutbox() decides when, carryOut() posts, and settle()
// finds the outcome of an attempt that got no answer.

import type {Client} from '../src/client/client.js';
import {type DeliveryRef, sendId} from '../src/delivery/ref.js';
import type {OutboxItem} from '../src/outbox/item.js';
import {carryOut, type PostDependencies} from '../src/outbox/post.js';
import {tellChange} from '../src/outbox/scheduled-sends.js';
import {type SettleDependencies, settle} from '../src/outbox/settle.js';
import type {OutboxWork} from '../src/outbox/work-entry.js';
import {workOutbox} from '../src/outbox/work-outbox.js';
import {defineWorker, TryLater} from '../src/queue/define-worker.js';
import {onceAMinute} from '../src/queue/once-a-minute.js';
import {sends} from '../src/queue/sends.js';
import {accountTag} from '../src/redis/account-key.js';

export interface SendDependencies extends PostDependencies, SettleDependencies {
	/** The client of one of our accounts. Undefined if the configuration no longer contains it. */
	clientOf(account: {site: string; email: string}): Client | undefined;
	/** Enqueues a job for an outbox, for a later time. */
	enqueueLater(ref: DeliveryRef, options: {id: string; delayMs: number}): Promise<void>;
}

export default defineWorker({
	queue: sends,
	concurrency: 50,
	async run({site, email, delivery}, dependencies: SendDependencies) {
		const client = dependencies.clientOf({site, email});
		if (!client) {
			throw new Error(`No account ${email} on ${site} in the configuration`);
		}

		const ref = {account: accountTag({site, email}), id: delivery};
		const {posted, comeBackMs} = await workOutbox(ref, workOf(ref, {client, dependencies}));
		if (comeBackMs !== undefined) {
			throw new TryLater(comeBackMs);
		}

		return {posted};
	},
});

/** Workers that have logged that an entry needs a newer version. */
const told = new WeakSet<SendDependencies>();

const isNewFailure = onceAMinute();
const isNewDoubt = onceAMinute();

function workOf(
	ref: DeliveryRef,
	{client, dependencies}: {client: Client; dependencies: SendDependencies},
): OutboxWork {
	// An answer to a message is newer than that message.
	const answered = Number(/^\d+/.exec(ref.id)?.[0] ?? 0);
	return {
		store: dependencies.outboxes,
		now: dependencies.now,
		giveUpMs: dependencies.giveUpMs,
		async prepare() {
			const before = await dependencies.receipts.before(client);
			return 'delayMs' in before ? before : {queue: before.queue, after: Math.max(before.after, answered)};
		},
		async post(said, attempt) {
			const outcome = await carryOut(client, {ref, said, attempt, dependencies});
			if (outcome.kind === 'sent') {
				dependencies.receipts.sawMessage(client, outcome.messageId);
			} else if (outcome.kind === 'refused') {
				dependencies.log.warn(
					{account: client.email, delivery: ref.id, entry: said.entry.n, reason: outcome.reason},
					'the service refused a message of a bot',
				);
			} else if (outcome.kind === 'failed' && isNewFailure(accountTag(client))) {
				dependencies.log.error(
					{
						account: client.email,
						site: client.site,
						reason: outcome.reason,
						cure: '`bothy doctor` names what to correct',
					},
					'an account cannot post; its messages wait until it can',
				);
			} else if (outcome.kind === 'unknown' && isNewDoubt(accountTag(client))) {
				dependencies.log.warn(
					{account: client.email, delivery: ref.id, entry: said.entry.n},
					'no answer to a post; looking for the message',
				);
			}

			return outcome;
		},
		left({n}) {
			if (!told.has(dependencies)) {
				told.add(dependencies);
				const where = {account: client.email, delivery: ref.id, entry: n};
				dependencies.log.warn(where, 'a newer version of Bothy stored this message; leaving it to a newer worker');
			}
		},
		unreadable(error) {
			const reason = error.message;
			dependencies.log.error(
				{account: client.email, delivery: ref.id, reason},
				'cannot read the stored work of a delivery',
			);
		},
		async failed({entry, work}, reason) {
			const isSaid = entry.kind === 'reply' || entry.kind === 'send';
			// Only a message has a conversation in which the bot can say so.
			if (isSaid && work?.kind === 'message') {
				const send = sendId(ref, entry.n);
				await dependencies.runBot(ref, {kind: 'sendFailed', send, reason, answered: work.payload});
			}
		},
		change: (said, change) => tellChange(client, said, change),
		async settle(said, attempt) {
			if (mayRepeat(said)) {
				return {kind: 'absent'};
			}

			const settled = await settle(ref, {said, attempt, client, dependencies, answered});
			if (settled.kind === 'unreadable') {
				const where = {account: client.email, delivery: ref.id, entry: said.entry.n};
				dependencies.log.error(
					where,
					'it is unknown whether a message was posted. Check, then run `bothy sends resolve`',
				);
			}

			return settled;
		},
		enqueueLater: (id, delayMs) => dependencies.enqueueLater(ref, {id, delayMs}),
	};
}

/** A change, or a handler whose delivery always has the same ID: doing it twice has no further effect. */
function mayRepeat({entry: {kind}}: OutboxItem): boolean {
	return kind === 'edit' || kind === 'later';
}
