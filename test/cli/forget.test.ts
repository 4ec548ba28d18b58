// What `bothy forget` deletes of one person, and what it leaves.

import test from 'ava';
import type {Redis} from 'ioredis';
import {bot, z} from '../../src/index.js';
import {openHouse} from '../helpers/house.js';
import {connect} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const diary = bot({about: 'Keeps a diary', session: z.object({last: z.string().default('')})}).on(
	'direct_message',
	async ctx => {
		const tomorrow = new Date(ctx.now().getTime() + 24 * 3_600_000);
		ctx.session.last = ctx.text;
		await ctx.storage.set(`page of ${ctx.sender.id}`, ctx.text);
		await ctx.schedule(tomorrow, {dm: [ctx.sender.id]}, `You wrote ${ctx.text}`);
		await ctx.schedule({pattern: '0 9 * * 1'}, {dm: [ctx.sender.id]}, `Again: ${ctx.text}`, {
			key: `weekly ${ctx.sender.id}`,
		});
		await ctx.reply(`Noted ${ctx.text}`);
	},
);

/** Everything in Redis as text. */
async function textOf(redis: Redis): Promise<string> {
	const values = (await redis.keys('bothy:*')).map(async key => {
		switch (await redis.type(key)) {
			case 'hash':
				return [key, await redis.hgetall(key)];
			case 'zset':
				return [key, await redis.zrange(key, '0', '-1')];
			default:
				return [key, await redis.get(key)];
		}
	});
	return JSON.stringify(await Promise.all(values));
}

test('only the named person is forgotten, after a dry run', async t => {
	const {run, signIn, env, accounts} = await openHouse(t, {bots: {diary}});
	const redis = await connect(t, env.REDIS_URL ?? '');
	const [alice, bob] = [await signIn('alice'), await signIn('bob')];
	await alice.ask('diary', 'secret-of-alice');
	await bob.ask('diary', 'secret-of-bob');
	await until(
		async () => (await run('deliveries', '--status', 'done', '--json')).output.trim().split('\n').length === 2,
	);
	const forget = (...args: string[]) => run('forget', 'alice@bothy.example', ...args);

	t.regex((await forget()).output, /Stays: 1 deliveries of the last minute or still under way: run this again/);
	for (const key of await redis.keys('bothy:*:delivery:*')) {
		await redis.hset(key, 'end', Date.now() - 120_000);
	}

	const prefix = `bothy:{${accounts.diary?.site}|${accounts.diary?.email}}:`;
	await redis.set(`${prefix}flood:unasked:${alice.id}`, 1);
	await redis.hset(`${prefix}inbox:v1:members`, `7 ${alice.id}`, '+1');
	// The host confirms an answer shortly after it was read.
	await until(async () => (await redis.exists(`${prefix}unconfirmed`)) === 0);
	const before = await textOf(redis);
	const dry = await forget();
	t.regex(dry.output, /To delete: .*delivery: 1/);
	t.regex(dry.output, /session: 1/);
	t.regex(dry.output, /recurring message: 1/);
	t.regex(dry.output, new RegExp(`Stays: storage .*: "page of ${alice.id}"$`, 'm'));
	t.regex(dry.output, /Stays: 1 reactions to the bot and members of channels, by user ID/);
	t.regex(dry.output, /Nothing has changed/);
	t.is(await textOf(redis), before);

	const [, count = ''] = /--yes (\d+)/.exec((await forget('--storage', `page of ${alice.id}`)).output) ?? [];
	t.like(await forget('--storage', `page of ${alice.id}`, '--yes', count), {code: 0});
	const after = await textOf(redis);
	t.notRegex(after, /secret-of-alice/);
	t.notRegex(after, new RegExp(`flood:(unasked:)?${alice.id}\\b`));
	t.notRegex(after, new RegExp(`\\b(person|page of|weekly) ${alice.id}\\b`));
	t.regex(after, /Noted secret-of-bob/);
	t.regex((await run('schedules', '--text')).output, /Again: secret-of-bob/);
	t.notRegex((await run('schedules', '--text')).output, /alice/);
	t.is(await redis.zcard(`${prefix}ledger`), 1);
	t.regex((await forget()).output, /To delete: nothing/);
	t.regex((await run('forget', 'nobody@bothy.example')).output, /does not know nobody@bothy\.example/);
});
