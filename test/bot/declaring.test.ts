// What a bot declares: what cannot work is refused there and then, and modules are shared.

import test from 'ava';
import {arg, bot, module, z} from 'bothy';
import {testBot} from 'bothy/testing';
import {createDraftAccounts} from '../../src/bot/context/draft-accounts.js';
import {talk} from '../helpers/talk.js';

const empty = () => bot({about: 'x'});

test('invalid declarations are refused at once, also in JavaScript', t => {
	const refused: [() => unknown, RegExp][] = [
		[
			() => empty().on('message' as 'mention', () => {}),
			/^Expected \.on\(\) with mention, direct_message, channel_message, .+, got "message"$/,
		],
		[
			() => empty().hears('hi' as unknown as RegExp, () => {}),
			/^Expected \.hears\(\) with a pattern such as \/hello\/i, got string$/,
		],
		[() => empty().on('mention', undefined as never), /^Expected a handler for \.on\('mention'\).*got undefined$/],
		[() => empty().command('go', {about: 'x'}, undefined as never), /^Expected a handler for \.command\('go'\)/],
		[
			() => empty().command('go', {about: 'x', args: {} as never}, () => {}),
			/^Expected `args` of the command "go" to be a z\.object\(\)/,
		],
		[
			() => empty().command('go', {about: 'x', args: z.object({pair: z.tuple([z.string()])})}, () => {}),
			/^Expected the argument "pair" of the command "go" to be read from words/,
		],
		[() => empty().answer('age', 5 as never, () => {}), /^Expected a zod schema for \.answer\('age'\)/],
		[() => empty().later('tea', z.string(), undefined as never), /^Expected a handler for \.later\('tea'\)/],
		[() => empty().use(5 as never), /^Expected \.use\(\) with a function or a module$/],
		[() => empty().command('go', {about: 'x', aliases: ['go']}, () => {}), /got "go" again/],
		[
			() => bot({about: 'x', session: z.object({limit: z.int()})}),
			/^bot\(\{session\}\): expected a default for each field, `limit` has none$/,
		],
		[
			() => bot({about: 'x', session: z.object({since: z.date().default(() => new Date())}) as never}),
			/^bot\(\{session\}\): `since` is a date, which JSON cannot carry; store text or a number$/,
		],
		[
			() =>
				bot({about: 'x', session: z.object({of: z.object({seen: z.map(z.string(), z.int())}).optional()}) as never}),
			/`of\.seen` is a map/,
		],
	];
	for (const [declare, message] of refused) {
		t.throws(declare, {instanceOf: TypeError, message});
	}
});

test('a value that JSON cannot carry is refused, and the error names the key and the bot', async t => {
	const values: Record<string, unknown> = {
		'a Date': {at: new Date(0)},
		'a Map': new Map([['a', 1]]),
		'a BigInt': [1n],
		'a function': {deep: {run() {}}},
		NaN: Number.NaN,
		'undefined in a list': [undefined],
		'a Person': new (class Person {})(),
	};
	const kit = await testBot(
		bot({about: 'Keeps', session: z.object({any: z.unknown().default(0)})})
			.command('keep', {about: 'x', args: z.object({kind: arg.rest()})}, (ctx, {kind}) =>
				ctx.storage.set('some key', values[kind] as never),
			)
			.command('remember', {about: 'x', args: z.object({kind: arg.rest()})}, (ctx, {kind}) => {
				ctx.session.any = values[kind];
			}),
		{name: 'Keeper'},
	);

	for (const kind of Object.keys(values)) {
		await t.throwsAsync(kit.alice.dm(`keep ${kind}`), {
			message: new RegExp(`^Expected ctx\\.storage\\.set\\("some key"\\) of keeper.*got ${kind}`),
		});
		await t.throwsAsync(kit.bob.dm(`remember ${kind}`), {
			message: new RegExp(`^Expected ctx\\.session of keeper.*got ${kind}.* in `),
		});
	}
});

const counting = () =>
	module<{count: number}>()
		.use(async (ctx, next) => {
			ctx.session.count++;
			await next();
		})
		.command('count', {about: 'Count', aliases: ['c']}, ctx => ctx.reply(String(ctx.session.count)));

test('a bot has what its modules declare, as if it were written in the bot', async t => {
	const {alice} = await testBot(
		bot({about: 'Uses', session: z.object({count: z.int().default(0), more: z.string().default('')})})
			.use(counting())
			.use(module().hears(/bye/, ctx => ctx.reply(`Bye, ${ctx.sender.name}`)))
			.command('own', {about: 'Own'}, ctx => ctx.reply(`own ${ctx.session.count}`)),
	);

	t.deepEqual(await alice.dm('count'), ['1']);
	t.deepEqual(await alice.dm('c'), ['2']);
	t.deepEqual(await alice.dm('own'), ['own 3']);
	t.deepEqual(await alice.dm('good bye'), ['Bye, Alice Ahn']);
	t.throws(
		() =>
			empty()
				.command('c', {about: 'x'}, () => {})
				.use(counting() as never),
		{message: /got "c" again/},
	);
});

test('a session may belong to a person, or to the whole bot', async t => {
	const of = (sessionPer: 'person' | 'bot') =>
		testBot(
			bot({about: 'Counts', session: z.object({count: z.int().default(0)}), sessionPer})
				.command('count', {about: 'Count'}, async ctx => {
					ctx.session.count++;
					await ctx.reply(String(ctx.session.count));
				})
				.command('ask', {about: 'Ask'}, ctx => ctx.ask('age', 'How old?'))
				.answer('age', z.coerce.number(), (ctx, age) => ctx.reply(`${age} years`)),
		);

	const person = await of('person');
	t.deepEqual(await person.alice.dm('count'), ['1']);
	t.deepEqual(await person.alice.says('#general > lunch', '@**Bot** count'), ['2']);
	t.deepEqual(await person.bob.says('#general > lunch', '@**Bot** count'), ['1']);
	await person.alice.dm('ask');
	t.deepEqual(
		await person.alice.says('#general > lunch', '@**Bot** count'),
		['3'],
		'the question waits where it was asked',
	);
	t.deepEqual(await person.alice.dm('7'), ['7 years']);

	const whole = await of('bot');
	t.deepEqual(await whole.alice.dm('count'), ['1']);
	t.deepEqual(await whole.bob.dm('count'), ['2']);
	await whole.alice.dm('ask');
	t.deepEqual(await whole.bob.dm('count'), ['3']);
	t.deepEqual(await whole.alice.dm('7'), ['7 years']);
});

const account = (name: string, site: string) => ({name, site, email: 'alice@example.com'});

/** The site of each account that was written to. */
function openDrafts() {
	const woken: string[] = [];
	const draftsOf = createDraftAccounts({
		accounts: [account('alice', 'https://one'), account('alice-two', 'https://two')],
		store: {put: async () => {}, remove: async () => {}, list: async () => []},
		enqueue: async ({site}) => void woken.push(site),
	});
	const put = (bot: string, name: string) =>
		draftsOf({site: bot, email: 'bot@example.com'}, name).put('key', {channel: 'general', topic: 'tea'}, 'text');
	return {put, woken};
}

test("an email names accounts of the bot's own site only, a section any account", async t => {
	const {put, woken} = openDrafts();

	await put('https://two', 'Alice@example.com');
	await put('https://one', 'alice@example.com');
	await put('https://one', 'alice-two');

	t.deepEqual(woken, ['https://two', 'https://one', 'https://two']);
	t.throws(() => put('https://three', 'alice@example.com'), {name: 'UnknownAccount'});
});

test('work for a cron that the bot no longer declares is logged', async t => {
	const {handle, warnings} = talk(bot({about: 'x'}));

	await handle({kind: 'cron', handler: 'gone', planned: 0});

	t.deepEqual(warnings, ['the bot no longer declares a handler that was to run']);
});
