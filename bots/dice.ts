import {randomInt} from 'node:crypto';
import {bot, z} from 'bothy';

const Dice = z
	.string()
	.regex(/^\d{0,2}d\d{1,4}$/i, 'expected something like `2d6`')
	.default('1d6');

export default bot({about: 'Rolls dice'}).command(
	'roll',
	{about: 'Roll dice: `roll 2d6`. By default one die with six sides', args: z.object({dice: Dice})},
	async (ctx, {dice}) => {
		const [count = 1, sides = 6] = dice
			.toLowerCase()
			.split('d')
			.map(text => Number(text || 1));
		if (count === 0 || sides === 0) {
			await ctx.reply('I need at least one die with at least one side, such as `2d6`.');
			return;
		}

		const rolled = Array.from({length: count}, () => randomInt(1, sides + 1));
		const sum = rolled.reduce((total, one) => total + one, 0);
		await ctx.reply(`:dice: ${rolled.join(' + ')}${count > 1 ? ` = **${sum}**` : ''}`);
	},
);
