// What bots do over time, as people see it: they ask, keep, remind and follow up. Each test opens a host of its own.

import test, {type ExecutionContext} from 'ava';
import {arg, bot, type Context, z} from '../../src/index.js';
import {signIn} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {until} from '../helpers/until.js';

const asker = bot({about: 'Asks', session: z.object({limit: z.int().default(5)})})
	.command('limit', {about: 'Set it'}, ctx => ctx.ask('limit', 'How many?'))
	.answer('limit', z.coerce.number().int(), async (ctx, limit) => {
		ctx.session.limit = limit;
		const asked = await ctx.storage.update('asked', z.int(), (count = 0) => count + 1);
		await ctx.reply(`limit ${limit}, asked ${asked}`);
	})
	.command('show', {about: 'Show it'}, ctx => ctx.reply(`limit is ${ctx.session.limit}`))
	.command('close', {about: 'Close', role: 'administrator', confirm: 'Really close?'}, ctx => ctx.reply('closed'))
	.command('who', {about: 'Look somebody up', args: z.object({who: arg.user()})}, (ctx, {who}) =>
		ctx.reply(`${who.name} has the ID ${who.id}`),
	)
	.command('post', {about: 'Post'}, async ctx => {
		const message = await ctx.send({channel: 'general', topic: 'news'}, 'posted');
		await ctx.edit(await message.id, 'edited');
	})
	.command('shout', {about: 'Write where it may not'}, async ctx => {
		await ctx.send({channel: 4711, topic: 'x'}, 'hello');
		await ctx.reply('on its way');
	})
	.catch((error, ctx) => ctx.reply(`${error.name} about ${ctx.text}: ${'reason' in error ? error.reason : ''}`));

test('questions and stored values survive a restart of the host', async t => {
	const house = await openHouse(t, {bots: {asker}});
	const {ask} = await house.signIn('alice');
	t.is(await ask('asker', 'limit'), 'How many?');
	await house.restart();

	t.is(await ask('asker', '7'), 'limit 7, asked 1');
	t.is(await ask('asker', 'show'), 'limit is 7');
	await ask('asker', 'limit');
	t.is(await ask('asker', '8'), 'limit 8, asked 2');
});

test('the service is asked for roles, people and messages', async t => {
	const {signIn, settled} = await openHouse(t, {bots: {asker}});
	const [alice, adam] = [await signIn('alice'), await signIn('adam')];

	t.is(await alice.ask('asker', 'close'), '`close` is for administrators only.');
	t.is(await adam.ask('asker', 'close'), 'Really close?');
	t.is(await adam.ask('asker', 'yes'), 'closed');
	t.is(await alice.ask('asker', 'who @**Bob Birk**'), 'Bob Birk has the ID 5');
	t.is(await alice.ask('asker', 'who bob@bothy.example'), 'Bob Birk has the ID 5');
	t.regex(await alice.ask('asker', 'who is'), /^`who` cannot be “is”: expected somebody/);

	t.is(await alice.ask('asker', 'post'), 'posted');
	await settled();
	const {messages} = await alice.getMessages({anchor: 'newest', num_before: 2, num_after: 0, apply_markdown: false});
	t.true(messages.some(({content}) => content === 'edited'));
});

test('a failed post reaches the bot, which can answer the person who asked for it', async t => {
	const alice = await (await openHouse(t, {bots: {asker}})).signIn('alice');

	const heard = [await alice.ask('asker', 'shout'), await alice.next()];

	t.deepEqual(heard.sort(), [
		"SendError about shout: Channel with ID '4711' does not exist (STREAM_DOES_NOT_EXIST)",
		'on its way',
	]);
});

// What bots promise for later, as people see it: once, on time, movable, and again and again.

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

test('a recurring text is posted until it is cancelled', async t => {
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

test('a handler runs once at each due time', async t => {
	const {heard, said} = await start(t, {ticker});

	for (let count = 0; count < 3; count++) {
		await heard('tick');
	}

	const ticks = said();
	t.is(new Set(ticks).size, ticks.length);
	t.true(ticks.every(tick => Number(tick.slice(5)) % 1000 === 0));
});

// What test/bots/ holds of the example bots in one process they do beside a receiver, workers, Redis and a realm, too.

const ALICE = 'alice@bothy.example';

type Said = readonly [person: 'alice' | 'adam', text: string, answer: RegExp];

const conversations: Readonly<Record<string, readonly Said[]>> = {
	assistant: [
		['alice', 'minutes', /^The outline will be in your drafts in a moment\./],
		['adam', 'minutes', /^I have no access to your drafts\./],
	],
	dice: [
		['alice', 'roll 2d6', /^:dice: [1-6] \+ [1-6] = \*\*\d+\*\*$/],
		['alice', 'rol', /^I do not know `rol`\. Did you mean this\?\n\n\* `roll \[dice…\]`/],
	],
	echo: [
		['alice', 'hello  there', /^hello {2}there$/],
		['alice', 'help', /^Repeats what you say$/],
	],
	lunch: [
		['alice', 'join Golden Spoon', /^\* \*\*Golden Spoon\*\*: Alice Ahn$/],
		['alice', 'join Market', /^\* \*\*Market\*\*: Alice Ahn$/],
		['adam', 'favourites', /^\* Golden Spoon \(1\)\n\* Market \(1\)$/],
		['alice', 'leave', /^Nobody has joined yet\.$/],
	],
	poll: [
		['alice', 'vote 1 pizza', /^There is no such poll or option\.$/],
		['alice', 'ask "Where?" pizza, soup', /^\*\*Where\?\*\* \(`results \d+` shows the votes\)$/],
	],
	remind: [
		['alice', 'me tomorrow 9:00 tea', /^I will remind you at <time:.*T09:00:00Z>, in .+\.$/],
		['alice', 'daily 8:30 stand up', /^I will remind you every day at 8:30 UTC\.$/],
		['alice', 'list', /^1\. .* UTC.*\n2\. .* UTC/],
		['adam', 'list', /^I have nothing to remind you of\.$/],
		['alice', 'cancel 1', /^Cancelled\.$/],
	],
	standup: [['alice', 'work', /^Noted for the next standup/]],
	steward: [
		['alice', 'who kitchen', /^\* Alice Ahn\n\* Carla Cruz$/],
		['alice', 'deactivate @**Bob Birk**', /^`deactivate` is for administrators only\.$/],
		['adam', 'deactivate @**Bob Birk**', /^This logs them out everywhere\. Deactivate the account\?$/],
		['adam', 'yes', /^The account of Bob Birk is deactivated\.$/],
		['adam', 'default enter_sends on', /^New people start with `enter_sends` on\.$/],
	],
};

test('each example bot does its work in the whole product', async t => {
	const names = Object.keys(conversations);
	const house = await openHouse(t, {
		bots: Object.fromEntries(names.map(name => [name, undefined])),
		administrators: ['steward'],
		async sections({url}) {
			const {key} = await signIn(t, url, ALICE);
			return {alice: {email: ALICE, key, site: url}};
		},
	});
	const people = {alice: await house.signIn('alice'), adam: await house.signIn('adam')};

	for (const name of names) {
		for (const [who, content, expected] of conversations[name] ?? []) {
			t.regex(await people[who].ask(name, content), expected, `${who} says “${content}” to ${name}`);
		}

		await people.alice.mention(name, 'help');
		await people.alice.next(name);
	}

	await until(async () => {
		const {drafts} = await people.alice.getDrafts();
		return drafts.some(({content}) => content.startsWith('**Minutes**'));
	});

	t.notRegex(house.log(), /"level":[56]0/);
});
