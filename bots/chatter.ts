import {bot, z} from 'bothy';

const Turn = z.object({role: z.enum(['user', 'assistant']), content: z.string()});

/** One line `data: {…}` of a language model's streamed answer. */
const Chunk = z.object({choices: z.array(z.object({delta: z.object({content: z.string().nullish()})}))});

/** Talks with a language model. The answer grows while it arrives, and each topic has its own history. */
export default bot({
	about: 'Talks with you',
	session: z.object({history: z.array(Turn).default([])}),
	config: z.object({
		/** An API in the style of OpenAI's. Without one it only repeats what you say. */
		url: z.url().optional(),
		key: z.string().optional(),
		model: z.string().default('small'),
	}),
})
	.command('forget', {about: 'Forget this conversation'}, async ctx => {
		ctx.session.history = [];
		await ctx.reply('Forgotten.');
	})
	.hears(/[\s\S]/, async ctx => {
		const {url, key, model} = ctx.config;
		const messages = [...ctx.session.history, {role: 'user' as const, content: ctx.text}];
		const stream = ctx.stream();
		if (url === undefined) {
			await stream.write(`You said: ${ctx.quote(ctx.text)}`);
		} else {
			const response = await ctx.fetch(`${url}/chat/completions`, {
				method: 'POST',
				timeoutMs: 120_000,
				headers: {'content-type': 'application/json', ...(key && {authorization: `Bearer ${key}`})},
				body: JSON.stringify({model, messages, stream: true}),
			});
			for await (const text of wordsOf(response)) {
				await stream.write(ctx.quote(text));
			}
		}

		await stream.end();
		// A session holds at most 64 KiB.
		const answer = {role: 'assistant' as const, content: stream.text.slice(0, 2_000)};
		ctx.session.history = [...messages, answer]
			.slice(-10)
			.map(turn => ({...turn, content: turn.content.slice(0, 2_000)}));
	});

async function* wordsOf(response: Response): AsyncGenerator<string> {
	let rest = '';
	const decoder = new TextDecoder();
	for await (const bytes of response.body ?? []) {
		const lines = (rest + decoder.decode(bytes, {stream: true})).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			if (line.startsWith('data: {')) {
				const [choice] = Chunk.parse(JSON.parse(line.slice('data: '.length))).choices;
				yield choice?.delta.content ?? '';
			}
		}
	}
}
