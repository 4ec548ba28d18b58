import {randomInt} from 'node:crypto';
import {bot, z} from 'bothy';

const Dice = z
	.string()
	.regex(/^\d{0,2}d\d{1,4}$/i, 'expected something like `2d6`')
	.default('1d6');

export default bot({about: 'Rolls dice'}).command(
	'roll',
	{about: 'Roll dice, one with six sides unless you say otherwise', args: z.object({dice: Dice})},
	async (ctx, {dice}) => {
		const [count = 1, sides = 6] = dice
			.toLowerCase()
			.split('d')
			.map(text => Number(text || 1));
		if (count === 0 || sides === 0) {
			await ctx.reply('Nothing rolls.');
			return;
		}

		const rolled = Array.from({length: count}, () => randomInt(1, sides + 1));
		const sum = rolled.reduce((total, one) => total + one, 0);
		await ctx.reply(`:game_die: ${rolled.join(' + ')}${count > 1 ? ` = **${sum}**` : ''}`);
	},
);
