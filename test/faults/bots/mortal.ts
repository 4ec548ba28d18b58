import {bot} from 'bothy';
import {ELSEWHERE, mark, reachStep} from '../bot-kit.js';

export default bot({about: 'Dies where it is told to, on its first run only', perMinute: 0}).hears(
	/die (\w+)/,
	async (ctx, [, where]) => {
		const reach = async (step: string) => (step === where ? reachStep(ctx, step) : undefined);
		await reach('start');
		await ctx.reply(mark(ctx, '1'));
		await ctx.send(ELSEWHERE, mark(ctx, 'elsewhere'));
		await reach('middle');
		await ctx.reply(mark(ctx, '2'));
		await reach('end');
	},
);
