// Deletes messages that are older than their channel's retention. Runs once a day, as in the service.

import type {Services} from '../services.js';
import {removeMessages} from './delete.js';
import {expiredMessages} from './rows.js';

const DAY_MS = 24 * 3600 * 1000;

export class Expiry {
	readonly #services: Services;
	#cancelAlarm = () => {};

	constructor(services: Services) {
		this.#services = services;
	}

	/** Also deletes what expired while no realm was running. */
	start(): void {
		this.#removeExpired();
	}

	/** Sets the alarm for the next midnight, if any channel has a limited retention. */
	wake(): void {
		const {store, clock} = this.#services;
		this.#cancelAlarm();
		if (store.get('SELECT 1 AS found FROM channels WHERE message_retention_days > 0 LIMIT 1')) {
			this.#cancelAlarm = clock.after(DAY_MS - (clock.now() % DAY_MS), () => this.#removeExpired());
		}
	}

	#removeExpired(): void {
		const services = this.#services;
		const {store, clock} = services;
		store.transaction(() => {
			for (const message of expiredMessages(store, clock.seconds())) {
				removeMessages(services, message, [message.id]);
			}
		});
		this.wake();
	}
}
