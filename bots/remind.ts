import {arg, bot, z} from 'bothy';

const Minutes = z.number('expected a number of minutes').positive().max(525_600, 'a year at most');

export default bot({about: 'Reminds you of things'}).command(
	'in',
	{about: 'Remind you in so many minutes', args: z.object({minutes: Minutes, text: arg.rest()})},
	async (ctx, {minutes, text}) => {
		const when = new Date(Date.now() + minutes * 60_000);
		await ctx.schedule(when, ctx.here, `${ctx.sender.mention} ${text}`);
		await ctx.reply(`I will remind you in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`);
	},
);
