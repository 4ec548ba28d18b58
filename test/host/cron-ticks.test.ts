// Due times of handlers, by real schedulers, while no process runs handlers.

import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {readSettings} from '../../src/config/settings.js';
import {openCronTicks} from '../../src/host/cron-ticks.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {Queue} from '../../src/queue/bullmq.js';
import {accountTag} from '../../src/redis/account-key.js';
import {createCronStore} from '../../src/schedules/cron-store.js';
import {CALM} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

test('while no host runs handlers one run waits, and the due times after it are skipped', async t => {
	t.timeout(30_000);
	const redisUrl = await startRedis(t);
	const connection = await connect(t, redisUrl);
	const account = {name: 'tick', email: 'tick@x.y', key: '', site: 'http://x.y', tokens: [], bot: 'tick', config: {}};
	const crons = createCronStore(connection);
	const id = 'cron tick';
	const cron = {pattern: '* * * * * *', tz: 'UTC', missed: 'skip'} as const;
	await crons.put(accountTag(account), id, {cron, what: {kind: 'handler', handler: 'tick'}});
	const teardown = createTeardown(error => t.fail(String(error)));
	t.teardown(() => teardown.run());
	const log = createLog({level: 'silent', pretty: false});
	await openCronTicks({settings: readSettings(CALM), log, teardown}, {redisUrl, accounts: [account]});

	const counts = () => crons.counts(accountTag(account), id);
	for (let seen = await counts(); seen.fired + seen.skipped < 3; seen = await counts()) {
		await sleep(50);
	}

	const waiting = new Queue('background-deliveries', {connection, prefix: '{bothy}'});
	t.teardown(() => waiting.close());
	t.is(await waiting.getWaitingCount(), 1);
	t.is((await counts()).fired, 1);
});

test('a host without crons has no worker for them, until there is one', async t => {
	const redisUrl = await startRedis(t);
	const connection = await connect(t, redisUrl);
	const account = {name: 'tick', email: 'tick@x.y', key: '', site: 'http://x.y', tokens: [], bot: 'tick', config: {}};
	const teardown = createTeardown(error => t.fail(String(error)));
	t.teardown(() => teardown.run());
	const log = createLog({level: 'silent', pretty: false});
	const queue = new Queue('cron-ticks', {connection, prefix: '{bothy}'});
	t.teardown(() => queue.close());
	await openCronTicks({settings: readSettings(CALM), log, teardown}, {redisUrl, accounts: [account]});
	const asked = async () => (await connection.info('commandstats')).match(/cmdstat_get:calls=(\d+)/)?.[1];
	const before = await asked();
	await until(async () => (await asked()) !== before);
	t.is(await queue.getWorkersCount(), 0);

	const cron = {pattern: '0 0 1 1 *', tz: 'UTC', missed: 'skip'} as const;
	await createCronStore(connection).put(accountTag(account), 'id', {cron, what: {kind: 'handler', handler: 'tick'}});

	t.true(await until(async () => (await queue.getWorkersCount()) === 1));
});
