// What bots promise for later, as people see it: once, on time, movable, and again and again.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {dataFolder, signIn, startBothy} from '../helpers/bothy.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const PLANNER = `
	import {bot, arg, z} from ${JSON.stringify(FACE)};
	const soon = ms => new Date(Date.now() + ms);
	const text = z.object({text: arg.rest()});
	export default bot({about: 'x'})
		.command('soon', {about: 'x', args: text}, (ctx, {text}) => ctx.schedule(soon(1_500), ctx.here, text))
		.command('keyed', {about: 'x', args: z.object({ms: z.number(), text: arg.rest()})}, async (ctx, {ms, text}) => {
			await ctx.schedule(soon(ms), ctx.here, text, {key: 'k'});
			await ctx.reply('kept ' + text);
		})
		.command('far', {about: 'x', args: text}, async (ctx, {text}) => {
			await ctx.schedule(soon(3_600_000), ctx.here, text, {key: text});
			await ctx.reply('noted');
		})
		.command('list', {about: 'x'}, async ctx => {
			const found = await ctx.schedules();
			await ctx.reply('listed ' + found.map(({id, text, cron}) => [id, text, cron?.pattern ?? 'once'].join('/')).join(', '));
		})
		.command('now', {about: 'x', args: text}, async (ctx, {text}) => {
			const found = await ctx.schedules();
			await ctx.reply('moved ' + await found.find(({id}) => id === text).reschedule(soon(100)));
		})
		.command('cancel', {about: 'x', args: text}, async (ctx, {text}) => {
			const found = await ctx.schedules();
			await ctx.reply('cancelled ' + await found.find(({id}) => id === text).cancel());
		})
		.command('every', {about: 'x', args: text}, async (ctx, {text}) => {
			await ctx.schedule({pattern: '* * * * * *'}, ctx.here, text, {key: 'each'});
			await ctx.reply('each second');
		})
		.cron('tick', {pattern: '* * * * * *'}, ctx => ctx.send({channel: 'general', topic: 'ticks'}, 'tick ' + ctx.planned.getTime()));
`;

async function start(t: ExecutionContext) {
	t.timeout(120_000);
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'planner.mjs'), PLANNER);
	const bothy = await startBothy(t, {env: {BOTHY_BOTS: folder}});
	const adam = await signIn(t, bothy.realmUrl, 'adam@bothy.example');
	const heard = await adam.listen();
	return {
		...bothy,
		heard: (part: string) =>
			heard.next(({content, sender_email}) => content.includes(part) && sender_email !== adam.email),
		ask: (text: string) =>
			adam.sendMessage({type: 'channel', to: 'general', topic: 'journey', content: `@**Planner** ${text}`}),
		async said(topic: string): Promise<string[]> {
			const {messages} = await adam.getMessages({
				anchor: 'newest',
				num_before: 1000,
				narrow: [
					['channel', 'general'],
					['topic', topic],
				],
				apply_markdown: false,
			});
			return messages.filter(({sender_email}) => sender_email !== adam.email).map(({content}) => content);
		},
	};
}

test.serial('a bot schedules, lists, moves, replaces and cancels', async t => {
	const {ask, heard, said} = await start(t);

	await ask('soon one');
	await ask('keyed 60000 replaced');
	// Two messages may be handled in either order.
	await heard('kept replaced');
	await ask('keyed 500 two');
	await heard('kept two');
	await heard('one');
	await heard('two');
	await ask('far three');
	await heard('noted');
	await ask('far four');
	await heard('noted');
	await ask('list');
	t.is((await heard('listed')).content, 'listed three/three/once, four/four/once');
	await ask('now three');
	await heard('moved true');
	await heard('three');
	await ask('cancel four');
	await heard('cancelled true');
	await ask('list');
	t.is((await heard('listed')).content, 'listed');
	t.false((await said('journey')).includes('replaced'));
});

test.serial(
	'a text comes again and again until it is cancelled, and a handler at its due times, each once',
	async t => {
		const {ask, heard, said} = await start(t);

		await ask('every again');
		await heard('each second');
		for (let count = 0; count < 3; count++) {
			await heard('again');
		}

		await ask('list');
		t.is((await heard('listed')).content, 'listed each/again/* * * * * *');
		await ask('cancel each');
		await heard('cancelled true');
		await ask('list');
		t.is((await heard('listed')).content, 'listed');

		for (let count = 0; count < 3; count++) {
			await heard('tick');
		}

		const ticks = await said('ticks');
		t.is(new Set(ticks).size, ticks.length);
		t.true(ticks.every(tick => Number(tick.slice(5)) % 1000 === 0));
	},
);
