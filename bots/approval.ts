import {arg, bot, Target, z} from 'bothy';

/** Once it is asked again, the question no longer knows where the request came from. */
const Request = z.object({id: z.string(), what: z.string(), from: z.optional(Target), by: z.optional(z.string())});

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
				...choicesOf(request),
			});
			// No answer within a day means no approval.
			await ctx.later(new Date(ctx.now().getTime() + DAY_MS), 'expire', request, {key: `request ${request.id}`});
			await ctx.reply(`I have asked ${ctx.quote(approver.name)}.`);
		},
	)
	.answer('decide', z.string(), {data: Request}, async (ctx, answer, asked) => {
		const {id: expected, what, from = asked.from, by = asked.by.mention} = asked.data;
		const request = {id: expected, what, from, by};
		const [word, id] = answer.split(' ');
		// A newer request replaces the question of an older one, whose buttons are still there.
		if (id !== request.id || !(word === 'approve' || word === 'refuse')) {
			await ctx.ask('decide', `Please decide about the newest request: ${ctx.quote(request.what)}`, choicesOf(request));
			return;
		}

		await ctx.cancel(`request ${request.id}`);
		if (word === 'refuse') {
			// The next message of the same person goes to another `.answer()`.
			await ctx.ask('explain', 'Why?', {data: request});
			return;
		}

		await ctx.send(request.from, `${request.by} ${ctx.sender.name} approved: ${ctx.quote(request.what)}`);
		await ctx.reply('Approved.');
	})
	.answer('explain', z.string(), {data: Request.required()}, async (ctx, reason, asked) => {
		const {what, from, by} = asked.data;
		await ctx.send(from, `${by} ${ctx.sender.name} refused: ${ctx.quote(what)}. ${ctx.quote(reason)}`);
		await ctx.reply('Refused.');
	})
	.later('expire', Request, async (ctx, {what}) => {
		if (ctx.from) {
			await ctx.send(ctx.from, `Nobody decided within a day: ${ctx.quote(what)}`);
		}
	});

/** A press says which request it decides. */
function choicesOf(request: z.infer<typeof Request>) {
	return {
		choices: ['Approve', 'Refuse'].map(label => ({label, says: `${label.toLowerCase()} ${request.id}`})),
		data: request,
	};
}

const DAY_MS = 24 * 60 * 60_000;
