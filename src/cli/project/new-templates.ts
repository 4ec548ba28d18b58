// The templates of `bothy new`. The same text works in TypeScript and JavaScript, because a bot's types are inferred.

interface Words {
	/** `lunch-orders` */
	readonly name: string;
	/** `Lunch Orders` */
	readonly title: string;
	/** The import path of the bot in its test. */
	readonly botPath: string;
}

export function botTemplate({title}: Words): string {
	return `import {arg, bot, z} from 'bothy';

// People give commands: \`@**${title}** hello\` in a channel, \`hello\` in a direct message. Bothy generates \`help\` from these
// declarations.
export default bot({about: 'Greets people and reminds them of things'})
	.command('hello', {about: 'Get a greeting'}, ctx => ctx.reply(\`Hello, \${ctx.sender.name}!\`))
	.command(
		'remind',
		// \`when\` becomes a Date, \`text\` is the rest of the line. If the words do not fit, the bot answers with the usage.
		{about: 'Get a reminder', args: z.object({when: arg.when(), text: arg.rest()})},
		async (ctx, {when, text}) => {
			await ctx.schedule(when, ctx.here, \`\${ctx.sender.mention} \${ctx.quote(text)}\`);
			await ctx.reply(\`I will remind you at \${ctx.time(when)}.\`);
		},
	);
`;
}

export function testTemplate(words: Words, runner: 'node' | 'ava' | 'vitest'): string {
	const {title, botPath} = words;
	const [imports, parameter, equal] =
		runner === 'ava'
			? [`import test from 'ava';\n`, 't', 't.deepEqual']
			: [
					`import assert from 'node:assert/strict';\nimport ${runner === 'vitest' ? "{test} from 'vitest'" : "test from 'node:test'"};\n`,
					'()',
					'assert.deepEqual',
				];
	const ours = [`import {testBot} from 'bothy/testing';\n`, `import bot from '${botPath}';\n`];
	return `${imports}${ours.join('')}
test('hello is answered with a greeting', async ${parameter} => {
	const chat = await testBot(bot, {name: '${title}'});

	${equal}(await chat.alice.dm('hello'), ['Hello, Alice Ahn!']);
	${equal}(await chat.bob.says('#general > hello', '@**${title}** hello'), ['Hello, Bob Birk!']);
});

test('a reminder comes when it is time', async ${parameter} => {
	const chat = await testBot(bot, {name: '${title}'});
	await chat.alice.dm('remind in 10 minutes the oven');

	// Nobody waits: the clock of the test jumps.
	const said = await chat.wait('10 minutes');

	${equal}(
		said.map(({text}) => text),
		[\`\${chat.alice.mention} the oven\`],
	);
});
`;
}
