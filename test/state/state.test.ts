// What an earlier build stored is read by this one. `STATE_FILE=test/state/<version>.json npm run test:one state.test` writes the
// state of this build to a file: do that for each release, and name the file below.

import {readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import type {Redis} from 'ioredis';
import {bot, z} from '../../src/index.js';
import {type House, openHouse} from '../helpers/house.js';
import {connect} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const RELEASES = ['0.1.0'];

const keeper = bot({about: 'Keeps things', session: z.object({word: z.string().default('')})})
	.answer('colour', z.string(), (ctx, colour) => ctx.reply(`colour ${colour}`))
	.on('direct_message', async ctx => {
		switch (ctx.text) {
			case 'remember':
				ctx.session.word = 'plum';
				await ctx.storage.set('word', 'pear');
				await ctx.schedule(new Date('2099-01-01T09:00:00Z'), ctx.here, 'Happy new year', {key: 'new year'});
				await ctx.schedule({pattern: '0 9 1 1 *'}, ctx.here, 'Again', {key: 'yearly'});
				await ctx.send({dm: [424_242]}, 'nobody reads this');
				await ctx.reply('remembered');
				break;
			case 'recall':
				await ctx.reply(`${await ctx.storage.get('word', z.string())} ${ctx.session.word}`);
				break;
			case 'ask':
				await ctx.ask('colour', 'Which colour?');
				break;
			case 'fail':
				throw new Error('out of cheese');
			default:
				await ctx.reply(`said ${ctx.text}`);
		}
	});

/** Errors have it in their stacks. */
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const SHARED = ['{bothy}:paused', '{bothy}:crons-version'];

async function dump(redis: Redis, site: string): Promise<string> {
	const keys = [...(await redis.keys('bothy:*')), ...SHARED].toSorted();
	const values = keys.map(async key => {
		const type = await redis.type(key);
		const value =
			type === 'hash'
				? await redis.hgetall(key)
				: type === 'zset'
					? await redis.zrange(key, '0', '-1', 'WITHSCORES')
					: await redis.get(key);
		return [key, type, value] as const;
	});
	return JSON.stringify(await Promise.all(values), undefined, '\t')
		.replaceAll(site, 'SITE')
		.replaceAll(CHECKOUT, '/bothy/');
}

/** As if it had been written just now: questions expire, and the ledger is trimmed. */
function renew(text: string): string {
	const writtenAt = Math.max(...[...text.matchAll(/"at": "(\d+)"/g)].map(([, at]) => Number(at)));
	return text.replaceAll(/\b17\d{11}\b/g, time => String(Number(time) + Date.now() - writtenAt));
}

async function restore(redis: Redis, text: string, site: string): Promise<void> {
	for (const [key, type, value] of JSON.parse(renew(text).replaceAll('SITE', site))) {
		if (type === 'hash') {
			await redis.hset(key, value);
		} else if (type === 'zset') {
			for (let index = 0; index < value.length; index += 2) {
				await redis.zadd(key, value[index + 1], value[index]);
			}
		} else if (type === 'string') {
			await redis.set(key, value);
		}
	}
}

const ofKeeper = ({accounts}: House) => accounts.keeper ?? {site: '', email: ''};
const statuses = async ({run}: House) =>
	(await run('deliveries', '--json')).output
		.trim()
		.split('\n')
		.map(line => JSON.parse(line).status as string);

for (const release of RELEASES) {
	test(`the state that ${release} stored is read`, async t => {
		const house = await openHouse(t, {bots: {keeper}});
		const {run, signIn, env, said} = house;
		const redis = await connect(t, env.REDIS_URL ?? '');
		await restore(redis, await readFile(`test/state/${release}.json`, 'utf8'), ofKeeper(house).site);

		t.deepEqual((await statuses(house)).toSorted(), ['done', 'failed', 'failed', 'held']);
		t.regex((await run('deliveries', '--status', 'failed')).output, /out of cheese/);
		t.regex((await run('schedules', '--text')).output, /Happy new year.*Again|Again.*Happy new year/s);
		t.regex((await run('sends', '--status', 'failed')).output, /failed/);
		t.regex((await run('bots')).output, /^keeper +paused +1$/m);

		t.regex((await run('bots', 'resume', 'keeper')).output, /waited and run now: 1\./);
		await until(() => said().includes('said keep this'));
		await house.restart();
		const [alice, bob] = [await signIn('alice'), await signIn('bob')];
		t.is(await alice.ask('keeper', 'recall'), 'pear plum');
		t.is(await bob.ask('keeper', 'blue'), 'colour blue');
	});
}

test('a build that finds newer state says which one to run, and deletes nothing of it', async t => {
	const {run, env, signIn, accounts} = await openHouse(t, {bots: {keeper}});
	const redis = await connect(t, env.REDIS_URL ?? '');
	await (await signIn('alice')).ask('keeper', 'hello');
	const [key = ''] = await redis.keys('bothy:*:delivery:*');
	await redis.hset(key, {v: 2, status: 'running', lease: 0});
	const due = `bothy:{${accounts.keeper?.site}|${accounts.keeper?.email}}:due`;
	await redis.zadd(due, '0', key.slice(key.lastIndexOf(':') + 1));
	await redis.hset('{bothy}:state', {version: 2, writtenBy: '9.9.9'});
	await redis.del('{bothy}:swept', '{bothy}:sweep-turn');

	t.regex((await run('doctor')).output, /Bothy 9\.9\.9 stored state of version 2.*\n.*Run Bothy 9\.9\.9 or newer/);
	await until(async () => (await redis.get('{bothy}:swept')) !== null);
	t.is(await redis.zcard(due), 1);
});

if (process.env.STATE_FILE !== undefined) {
	test('writes the state of this build', async t => {
		const house = await openHouse(t, {bots: {keeper}});
		const {run, signIn, env} = house;
		const redis = await connect(t, env.REDIS_URL ?? '');
		const [alice, bob] = [await signIn('alice'), await signIn('bob')];
		await alice.ask('keeper', 'remember');
		await alice.ask('keeper', 'fail');
		await bob.ask('keeper', 'ask');
		await until(async () => (await run('sends', '--status', 'failed', '--json')).output.startsWith('{'));
		await run('bots', 'pause', 'keeper', '--hold');
		await house.restart();
		await alice.dm('keeper', 'keep this');
		await until(async () => (await statuses(house)).includes('held'));
		const state = await dump(redis, ofKeeper(house).site);
		t.regex(state, /keep this/);
		await writeFile(process.env.STATE_FILE ?? '', state);
	});
}
