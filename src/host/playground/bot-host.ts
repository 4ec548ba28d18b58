// Tells a local realm of the bots that this host runs, and runs or cancels for it what is due later.

import {once} from 'node:events';
import type {Account} from '../../config/accounts.js';
import {isLost, statusOf} from '../../delivery/ledger.js';
import {createRedisLedger} from '../../delivery/redis-ledger.js';
import type {LedgerEntry} from '../../delivery/store.js';
import {Target} from '../../delivery/target.js';
import {isPending} from '../../outbox/entry-state.js';
import type {Act, BotHost, Due, HostedDelivery} from '../../realm/index.js';
import {accountTag} from '../../redis/account-key.js';
import type {RedisConnection} from '../../redis/connection.js';
import type {Schedule} from '../../schedules/schedules.js';
import {type Host, openConnection} from '../connections.js';
import {openPlanned, type Planned} from '../schedules/run-now.js';
import type {BotReport} from './bot-report.js';

export interface LocalBotHost extends BotHost {
	/** The bots were loaded. `reloadMs` is the time since somebody saved one. */
	loaded(bots: readonly BotReport[]): void;
	reloaded(reloadMs: number): void;
	/** The last reload failed, so the bots from before keep running. */
	failed(reason: string): void;
}

interface BotHostOptions {
	readonly redisUrl: string;
	/** The accounts of the bots in the realm. */
	accounts(): readonly Account[];
}

export function createBotHost(host: Host, {redisUrl, accounts}: BotHostOptions): LocalBotHost {
	let revision = 0;
	let bots: readonly BotReport[] = [];
	let loadedAt = Date.now();
	let reloadMs: number | null = null;
	let error: string | null = null;
	// Opened for the first person who looks. Without Redis, a call fails fast.
	let connection: RedisConnection | undefined;
	let planned: {readonly of: readonly Account[]; readonly opened: Planned} | undefined;
	const connect = () => {
		if (!connection) {
			connection = openConnection(host, redisUrl, {failFast: true});
			host.teardown.add(async () => planned?.opened.close());
		}

		return connection;
	};
	/** The first call opens the connection, and waits for it. */
	const ready = async () => {
		const redis = connect();
		if (redis.status !== 'ready') {
			// If Redis is away, the command that follows says so.
			await once(redis, 'ready', {signal: AbortSignal.timeout(READY_MS)}).catch(() => {});
		}
	};
	const open = () => {
		const of = accounts();
		if (planned?.of !== of) {
			planned?.opened.close().catch(() => {});
			planned = {of, opened: openPlanned(connect(), of)};
		}

		return planned.opened;
	};

	async function act(email: string, run: (account: Account) => Promise<Act>): Promise<Act> {
		const account = accounts().find(one => one.email.toLowerCase() === email.toLowerCase());
		await ready();
		return account ? run(account) : {done: false, reason: `Expected the email of a bot of this host, got ${email}`};
	}

	return {
		revision: () => revision,
		bots: () => ({bots, loaded_at_ms: loadedAt, reload_ms: reloadMs, reload_error: error}),
		async deliveries(messageId) {
			await ready();
			const ledger = createRedisLedger(connect());
			const found = await Promise.all(
				accounts().map(async account => {
					const latest = await ledger.list(accountTag(account), {since: 0, limit: LOOKED_AT});
					const ofMessage = latest.filter(({ref}) => ref.id.startsWith(`${messageId}-`));
					return ofMessage.map(entry => presentDelivery(account, entry));
				}),
			);
			return found.flat();
		},
		async due() {
			await ready();
			const found: Due[] = [];
			for (const account of accounts()) {
				const schedules = await open().schedules.list(accountTag(account));
				found.push(...schedules.map(schedule => presentDue(account, schedule)));
			}

			return found.toSorted((a, b) => a.due_at_ms - b.due_at_ms);
		},
		runNow: (email, id) =>
			act(email, async account => {
				const outcome = await open().runNow(account, id);
				return outcome === 'running' ? {done: true} : {done: false, reason: REASONS[outcome](id)};
			}),
		cancel: (email, id) =>
			act(email, async account =>
				(await open().schedules.cancel(accountTag(account), id))
					? {done: true}
					: {done: false, reason: `${id} is being posted, is over, or is a .cron() in the bot's code`},
			),
		loaded(next) {
			bots = next;
			loadedAt = Date.now();
			error = null;
			revision++;
		},
		reloaded(ms) {
			reloadMs = ms;
			revision++;
		},
		failed(reason) {
			error = reason;
			revision++;
		},
	};
}

const READY_MS = 2_000;

/** How many of a bot's latest deliveries may be the one that a person asks about. */
const LOOKED_AT = 100;

function presentDelivery({email}: Account, entry: LedgerEntry): HostedDelivery {
	return {
		bot: email,
		id: entry.ref.id,
		status: statusOf(entry),
		runs: entry.runs,
		error: entry.error ?? null,
		pending: entry.outbox.filter(({state}) => isPending(state)).length,
		lost: entry.outbox.filter(isLost).map(({state}) => state),
	};
}

const REASONS = {
	unknown: (id: string) => `Nothing with the id ${id} is due any more`,
	busy: (id: string) => `${id} is being posted, or its previous run still runs`,
};

function presentDue({email}: Account, schedule: Schedule): Due {
	const {id, dueAt, handler, text, target} = schedule;
	return {
		id,
		bot: email,
		due_at_ms: dueAt,
		handler: handler ?? null,
		text: text ?? null,
		to: target === undefined ? null : shownTarget(Target.parse(JSON.parse(target))),
		every: schedule.kind === 'cron' ? `${schedule.cron.pattern} ${schedule.cron.tz}` : null,
		can_cancel: schedule.kind === 'once' || handler === undefined,
	};
}

function shownTarget(target: Target): string {
	return 'dm' in target ? target.dm.join(', ') : `#${target.channel} > ${target.topic}`;
}
