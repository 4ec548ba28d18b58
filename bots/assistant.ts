import {type BotDraft, bot, type Context, UnknownAccount} from 'bothy';

const MINUTES = '**Minutes**\n\n* Present: \n* Decided: \n* To do: ';

const WITHOUT_ACCESS =
	'I may not look into your drafts. Whoever runs me can allow it: a section in the config file with the `email`, ' +
	'`key` and `site` of your account, and no `token`.';

export default bot({about: 'Prepares drafts that you finish and send yourself'})
	.command('minutes', {about: 'Put the outline of minutes among your drafts'}, async ctx => {
		await draftsOf(ctx).put(placeOf(ctx), ctx.here, MINUTES);
		await ctx.reply('The outline will be among your drafts in a moment. What you change in it stays.');
	})
	.command('drafts', {about: 'Show what became of the drafts that I prepared'}, async ctx => {
		const drafts = await draftsOf(ctx).list();
		await ctx.reply(drafts.map(describe).join('\n') || 'I have prepared nothing for you.');
	})
	.command('discard', {about: 'Take back what I prepared here'}, async ctx => {
		await draftsOf(ctx).remove(placeOf(ctx));
		await ctx.reply('I take it back, unless you have changed it: then it is yours.');
	})
	.catch(async (error, ctx) => {
		if (!(error instanceof UnknownAccount)) {
			throw error;
		}

		await ctx.reply(WITHOUT_ACCESS);
	});

function draftsOf(ctx: Context) {
	return ctx.drafts(ctx.sender.email);
}

/** Also the draft's key: one for each conversation. */
function placeOf({message}: Context): string {
	return typeof message.display_recipient === 'string'
		? `#**${message.display_recipient}>${message.subject}**`
		: message.display_recipient.map(person => person.full_name).join(', ');
}

function describe(draft: BotDraft): string {
	const fates = {
		waiting: 'on its way to you',
		synced: 'as I prepared it',
		edited: 'you changed it',
		conflict: 'you changed it, and yours stays',
		gone: 'sent or deleted',
		refused: `not taken: ${draft.status === 'refused' ? draft.reason : ''}`,
	};
	return `* ${draft.key}: ${fates[draft.status]}`;
}
