// A Redis that Bothy shares: with a user that has only the documented rights, and with another installation.

import {readFile} from 'node:fs/promises';
import test from 'ava';
import {arg, bot, z} from '../../src/index.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connectRedis} from '../../src/redis/connection.js';
import {signIn, startCommand} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const OPERATING = new URL('../../../docs/operating.md', import.meta.url);

const text = z.object({text: arg.rest()});

const worker = bot({about: 'Uses all of Redis', session: z.object({seen: z.int().default(0)})})
	.command('send', {about: 'x', args: text}, async (ctx, {text}) => ctx.send(ctx.here, text))
	.command('later', {about: 'x'}, async ctx => {
		await ctx.storage.set('key', 1);
		ctx.session.seen += 1;
		await ctx.schedule(new Date(Date.now() + 100), ctx.here, 'later');
	})
	.command('draft', {about: 'x'}, async ctx => {
		await ctx.drafts('alice').put('key', {channel: 'general', topic: 'x'}, 'a draft');
	})
	.cron('tick', {pattern: '* * * * * *'}, ctx => ctx.send({channel: 'general', topic: 'ticks'}, 'tick'));

test('a Redis user with the documented rights, under another prefix, is refused nothing', async t => {
	const url = await startRedis(t);
	const admin = await connect(t, url);
	const [, rights = ''] = /^ACL SETUSER bothy (.+)$/m.exec(await readFile(OPERATING, 'utf8')) ?? [];
	await admin.call('ACL', 'SETUSER', 'staging', ...rights.replaceAll('bothy', 'staging').split(' '));
	const redisUrl = url.replace('unix://', 'unix://staging:PASSWORD@');
	const house = await openHouse(t, {
		bots: {worker},
		redisUrl,
		env: {REDIS_PREFIX: 'staging'},
		async sections({url: site}) {
			const {key} = await signIn(t, site, 'alice@bothy.example');
			return {alice: {email: 'alice@bothy.example', key, site, presence: 'active'}};
		},
	});
	setTimeout(
		async () =>
			console.log(
				'DEBUG',
				house.log().slice(-3000),
				JSON.stringify(await admin.call('ACL', 'LOG')).slice(0, 1500),
				house.said(),
				(await house.run('drafts', '--json')).output,
				(await house.run('sends', '--json')).output,
			),
		40_000,
	).unref();
	const connection = connectRedis(redisUrl, {prefix: 'staging', listener: {onLost() {}, onBack() {}}});
	t.teardown(() => connection.disconnect());
	const outboxes = createOutboxStore(connection);
	const entry = {n: 1, kind: 'send', target: '{"dm":[9]}', text: 'x', dueAt: Date.now() + 3_600_000} as const;
	await outboxes.put({account: 'https://old|bot@old.example', id: 'a'}, {...entry, mayBePosted: false}, 'tea');
	const {site = '', email = ''} = house.accounts.worker ?? {};
	const failed = {account: accountTag({site, email}), id: 'b'};
	await outboxes.put(failed, {...entry, mayBePosted: false});
	await outboxes.open(failed, 'nonce', 'sending 1');
	await outboxes.end(failed, 'nonce', {n: 1, state: 'failed no', attempt: 'sending 1', closeMs: 1_000});
	// It announces itself, and checks Redis and accounts.
	await startCommand(t, 'worker', {env: house.env, ready: /Worker {5}(sends)/});
	const bob = await house.signIn('bob');

	await bob.dm('worker', 'send hello');
	await bob.nextWith(content => content === 'hello');
	await bob.dm('worker', 'later');
	await bob.nextWith(content => content === 'later');
	await bob.nextWith(content => content === 'tick');
	await bob.dm('worker', 'draft');
	await until(async () => /"synced"/.test((await house.run('drafts', '--json')).output));
	for (const command of [
		['sends', 'retry', '--status', 'failed', '--yes', '1'],
		['bots', 'pause', 'worker'],
		['bots', 'resume', 'worker'],
		['accounts', 'move', 'https://old', 'https://older'],
		['accounts'],
		['deliveries'],
		['schedules'],
		['presence'],
		['status'],
	]) {
		t.is((await house.run(...command)).code, 0, command.join(' '));
	}

	t.notRegex((await house.run('doctor')).output, /error +Redis|no right/);
	t.deepEqual(await admin.call('ACL', 'LOG'), []);
	const keys = await admin.keys('*');
	t.deepEqual(
		keys.filter(key => !/^(staging:\{|\{staging\}:)/.test(key)),
		[],
	);
	t.true(keys.length > 10);
});

test('two installations with different prefixes do the work of their own bots only', async t => {
	const redisUrl = await startRedis(t);
	const open = (name: string) => openHouse(t, {bots: {[name]: worker}, redisUrl, env: {REDIS_PREFIX: name}});
	const houses = {staging: await open('staging'), production: await open('production')};

	for (const [name, house] of Object.entries(houses)) {
		const bob = await house.signIn('bob');
		// Posted by a worker: if the two shared a queue, the other one would take every second of them.
		for (const text of ['one', 'two', 'three', 'four']) {
			await bob.dm(name, `send ${text}`);
			await bob.nextWith(content => content === text);
		}
	}

	await houses.staging.run('bots', 'pause', 'staging');
	const bots = await houses.production.run('bots');
	t.notRegex(bots.output, /staging/);
	for (const [name, {run}] of Object.entries(houses)) {
		t.notRegex((await run('accounts')).output, /\(none\)/);
		const {output} = await run('doctor');
		t.regex(output, /ok +Workers: 1 post/);
		t.notRegex(output, new RegExp(`which no config has|${name === 'staging' ? 'production' : 'staging'}`));
	}
});
