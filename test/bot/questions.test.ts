// Questions that a bot asks, and commands that ask before they run.

import test from 'ava';
import {z} from 'zod';
import {arg} from '../../src/bot/arg.js';
import {bot} from '../../src/bot/bot.js';
import {talk} from '../helpers/talk.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');

const counter = () =>
	bot({about: 'Counts', session: z.object({limit: z.int().default(5)})})
		.command('limit', {about: 'Change your limit'}, ctx => ctx.ask('limit', 'How many a day?'))
		.command('show', {about: 'Show the limit'}, ctx => ctx.reply(String(ctx.session.limit)))
		.answer('limit', z.coerce.number('That is no number').int().max(9, 'At most 9'), async (ctx, limit) => {
			ctx.session.limit = limit;
			await ctx.reply(`Limit ${limit}`);
		});

test('the next message of whoever is asked is the answer, and is kept', async t => {
	const {say} = talk(counter(), NOW);

	t.deepEqual(await say({text: 'limit'}), ['How many a day?']);
	t.deepEqual(await say({text: '7'}), ['Limit 7']);
	t.deepEqual(await say({text: 'show'}), ['7']);
});

test('an answer that does not fit is asked for again', async t => {
	const {say} = talk(counter(), NOW);
	await say({text: 'limit'});

	t.deepEqual(await say({text: 'many'}), ['That is no number. How many a day? (`cancel` ends this.)']);
	t.deepEqual(await say({text: '12'}), ['At most 9. How many a day? (`cancel` ends this.)']);
	t.deepEqual(await say({text: '@**Echo** 3'}), ['Limit 3']);
});

test('cancel ends the waiting', async t => {
	const {say} = talk(counter(), NOW);
	await say({text: 'limit'});

	t.deepEqual(await say({text: 'Cancel.'}), ['Cancelled.']);
	t.deepEqual(await say({text: 'show'}), ['5']);
});

test('what somebody else writes meanwhile is no answer', async t => {
	const {say} = talk(counter(), NOW);
	await say({text: 'limit'});

	t.deepEqual(await say({text: 'show', message: {sender_id: 10}}), ['5']);
	t.deepEqual(await say({text: '7'}), ['Limit 7']);
});

test('what is written elsewhere meanwhile is no answer', async t => {
	const {say} = talk(counter(), NOW);
	await say({text: 'limit'});

	t.deepEqual(await say({text: 'show', message: {subject: 'elsewhere'}}), ['5']);
});

test('an answer is waited for ten minutes', async t => {
	const {say, wait} = talk(counter(), NOW);
	await say({text: 'limit'});
	wait(10 * 60_000 + 1);

	t.deepEqual(await say({text: 'show'}), ['5']);
});

test('an answer that nothing waits for is an error of the bot', async t => {
	const {say, logged} = talk(
		bot({about: 'Asks'}).on('mention', ctx => ctx.ask('age', 'How old?')),
		NOW,
	);

	t.regex((await say({text: 'hi'}))[0] ?? '', /^Sorry/);
	t.like(logged[0], {
		err: {message: 'Expected ctx.ask() with the name of an .answer() of this bot, got "age"'},
	});
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

test('a command that asks first runs on yes, with what was written', async t => {
	const {say} = talk(purger(), NOW);

	t.deepEqual(await say({text: 'purge'}), ['Really?']);
	t.deepEqual(await say({text: 'what?'}), ['Really? Please answer `yes` or `no`.']);
	t.deepEqual(await say({text: 'Yes!'.replace('!', '')}), ['Forgotten.']);
	t.deepEqual(await say({text: 'list'}), ['none']);
	await say({text: 'drop 3'});
	t.deepEqual(await say({text: 'ok'}), ['Dropped 3']);
});

test('on no nothing happens', async t => {
	const {say} = talk(purger(), NOW);
	await say({text: 'purge'});

	t.deepEqual(await say({text: 'no'}), ['Then I leave it.']);
	t.deepEqual(await say({text: 'list'}), ['one']);
});

test('what cannot run is not asked about', async t => {
	t.deepEqual(await talk(purger(), NOW).say({text: 'drop it'}), [
		'`n` cannot be “it”: Invalid input: expected number, received string. Usage: `drop <n>`',
	]);
});

test('words of time mean at yes what they meant when they were written', async t => {
	const later = bot({about: 'Waits'}).command(
		'at',
		{about: 'Wait', args: z.object({when: arg.when()}), confirm: 'Sure?'},
		(ctx, {when}) => ctx.reply(ctx.time(when)),
	);
	const {say, wait} = talk(later, NOW);
	await say({text: 'at in 10 minutes'});
	wait(60_000);

	t.deepEqual(await say({text: 'yes'}), ['<time:2026-11-21T10:10:00Z>']);
});

test('a question can have buttons, each of which says its text to the bot', async t => {
	const {say, widgets} = talk(purger(), NOW);
	await say({text: 'purge'});

	t.deepEqual(JSON.parse(widgets[0] ?? ''), {
		widget_type: 'zform',
		extra_data: {
			type: 'choices',
			heading: 'Really?',
			choices: [
				{type: 'multiple_choice', short_name: 'A', long_name: 'yes', reply: '@**Echo** yes'},
				{type: 'multiple_choice', short_name: 'B', long_name: 'no', reply: '@**Echo** no'},
			],
		},
	});
});

const roles = (role: number) => ({
	client: {
		getUser: async () => ({user: {...ALICE, role}}),
	},
});

const ALICE = {
	user_id: 9,
	email: 'alice@chat.example.com',
	full_name: 'Alice Ahn',
	avatar_url: null,
	date_joined: '',
	timezone: '',
	is_active: true,
	is_admin: false,
	is_owner: false,
	is_guest: false,
	is_bot: false,
};

const keeper = () =>
	bot({about: 'Keeps'})
		.command('close', {about: 'Close', role: 'moderator'}, ctx => ctx.reply('closed'))
		.command('look', {about: 'Look'}, ctx => ctx.reply('seen'));

test('a role lets those pass who have it or a mightier one', async t => {
	t.deepEqual(await talk(keeper(), NOW, roles(300)).say({text: 'close'}), ['closed']);
	t.deepEqual(await talk(keeper(), NOW, roles(100)).say({text: 'close'}), ['closed']);
	t.deepEqual(await talk(keeper(), NOW, roles(400)).say({text: 'close'}), ['`close` is for moderators only.']);
});

test('an unknown role is refused', async t => {
	const [answer = ''] = await talk(keeper(), NOW).say({text: 'close'});

	t.regex(answer, /^I cannot see your role/);
});

test('help hides what one may not run', async t => {
	t.deepEqual(await talk(keeper(), NOW, roles(400)).say({text: 'help'}), ['Keeps\n\n* `look`: Look']);
	t.deepEqual(await talk(keeper(), NOW, roles(200)).say({text: 'help close'}), [
		'`close`: Close\nFor moderators only.',
	]);
	t.deepEqual(await talk(keeper(), NOW, roles(400)).say({text: 'clse'}), ['Keeps\n\n* `look`: Look']);
});

test('a slip of the finger is answered with the command that is near', async t => {
	t.deepEqual(await talk(keeper(), NOW).say({text: 'loook here'}), [
		'I do not know `loook`. Did you mean this?\n\n* `look`: Look',
	]);
});
