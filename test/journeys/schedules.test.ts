// What bots promise for later, as people see it: once, on time, movable, and again and again.

import test, {type ExecutionContext} from 'ava';
import {arg, bot, type Context, z} from '../../src/index.js';
import {openHouse} from '../helpers/house.js';

const text = z.object({text: arg.rest()});
const soon = (ms: number) => new Date(Date.now() + ms);
const scheduled = async (ctx: Context, id: string) => (await ctx.schedules()).find(schedule => schedule.id === id);

const planner = bot({about: 'x', perMinute: 0})
	.command('soon', {about: 'x', args: text}, async (ctx, {text}) => {
		await ctx.schedule(soon(200), ctx.here, text);
	})
	.command('keyed', {about: 'x', args: z.object({ms: z.number(), text: arg.rest()})}, async (ctx, {ms, text}) => {
		await ctx.schedule(soon(ms), ctx.here, text, {key: 'k'});
		await ctx.reply(`kept ${text}`);
	})
	.command('far', {about: 'x', args: text}, async (ctx, {text}) => {
		await ctx.schedule(soon(3_600_000), ctx.here, text, {key: text});
		await ctx.reply('noted');
	})
	.command('list', {about: 'x'}, async ctx => {
		const found = await ctx.schedules();
		const lines = found.map(({id, text, cron}) => `${id}/${text}/${cron?.pattern ?? 'once'}`);
		await ctx.reply(`listed ${lines.join(', ')}`);
	})
	.command('now', {about: 'x', args: text}, async (ctx, {text}) =>
		ctx.reply(`moved ${await (await scheduled(ctx, text))?.reschedule(soon(100))}`),
	)
	.command('cancel', {about: 'x', args: text}, async (ctx, {text}) =>
		ctx.reply(`cancelled ${await (await scheduled(ctx, text))?.cancel()}`),
	)
	.command('every', {about: 'x', args: text}, async (ctx, {text}) => {
		await ctx.schedule({pattern: '* * * * * *'}, ctx.here, text, {key: 'each'});
		await ctx.reply('each second');
	});

const ticker = bot({about: 'x'}).cron('tick', {pattern: '* * * * * *'}, async ctx => {
	await ctx.send({channel: 'general', topic: 'ticks'}, `tick ${ctx.planned.getTime()}`);
});

async function start(t: ExecutionContext, bots: Readonly<Record<string, unknown>>) {
	const house = await openHouse(t, {bots});
	const adam = await house.signIn('adam');
	return {
		...house,
		ask: (text: string) => adam.mention('planner', text),
		/** The next message that begins so; what comes before it may come in any order. */
		heard: async (part: string) => (await adam.nextWith(content => content.startsWith(part))).content,
	};
}

test('a bot schedules, lists, moves, replaces and cancels', async t => {
	const {ask, heard, settled, said} = await start(t, {planner});

	await ask('soon one');
	await ask('keyed 60000 replaced');
	// Two messages may be handled in either order.
	await heard('kept replaced');
	await ask('keyed 100 two');
	await heard('kept two');
	await heard('one');
	await heard('two');
	for (const text of ['three', 'four']) {
		await ask(`far ${text}`);
		await heard('noted');
	}

	await ask('list');
	t.is(await heard('listed'), 'listed three/three/once, four/four/once');
	await ask('now three');
	await heard('moved true');
	await heard('three');
	await ask('cancel four');
	await heard('cancelled true');
	await ask('list');
	t.is(await heard('listed'), 'listed');
	await settled();
	t.false(said().some(text => text === 'replaced' || text === 'four'));
});

test('a text comes again and again until it is cancelled', async t => {
	const {ask, heard} = await start(t, {planner});

	await ask('every again');
	await heard('each second');
	for (let count = 0; count < 3; count++) {
		await heard('again');
	}

	await ask('list');
	t.is(await heard('listed'), 'listed each/again/* * * * * *');
	await ask('cancel each');
	await heard('cancelled true');
	await ask('list');
	t.is(await heard('listed'), 'listed');
});

test('a handler runs at its due times, once for each', async t => {
	const {heard, said} = await start(t, {ticker});

	for (let count = 0; count < 3; count++) {
		await heard('tick');
	}

	const ticks = said();
	t.is(new Set(ticks).size, ticks.length);
	t.true(ticks.every(tick => Number(tick.slice(5)) % 1000 === 0));
});
