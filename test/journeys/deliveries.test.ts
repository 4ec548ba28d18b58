// What people see when the service repeats itself, handlers take long, bots fail and Redis goes: each answer once.

import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {startOwnRedis} from '../faults/own-redis.js';
import {openRealmStore} from '../faults/verdict.js';
import {dataFolder, signIn, startBothy} from '../helpers/bothy.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const bots = {
	quick: ['', 'await ctx.reply("quick " + ctx.text)'],
	slow: ['', 'await sleep(12_000); await ctx.reply("slow " + ctx.text)'],
	late: ['deadlineMs: 300', 'await sleep(1_000); await ctx.reply("late " + ctx.text)'],
	several: ['', 'for (const n of [1, 2, 3]) await ctx.reply("part " + n)'],
	after: ['', 'setTimeout(() => ctx.reply("after " + ctx.text), 300); await ctx.reply("before " + ctx.text)'],
	elsewhere: [
		'',
		'await ctx.send({channel: "general", topic: "elsewhere"}, "sent " + ctx.text); await ctx.reply("done")',
	],
	throws: ['', 'throw new Error("secret")'],
	flooded: ['perMinute: 3', 'await ctx.reply("heard " + ctx.text)'],
};

/** Each run leaves a line in a file. */
const source = (name: string, options: string, handler: string, runs: string) => `
	import {appendFileSync} from 'node:fs';
	import {setTimeout as sleep} from 'node:timers/promises';
	import {bot} from ${JSON.stringify(FACE)};
	const run = async ctx => {
		appendFileSync(${JSON.stringify(runs)}, ${JSON.stringify(`${name} `)} + ctx.text + '\\n');
		${handler};
	};
	export default bot({about: 'x', ${options}}).on('mention', run).on('direct_message', run);
`;

async function start(t: ExecutionContext, env: NodeJS.ProcessEnv = {}) {
	t.timeout(120_000);
	const [data, folder] = [await dataFolder(t), await dataFolder(t)];
	const runs = join(folder, 'runs');
	await writeFile(runs, '');
	for (const [name, [options = '', handler = '']] of Object.entries(bots)) {
		await writeFile(join(folder, `${name}.mjs`), source(name, options, handler, runs));
	}

	const bothy = await startBothy(t, {data, env: {BOTHY_BOTS: folder, LOG_LEVEL: 'error', ...env}});
	const store = openRealmStore(join(data, 'realm.db'));
	t.teardown(() => store.close());
	const adam = await signIn(t, bothy.realmUrl, 'adam@bothy.example');

	return {
		...bothy,
		said: store.said,
		/** How often a bot was run for a text. */
		async runsOf(line: string): Promise<number> {
			return (await readFile(runs, 'utf8')).split('\n').filter(run => run === line).length;
		},
		async ask(bot: string, text: string, channel = 'general'): Promise<number> {
			const content = `@**${bot.charAt(0).toUpperCase()}${bot.slice(1)}** ${text}`;
			return (await adam.sendMessage({type: 'channel', to: channel, topic: 'journey', content})).id;
		},
		/** Has the realm do something that it never does by itself. */
		async trouble(path: string, body: object): Promise<void> {
			const headers = {'content-type': 'application/json'};
			const url = `${bothy.realmUrl}/trouble/${path}`;
			const {status} = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)});
			t.is(status, 200);
		},
		/** Waits until bots have said this; answers how often they did. */
		async heard(part: string): Promise<number> {
			const times = () => store.said().filter(text => text.includes(part)).length;
			while (times() === 0) {
				await sleep(50);
			}

			await sleep(1_000);
			return times();
		},
	};
}

test.serial('the payload of a slow handler, posted four times at once: one run, one late reply', async t => {
	const {ask, trouble, heard, runsOf, said} = await start(t);

	const id = await ask('slow', 'one');
	for (let repeat = 0; repeat < 3; repeat++) {
		await trouble('redeliver', {message_id: id});
	}

	t.is(await heard('slow one'), 1);
	t.is(await runsOf('slow one'), 1);
	t.deepEqual(said(), ['slow one']);
});

test.serial('the same when each of four connections breaks after our answer was written', async t => {
	const {ask, trouble, heard, runsOf, said} = await start(t);

	await trouble('webhooks', {kind: 'break-after', count: 4});
	await ask('slow', 'one');

	t.is(await heard('slow one'), 1);
	t.is(await runsOf('slow one'), 1);
	// Four lost answers are the service's own limit: it says so, whatever we do.
	t.deepEqual(
		said().filter(text => !text.includes('one')),
		['Failure! Bot is unavailable'],
	);
});

test.serial('a lost answer is given again without another run', async t => {
	const {ask, trouble, heard, runsOf, said} = await start(t);

	await trouble('webhooks', {kind: 'break-after', count: 3});
	await ask('quick', 'one');

	t.is(await heard('quick one'), 1);
	t.is(await runsOf('quick one'), 1);
	t.deepEqual(said(), ['quick one']);
});

test.serial('a bot says several things, later things, and things elsewhere', async t => {
	const {ask, heard, said} = await start(t);

	await Promise.all([ask('several', 'x'), ask('after', 'x'), ask('elsewhere', 'x')]);

	t.is(await heard('part 1\n\npart 2\n\npart 3'), 1);
	t.is(await heard('before x'), 1);
	t.is(await heard('after x'), 1);
	t.is(await heard('sent x'), 1);
	t.is(await heard('done'), 1);
	t.is(said().length, 5);
});

test.serial('a late reply where the bot may not post reaches the asker directly, and its owner learns why', async t => {
	const {ask, heard, said, realmUrl} = await start(t);
	// Where the owner may write the bot may, too.
	const olivia = await signIn(t, realmUrl, 'olivia@bothy.example');
	await olivia.unsubscribe({subscriptions: ['staff']});

	await ask('late', 'x', 'staff');

	t.is(await heard('I may not write in #**staff>journey**, so here is my answer to you:\n\nlate x'), 1);
	t.is(await heard('could not be posted'), 1);
	t.is(said().length, 2);
});

test.serial('a handler that throws and a person who floods get one polite answer', async t => {
	const {ask, heard, said} = await start(t);

	await ask('throws', 'x');
	for (let n = 1; n <= 3; n++) {
		await ask('flooded', `${n}`);
		await heard(`heard ${n}`);
	}

	await Promise.all([ask('flooded', '4'), ask('flooded', '5'), ask('flooded', '6')]);

	t.is(await heard('faster than I can follow'), 1);
	t.is(await heard('something went wrong here'), 1);
	t.false(said().some(text => text.includes('secret') || text.includes('Failure!')));
	t.is(said().length, 5);
});

test.serial('while Redis is away bots answer, and afterwards everything goes on without a restart', async t => {
	const folder = await dataFolder(t);
	const redis = await startOwnRedis(folder);
	t.teardown(() => redis.stop());
	const {ask, heard, said, receiverUrl} = await start(t, {REDIS_URL: redis.url});
	const ready = async () => (await fetch(new URL('/readyz', receiverUrl))).status;

	await ask('quick', 'before');
	t.is(await heard('quick before'), 1);
	t.is(await ready(), 200);

	await redis.stop();
	await ask('quick', 'meanwhile');
	await ask('late', 'meanwhile');
	await ask('elsewhere', 'meanwhile');
	t.is(await heard('quick meanwhile'), 1);
	t.is(await heard('done'), 1);
	t.is(await ready(), 503);
	t.false(said().includes('late meanwhile'));

	await redis.start();
	t.is(await heard('late meanwhile'), 1);
	t.is(await heard('sent meanwhile'), 1);
	await ask('quick', 'afterwards');
	t.is(await heard('quick afterwards'), 1);
	t.is(await ready(), 200);
	t.is(said().length, 6);
});
