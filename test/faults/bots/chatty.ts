import {setTimeout as sleep} from 'node:timers/promises';
import {bot} from 'bothy';
import {ELSEWHERE, mark} from '../bot-kit.js';

export default bot({about: 'Says several things, one of them elsewhere', perMinute: 0}).hears(/f\d{4}/, async ctx => {
	await ctx.reply(mark(ctx, '1'));
	await sleep(50);
	await ctx.send(ELSEWHERE, mark(ctx, 'elsewhere'));
	await ctx.reply(mark(ctx, '2'));
	await sleep(50);
	await ctx.reply(mark(ctx, '3'));
});
