import test from 'ava';
import {arg, bot, z} from 'bothy';
import {testBot} from 'bothy/testing';
import fc from 'fast-check';
import {ArgumentError, parseArguments, type Resolver, usageOf} from '../../src/bot/arguments/arguments.js';
import {splitWords} from '../../src/bot/arguments/words.js';

const Reminder = z.object({minutes: z.number(), text: arg.rest()});

/** Saturday evening in Berlin; clocks go forward that night. */
const NOW = Date.parse('2026-03-28T20:00:00Z');

const ALICE = {id: 9, name: 'Alice Ahn', email: 'alice@chat.example.com'};

const resolver: Resolver = {
	now: NOW,
	zone: async () => 'Europe/Berlin',
	user: async word => (/alice/i.test(word) ? ALICE : undefined),
	channel: async word => (word === '#**general**' ? {id: 3, name: 'general'} : undefined),
};

const read = <Schema extends z.ZodObject>(line: string, schema: Schema) => parseArguments(line, schema, resolver);

test('keys are positions, and the last string takes the rest unchanged', async t => {
	t.deepEqual(await read('10 tea  is "ready"', Reminder), {minutes: 10, text: 'tea  is "ready"'});
});

test('an argument may be given by name', async t => {
	const schema = z.object({user: z.string(), limit: z.number().default(3), loud: z.boolean().optional()});

	t.deepEqual(await read('--limit 7 alice --loud yes', schema), {user: 'alice', limit: 7, loud: true});
	t.deepEqual(await read('alice', schema), {user: 'alice', limit: 3});
});

const splits = test.macro({
	exec(t, line: string, words: readonly string[]) {
		t.deepEqual(
			splitWords(line).map(({text}) => text),
			words,
		);
	},
	title: (_, line) => `quotes of every kind hold words together, unbalanced ones are text: ${line}`,
});

test(splits, 'a "b c" d', ['a', 'b c', 'd']);
test(splits, 'a “b c” ‘d e’ «f g»', ['a', 'b c', 'd e', 'f g']);
test(splits, 'it\'s "open', ["it's", '"open']);
test(splits, '"" x', ['', 'x']);
test(splits, 'tell @**Alice Ahn|9**, #**far away** x', ['tell', '@**Alice Ahn|9**', ',', '#**far away**', 'x']);

const refuses = test.macro({
	async exec(t, line: string, message: string | RegExp, schema: z.ZodObject = Reminder) {
		await t.throwsAsync(read(line, schema), {instanceOf: ArgumentError, message});
	},
	title: (_, line, message) => `“${line}” is refused with: ${message}`,
});

test(refuses, '', '`minutes` is missing');
test(refuses, '5', '`text` is missing');
test(refuses, 'soon tea', /^`minutes` cannot be “soon”: /);
test(refuses, '1 2', '“2” is an extra word', z.object({count: z.number()}));

const Timed = z.object({when: arg.when(), text: arg.rest()});

const means = test.macro({
	async exec(t, line: string, when: string, text: string) {
		t.deepEqual(await read(line, Timed), {when: new Date(when), text});
	},
	title: (_, line, when) => `“${line}” means ${when}`,
});

test(means, 'tomorrow 9:00 buy milk', '2026-03-29T07:00:00Z', 'buy milk');
test(means, 'in 10 minutes tea', '2026-03-28T20:10:00Z', 'tea');
test(means, 'in 24 hours tea', '2026-03-29T20:00:00Z', 'tea');
test(means, 'at 5pm tea', '2026-03-29T15:00:00Z', 'tea');
test(means, 'on Friday at noon, the thing', '2026-04-03T10:00:00Z', 'the thing');
test(means, '2026-12-24 18:00 party', '2026-12-24T17:00:00Z', 'party');
test(means, '"tomorrow 9:00" 10 eggs', '2026-03-29T07:00:00Z', '10 eggs');

test(refuses, 'yesterday tea', '“yesterday” is in the past', Timed);
test(
	refuses,
	'sometime tea',
	'`when` cannot be “sometime”: expected a time such as `tomorrow 9:00` or `in 2 hours`',
	Timed,
);
test(refuses, 'tomorrow', '`text` is missing', Timed);

test('if an optional time is missing, its words go to the next argument', async t => {
	const schema = z.object({when: arg.when().optional(), text: arg.rest()});

	t.deepEqual(await read('milk tomorrow', schema), {text: 'milk tomorrow'});
	t.deepEqual(await read('in 10 minutes tea', schema), {when: new Date('2026-03-28T20:10:00Z'), text: 'tea'});
});

for (const [words, ms] of [
	['90 minutes', 5_400_000],
	['1h30m', 5_400_000],
	['half an hour', 1_800_000],
	['2 days and 3 hours', 183_600_000],
	['1.5 h', 5_400_000],
	['a week', 604_800_000],
] as const) {
	test(`“${words}” is a duration of ${ms} ms`, async t => {
		const schema = z.object({time: arg.duration(), text: arg.rest()});

		t.deepEqual(await read(`${words} tea`, schema), {time: ms, text: 'tea'});
	});
}

test(
	refuses,
	'long',
	'`time` cannot be “long”: expected a duration such as `90 minutes` or `1h30m`',
	z.object({time: arg.duration()}),
);

test('a mark survives further methods of its schema', async t => {
	const schema = z.object({
		time: arg
			.duration()
			.refine(ms => ms < 3_600_000, 'an hour at most')
			.optional(),
	});

	t.deepEqual(await read('30 minutes', schema), {time: 1_800_000});
	await t.throwsAsync(read('2 hours', schema), {message: '`time` cannot be “2 hours”: an hour at most'});
});

test('people and channels are looked up', async t => {
	const schema = z.object({who: arg.user(), where: arg.channel()});

	t.deepEqual(await read('@**Alice Ahn|9** #**general**', schema), {who: ALICE, where: {id: 3, name: 'general'}});
	await t.throwsAsync(read('nobody #**general**', schema), {
		message: '`who` cannot be “nobody”: expected somebody such as `@**Alice Ahn**`',
	});
	await t.throwsAsync(read('alice #nowhere', schema), {
		message: '`where` cannot be “#nowhere”: expected a channel such as `#**general**`',
	});
});

test('no text is lost, however a line is split', t => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), line => {
			const words = splitWords(line);
			const between = words.map((word, index) => line.slice(words[index - 1]?.end ?? 0, word.start)).join('');
			const behind = line.slice(words.at(-1)?.end ?? 0);

			t.regex(between + behind, /^\s*$/);
			for (const {text, start, end} of words) {
				t.true(line.slice(start, end).includes(text));
			}
		}),
	);
});

test('any line is either parsed into arguments or refused with a message', async t => {
	const schema = z.object({when: arg.when().optional(), count: z.number().optional(), text: arg.rest()});
	const piece = fc.oneof(
		fc.string({unit: 'grapheme'}),
		fc.constantFrom('"', '“', 'tomorrow', '--count', '7', '@**', '#**a**', 'in', '5', 'minutes', '”'),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(piece), async pieces => {
			const line = pieces.join(' ');
			try {
				const {text} = await read(line, schema);
				t.true(line.includes(text));
			} catch (error) {
				t.true(error instanceof ArgumentError, String(error));
			}
		}),
	);
});

test('usage shows optional arguments and the one that takes the rest', t => {
	t.is(usageOf('in', Reminder), 'in <minutes> <text…>');
	t.is(usageOf('roll', z.object({dice: z.string().default('1d6')})), 'roll [dice…]');
	t.is(usageOf('stop', undefined), 'stop');
	t.is(usageOf('at', Timed), 'at <when> <text…>');
});

// Lists, flags, names of several words and their aliases, as people write them.

const lister = () => {
	const show = (value: unknown) => JSON.stringify(value);
	return bot({about: 'Lists'})
		.command('list', {about: 'Show', aliases: ['ls']}, ctx => ctx.reply('the list'))
		.command(
			'list add',
			{about: 'Add', aliases: ['add'], args: z.object({items: z.array(z.string()).min(1)})},
			(ctx, {items}) => ctx.reply(show(items)),
		)
		.command(
			'invite',
			{
				about: 'Invite',
				args: z.object({
					people: z.array(arg.user()).min(1),
					quietly: z.boolean().default(false),
					where: arg.channel(),
					note: z.string().optional(),
				}),
			},
			(ctx, {people, quietly, where, note}) =>
				ctx.reply(show([people.map(({name}) => name), quietly, where.name, note])),
		)
		.command('sum', {about: 'Sum', args: z.object({numbers: z.array(z.number()).default([])})}, (ctx, {numbers}) =>
			ctx.reply(String(numbers.reduce((sum, number) => sum + number, 0))),
		);
};

test('a name of several words takes precedence over a shorter one, and each may have an alias', async t => {
	const {alice} = await testBot(lister());

	t.deepEqual(await alice.dm('list'), ['the list']);
	t.deepEqual(await alice.dm('LS'), ['the list']);
	t.deepEqual(await alice.dm('list   add tea "hot milk" jam'), ['["tea","hot milk","jam"]']);
	t.deepEqual(await alice.dm('add tea, milk'), ['["tea","milk"]']);
	t.deepEqual(await alice.dm('list add'), ['`items` is missing. Usage: `list add <items…>`']);
	t.deepEqual(await alice.dm('help list add'), ['`list add <items…>`: Add']);
	t.notRegex((await alice.dm('help'))[0] ?? '', /ls/);
});

test('a list takes the remaining words, or comma-separated words; a flag needs no value', async t => {
	const {alice, bob, carla} = await testBot(lister());

	t.deepEqual(await alice.dm(`invite @**${bob.name}**, @**${carla.name}** general --quietly see you there`), [
		`[["${bob.name}","${carla.name}"],true,"general","see you there"]`,
	]);
	t.deepEqual(await alice.dm('invite bob@bothy.example general'), [`[["${bob.name}"],false,"general",null]`]);
	t.deepEqual(await alice.dm('invite --no-quietly bob@bothy.example --where general hi'), [
		`[["${bob.name}"],false,"general","hi"]`,
	]);
	t.deepEqual(await alice.dm('invite --quietly yes bob@bothy.example general'), [
		`[["${bob.name}"],true,"general",null]`,
	]);
	t.regex(
		(await alice.dm(`invite @**Nobody**, @**${bob.name}** general`))[0] ?? '',
		/`people` cannot be .*expected somebody such as/,
	);
	t.regex((await alice.dm('help invite'))[0] ?? '', /`invite <people…> \[--quietly\] <where> \[note…\]`/);
	t.deepEqual(await alice.dm('sum 1, 2 3,5'), ['6.5']);
	t.deepEqual(await alice.dm('sum'), ['0']);
});

test('a wrong argument is explained in plain words', async t => {
	const said: [z.ZodType, string, string][] = [
		[z.number(), 'x', 'expected a number'],
		[z.int().min(1).max(9), '12', 'expected at most 9'],
		[z.int(), '1.5', 'expected a whole number'],
		[z.enum(['red', 'blue']), 'green', 'expected one of `red`, `blue`'],
		[z.email(), 'x', 'expected an email address'],
		[z.boolean(), 'x', 'expected `yes` or `no`'],
		[z.string().max(2), 'tea', 'expected at most 2 characters'],
		[z.int('Own words'), 'x', 'Own words'],
	];
	for (const [schema, word, reason] of said) {
		const {alice, close} = await testBot(
			bot({about: 'x'}).command('go', {about: 'x', args: z.object({value: schema})}, () => {}),
		);
		const usage = schema instanceof z.ZodString ? '<value…>' : '<value>';
		t.deepEqual(await alice.dm(`go ${word}`), [`\`value\` cannot be “${word}”: ${reason}. Usage: \`go ${usage}\``]);
		await close();
	}
});
