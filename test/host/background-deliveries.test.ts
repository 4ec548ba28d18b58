// The process that runs background deliveries.

import test from 'ava';
import {bot} from '../../src/bot/bot.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {workText} from '../../src/delivery/work.js';
import {backgroundDeliveries} from '../../src/queue/background-deliveries.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {openHouse} from '../helpers/house.js';
import {payload} from '../helpers/payload.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const LAPSED = 50;
const TOGETHER = 20;

test('if many deliveries lapse at once only twenty start together, so that a crash costs few of them a run', async t => {
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
	const {accounts} = await openHouse(t, {bots: {crowd}, redisUrl, roles: []});
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
		await connection.hset(accountKey(account, `delivery:${ref.id}`), 'lease', 0);
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

test('a delivery whose stored work cannot be read is parked, with the reason in the ledger', async t => {
	const redisUrl = await startRedis(t);
	const {accounts} = await openHouse(t, {bots: {crowd: bot({about: 'Is asked nothing'})}, redisUrl, roles: []});
	const connection = await connect(t, redisUrl);
	const store = createRedisStore(connection);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const {site = '', email = ''} = accounts.crowd ?? {};
	const ref = {account: accountTag({site, email}), id: 'cron-1-unreadable'};
	await store.claim(ref, {nonce: 'gone 1', work: '{"kind":"dance"}', sender: 0, perMinute: 0});
	await connection.hset(accountKey(ref.account, `delivery:${ref.id}`), 'lease', 0);

	await queue.add({v: 1, site, email, delivery: ref.id});

	await until(async () => (await store.read(ref))?.status === 'parked');
	t.regex((await store.read(ref))?.error ?? '', /^Expected stored work .*found `kind`/);
	t.deepEqual(await store.due(ref.account, 10), []);
});
