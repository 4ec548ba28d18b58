// What a host does without being asked: background deliveries, drafts, due times, sweeps.

import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {Queue} from 'bullmq';
import {bot} from '../../src/bot/bot.js';
import {readSettings} from '../../src/config/settings.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {workText} from '../../src/delivery/work.js';
import {createCronRuns} from '../../src/host/background/cron-runs.js';
import {openCronTicks} from '../../src/host/background/cron-ticks.js';
import {watchSettling} from '../../src/host/background/settling.js';
import {readSweptAt, startSweeping} from '../../src/host/background/sweeping.js';
import {openDrafts} from '../../src/host/bot-drafts.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {backgroundDeliveries} from '../../src/queue/background-deliveries.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {createAvailability} from '../../src/redis/availability.js';
import {createCronStore} from '../../src/schedules/cron-store.js';
import {CALM} from '../helpers/bothy.js';
import {openFreezable} from '../helpers/freezable-redis.js';
import {openHouse} from '../helpers/house.js';
import {payload} from '../helpers/payload.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const LAPSED = 50;
const TOGETHER = 20;

test('if the leases of many deliveries expire at once, only twenty start together, so that a crash costs few of them a run', async t => {
	let begun = 0;
	let open = () => {};
	const gate = new Promise<void>(resolve => {
		open = resolve;
	});
	const crowd = bot({about: 'x', perMinute: 0}).on('mention', async () => {
		begun += 1;
		await gate;
	});
	const redisUrl = await startRedis(t);
	const {accounts} = await openHouse(t, {bots: {crowd}, redisUrl, roles: [], triedMs: 600_000});
	const connection = await connect(t, redisUrl);
	const store = createRedisStore(connection);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const {site = '', email = ''} = accounts.crowd ?? {};
	const account = accountTag({site, email});
	const refs = Array.from({length: LAPSED}, (_, index) => {
		const arrived = payload({botEmail: email, messageId: index + 1});
		return {arrived, ref: deliveryRef({site, email}, arrived)};
	});
	for (const [index, {arrived, ref}] of refs.entries()) {
		await store.claim(ref, {
			nonce: `gone ${index}`,
			work: workText({kind: 'message', payload: arrived}),
			sender: 9,
			perMinute: 0,
		});
		await connection.hset(accountKey(connection, account, `delivery:${ref.id}`), 'lease', 0);
	}

	for (const {ref} of refs) {
		await queue.add({v: 1, site, email, delivery: ref.id}, {id: ref.id});
	}

	// Every job that could start its run has ended. The others wait in the worker, and in the queue behind it.
	const jobs = async () =>
		(await connection.llen('{bothy}:background-deliveries:wait')) +
		(await connection.llen('{bothy}:background-deliveries:active'));
	await until(async () => begun >= TOGETHER && (await jobs()) <= LAPSED - TOGETHER);
	t.is(begun, TOGETHER);

	open();
	await until(async () =>
		(await Promise.all(refs.map(({ref}) => store.read(ref)))).every(found => found?.status === 'done'),
	);
	t.is(begun, LAPSED, 'and then the others');
});

test('drafts wait for Redis like everything else that a bot stores', async t => {
	const {connection, freeze, thaw} = await openFreezable(t, await startRedis(t));
	const log = createLog({level: 'silent', pretty: false});
	const availability = createAvailability({probe: () => connection.set('{bothy}:probe', '1'), log});
	const teardown = createTeardown(() => {});
	t.teardown(() => teardown.run());
	const account = {name: 'alice', site: 'https://chat.example.com', email: 'alice@example.com'};
	const host = {settings: readSettings({}), log, teardown};
	const draftsOf = openDrafts(host, {connection, accounts: [account as never]});
	const drafts = draftsOf({site: account.site, email: 'bot@example.com'}, 'alice');

	freeze();
	const put = availability.retry(
		() => drafts.put('plan', {dm: [9]}, 'a plan'),
		() => false,
	);
	await until(() => availability.isAway);
	thaw();
	await put;

	t.deepEqual(
		(await drafts.list()).map(({text}) => text),
		['a plan'],
	);
});

// Due times of handlers, by real schedulers, while no process runs handlers.

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
	await until(async () => {
		const {fired, skipped} = await counts();
		return fired + skipped >= 3;
	});

	const waiting = new Queue('background-deliveries', {connection, prefix: '{bothy}'});
	t.teardown(() => waiting.close());
	t.is(await waiting.getWaitingCount(), 1);
	t.is((await counts()).fired, 1);
});

test('of two due times that two workers take at once, one runs and the other is skipped', async t => {
	const redisUrl = await startRedis(t);
	const connection = await connect(t, redisUrl);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const account = {site: 'http://x.y', email: 'tick@x.y'};
	const enqueue = createCronRuns(connection, queue);

	const taken = await Promise.all([1000, 2000].map(planned => enqueue(account, {handler: 'tick', planned})));

	t.deepEqual(taken.toSorted(), [false, true]);
	t.is((await queue.standing()).counts.waiting, 1);
	t.false(await enqueue(account, {handler: 'tick', planned: 3000}));
});

// One process at a time looks for lost work. If it dies, another one continues.

test('of two hosts one sweeps in each period, and none before Redis has settled', async t => {
	const redis = await connect(t, await startRedis(t));
	const swept: string[] = [];
	let isSettled = false;
	const start = (name: string) => {
		let go = () => {};
		const looks: Promise<void>[] = [];
		let looked = () => {};
		const nextLook = () => {
			looks.push(
				new Promise(resolve => {
					looked = resolve;
				}),
			);
		};
		nextLook();
		const sweeping = startSweeping({
			redis,
			isSettled: () => isSettled,
			sweep: async () => void swept.push(name),
			report: error => t.fail(error.message),
			wait(_ms, signal) {
				looked();
				return new Promise(resolve => {
					go = () => resolve(undefined);
					signal.addEventListener('abort', go);
				});
			},
		});
		t.teardown(() => sweeping.stop());
		return {
			/** Resolves when it has looked once. */
			looked: () => looks.at(-1),
			again: () => {
				nextLook();
				go();
				return looks.at(-1);
			},
		};
	};

	const one = start('one');
	const other = start('other');
	await Promise.all([one.looked(), other.looked()]);
	t.deepEqual(swept, []);
	t.is(await readSweptAt(redis), undefined);

	isSettled = true;
	await Promise.all([one.again(), other.again()]);
	t.is(swept.length, 1);
	t.true(((await readSweptAt(redis)) ?? 0) > 0);

	await redis.del('{bothy}:sweep-turn');
	await other.again();
	t.is(swept.length, 2);
	t.is(swept[1], 'other');
});

// Code that checks for lapsed leases waits after Redis was away or frozen.

/** A Redis and a clock that the test controls. */
function start() {
	let now = 0;
	let look = () => {};
	const answers: ((error?: Error) => void)[] = [];
	const settling = watchSettling({
		ping: () =>
			new Promise<void>((resolve, reject) => {
				answers.push(error => (error ? reject(error) : resolve()));
			}),
		settleMs: 10_000,
		now: () => now,
		every(_ms, act) {
			look = act;
			return () => {};
		},
	});
	return {
		settling,
		/** Checks Redis after this much time. */
		after(ms: number) {
			now += ms;
			look();
		},
		async answer(error?: Error) {
			for (const answer of answers.splice(0)) {
				answer(error);
			}

			await setImmediate();
		},
	};
}

test('after a start, leases settle for as long as holders get to renew', async t => {
	const {settling, after, answer} = start();

	after(9_999);
	await answer();
	t.false(settling.isSettled());
	after(1);
	t.true(settling.isSettled());
});

test('a frozen Redis counts as away from the first missing answer', async t => {
	const {settling, after, answer} = start();
	after(10_000);
	t.true(settling.isSettled());

	after(1_000);
	t.true(settling.isSettled());
	after(1);
	t.false(settling.isSettled());
	await answer();

	t.false(settling.isSettled());
	after(9_999);
	t.false(settling.isSettled());
	await answer();
	after(1);
	t.true(settling.isSettled());
});

test('a Redis that refuses counts as away', async t => {
	const {settling, after, answer} = start();
	after(10_000);

	await answer(new Error('gone'));

	t.false(settling.isSettled());
	after(10_000);
	t.true(settling.isSettled());
});

test('the log says that Redis is not connected, and what to do', async t => {
	const lines: object[] = [];
	const log = {info() {}, warn: (fields: object) => lines.push(fields)};
	const availability = createAvailability({probe: async () => {}, log});
	t.teardown(() => availability.close());

	await availability.attempt(() =>
		Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false")),
	);

	t.deepEqual(lines, [
		{reason: 'not connected', cure: 'check that Redis runs and that its disk has room; `bothy doctor` says more'},
	]);
});

test('an outage that the connection noticed restarts the wait', async t => {
	const {settling, after, answer} = start();
	after(10_000);
	await answer();

	settling.restart();

	t.false(settling.isSettled());
	after(10_000);
	t.true(settling.isSettled());
});

test('a delivery whose stored work cannot be read is parked, with the reason in the ledger', async t => {
	const redisUrl = await startRedis(t);
	const {accounts} = await openHouse(t, {bots: {crowd: bot({about: 'Is asked nothing'})}, redisUrl, roles: []});
	const connection = await connect(t, redisUrl);
	const store = createRedisStore(connection);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const {site = '', email = ''} = accounts.crowd ?? {};
	const ref = {account: accountTag({site, email}), id: 'cron-1-unreadable'};
	await store.claim(ref, {nonce: 'gone 1', work: '{"kind":"cron"}', sender: 0, perMinute: 0});
	await connection.hset(accountKey(connection, ref.account, `delivery:${ref.id}`), 'lease', 0);

	await queue.add({v: 1, site, email, delivery: ref.id});

	await until(async () => (await store.read(ref))?.status === 'parked');
	t.regex((await store.read(ref))?.error ?? '', /^Expected stored work .*found `handler`/);
	t.deepEqual(await store.due(ref.account, 10), []);
});

test('a delivery of a newer version is logged once, and neither run nor parked', async t => {
	const echo = bot({about: 'x'}).on('mention', ctx => ctx.reply(ctx.text));
	const redisUrl = await startRedis(t);
	const house = await openHouse(t, {bots: {echo}, redisUrl});
	const connection = await connect(t, redisUrl);
	const store = createRedisStore(connection);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const {site = '', email = ''} = house.accounts.echo ?? {};
	const account = accountTag({site, email});
	const [first, second] = [
		{account, id: 'dance-1'},
		{account, id: 'dance-2'},
	] as const;
	const work = '{"kind":"dance"}';
	await store.claim(second, {nonce: 'gone 1', work, sender: 9, perMinute: 0, isLate: true});
	await connection.hset(accountKey(connection, account, `delivery:${second.id}`), 'lease', 0);

	await queue.add({v: 1, site, email, delivery: first.id, work});
	await queue.add({v: 1, site, email, delivery: second.id});
	const delayed = () => connection.zcard('{bothy}:background-deliveries:delayed');
	await until(async () => (await delayed()) >= 2);

	t.is(await store.read(first), undefined, 'not claimed');
	t.like(await store.read(second), {status: 'running', runs: 1});
	t.is(house.log().split('leaving it to a newer process').length - 1, 1);
	t.deepEqual(house.said(), []);
	const {output} = await house.run('deliveries', second.id);
	t.regex(output, /Work +of a newer version of Bothy/);
});
