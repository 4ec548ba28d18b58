// A bot that asks, keeps, knows roles and hears of failures, in a host that is restarted in between.

import test from 'ava';
import {arg, bot, z} from '../../src/index.js';
import {openHouse} from '../helpers/house.js';

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

test('a question outlives a restart of the host, and so does what was kept', async t => {
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

test('a failed post reaches the bot, which tells the person who asked for it', async t => {
	const alice = await (await openHouse(t, {bots: {asker}})).signIn('alice');

	const heard = [await alice.ask('asker', 'shout'), await alice.next()];

	t.deepEqual(heard.sort(), [
		"SendError about shout: Channel with ID '4711' does not exist (STREAM_DOES_NOT_EXIST)",
		'on its way',
	]);
});
