import {arg, bot, Target, z} from 'bothy';

const Request = z.object({id: z.string(), what: z.string()});

/** Asks one person after another. Each step is an `.answer()`, so the flow survives restarts. */
export default bot({about: 'Gets things approved'})
	.command(
		'request',
		{
			about: 'Ask somebody for approval: `request @**Alice** a new laptop`',
			args: z.object({approver: arg.user(), what: arg.rest()}),
		},
		async (ctx, {approver, what}) => {
			if (approver.id === ctx.sender.id) {
				await ctx.reply('You cannot approve your own request. Ask somebody else.');
				return;
			}

			const request = {id: String(ctx.message.id), what};
			await ctx.ask('decide', `${ctx.sender.mention} asks for: ${ctx.quote(what)}. Approve?`, {
				of: approver,
				choices: ['Approve', 'Refuse'],
				data: request,
			});
			// No answer within a day means no approval.
			await ctx.later(new Date(ctx.now().getTime() + DAY_MS), 'expire', request, {key: `request ${request.id}`});
			await ctx.reply(`I have asked ${ctx.quote(approver.name)}.`);
		},
	)
	.answer('decide', z.enum(['Approve', 'Refuse']), async (ctx, answer, asked) => {
		const request = Request.parse(asked.data);
		await ctx.cancel(`request ${request.id}`);
		if (answer === 'Refuse') {
			// The next message of the same person goes to another `.answer()`.
			await ctx.ask('explain', 'Why?', {data: {...request, from: asked.from, by: asked.by.mention}});
			return;
		}

		await ctx.send(asked.from, `${asked.by.mention} ${ctx.sender.name} approved: ${ctx.quote(request.what)}`);
		await ctx.reply('Approved.');
	})
	.answer('explain', z.string(), async (ctx, reason, asked) => {
		const {what, from, by} = Request.extend({from: Target, by: z.string()}).parse(asked.data);
		await ctx.send(from, `${by} ${ctx.sender.name} refused: ${ctx.quote(what)}. ${ctx.quote(reason)}`);
		await ctx.reply('Refused.');
	})
	.later('expire', Request, async (ctx, {what}) => {
		if (ctx.from) {
			await ctx.send(ctx.from, `Nobody decided within a day: ${ctx.quote(what)}`);
		}
	});

const DAY_MS = 24 * 60 * 60_000;
