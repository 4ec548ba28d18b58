import {arg, bot, type Context, z} from 'bothy';

const Poll = z.object({
	question: z.string(),
	/** User IDs of the voters, by option. */
	votes: z.record(z.string(), z.array(z.int())),
});

/** Buttons have letters, so there are at most 26. */
const MOST_OPTIONS = 26;

/** Asks with buttons, and counts what people press. */
export default bot({about: 'Takes votes'})
	.command(
		'ask',
		{
			about: 'Start a poll: `ask "Where shall we eat?" pizza, soup, sushi`',
			args: z.object({question: z.string(), options: arg.rest()}),
		},
		async (ctx, {question, options}) => {
			// Quoted, because a button posts its text in the name of the person who presses it.
			const names = options
				.split(',')
				.map(name => ctx.quote(name.trim()))
				.filter(name => name !== '');
			if (names.length === 0 || names.length > MOST_OPTIONS) {
				await ctx.reply(`Expected 1 to ${MOST_OPTIONS} options, found ${names.length}.`);
				return;
			}

			const number = ctx.message.id;
			await ctx.storage.set(keyOf(number), {question, votes: Object.fromEntries(names.map(name => [name, []]))});
			await ctx.reply(`**${ctx.quote(question)}** (\`results ${number}\` shows the votes)`, {
				choices: names.map(name => ({label: name, says: `vote ${number} ${name}`})),
			});
		},
	)
	.command(
		'vote',
		{about: 'Vote; the buttons do this for you', args: z.object({poll: z.int(), option: arg.rest()})},
		async (ctx, {poll: number, option}) => {
			const poll = await ctx.storage.update(keyOf(number), Poll, poll => poll && withVote(poll, option, ctx.sender.id));
			const votes = poll && Object.hasOwn(poll.votes, option) ? poll.votes[option] : undefined;
			const isCounted = votes?.includes(ctx.sender.id) ?? false;
			const vote = ctx.quote(`${ctx.sender.name}: ${option}`);
			await ctx.reply(isCounted ? vote : 'There is no such poll or option.');
		},
	)
	.command('results', {about: 'Count the votes', args: z.object({poll: z.int()})}, async (ctx, {poll: number}) => {
		const poll = await ctx.storage.get(keyOf(number), Poll);
		await ctx.reply(poll ? ctx.quote(resultsOf(poll)) : 'There is no such poll.');
	})
	.on('mention', usage)
	.on('direct_message', usage);

function keyOf(number: number): string {
	return `poll ${number}`;
}

/** Everybody has one vote: the latest. */
function withVote(poll: z.infer<typeof Poll>, option: string, voter: number): z.infer<typeof Poll> {
	if (!Object.hasOwn(poll.votes, option)) {
		return poll;
	}

	const others = Object.entries(poll.votes).map(([name, voters]) => [name, voters.filter(id => id !== voter)] as const);
	const votes = Object.fromEntries(others);
	return {...poll, votes: {...votes, [option]: [...(votes[option] ?? []), voter]}};
}

function resultsOf({question, votes}: z.infer<typeof Poll>): string {
	const lines = Object.entries(votes)
		.toSorted(([, a], [, b]) => b.length - a.length)
		.map(([name, voters]) => `* ${name}: ${voters.length}`);
	return [`**${question}**`, '', ...lines].join('\n');
}

async function usage(ctx: Context): Promise<void> {
	await ctx.reply('Start a poll: `ask "Where shall we eat?" pizza, soup, sushi`');
}
