// Questions that a bot asks, commands that ask before they run, and questions to others.

import test from 'ava';
import {z} from '../../src/api/zod.js';
import {arg} from '../../src/bot/arguments/arg.js';
import {bot} from '../../src/bot/bot.js';
import {widgetOf} from '../../src/bot/context/choices.js';
import {createQuestions} from '../../src/bot/context/questions.js';
import {testBot} from '../../src/testing/index.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {payload} from '../helpers/payload.js';

const NOW = '2026-11-21T10:00:00Z';

const counter = () =>
	bot({about: 'Counts', session: z.object({limit: z.int().default(5)})})
		.command('limit', {about: 'Change your limit'}, ctx => ctx.ask('limit', 'How many a day?'))
		.command('show', {about: 'Show the limit'}, ctx => ctx.reply(String(ctx.session.limit)))
		.answer('limit', z.coerce.number('That is no number').int().max(9, 'At most 9'), async (ctx, limit) => {
			ctx.session.limit = limit;
			await ctx.reply(`Limit ${limit}`);
		});

test('the next message of the person who was asked is the answer, and is stored', async t => {
	const {alice} = await testBot(counter());

	t.deepEqual(await alice.dm('limit'), ['How many a day?']);
	t.deepEqual(await alice.dm('7'), ['Limit 7']);
	t.deepEqual(await alice.dm('show'), ['7']);
});

test('the bot asks again if an answer does not fit', async t => {
	const {alice} = await testBot(counter());
	await alice.dm('limit');

	t.deepEqual(await alice.dm('many'), ['That is no number. How many a day? (`cancel` ends this.)']);
	t.deepEqual(await alice.dm('12'), ['At most 9. How many a day? (`cancel` ends this.)']);
	t.deepEqual(await alice.dm('@**Bot** 3'), ['Limit 3']);
});

test('cancel closes a question', async t => {
	const {alice} = await testBot(counter());
	await alice.dm('limit');

	t.deepEqual(await alice.dm('Cancel.'), ['Cancelled.']);
	t.deepEqual(await alice.dm('show'), ['5']);
});

test('a message of somebody else, or in another conversation, is not an answer', async t => {
	const {alice, bob} = await testBot(counter());
	await alice.says('#general > lunch', '@**Bot** limit');

	t.deepEqual(await bob.says('#general > lunch', '@**Bot** show'), ['5']);
	t.deepEqual(await alice.says('#general > elsewhere', '@**Bot** show'), ['5']);
	t.deepEqual(await alice.dm('show'), ['5']);
	t.deepEqual(await alice.says('#general > lunch', '@**Bot** 7'), ['Limit 7']);
});

for (const [minutes, options] of [
	[10, {}],
	[5, {minutes: 5}],
] as const) {
	test(`a question waits ${minutes} minutes for its answer, as it says`, async t => {
		const asker = bot({about: 'Asks'})
			.command('age', {about: 'Ask'}, ctx => ctx.ask('age', 'How old?', options))
			.answer('age', z.coerce.number(), (ctx, age) => ctx.reply(`${age} years`));
		const {alice, wait} = await testBot(asker);
		await alice.dm('age');
		await wait((minutes - 1) * 60_000);
		t.deepEqual(await alice.dm('7'), ['7 years']);

		await alice.dm('age');
		await wait(minutes * 60_000);
		t.deepEqual(await alice.dm('7'), ['Asks\n\n* `age`: Ask']);
	});
}

test('somebody is asked by email address, and the handle of the question deletes it', async t => {
	const asks = bot({about: 'Asks', config: z.object({boss: z.string()})})
		.command('ask', {about: 'Ask'}, async ctx => {
			const question = await ctx.ask('decide', 'Well?', {of: ctx.config.boss, in: ctx.here, choices: ['yes']});
			await ctx.storage.set('question', await question.id);
		})
		.command('withdraw', {about: 'Withdraw the question'}, async ctx => {
			await ctx.delete((await ctx.storage.get('question', z.int())) ?? 0);
		})
		.answer('decide', z.string(), ctx => ctx.reply('Thank you.'));
	const {alice, bob, sent} = await testBot(asks, {config: {boss: 'BOB@bothy.example'}});

	await alice.says('#general > x', '@**Bot** ask');
	t.like(sent.at(-1), {where: '#general > x', text: 'Well?', choices: ['yes']});
	await alice.dm('withdraw');
	t.deepEqual(sent, []);
	t.deepEqual(await bob.says('#general > x', '@**Bot** yes'), ['Thank you.']);

	const nobody = await testBot(asks, {config: {boss: 'nobody@bothy.example'}});
	await t.throwsAsync(nobody.alice.dm('ask'), {message: /found nobody with this address$/});
});

test('the handle of a question to the sender has its ID', async t => {
	const asks = bot({about: 'Asks'})
		.command('ask', {about: 'Ask'}, async ctx => {
			const question = await ctx.ask('decide', 'Well?');
			await ctx.storage.set('question', await question.id);
		})
		.answer('decide', z.string(), async ctx => ctx.reply(String(await ctx.storage.get('question', z.int()))));
	const {alice, sent} = await testBot(asks);
	await alice.dm('ask');

	t.deepEqual(await alice.dm('yes'), [String(sent[0]?.id)]);
});

test('asking without a declared answer is an error of the bot', async t => {
	const kit = await testBot(bot({about: 'Asks'}).on('direct_message', ctx => ctx.ask('age', 'How old?')));

	await t.throwsAsync(kit.alice.dm('hi'), {
		message: 'Expected ctx.ask() with the name of an .answer() of this bot, got "age"',
	});
	t.regex(kit.sent[0]?.text ?? '', /^Sorry/);
});

const purger = () =>
	bot({about: 'Forgets', session: z.object({notes: z.array(z.string()).default(['one'])})})
		.command('purge', {about: 'Forget everything', confirm: 'Really?'}, async ctx => {
			ctx.session.notes = [];
			await ctx.reply('Forgotten.');
		})
		.command('drop', {about: 'Forget one', args: z.object({n: z.int()}), confirm: 'That one?'}, (ctx, {n}) =>
			ctx.reply(`Dropped ${n}`),
		)
		.command('list', {about: 'List'}, ctx => ctx.reply(ctx.session.notes.join() || 'none'));

test('a command with a confirmation runs on yes, with the original arguments', async t => {
	const {alice} = await testBot(purger());

	t.deepEqual(await alice.dm('purge'), ['Really?']);
	t.deepEqual(await alice.dm('what?'), ['Really? Please answer `yes` or `no`.']);
	t.deepEqual(await alice.dm('Yes'), ['Forgotten.']);
	t.deepEqual(await alice.dm('list'), ['none']);
	await alice.dm('drop 3');
	t.deepEqual(await alice.dm('ok'), ['Dropped 3']);
});

test('on no nothing happens, and a command that cannot run asks for no confirmation', async t => {
	const {alice} = await testBot(purger());
	await alice.dm('purge');

	t.deepEqual(await alice.dm('no'), ['OK, I did nothing.']);
	t.deepEqual(await alice.dm('list'), ['one']);
	t.deepEqual(await alice.dm('drop it'), ['`n` cannot be “it”: expected a number. Usage: `drop <n>`']);
});

test('a confirmed command keeps the times of the moment when it was written', async t => {
	const later = bot({about: 'Waits'}).command(
		'at',
		{about: 'Wait', args: z.object({when: arg.when()}), confirm: 'Sure?'},
		(ctx, {when}) => ctx.reply(ctx.time(when)),
	);
	const {alice, wait} = await testBot(later, {now: NOW});
	await alice.dm('at in 10 minutes');
	await wait('1 minute');

	t.deepEqual(await alice.dm('yes'), ['<time:2026-11-21T10:10:00Z>']);
});

test('a question can have buttons, and each sends its text to the bot', async t => {
	const kit = await testBot(purger(), {name: 'Purger'});
	await kit.alice.says('#general > lunch', '@**Purger** purge');
	const {message} = await kit.alice.api.getMessage({message_id: kit.sent[0]?.id ?? 0});

	t.like(JSON.parse(String(message.submessages?.[0]?.content)), {
		widget_type: 'zform',
		extra_data: {
			type: 'choices',
			heading: 'Really?',
			choices: [
				{short_name: 'A', long_name: 'yes', reply: '@**Purger** yes'},
				{short_name: 'B', long_name: 'no', reply: '@**Purger** no'},
			],
		},
	});
	t.deepEqual(await kit.alice.presses('yes'), ['Forgotten.']);
});

test('a button has the form that clients of the service show', t => {
	const widget = widgetOf(
		{heading: 'Tea?', choices: [{label: 'Yes', says: 'tea'}]},
		{calls: '@**Bot** ', method: 'reply'},
	);

	t.deepEqual(JSON.parse(widget).extra_data.choices, [
		{type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: '@**Bot** tea'},
	]);
});

const keeper = () =>
	bot({about: 'Keeps'})
		.command('close', {about: 'Close', role: 'moderator'}, ctx => ctx.reply('closed'))
		.command('look', {about: 'Look'}, ctx => ctx.reply('seen'));

test('a command with a role runs for people with that role or a more powerful one', async t => {
	const {mona, olivia, alice} = await testBot(keeper());

	t.deepEqual(await mona.dm('close'), ['closed']);
	t.deepEqual(await olivia.dm('close'), ['closed']);
	t.deepEqual(await alice.dm('close'), ['`close` is for moderators only.']);
});

test('an unknown role is refused', async t => {
	const {olivia, fault} = await testBot(keeper());
	fault('502-html', {operation: 'getUser', times: 10});

	t.regex((await olivia.dm('close')).join(), /^I cannot see your role/);
});

test('help hides commands that a person may not run, and suggests the nearest command for a typo', async t => {
	const {alice, adam} = await testBot(keeper());

	t.deepEqual(await alice.dm('help'), ['Keeps\n\n* `look`: Look']);
	t.deepEqual(await adam.dm('help close'), ['`close`: Close\nFor moderators only.']);
	t.deepEqual(await alice.dm('clse'), ['Keeps\n\n* `look`: Look']);
	t.deepEqual(await alice.dm('loook here'), ['I do not know `loook`. Did you mean this?\n\n* `look`: Look']);
});

// Questions to others, between deliveries that may be run again.

const ACCOUNT = 'https://chat.example.com|bot@chat.example.com';

function start() {
	const memory = new Memory();
	const store = createMemoryValueStore(memory, 'questions');
	let time = 1_000;
	return {
		pass(ms: number) {
			time += ms;
		},
		/** As a run of that delivery sees them. */
		of(delivery: string) {
			const ref = {account: ACCOUNT, id: delivery};
			memory.deliveries.set(`${ACCOUNT} ${delivery}`, {status: 'running', run: 1} as never);
			return createQuestions({values: store({ref, run: 1}), delivery, now: () => time});
		},
	};
}

const asked = {name: 'decide', question: 'Well?', until: 61_000, from: {dm: [1]}, by: {id: 1, mention: '@**A|1**'}};
const {message: written, ...rest} = payload({text: 'yes'});
const person = written.sender_id;
const people = [
	{id: person, email: written.sender_email, full_name: 'Alice Ahn', is_mirror_dummy: false},
	{id: 99, email: rest.bot_email, full_name: 'Bot', is_mirror_dummy: false},
];
const answer = {...rest, message: {...written, type: 'private' as const, display_recipient: people}};

test('one delivery takes an answer, in each of its runs, and no other', async t => {
	const {of} = start();
	await of('asks').put(person, {dm: [person]}, asked);
	const [first, second] = [await of('first').find(answer), await of('second').find(answer)];

	t.deepEqual([await first?.take(), await second?.take()], [true, false]);
	t.is(await of('third').find(answer), undefined);
	const again = await of('first').find(answer);
	t.like(again, {name: 'decide', from: {dm: [1]}});
	t.true(await again?.take());
});

test('a rerun does not repeat a question that was answered in the meantime, and may ask a new one', async t => {
	const {of, pass} = start();
	await of('asks').put(person, {dm: [person]}, asked);
	t.true(await (await of('first').find(answer))?.take());
	await of('asks').put(person, {dm: [person]}, asked);

	t.is(await of('second').find(answer), undefined);
	await of('asks anew').put(person, {dm: [person]}, {...asked, until: 62_000});
	t.like(await of('second').find(answer), {name: 'decide'});
	pass(62_000);
	t.is(await of('third').find(answer), undefined);
});

test('the data of a question is checked by its schema, and the error names the field', async t => {
	const asks = bot({about: 'Asks'})
		.command('good', {about: 'Ask'}, ctx => ctx.ask('days', 'Well?', {data: {days: 3}}))
		.command('bad', {about: 'Ask'}, ctx => ctx.ask('days', 'Well?', {data: {days: 'three'}}))
		.answer('days', z.enum(['yes']), {data: z.object({days: z.int()})}, (ctx, _, {data}) =>
			ctx.reply(`${data.days + 1}`),
		);
	const {alice} = await testBot(asks);

	await alice.dm('good');
	t.deepEqual(await alice.dm('yes'), ['4']);
	await alice.dm('bad');
	await t.throwsAsync(alice.dm('yes'), {message: /ctx\.ask\('days', …\) .*`data\.days`: expected a number/});
});

test('a question waits in its conversation, whether its channel is given by name or ID, and has a limit', async t => {
	const {of} = start();
	const place = {type: 'stream' as const, stream_id: 7, display_recipient: 'General', subject: 'Lunch'};
	const inChannel = {...rest, message: {...written, ...place}};

	for (const channel of ['general', 7]) {
		await of('asks').put(person, {channel, topic: 'lunch'}, {...asked, until: channel === 7 ? 62_000 : 61_000});
		t.is(await of('x').find(answer), undefined);
		t.true(await (await of(String(channel)).find(inChannel))?.take());
	}

	await t.throwsAsync(of('asks').put(person, {dm: [person]}, {...asked, data: 'x'.repeat(20_000)}), {
		instanceOf: RangeError,
		message: /at most 16384 bytes/,
	});
	await t.throwsAsync(of('asks').put(person, {dm: [person]}, {...asked, data: {at: new Date()}}), {
		message: /got a Date in `at`/,
	});
});
