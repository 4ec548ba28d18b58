// What people see when the service repeats itself, handlers take long, bots fail and Redis goes: each answer once.

import test, {type ExecutionContext} from 'ava';
import {bot, type Context} from '../../src/index.js';
import {startOwnRedis} from '../faults/trouble/own-redis.js';
import {dataFolder} from '../helpers/bothy.js';
import {type HouseOptions, openHouse} from '../helpers/house.js';
import {until} from '../helpers/until.js';

/** What people read where Redis takes longer than a deadline: on a busy machine it may, at any time. */
const AWAY = /^I cannot reach my database right now\. I will answer as soon as I can\./;

/** A host whose bots note each run; `slow` goes on when it is let. */
async function start(t: ExecutionContext, options: Partial<HouseOptions> = {}) {
	const runs: string[] = [];
	let goOn = () => {};
	const isLet = new Promise<void>(resolve => {
		goOn = resolve;
	});
	const speaker = (run: (ctx: Context) => unknown, rules = {}) => {
		const noted = async (ctx: Context) => {
			runs.push(ctx.text);
			await run(ctx);
		};
		return bot({about: 'x', ...rules})
			.on('mention', noted)
			.on('direct_message', noted);
	};
	const slow = async (ctx: Context) => {
		await isLet;
		await ctx.reply(`slow ${ctx.text}`);
	};
	const bots = {
		quick: speaker(ctx => ctx.reply(`quick ${ctx.text}`)),
		slow: speaker(slow, {deadlineMs: 300}),
		several: speaker(async ctx => {
			for (const n of [1, 2, 3]) {
				await ctx.reply(`part ${n}`);
			}
		}),
		after: speaker(ctx => {
			setTimeout(() => ctx.reply(`after ${ctx.text}`), 300);
			return ctx.reply(`before ${ctx.text}`);
		}),
		elsewhere: speaker(async ctx => {
			await ctx.send({channel: 'general', topic: 'elsewhere'}, `sent ${ctx.text}`);
			await ctx.reply('done');
		}),
		throws: speaker(() => {
			throw new Error('secret');
		}),
		flooded: speaker(ctx => ctx.reply(`heard ${ctx.text}`), {perMinute: 3}),
	};
	const house = await openHouse(t, {bots, ...options});
	t.teardown(goOn);
	const adam = await house.signIn('adam');
	return {
		...house,
		...adam,
		runs,
		goOn,
		/** The next answer of a bot. */
		async next(bot: string): Promise<string> {
			for (;;) {
				const said = await adam.next(bot);
				if (!AWAY.test(said)) {
					return said;
				}
			}
		},
		/** Has the realm do something that it never does by itself. */
		async trouble(path: string, body: object): Promise<void> {
			const headers = {'content-type': 'application/json'};
			const url = `${house.realm.url}/trouble/${path}`;
			const {status} = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)});
			t.is(status, 200);
		},
		/** All answers of bots, once they have nothing more to say. */
		async saidInTheEnd(): Promise<string[]> {
			await house.settled();
			return house
				.said()
				.filter(text => !AWAY.test(text))
				.toSorted();
		},
	};
}

test('a payload for a slow handler that is posted four times at once makes one run and one late reply', async t => {
	const {mention, trouble, realm, goOn, next, runs, saidInTheEnd} = await start(t);

	const id = await mention('slow', 'one');
	for (let repeat = 0; repeat < 3; repeat++) {
		await trouble('redeliver', {message_id: id});
	}

	await realm.webhooksDone();
	goOn();
	await next('slow');

	t.deepEqual(await saidInTheEnd(), ['slow one']);
	t.deepEqual(runs, ['one']);
});

test('the same holds if each of four connections breaks after our answer was written', async t => {
	const {mention, trouble, realm, goOn, next, runs, saidInTheEnd} = await start(t);

	await trouble('webhooks', {kind: 'break-after', count: 4});
	await mention('slow', 'one');
	await realm.webhooksDone();
	goOn();
	await next('slow');

	// Four lost answers are the service's own limit: it says so, and tells the bot's owner, whatever we do.
	const [failure, toOwner = '', ...answers] = await saidInTheEnd();
	t.is(failure, 'Failure! Bot is unavailable');
	t.regex(toOwner, /A connection error occurred/);
	t.deepEqual(answers, ['slow one']);
	t.deepEqual(runs, ['one']);
});

test('a lost answer is given again without another run', async t => {
	const {mention, trouble, runs, saidInTheEnd} = await start(t);

	await trouble('webhooks', {kind: 'break-after', count: 3});
	await mention('quick', 'one');

	t.deepEqual(await saidInTheEnd(), ['quick one']);
	t.deepEqual(runs, ['one']);
});

test('a bot posts several messages, later messages, and messages elsewhere', async t => {
	const {mention, next, saidInTheEnd} = await start(t);

	await Promise.all([mention('several', 'x'), mention('after', 'x'), mention('elsewhere', 'x')]);
	for (const bot of ['several', 'after', 'after', 'elsewhere', 'elsewhere']) {
		await next(bot);
	}

	t.deepEqual(await saidInTheEnd(), ['after x', 'before x', 'done', 'part 1\n\npart 2\n\npart 3', 'sent x']);
});

test('if a bot may not post in the conversation, a late reply goes to the person directly, and the owner gets the reason', async t => {
	const {mention, realm, goOn, next, signIn, saidInTheEnd} = await start(t);
	// Where the owner may write the bot may, too.
	await (await signIn('olivia')).unsubscribe({subscriptions: ['staff']});

	await mention('slow', 'x', 'staff');
	await realm.webhooksDone();
	goOn();

	t.is(await next('slow'), 'I cannot post in #**staff>journey**, so here is my answer:\n\nslow x');
	const said = await saidInTheEnd();
	t.is(said.length, 2);
	t.true(said.some(text => text.includes('could not be posted')));
});

test('a handler that throws and a person who floods get one polite answer', async t => {
	const {mention, next, saidInTheEnd, log} = await start(t);

	await mention('throws', 'x');
	for (const text of ['1', '2', '3']) {
		await mention('flooded', text);
		t.is(await next('flooded'), `heard ${text}`);
	}

	await Promise.all(['4', '5', '6'].map(text => mention('flooded', text)));

	const said = await saidInTheEnd();
	t.is(said.filter(text => text.includes('faster than I can answer')).length, 1);
	t.is(said.filter(text => text.includes('something went wrong here')).length, 1);
	t.false(said.some(text => text.includes('secret') || text.includes('Failure!')));
	t.is(said.length, 5);
	t.is(log().match(/a person writes to a bot too fast/g)?.length, 1, 'three messages were too fast');
});

test('while Redis is away, people read that they get an answer later, and they get it without a restart', async t => {
	const redis = await startOwnRedis(await dataFolder(t));
	t.teardown(() => redis.stop());
	const {mention, next, nextWith, goOn, realm, said, saidInTheEnd, receiverUrl} = await start(t, {redisUrl: redis.url});
	const missed = async () => {
		const {degraded} = (await (await fetch(new URL('/readyz', receiverUrl()))).json()) as {degraded: string[]};
		return degraded;
	};
	const nothingMissed = async () => {
		await until(async () => (await missed()).length === 0);
	};

	await mention('quick', 'before');
	t.is(await next('quick'), 'quick before');
	await nothingMissed();

	await redis.stop();
	await mention('quick', 'meanwhile');
	await mention('slow', 'meanwhile');
	await mention('elsewhere', 'meanwhile');
	for (let told = 0; told < 3; told++) {
		await nextWith(content => AWAY.test(content));
	}

	t.deepEqual(await missed(), ['redis']);
	await realm.webhooksDone();
	goOn();
	t.false(said().some(text => text.includes('meanwhile')));

	await redis.start();
	t.is(await next('quick'), 'quick meanwhile');
	t.is(await next('slow'), 'slow meanwhile');
	t.deepEqual([await next('elsewhere'), await next('elsewhere')].sort(), ['done', 'sent meanwhile']);
	await mention('quick', 'afterwards');
	t.is(await next('quick'), 'quick afterwards');
	await nothingMissed();
	t.is((await saidInTheEnd()).length, 6);
});
