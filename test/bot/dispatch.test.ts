import test from 'ava';
import fc from 'fast-check';
import {z} from '../../src/api/zod.js';
import {arg} from '../../src/bot/arguments/arg.js';
import {bot} from '../../src/bot/bot.js';
import type {Handler} from '../../src/bot/declarations.js';
import {stripMention} from '../../src/bot/mention.js';
import {TakenOverError} from '../../src/delivery/run-expired-error.js';
import {talk} from '../helpers/talk.js';

const everything = () =>
	bot({about: 'Does everything'})
		.command('add', {about: 'Add two numbers', args: z.object({a: z.number(), b: z.number()})}, (ctx, {a, b}) =>
			ctx.reply(String(a + b)),
		)
		.command('Ping', {about: 'Answer'}, ctx => ctx.reply('pong'))
		.hears(/ping|thanks (\w+)/gi, (ctx, match) => ctx.reply(`heard ${match[1] ?? match[0]}`))
		.on('mention', ctx => ctx.reply(`mentioned: ${ctx.text}`));

for (const [what, text, content] of [
	['a command comes before hears', 'ping', 'pong'],
	['hears comes before the trigger', 'so ping it', 'heard ping'],
	['what nothing else takes goes to the trigger', 'good day', 'mentioned: good day'],
	['arguments are read by their schema', 'add 2 3', '5'],
	['a bad argument is named with the usage', 'add 2', '`b` is missing. Usage: `add <a> <b>`'],
] as const) {
	test(what, async t => {
		t.deepEqual(await talk(everything()).say({text: `@**Echo** ${text}`}), [content]);
	});
}

test('a pattern with the g flag is found in every message', async t => {
	const {say} = talk(everything());

	t.deepEqual(await say({text: 'thanks Bob'}), ['heard Bob']);
	t.deepEqual(await say({text: 'thanks Bob'}), ['heard Bob']);
});

test('help is generated from the declaration', async t => {
	const help = '* `add <a> <b>`: Add two numbers\n* `Ping`: Answer';

	t.deepEqual(await talk(everything()).say({text: 'help'}), [`Does everything\n\n${help}`]);
	t.deepEqual(await talk(everything()).say({text: 'hello', trigger: 'direct_message'}), [`Does everything\n\n${help}`]);
});

test("a bot's own help command takes precedence over the built-in one", async t => {
	const own = bot({about: 'Helps'}).command('help', {about: 'Own help'}, ctx => ctx.reply('mine'));

	t.deepEqual(await talk(own).say({text: 'help'}), ['mine']);
});

test('a trigger that nobody declared is answered with silence', async t => {
	t.deepEqual(await talk(everything()).say({text: 'hello', trigger: 'reaction'}), []);
});

test("an older server's private_message is a direct message", async t => {
	const direct = bot({about: 'Listens'}).on('direct_message', ctx => ctx.reply(ctx.trigger));

	t.deepEqual(await talk(direct).say({trigger: 'private_message'}), ['direct_message']);
});

test('middleware runs around the handler, in order, and may stop it', async t => {
	const order: string[] = [];
	const wrapped = bot({about: 'Wraps'})
		.use(async (_ctx, next) => {
			order.push('in');
			await next();
			order.push('out');
		})
		.use(async (ctx, next) => {
			if (ctx.text !== 'stop') {
				await next();
			}
		})
		.on('mention', () => {
			order.push('handler');
		});
	const {say} = talk(wrapped);

	await say({text: 'go'});
	await say({text: 'stop'});

	t.deepEqual(order, ['in', 'handler', 'out', 'in', 'out']);
});

test('calling next() twice is an error of the bot, not a second run', async t => {
	let runs = 0;
	const twice = bot({about: 'Twice'})
		.use(async (_ctx, next) => {
			await next();
			await next();
		})
		.on('mention', () => {
			runs++;
		});

	t.regex(JSON.stringify(await talk(twice).say({})), /Sorry/);
	t.is(runs, 1);
});

test('a handler that throws is answered with an apology whose reference the log has, and with no secret', async t => {
	const broken = bot({about: 'Breaks'}).on('mention', () => {
		throw new Error('database password is hunter2');
	});
	const {say, logged, failures} = talk(broken);

	const answer = await say({});

	const [, reference] = /Reference: (\w+)/.exec(JSON.stringify(answer)) ?? [];
	t.false(JSON.stringify(answer).includes('hunter2'));
	t.like(logged[0] ?? {}, {reference, err: {message: 'database password is hunter2'}});
	t.regex(
		failures[0] ?? '',
		new RegExp(`^${reference} Error: database password is hunter2\\n +at `),
		'the ledger has the stack',
	);

	const odd = bot({about: 'Breaks'}).on('mention', () => {
		throw 'a string';
	});
	t.regex(JSON.stringify(await talk(odd).say({})), /Sorry/);

	const returning = talk(bot({about: 'Returns'}).on('mention', (() => 'a text') as () => void));
	await returning.say({});
	t.regex(returning.warnings[0] ?? '', /returned a text, which Bothy does not send: use ctx\.reply/);
});

test('.catch gets the error and may answer', async t => {
	const careful = bot({about: 'Catches'})
		.on('mention', () => {
			throw new Error('no tea');
		})
		.catch((error, ctx) => ctx.reply(`Sorry: ${error.message}`));

	t.deepEqual(await talk(careful).say({}), ['Sorry: no tea']);
});

test('send and schedule pass target, text and time', async t => {
	const sender = bot({about: 'Sends'}).command('go', {about: 'Go', args: z.object({to: arg.rest()})}, async ctx => {
		await ctx.send({channel: 'general', topic: 'x'}, 'now');
		await ctx.schedule(new Date(5000), ctx.here, 'later');
	});
	const {say, sent} = talk(sender);

	t.deepEqual(await say({text: 'go there'}), []);
	t.deepEqual(sent, [
		{target: {channel: 'general', topic: 'x'}, text: 'now', dueAt: 0},
		{target: {channel: 3, topic: 'lunch'}, text: 'later', dueAt: 5000},
	]);
});

test('`here` of a direct conversation is everybody but the bot', async t => {
	const here = bot({about: 'Here'}).on('direct_message', ctx => ctx.send(ctx.here, 'hello'));
	const {say, sent} = talk(here);
	const person = (id: number, email: string) => ({id, email, full_name: 'X', is_mirror_dummy: false});

	await say({
		trigger: 'direct_message',
		message: {
			type: 'private',
			display_recipient: [person(9, 'a@x'), person(12, 'ECHO-bot@chat.example.com'), person(10, 'b@x')],
		},
	});

	t.deepEqual(sent[0]?.target, {dm: [9, 10]});
});

for (const [what, run, expected] of [
	['a blank reply', ctx => ctx.reply('  '), /Expected ctx\.reply\(\) with a text that is not blank, got a blank/],
	['a past time', ctx => ctx.schedule(new Date(-1), ctx.here, 'x'), /in the future, got 1969-12-31T23/],
	['no date', ctx => ctx.schedule(new Date(Number.NaN), ctx.here, 'x'), /got no valid date/],
	[
		'a draft without a key',
		ctx => ctx.drafts('alice').put(' ', ctx.here, 'x'),
		/Expected ctx\.drafts\(\)\.put\(\) with a key of 1 to 200 characters, got a blank string/,
	],
	['a blank draft', ctx => ctx.drafts('alice').put('a', ctx.here, ' '), /not blank, got a blank string/],
	['a draft for nowhere', ctx => ctx.drafts('alice').put('a', {} as typeof ctx.here, 'x'), /Expected a target/],
	[
		'a draft that a service would cut',
		ctx => ctx.drafts('alice').put('a', ctx.here, 'x'.repeat(10_001)),
		/at most 10000 characters, got 10001/,
	],
	[
		'a topic that a service would cut',
		ctx => ctx.drafts('alice').put('a', {channel: 1, topic: 'x'.repeat(61)}, 'x'),
		/topic of at most 60 characters, got 61/,
	],
] satisfies [string, Handler, RegExp][]) {
	test(`${what} gets an error that says what was expected`, async t => {
		const messages: string[] = [];
		const wrong = bot({about: 'Errs'})
			.on('mention', run)
			.catch(error => void messages.push(error.message));

		await talk(wrong).say({});

		t.regex(messages[0] ?? '', expected);
	});
}

test('a run that is over changes no drafts', async t => {
	const messages: string[] = [];
	const stopped = new AbortController();
	const late = bot({about: 'Is late'}).on('mention', async ctx => {
		const drafts = ctx.drafts('alice');
		stopped.abort(new Error('over'));
		for (const change of [() => drafts.put('a', ctx.here, 'x'), () => drafts.remove('a')]) {
			await change().catch((error: Error) => messages.push(error.message));
		}
	});
	const {say, drafts} = talk(late, {signal: stopped.signal});

	await say({});

	t.deepEqual(messages, ['over', 'over']);
	t.deepEqual(drafts, []);
});

test('a bot whose run goes on in another process has not failed', async t => {
	const over = new AbortController();
	const {signal} = over;
	const {say, logged} = talk(
		bot({about: 'Runs'}).on('mention', () => signal.throwIfAborted()),
		{signal},
	);
	over.abort(new TakenOverError());

	t.deepEqual(await say({}), []);
	t.deepEqual(logged, []);
});

test('an invalid bot is refused at its declaration', t => {
	t.throws(() => bot({about: ' '}), {instanceOf: TypeError, message: /one sentence/});
	t.throws(() => everything().command('ADD', {about: 'Again'}, () => {}), {message: /got "ADD" again/});
	t.throws(() => everything().command('two  spaces', {about: 'x'}, () => {}), {message: /one to four words/});
	t.throws(() => everything().on('mention', () => {}), {message: /"mention" again/});
	// Zod's own types let it pass.
	t.throws(() => everything().command('go', {about: 'x', args: z.object({n: 5} as object)}, () => {}), {
		message: 'Expected a zod schema for the argument "n" of the command "go"',
	});
});

for (const [text, expected] of [
	['@**Echo (v2)** hello', 'hello'],
	['@**Echo (v2)|12** hello', 'hello'],
	['@**echo (V2)**: hello', 'hello'],
	['hello @**Echo (v2)**', 'hello'],
	['please @**Echo (v2)** say hello', 'please say hello'],
	['@**Echo (v2)**', ''],
	['@**Echo (v2)** and @**Echo (v2)|12** again', 'and again'],
] as const) {
	test(`the mention of Echo (v2) is removed from ${JSON.stringify(text)}`, t => {
		t.is(stripMention(text, {fullName: 'Echo (v2)'}), expected);
	});
}

for (const text of [
	'hello @**Echoes**',
	'what does `@**Echo**` mean?',
	'this:\n```\n@**Echo** hello\n```',
	'@**Other** hello',
]) {
	test(`nothing is removed from ${JSON.stringify(text)}`, t => {
		t.is(stripMention(text, {fullName: 'Echo'}), text);
	});
}

test('a mention by ID alone is removed if the rendered message shows that it means the bot', t => {
	const renderedContent = '<p><span class="user-mention" data-user-id="12">@Echo</span> hello</p>';

	t.is(stripMention('@**|12** hello', {fullName: 'Echo', renderedContent}), 'hello');
	t.is(stripMention('@**|13** hello', {fullName: 'Echo', renderedContent}), '@**|13** hello');
});

const MENTIONS = ['@**Echo (v2)**', '@**Echo (v2)|12**', '@**echo (V2)**', '@**|12**'];
const RENDERED = '<span class="user-mention" data-user-id="12">@Echo (v2)</span>';

/** A text without the characters that may go with a mention. */
const essence = (text: string) => text.replace(/[\s,:]/g, '');

test('only the mention is removed, wherever it is', t => {
	const text = fc.string({unit: 'grapheme'}).map(text => text.replace(/[`~@*]/g, ''));
	fc.assert(
		fc.property(fc.array(fc.tuple(text, fc.constantFrom(...MENTIONS))), text, (pieces, last) => {
			const written = `${pieces.map(([before, mention]) => `${before} ${mention} `).join('')}${last}`;
			const stripped = stripMention(written, {fullName: 'Echo (v2)', renderedContent: RENDERED});

			t.is(essence(stripped), essence(pieces.map(([before]) => before).join('') + last));
		}),
	);
});

test('for any text and any name, the remaining text was in the message, apart from spaces', t => {
	const piece = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.constantFrom('```', '`', '~~~', '\n', '@**', '**', '|12', ...MENTIONS, '@_**Echo (v2)**'),
	);
	fc.assert(
		fc.property(fc.array(piece), fc.string({unit: 'grapheme'}), (pieces, fullName) => {
			const written = pieces.join('');
			let at = 0;
			// A space may stand where a mention was.
			for (const character of stripMention(written, {fullName, renderedContent: RENDERED}).replaceAll(' ', '')) {
				at = written.indexOf(character, at) + 1;
				t.true(at > 0);
			}
		}),
	);
});

test("if a message mentions several bots, only the bot's own mention is removed", t => {
	const text = '@**Echo** and @**Dice** roll, @**Echo Two** too';

	t.is(stripMention(text, {fullName: 'Echo'}), 'and @**Dice** roll, @**Echo Two** too');
	t.is(stripMention(text, {fullName: 'Dice'}), '@**Echo** and roll, @**Echo Two** too');
});

test('a stack names the pattern of .hears() that runs', t => {
	const {listeners} = bot({about: 'Hears'}).hears(/^(a+)+$/, () => {});

	t.is(listeners[0]?.match.name, 'hears /^(a+)+$/');
});
