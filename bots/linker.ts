import {bot, z} from 'bothy';

const Issue = z.object({title: z.string(), state: z.string(), html_url: z.url()});

/** Shows the title of an issue when somebody writes its number. It calls another HTTP API, with a time limit. */
export default bot({
	about: 'Shows issues: write `#123`, or `owner/name#123`',
	config: z.object({
		api: z.url().default('https://api.github.com'),
		repository: z.string().default('nodejs/node'),
		token: z.string().optional(),
	}),
}).hears(/(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/, async (ctx, [, repository = ctx.config.repository, number]) => {
	const {api, token} = ctx.config;
	const response = await ctx.fetch(`${api}/repos/${repository}/issues/${number}`, {
		timeoutMs: 3_000,
		headers: {accept: 'application/vnd.github+json', ...(token && {authorization: `Bearer ${token}`})},
	});
	if (!response.ok) {
		await ctx.reply(`I cannot find ${ctx.quote(repository)}#${number}.`);
		return;
	}

	const {title, state, html_url: url} = Issue.parse(await response.json());
	await ctx.reply(`[${ctx.quote(repository)}#${number}](${url}) ${ctx.quote(title)} (${state})`);
});
