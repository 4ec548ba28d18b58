// Lists, flags, names of several words and their aliases, as people write them.

import test from 'ava';
import {arg, bot, z} from 'bothy';
import {testBot} from 'bothy/testing';

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

test('a name of several words stands before a shorter one, and an alias for either', async t => {
	const {alice} = await testBot(lister());

	t.deepEqual(await alice.dm('list'), ['the list']);
	t.deepEqual(await alice.dm('LS'), ['the list']);
	t.deepEqual(await alice.dm('list   add tea "hot milk" jam'), ['["tea","hot milk","jam"]']);
	t.deepEqual(await alice.dm('add tea, milk'), ['["tea","milk"]']);
	t.deepEqual(await alice.dm('list add'), ['`items` is missing. Usage: `list add <items…>`']);
	t.deepEqual(await alice.dm('help list add'), ['`list add <items…>`: Add']);
	t.notRegex((await alice.dm('help'))[0] ?? '', /ls/);
});

test('a list takes what is left, or words with commas between them; a flag needs no value', async t => {
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

test('what does not fit is told in plain words', async t => {
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
