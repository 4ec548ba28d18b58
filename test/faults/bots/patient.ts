import {setTimeout as sleep} from 'node:timers/promises';
import {bot} from 'bothy';
import {mark} from '../bot-kit.js';

export default bot({about: 'Takes longer than a stop waits', perMinute: 0}).hears(
	/takes (\d+)/,
	async (ctx, [, ms]) => {
		await sleep(Number(ms));
		await ctx.reply(mark(ctx, '1'));
	},
);
