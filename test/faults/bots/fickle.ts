import {setTimeout as sleep} from 'node:timers/promises';
import {bot} from 'bothy';
import {ELSEWHERE, mark, reachStep} from '../bot-kit.js';

/** What a run says that was frozen and taken over by another one must not be heard: it would be said twice. */
export default bot({about: 'Says more on a first run, which is frozen', perMinute: 0}).hears(/f\d{4}/, async ctx => {
	if (await reachStep(ctx, 'freeze')) {
		await sleep(500);
		await ctx.send(ELSEWHERE, 'one moment');
		await ctx.send(ELSEWHERE, 'another moment');
	}

	await ctx.send(ELSEWHERE, mark(ctx, 'elsewhere'));
	await ctx.reply(mark(ctx, '1'));
});
