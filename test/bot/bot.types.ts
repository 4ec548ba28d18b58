// What the types of the bot API hold and refuse. Nothing here runs: the build fails when a line that must not compile does.

import {
	type Actions,
	type Asked,
	arg,
	type BotDraft,
	bot,
	type Client,
	type ContextOf,
	type HttpContext,
	type LaterContext,
	module,
	type ScheduledText,
	type ScheduleHandle,
	type Sender,
	type SendHandle,
	Target,
	z,
} from '../../src/index.js';

/** Compiles only where both are one type. */
function same<Expected>() {
	return <Actual>(_: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : ['differs']) => {};
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const triggered = bot({about: 'Is triggered', config: z.object({channel: z.string()})})
	.on('reaction', ctx => {
		same<string>()(ctx.emoji);
		same<Sender>()(ctx.person);
		same<string>()(ctx.config.channel);
		// @ts-expect-error: nobody wrote a message to answer
		ctx.reply('x');
	})
	.on('edit', ctx => {
		same<string>()(ctx.oldText);
		same<string>()(ctx.newText);
		// @ts-expect-error: only a reaction has one
		ctx.emoji;
	})
	.on('join', ctx => {
		same<Sender>()(ctx.member);
		same<{readonly id: number; readonly name: string}>()(ctx.channel);
		// @ts-expect-error: a join has no conversation
		ctx.here;
	})
	.on('channel_message', ctx => ctx.reply(ctx.text))
	.on('mention', ctx => ctx.reply(ctx.text));

// @ts-expect-error: there is no such trigger
bot({about: 'Is not'}).on('message', () => {});

export const typed = bot({
	about: 'Is typed',
	config: z.object({channel: z.string().default('general'), limit: z.int().optional()}),
	session: z.object({count: z.int().default(0)}),
})
	.use(async (ctx, next) => {
		same<number>()(ctx.session.count);
		await next();
	})
	.command(
		'all',
		{
			about: 'Takes everything',
			args: z.object({
				when: arg.when(),
				time: arg.duration().optional(),
				who: arg.user(),
				where: arg.channel(),
				count: z.int().default(1),
				text: arg.rest(),
			}),
			role: 'moderator',
			confirm: 'Sure?',
		},
		(ctx, args) => {
			same<Date>()(args.when);
			same<number | undefined>()(args.time);
			same<{id: number; name: string; email: string}>()(args.who);
			same<{id: number; name: string}>()(args.where);
			same<number>()(args.count);
			same<string>()(args.text);
			same<string>()(ctx.config.channel);
			same<number | undefined>()(ctx.config.limit);
			same<Client>()(ctx.api);
			// @ts-expect-error: there is no such argument
			args.other;
			// @ts-expect-error: the config has no such setting
			ctx.config.other;
			// @ts-expect-error: a count is a number
			ctx.session.count = 'many';
		},
	)
	.command('plain', {about: 'Takes nothing'}, async ctx => {
		same<{n: number} | undefined>()(await ctx.storage.get('key', z.object({n: z.int()})));
		const message = await ctx.send(ctx.here, 'text');
		same<number>()(await message.id);
		// @ts-expect-error: a target names channel and topic, or people
		await ctx.send({channel: 'general'}, 'text');
		// @ts-expect-error: what is kept stays of its shape
		await ctx.storage.update('key', z.int(), () => 'text');
		// @ts-expect-error: the service has no such operation
		await ctx.api.dance();
		// @ts-expect-error: the operation has no such parameter
		await ctx.api.getMessage({message_id: 1, loudly: true});
	})
	.answer('age', z.coerce.number(), (ctx, age) => {
		same<number>()(age);
		same<number>()(ctx.session.count);
	})
	.hears(/a/, (ctx, match) => {
		same<RegExpMatchArray>()(match);
		same<number>()(ctx.session.count);
		same<string>()(ctx.config.channel);
	})
	.on('direct_message', ctx => {
		same<number>()(ctx.session.count);
		same<Target>()(ctx.here);
	})
	.cron('daily', {pattern: '0 9 * * *'}, ctx => {
		same<string>()(ctx.config.channel);
		same<Date>()(ctx.planned);
		// @ts-expect-error: nobody wrote, so nobody is answered
		ctx.reply('hello');
	})
	.catch((error, ctx) => {
		same<Error>()(error);
		same<number>()(ctx.session.count);
		same<string>()(ctx.config.channel);
	});

// A bot that declares neither has neither.
bot({about: 'Is plain'}).on('mention', ctx => {
	same<undefined>()(ctx.session);
	same<undefined>()(ctx.config);
});

// @ts-expect-error: `help` needs a sentence
bot({});
// @ts-expect-error: a command needs one too
bot({about: 'x'}).command('go', {}, () => {});
// @ts-expect-error: there is no such role
bot({about: 'x'}).command('go', {about: 'x', role: 'king'}, () => {});
// @ts-expect-error: settings are named
bot({about: 'x', config: z.string()});

// @ts-expect-error: the service has no such trigger
bot({about: 'x'}).on('message', () => {});
// @ts-expect-error: a pattern, not a text
bot({about: 'x'}).hears('hi', () => {});
// @ts-expect-error: nothing would run
bot({about: 'x'}).on('mention');
// @ts-expect-error: arguments are a z.object()
bot({about: 'x'}).command('go', {about: 'x', args: {}}, () => {});
// @ts-expect-error: a text is no answer
bot({about: 'x'}).on('mention', () => 'hello');
// @ts-expect-error: nor is that of a promise
bot({about: 'x'}).on('mention', async () => 'hello');
// @ts-expect-error: JSON cannot carry a date
bot({about: 'x', session: z.object({since: z.date().default(new Date())})});

// What a function of one's own takes.
export function ofBot(ctx: ContextOf<typeof typed>): number {
	same<string>()(ctx.config.channel);
	return ctx.session.count;
}

export function ofAny(actions: Actions): Target {
	same<{readonly email: string}>()(actions.me);
	return {dm: [1]};
}

// A bot that uses functions which are declared after it.
const base = bot({
	about: 'x',
	config: z.object({url: z.url()}),
	session: z.object({turns: z.array(z.string()).default([])}),
});
base.on('mention', ofBase).on('direct_message', ofBase).on('channel_message', ofBase);
function ofBase(ctx: ContextOf<typeof base>) {
	same<string[]>()(ctx.session.turns);
	same<string>()(ctx.config.url);
}

bot({about: 'Lists'}).command(
	'list add',
	{about: 'x', aliases: ['add'], args: z.object({people: z.array(arg.user()), isLoud: z.boolean().default(false)})},
	async (ctx, {people, isLoud}) => {
		same<{id: number; name: string; email: string}[]>()(people);
		same<boolean>()(isLoud);
		same<string>()(ctx.me.mention);
		same<SendHandle>()(await ctx.reply('x', {choices: ['a', {label: 'b', says: 'c'}]}));
		await ctx.storage.set('key', {list: [1, 'two', null, {three: true}]});
		// @ts-expect-error: JSON cannot carry a date
		await ctx.storage.set('key', {at: new Date()});
		// @ts-expect-error: nor a map
		await ctx.storage.set('key', new Map());
		same<SendHandle>()(await ctx.ask('decide', 'Well?', {of: people[0] ?? 1, in: ctx.here, data: {n: 1}}));
		await ctx.ask('decide', 'Well?', {of: 'bob@example.com'});
		// @ts-expect-error: a person is an ID, an address, or has an ID
		await ctx.ask('decide', 'Well?', {of: {email: 'bob@example.com'}});
		same<ScheduleHandle>()(await ctx.schedule(new Date(), ctx.here, 'x', {key: 'k'}));
		// @ts-expect-error: a time or a pattern, not words
		await ctx.schedule('tomorrow', ctx.here, 'x');
		same<ScheduledText[]>()(await ctx.schedules());
		same<BotDraft[]>()(await ctx.drafts('alice').list());
		same<boolean>()(await ctx.cancel('k'));
		same<Date>()(ctx.now());
		same<string[]>()(await ctx.storage.update('key', z.array(z.string()), (list = []) => [...list, 'x']));
		const left = await ctx.storage.update('key', z.int(), (count = 0) => (count > 0 ? count - 1 : undefined));
		same<number | undefined>()(left);
		// @ts-expect-error: not what the schema stores
		await ctx.storage.update('key', z.int(), (count = 0) => `${count}`);
		same<Record<string, number>>()(await ctx.storage.update('key', z.record(z.string(), z.int()), () => ({})));
		// @ts-expect-error: JSON cannot carry a date
		await ctx.ask('decide', 'Well?', {data: {at: new Date()}});
		await ctx.later(new Date(), 'ring', {n: 1}, {key: 'k'});
		// @ts-expect-error: JSON cannot carry a date
		await ctx.later(new Date(), 'ring', {at: new Date()});
		const response = await ctx.fetch('https://example.com', {timeoutMs: 5, method: 'POST'});
		same<Response>()(response);
		// @ts-expect-error: its own signal ends with the run
		await ctx.fetch('https://example.com', {signal: ctx.signal});
		same<string>()(await ctx.upload('a.txt', 'text'));
		same<string>()(ctx.stream().text);
	},
);

bot({about: 'Continues', config: z.object({hook: z.string()})})
	.answer('decide', z.enum(['yes', 'no']), (_, answer, asked) => {
		same<'yes' | 'no'>()(answer);
		same<Asked>()(asked);
		same<unknown>()(asked.data);
	})
	.answer('approve', z.string(), {data: z.object({days: z.int()})}, async (ctx, answer, {data, from}) => {
		same<string>()(answer);
		same<{days: number}>()(data);
		await ctx.send(from, ctx.config.hook);
	})
	// @ts-expect-error: the data is described by a schema
	.answer('other', z.string(), {data: 'days'}, () => {})
	.later('ring', z.object({n: z.int()}), (ctx, data) => {
		same<LaterContext<{hook: string}>>()(ctx);
		same<{n: number}>()(data);
		// @ts-expect-error: nobody wrote, so nobody is answered
		ctx.reply('hello');
	})
	.later('plain', (_, data) => same<unknown>()(data))
	.later('there', z.object({room: Target}), (ctx, {room}) => {
		same<Target>()(room);
		return ctx.send(room, 'x');
	})
	.http('/deploy', {secret: 'hook', verify: 'github'}, ctx => {
		same<HttpContext<{hook: string}>>()(ctx);
		same<unknown>()(ctx.request.json());
	})
	// @ts-expect-error: the secret is a key of the config
	.http('/other', {secret: 'other', verify: 'github'}, () => {});

const counting = module<{count: number}>().command('count', {about: 'x'}, ctx => {
	ctx.session.count++;
});
bot({about: 'Uses', session: z.object({count: z.int().default(0), more: z.string().default('')})}).use(counting);
// @ts-expect-error: it has no such session
bot({about: 'Uses', session: z.object({other: z.int().default(0)})}).use(counting);
bot({about: 'Uses', config: z.object({a: z.string()})}).use(module().hears(/x/, ctx => ctx.reply('y')));

// What several bots share has the types of its session and its config, and of its arguments.
const shared = module<{count: number}, {channel: string}>()
	.command(
		'tag',
		{
			about: 'x',
			args: z.object({kind: z.enum(['bug', 'wish']), tags: z.array(z.string()), note: arg.rest().optional()}),
		},
		(ctx, {kind, tags, note}) => {
			same<'bug' | 'wish'>()(kind);
			same<string[]>()(tags);
			same<string | undefined>()(note);
			same<number>()(ctx.session.count);
		},
	)
	.later('tagged', z.object({tags: z.array(z.string())}), (ctx, {tags}) => {
		same<string>()(ctx.config.channel);
		same<Target | undefined>()(ctx.from);
		same<string[]>()(tags);
	})
	.answer('why', z.string(), {data: z.object({tag: z.string()})}, (ctx, _, {data, by}) => {
		same<{tag: string}>()(data);
		same<string>()(by.mention);
		same<string>()(ctx.config.channel);
	});
const session = z.object({count: z.int().default(0)});
bot({about: 'Uses', session, sessionPer: 'person', config: z.object({channel: z.string()})}).use(shared);
// @ts-expect-error: its channel is a number
bot({about: 'Uses', session, config: z.object({channel: z.int()})}).use(shared);
