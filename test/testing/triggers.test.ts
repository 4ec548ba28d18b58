// Triggers besides mentions and direct messages, in the test kit: the pollers' own code, with the realm's events.

import {randomUUID} from 'node:crypto';
import test from 'ava';
import {bot} from 'bothy';
import {testBot} from 'bothy/testing';
import {createInbox} from '../../src/events/inbox.js';
import {createMemoryInbox} from '../../src/testing/memory-inbox.js';
import {connectToRedis} from '../helpers/shared-redis.js';

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

test('a message without a mention runs only `channel_message`, and a mention runs commands', async t => {
	const {alice, bob, sent} = await testBot(listener());

	t.deepEqual(await alice.says('#general > lunch', 'list'), ['channel_message of Alice Ahn: list']);
	t.deepEqual(await bob.says('#general > lunch', 'more tea'), [`channel_message of ${bob.name}: more tea`]);
	t.deepEqual(await alice.says('#general > lunch', '@**Bot** list'), ['the list']);
	t.deepEqual(await alice.dm('list'), ['the list']);
	t.is(sent.length, 4, 'the bot does not answer itself');
});

test('if nobody called the bot, nobody gets a message about its limit and its errors', async t => {
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

const fan = () =>
	bot({about: 'Counts reactions'})
		.on('direct_message', ctx => ctx.reply(`Said ${ctx.text}`))
		.on('reaction', async ({emoji, person, message, here, ...ctx}) => {
			await ctx.send(here, `${person.name}: ${emoji} on ${message.text}`);
		});

test('an emoji on a message of the bot runs `reaction`, and any other emoji does not', async t => {
	const kit = await testBot(fan());
	await kit.alice.dm('hello');
	const said = kit.sent.at(-1) ?? t.fail('it said nothing');

	const answers = await kit.alice.reacts(said, ':tada:');
	t.deepEqual(
		answers.map(({where, text}) => [where, text]),
		[['@alice', 'Alice Ahn: tada on Said hello']],
	);

	await kit.alice.api.removeReaction({message_id: said.id, emoji_name: 'tada'});
	t.deepEqual(await kit.alice.reacts(said, 'tada'), [], 'again counts once');
	t.is((await kit.alice.reacts(said, 'heart')).length, 1);

	const {id} = await kit.alice.api.sendMessage({type: 'channel', to: 'general', topic: 'x', content: 'mine'});
	t.deepEqual(await kit.bob.reacts({id}, 'tada'), [], 'a message of somebody else');
	t.is((await kit.redeliver()).length + kit.sent.length, 3, 'the same delivery again does nothing');
});

test('an edit of a message that called the bot runs `edit` with both texts, and other edits do not', async t => {
	const orders = bot({about: 'Takes orders'})
		.on('mention', ctx => ctx.reply(`Ordered: ${ctx.text}`))
		.on('edit', ctx => ctx.send(ctx.here, `${ctx.sender.name}: ${ctx.oldText} became ${ctx.newText}`));
	const {alice, ...kit} = await testBot(orders);
	await alice.says('#general > lunch', '@**Bot** 2 pizzas');

	const [answer] = await alice.edits(alice.latest, '@**Bot** 3 pizzas');
	t.like(answer, {where: '#general > lunch', text: 'Alice Ahn: 2 pizzas became 3 pizzas'});
	t.is((await kit.redeliver()).length + kit.sent.length, 2);

	await alice.says('#general > lunch', 'nobody is called');
	t.deepEqual(await alice.edits(alice.latest, '@**Bot** now it is'), []);
	t.deepEqual(
		await alice.edits({id: (await alice.api.getMessages({anchor: 'newest', num_before: 1})).messages[0]?.id ?? 0}, 'x'),
		[],
	);
});

test('somebody who joins a channel runs `join`, each time', async t => {
	const greeter = bot({about: 'Greets'}).on('join', ctx =>
		ctx.send({channel: ctx.channel.id, topic: 'hello'}, `${ctx.member.mention} in ${ctx.channel.name}`),
	);
	const {bob, adam, ...kit} = await testBot(greeter);

	const [greeting] = await bob.joins('general');
	t.like(greeting, {where: '#general > hello', text: `${bob.mention} in general`});
	t.is((await bob.joins('general')).length, 1, 'again');
	await adam.api.unsubscribe({subscriptions: ['general'], principals: [kit.bot.id]});
	t.deepEqual(await bob.joins('general'), [], 'the bot is not subscribed');
	await adam.api.subscribe({subscriptions: [{name: 'general'}], principals: [kit.bot.id]});
	t.is((await bob.joins('general')).length, 1, 'its members before count as old');
	t.is(kit.sent.length, 3);
});

// What the test kit remembers of a polled account equals what Redis remembers.

type Inbox = ReturnType<typeof createMemoryInbox>;

const steps: readonly ((inbox: Inbox, account: string) => Promise<unknown>)[] = [
	(inbox, account) => inbox.begin(account, 10),
	(inbox, account) => inbox.markHandled(account, 12),
	(inbox, account) => inbox.isHandled(account, 12),
	(inbox, account) => inbox.isHandled(account, 11),
	(inbox, account) => inbox.begin(account, 20),
	(inbox, account) => inbox.since(account, 20),
	(inbox, account) => inbox.since(account, 30),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['a', 'b']),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['b', 'c']),
	(inbox, account) => inbox.markSeen(account, 'reaction', 'c'),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['a', 'c', 'd']),
	(inbox, account) => inbox.isSeen(account, 'reaction', 'd'),
	(inbox, account) => inbox.isSeen(account, 'edit', 'c'),
	(inbox, account) => inbox.beginSeen(account, 'edit', []),
	(inbox, account) => inbox.beginSeen(account, 'edit', ['c']),
	(inbox, account) => inbox.changeMembers(account, {'1': '', '1 7': '+0'}, []),
	(inbox, account) => inbox.changeMembers(account, {'1 8': '+1'}, ['1']),
	(inbox, account) => inbox.members(account),
];

test('the in-memory stores answer each step as Redis does', async t => {
	const account = `https://chat|${randomUUID()}@x`;
	const stored = createInbox(await connectToRedis(t));
	const memory = createMemoryInbox();
	for (const [index, step] of steps.entries()) {
		t.deepEqual(await step(memory, account), await step(stored, account), `step ${index}`);
	}
});

test('a trigger that a bot no longer declares is forgotten, and starts again later', async t => {
	const account = `https://chat|${randomUUID()}@x`;
	const inbox = createInbox(await connectToRedis(t));
	await inbox.since(account, 5);
	await inbox.beginSeen(account, 'reaction', ['a']);

	await inbox.forgetAllBut(account, ['reaction']);

	t.is(await inbox.since(account, 9), 9);
	t.deepEqual(await inbox.beginSeen(account, 'reaction', ['a', 'b']), ['b']);
	await inbox.want(account, ['edit', 'join']);
	t.deepEqual(await inbox.wanted(account), ['edit', 'join']);
});
