import {bot} from 'bothy';
import {mark} from '../bot-kit.js';

export default bot({about: 'Goes on speaking when its handler has returned', perMinute: 0}).hears(
	/f\d{4}/,
	async ctx => {
		await ctx.reply(mark(ctx, '1'));
		// Nothing waits for it, so a process that dies in between takes it along.
		setTimeout(() => ctx.reply(mark(ctx, 'after')).catch(() => {}), 200);
	},
);
