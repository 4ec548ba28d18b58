// Metrics in Redis, which all hosts share. They are read when somebody scrapes a worker.

import {Gauge, type Registry} from 'prom-client';
import type {Account} from '../../config/accounts.js';
import {createOutboxStore} from '../../outbox/store.js';
import {createPresenceStore} from '../../presence/store.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {openQueue} from '../../queue/define-queue.js';
import {sends} from '../../queue/sends.js';
import {accountKey, accountTag} from '../../redis/account-key.js';
import {createCronStore} from '../../schedules/cron-store.js';
import {redisTime} from '../announce.js';
import {readSweptAt} from '../background/sweeping.js';
import {readTrouble} from '../checks/troubles.js';
import {type Host, openConnection} from '../connections.js';
import {watchAge} from './waiting-age.js';

/** Adds them to the metrics of a process. Call the result to read them again. */
export function addStoredMetrics(
	registry: Registry,
	host: Host,
	{redisUrl, accounts}: {readonly redisUrl: string; readonly accounts: readonly Account[]},
): () => Promise<void> {
	const connection = openConnection(host, redisUrl, {failFast: true});
	const outboxes = createOutboxStore(connection);
	const crons = createCronStore(connection);
	const presence = createPresenceStore(connection);
	const queues = [openQueue(sends, connection), openQueue(backgroundDeliveries, connection)];
	const watched = queues.map(queue => ({queue, readAge: watchAge(queue)}));
	host.teardown.add(() => Promise.all(queues.map(queue => queue.close())));
	const forgets: (() => void)[] = [];
	const gauge = (name: string, help: string, labelNames: string[] = []) => {
		const made = new Gauge({name, help, labelNames, registers: [registry]});
		// `reset` would set one without labels to 0.
		forgets.push(() => (labelNames.length > 0 ? made.reset() : made.remove()));
		return made;
	};
	const perAccount = [
		{
			gauge: gauge('bothy_open_deliveries', 'Deliveries that run or have something left to post', ['bot']),
			read: (tag: string) => connection.zcard(accountKey(connection, tag, 'due')),
		},
		{
			gauge: gauge('bothy_unsettled_sends', 'Sends that failed or whose outcome nobody knows', ['bot']),
			read: async (tag: string) => (await outboxes.unsettled(tag)).length,
		},
		{
			gauge: gauge('bothy_account_trouble', '1 while calls of the account fail', ['bot']),
			read: async (tag: string) => ((await readTrouble(connection, tag)) ? 1 : 0),
		},
		{
			gauge: gauge('bothy_presence_parked', '1 for an account that is not pinged until its config changes', ['bot']),
			read: async (tag: string) => ((await presence.read([tag]))[0]?.parked ? 1 : 0),
		},
	];
	const ticks = gauge('bothy_cron_ticks', 'Cron ticks by outcome (fired, missed, skipped), since the cron was made', [
		'bot',
		'outcome',
	]);
	const sweep = gauge('bothy_last_sweep_age_seconds', 'Time since a worker last looked for lost work');
	const skew = gauge('bothy_clock_skew_seconds', 'How far the clock of this machine is ahead of that of Redis');
	const jobs = gauge('bothy_queue_jobs', 'Jobs by queue and state', ['queue', 'state']);
	const oldest = gauge('bothy_queue_oldest_job_seconds', 'How long, at least, the oldest job has waited for a worker', [
		'queue',
	]);
	const up = new Gauge({
		name: 'bothy_stored_metrics_up',
		help: '1 if Redis answered when the metrics were read',
		registers: [registry],
	});

	async function read(): Promise<void> {
		await Promise.all([
			...accounts.flatMap(account =>
				perAccount.map(async ({gauge, read}) => gauge.set({bot: account.name}, await read(accountTag(account)))),
			),
			...accounts.map(async ({name: bot, ...account}) => {
				const tag = accountTag(account);
				const ids = [...(await crons.all(tag)).keys()];
				const counts = await Promise.all(ids.map(id => crons.counts(tag, id)));
				for (const outcome of ['fired', 'missed', 'skipped'] as const) {
					ticks.set(
						{bot, outcome},
						counts.reduce((sum, count) => sum + count[outcome], 0),
					);
				}
			}),
			...watched.map(async ({queue, readAge}) => {
				const [{counts}, ageMs] = await Promise.all([queue.standing(), readAge()]);
				for (const [state, count] of Object.entries(counts)) {
					jobs.set({queue: queue.name, state}, count);
				}

				oldest.set({queue: queue.name}, ageMs / 1000);
			}),
			Promise.all([readSweptAt(connection), redisTime(connection)]).then(([at, now]) =>
				sweep.set(at === undefined ? -1 : Math.max(0, now - at) / 1000),
			),
			redisTime(connection).then(now => skew.set((Date.now() - now) / 1000)),
		]);
	}

	return async () => {
		const isUp = await read().then(
			() => true,
			() => false,
		);
		up.set(isUp ? 1 : 0);
		// An old value would look like a current one.
		for (const forget of isUp ? [] : forgets) {
			forget();
		}
	};
}
