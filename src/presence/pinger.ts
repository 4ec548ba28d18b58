// Sends pings for one account and judges the answers: continue, wait, or stop until the configuration changes.

import type {Client} from '../client/client.js';
import {judge} from '../client/judge.js';
import type {WorkerLog} from '../queue/define-worker.js';
import {BOT, type PresentAccount} from './account.js';
import {isWithin} from './hours.js';
import type {Site} from './sites.js';
import type {PresenceState} from './store.js';

/** Time limit of a call. A later answer is of no use. */
export const TIMEOUT_MS = 10_000;

export interface PingerOptions {
	readonly account: PresentAccount;
	readonly state: PresenceState;
	readonly client: Client;
	readonly site: Site;
	readonly log: WorkerLog;
	now(): number;
	/** Fires when the process must stop. */
	readonly signal: AbortSignal;
	/** Stores a state that must survive. */
	keep(state: PresenceState): Promise<void>;
}

export class Pinger {
	readonly #options: PingerOptions;
	#standing: PresenceState;
	#isPinging = false;
	#pings = 0;

	constructor(options: PingerOptions) {
		this.#options = options;
		this.#standing = options.state;
	}

	/** The current state of the account. */
	get state(): PresenceState {
		return this.#standing;
	}

	get isParked(): boolean {
		return this.#standing.parked !== undefined;
	}

	/** How many pings the service accepted. */
	get pings(): number {
		return this.#pings;
	}

	get #isInHours(): boolean {
		const {account, now} = this.#options;
		const {hours} = account.presence;
		return !hours || isWithin(hours, now());
	}

	/** Pings, unless it is too late, out of hours, or useless. */
	async ping({staleAt}: {staleAt: number}): Promise<void> {
		const {now, signal} = this.#options;
		const isDue = now() < staleAt && now() >= (this.#standing.waitUntil ?? 0);
		if (!isDue || !this.#isInHours || this.#isPinging || this.isParked || signal.aborted) {
			return;
		}

		this.#isPinging = true;
		try {
			await this.#call();
		} catch (error) {
			if (!signal.aborted) {
				await this.#judge(error);
			}
		} finally {
			this.#isPinging = false;
		}
	}

	async #call(): Promise<void> {
		const {account, client, site, log, now, signal, keep} = this.#options;
		const options = {signal, timeoutMs: TIMEOUT_MS};
		if (!this.#standing.isPerson) {
			const {is_bot: isBot} = await client.getOwnUser({}, options);
			if (isBot) {
				await this.#park(BOT);
				return;
			}

			this.#standing = {...this.#standing, isPerson: true};
			// The hours may have ended during the request.
			if (!this.#isInHours) {
				return;
			}
		}

		await client.updatePresence({status: account.presence.status, ping_only: true}, options);
		const {config, isPerson, pingedAt} = this.#standing;
		this.#standing = {v: 1, config, isPerson, pingedAt: now()};
		this.#pings += 1;
		if (pingedAt === undefined) {
			// `bothy presence` shows the first one at once, and later ones when the job ends.
			await keep(this.#standing);
		}

		if (site.isAway) {
			site.isAway = false;
			log.info({site: account.site}, 'the service accepts presence again');
		}
	}

	async #judge(error: unknown): Promise<void> {
		const {account, site, log, now} = this.#options;
		const found = judge(error);
		if (found.kind === 'refused' && [400, 401].includes(found.error.status)) {
			await this.#park(found.reason);
			return;
		}

		if (found.kind === 'wait') {
			this.#standing = {...this.#standing, waitUntil: now() + found.waitMs};
			await this.#options.keep(this.#standing);
			return;
		}

		const reason = error instanceof Error ? error.message : String(error);
		this.#standing = {...this.#standing, failed: {at: now(), reason}};
		if (found.kind !== 'refused' && !site.isAway) {
			site.isAway = true;
			log.warn({site: account.site, reason}, 'the service does not accept presence; pings continue');
		}
	}

	async #park(reason: string): Promise<void> {
		const {account, log, now, keep} = this.#options;
		this.#standing = {...this.#standing, parked: {at: now(), reason}};
		log.warn({account: account.name, reason}, 'parked this account: no presence until its section changes');
		await keep(this.#standing);
	}
}
