// The process that runs background deliveries.

import test from 'ava';
import {bot} from '../../src/bot/bot.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {type DeliveryRef, deliveryRef} from '../../src/delivery/ref.js';
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
		await store.claim(ref, {nonce: `gone ${index}`, payload: JSON.stringify(arrived), sender: 9, perMinute: 0});
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

test('a delivery of a newer version is left to it: told once, neither run nor parked', async t => {
	const echo = bot({about: 'x'}).on('mention', ctx => ctx.reply(ctx.text));
	const redisUrl = await startRedis(t);
	const house = await openHouse(t, {bots: {echo}, redisUrl});
	const connection = await connect(t, redisUrl);
	const store = createRedisStore(connection);
	const queue = openQueue(backgroundDeliveries, connection);
	t.teardown(() => queue.close());
	const {site = '', email = ''} = house.accounts.echo ?? {};
	const made = (trigger: string, messageId: number) => ({...payload({botEmail: email, messageId}), trigger});
	const newer = made('bothy:hologram', 1);
	const lapsed = made('bothy:hologram', 2);
	const refs = [newer, lapsed].map(arrived => deliveryRef({site, email}, arrived));
	const [first, second] = refs as [DeliveryRef, DeliveryRef];
	await store.claim(second, {nonce: 'gone', payload: JSON.stringify(lapsed), sender: 9, perMinute: 0, isLate: true});
	await connection.hset(accountKey(second.account, `delivery:${second.id}`), 'lease', 0);

	await queue.add({v: 1, site, email, delivery: first.id, payload: JSON.stringify(newer)}, {id: 'first'});
	await queue.add({v: 1, site, email, delivery: second.id}, {id: 'second'});
	const delayed = () => connection.zcard('{bothy}:background-deliveries:delayed');
	await until(async () => (await delayed()) >= 2);

	t.is(await store.read(first), undefined, 'not claimed');
	t.like(await store.read(second), {status: 'running', runs: 1});
	t.is(house.log().split('leaving a delivery to a newer version').length - 1, 1);
	t.deepEqual(house.said(), []);
	const {output} = await house.run('deliveries', second.id);
	t.regex(output, /Work +of a newer version of Bothy/);
});
