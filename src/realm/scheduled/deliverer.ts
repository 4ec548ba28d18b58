// Sends scheduled messages when they are due, at whole minutes as the service does (service-facts.md 6.7).

import {RealmError} from '../errors.js';
import {sendMessage} from '../messages/send.js';
import {organization} from '../organization.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';
import {destinationOf, presentScheduledMessage, type ScheduledRow} from './scheduled-messages.js';

const MINUTE_MS = 60_000;

/** A message that is later than this, because the realm was down, is not sent. */
const TOO_LATE_MS = 10 * MINUTE_MS;

export class Deliverer {
	readonly #services: Services;
	#cancelAlarm = () => {};
	/** How far the clock had been moved when the alarm was set. */
	#offsetMs = 0;

	constructor(services: Services) {
		this.#services = services;
		this.#offsetMs = services.clock.offsetMs;
	}

	/** Also sends what became due while no realm was running. */
	start(): void {
		this.#deliverDue();
	}

	/** Sets the alarm for the next due message. */
	wake(): void {
		const {store, clock} = this.#services;
		this.#cancelAlarm();
		this.#offsetMs = clock.offsetMs;
		const {next} = store.get<{next: number | null}>(
			`SELECT min(delivery_timestamp) AS next FROM scheduled_messages WHERE state = 'pending'`,
		) ?? {next: null};
		if (next !== null) {
			const dueMs = Math.ceil(Math.max(next * 1000, clock.now()) / MINUTE_MS) * MINUTE_MS;
			this.#cancelAlarm = clock.after(dueMs - clock.now(), () => this.#deliverDue());
		}
	}

	#deliverDue(): void {
		const {store, clock} = this.#services;
		// If the clock was moved, the message is not late because the realm was down.
		const earliestMs = clock.now() - (clock.offsetMs - this.#offsetMs) - TOO_LATE_MS;
		const due = store.all<ScheduledRow>(
			`SELECT * FROM scheduled_messages WHERE state = 'pending' AND delivery_timestamp <= ?
			ORDER BY delivery_timestamp, id`,
			clock.seconds(),
		);
		for (const row of due) {
			this.#deliver(row, row.delivery_timestamp * 1000 < earliestMs);
		}

		this.wake();
	}

	#deliver(row: ScheduledRow, isTooLate: boolean): void {
		const {store, log} = this.#services;
		const sender = findAccount(store, row.sender_id);
		try {
			if (organization(store).deactivated) {
				fail(this.#services, row, 'This organization has been deactivated');
			} else if (sender?.is_active) {
				this.#attempt(row, sender, isTooLate);
			} else {
				fail(this.#services, row, 'Account is deactivated');
			}
		} catch (error) {
			log({event: 'error', scheduled_message: row.id, error});
		}
	}

	#attempt(row: ScheduledRow, sender: Account, isTooLate: boolean): void {
		const services = this.#services;
		try {
			if (isTooLate) {
				throw new RealmError('Message could not be sent at the scheduled time.', 'BAD_REQUEST');
			}

			send(services, row, sender);
		} catch (error) {
			if (!(error instanceof RealmError)) {
				services.log({event: 'error', scheduled_message: row.id, error});
			}

			const reason = error instanceof RealmError ? error.message : 'Internal server error';
			fail(services, row, reason);
			tellSender(services, row, {sender, reason});
		}
	}
}

function send(services: Services, row: ScheduledRow, sender: Account): void {
	const {store, queues} = services;
	store.transaction(() => {
		sendMessage(services, {
			sender,
			client: row.client,
			destination: destinationOf(store, row),
			content: row.content,
			readBySender: row.read_by_sender === 1,
		});
		store.run(`UPDATE scheduled_messages SET state = 'sent' WHERE id = ?`, row.id);
		store.afterCommit(() =>
			queues.publishTo(sender.id, {type: 'scheduled_messages', op: 'remove', scheduled_message_id: row.id}),
		);
	});
}

function fail({store}: Services, row: ScheduledRow, reason: string): void {
	store.run(`UPDATE scheduled_messages SET state = 'failed', failure = ? WHERE id = ?`, reason, row.id);
}

function tellSender(services: Services, row: ScheduledRow, {sender, reason}: {sender: Account; reason: string}): void {
	const {store, queues} = services;
	const failed = presentScheduledMessage({...row, state: 'failed'});
	queues.publishTo(sender.id, {type: 'scheduled_messages', op: 'update', scheduled_message: failed});
	const notifier = store.get<Account>('SELECT * FROM accounts WHERE is_system_bot = 1 LIMIT 1');
	if (notifier) {
		const time = new Date(row.delivery_timestamp * 1000).toISOString();
		sendMessage(services, {
			sender: notifier,
			client: 'Internal',
			destination: {kind: 'direct', accounts: [sender]},
			content: `Your message that was scheduled for <time:${time}> could not be sent:\n\n> ${reason}`,
		});
	}
}
