import {setTimeout as sleep} from 'node:timers/promises';
import {bot} from 'bothy';
import {mark, runWatched} from '../bot-kit.js';

export default bot({about: 'Answers after as long as it is told', perMinute: 0}).hears(
	/wait (\d+)/,
	async (ctx, [, ms]) => {
		await runWatched(ctx, async () => {
			await sleep(Number(ms));
			await ctx.reply(mark(ctx, '1'));
		});
	},
);
