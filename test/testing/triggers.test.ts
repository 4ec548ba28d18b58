// Triggers besides mentions and direct messages, in the test kit: the pollers' own code, with the realm's events.

import test from 'ava';
import {bot} from 'bothy';
import {testBot} from 'bothy/testing';

const listener = () =>
	bot({about: 'Listens', perMinute: 3})
		.command('list', {about: 'List'}, ctx => ctx.reply('the list'))
		.hears(/tea/, ctx => ctx.reply('heard tea'))
		.on('channel_message', async ctx => {
			if (ctx.text === 'fail') {
				throw new Error('out of paper');
			}

			await ctx.reply(`${ctx.trigger} of ${ctx.sender.name}: ${ctx.text}`);
		});

test('a message without a mention runs `channel_message` alone, and a mention runs commands as ever', async t => {
	const {alice, bob, sent} = await testBot(listener());

	t.deepEqual(await alice.says('#general > lunch', 'list'), ['channel_message of Alice Ahn: list']);
	t.deepEqual(await bob.says('#general > lunch', 'more tea'), [`channel_message of ${bob.name}: more tea`]);
	t.deepEqual(await alice.says('#general > lunch', '@**Bot** list'), ['the list']);
	t.deepEqual(await alice.dm('list'), ['the list']);
	t.is(sent.length, 4, 'the bot does not answer itself');
});

test('if nobody called the bot, its limit and its errors are told to nobody', async t => {
	const kit = await testBot(listener());
	await t.throwsAsync(kit.alice.says('#general > lunch', 'fail'), {message: 'out of paper'});
	kit.expectSilence();

	await kit.alice.says('#general > lunch', 'two');
	await kit.alice.says('#general > lunch', 'three');
	t.deepEqual(await kit.alice.says('#general > lunch', 'four'), []);
	t.deepEqual(await kit.alice.says('#general > lunch', '@**Bot** list'), ['the list'], 'mentions count apart');
	await kit.wait('1 minute');
	t.is((await kit.alice.says('#general > lunch', 'five')).length, 1);
});
