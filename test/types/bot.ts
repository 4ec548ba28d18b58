// What the types of the bot API hold and refuse. Nothing here runs: the build fails when a line that must not compile does.

import {arg, bot, type Client, z} from '../../src/index.js';

/** Compiles only where both are one type. */
function same<Expected>() {
	return <Actual>(_: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : ['differs']) => {};
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

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
	.hears(/a/, (ctx, match) => ctx.reply(match[0]))
	.cron('daily', {pattern: '0 9 * * *'}, ctx => {
		same<string>()(ctx.config.channel);
		// @ts-expect-error: nobody wrote, so nobody is answered
		ctx.reply('hello');
	})
	.catch((error, ctx) => ctx.reply(`${error.message} ${ctx.session.count}`));

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
