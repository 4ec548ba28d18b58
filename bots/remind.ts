import {arg, bot, type Context, type ScheduledText, z} from 'bothy';

const Clock = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, 'expected a time such as 9:00');

export default bot({about: 'Reminds you of things'})
	.command(
		'me',
		{
			about: 'Remind you: `me tomorrow 9:00 call Bob`, `me in 20 minutes tea`',
			args: z.object({when: arg.when(), text: arg.rest()}),
		},
		async (ctx, {when, text}) => {
			await ctx.schedule(when, ctx.here, `${ctx.sender.mention} ${ctx.quote(text)}`);
			await ctx.reply(`I will remind you at ${ctx.time(when)}, ${ctx.until(when)}.`);
		},
	)
	.command(
		'daily',
		{about: 'Remind you every day at a time (UTC)', args: z.object({time: Clock, text: arg.rest()})},
		async (ctx, {time, text}) => {
			const [hour, minute] = time.split(':').map(Number);
			await ctx.schedule(
				{pattern: `${minute} ${hour} * * *`, missed: 'once'},
				ctx.here,
				`${ctx.sender.mention} ${ctx.quote(text)}`,
			);
			await ctx.reply(`I will remind you every day at ${time} UTC.`);
		},
	)
	.command('list', {about: 'List your reminders'}, async ctx => {
		const mine = await remindersOf(ctx);
		const lines = mine.map(({when, cron, text}, index) => {
			const time = when.toISOString().slice(0, 16).replace('T', ' ');
			return `${index + 1}. ${time} UTC${cron ? ', every day' : ''}: ${text.slice(ctx.sender.mention.length + 1)}`;
		});
		await ctx.reply(lines.join('\n') || 'I have nothing to remind you of.');
	})
	.command(
		'cancel',
		{about: 'Cancel a reminder by its number in the list', args: z.object({number: z.int().min(1)})},
		async (ctx, {number}) => {
			const reminder = (await remindersOf(ctx))[number - 1];
			const isCancelled = await reminder?.cancel();
			await ctx.reply(isCancelled ? 'Cancelled.' : 'There is no such reminder; `list` shows yours.');
		},
	);

/** A reminder begins with a mention of the person who asked for it. */
async function remindersOf(ctx: Context): Promise<ScheduledText[]> {
	const all = await ctx.schedules();
	return all.filter(({text}) => text.startsWith(`${ctx.sender.mention} `));
}
