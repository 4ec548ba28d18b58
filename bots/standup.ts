import {bot, type Context} from 'bothy';

const PLACE = {channel: 'general', topic: 'standup'};
const HOUR = 9;

/** Asks for everybody's plans in the morning, collects them by direct message, and posts them together. */
export default bot({about: 'Collects what everybody is going to do today'})
	.cron('ask', {pattern: `30 ${HOUR - 1} * * 1-5`}, ctx =>
		ctx.send(PLACE, `What are you going to do today? Tell me in a direct message before ${HOUR}:00 UTC.`),
	)
	.cron('digest', {pattern: `0 ${HOUR} * * 1-5`, missed: 'once'}, async ctx => {
		// Each plan is a scheduled message, due a few seconds after this one.
		const plans = (await ctx.schedules()).filter(({id}) => id.startsWith('plan '));
		const count = plans.length === 1 ? 'one plan' : `${plans.length} plans`;
		await ctx.send(PLACE, `Good morning! Today there ${plans.length === 1 ? 'is' : 'are'} ${count}.`);
	})
	.on('direct_message', keepPlan)
	.on('mention', ctx => ctx.reply('Tell me in a direct message what you are going to do.'));

/** A second plan of the same person replaces the first, because both have the same key. */
async function keepPlan(ctx: Context): Promise<void> {
	const when = nextDigest(ctx.now());
	await ctx.schedule(when, PLACE, `**${ctx.sender.name}**: ${ctx.quote(ctx.text)}`, {key: `plan ${ctx.sender.id}`});
	await ctx.reply('Noted for the next standup. Write again to change it.');
}

/** Five seconds after the next digest. */
function nextDigest(now: Date): Date {
	const next = new Date(now);
	next.setUTCHours(HOUR, 0, 5, 0);
	while (next <= now || next.getUTCDay() % 6 === 0) {
		next.setUTCDate(next.getUTCDate() + 1);
	}

	return next;
}
