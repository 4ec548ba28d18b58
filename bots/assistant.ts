import {type BotDraft, bot, type Context, UnknownAccount} from 'bothy';

const MINUTES = '**Minutes**\n\n* Present: \n* Decided: \n* To do: ';

const WITHOUT_ACCESS =
	'I have no access to your drafts. My operator can add it: a section in the config file with the `email`, ' +
	'`key` and `site` of your account, and no `token`.';

export default bot({about: 'Prepares drafts that you finish and send yourself'})
	.command('minutes', {about: 'Draft the outline of the minutes for you'}, async ctx => {
		await draftsOf(ctx).put(placeOf(ctx), ctx.here, MINUTES);
		await ctx.reply('The outline will be in your drafts in a moment. I will not overwrite your changes.');
	})
	.command('drafts', {about: 'Show the state of the drafts that I prepared'}, async ctx => {
		const drafts = await draftsOf(ctx).list();
		await ctx.reply(drafts.map(describe).join('\n') || 'I have prepared nothing for you.');
	})
	.command('discard', {about: 'Delete the draft that I prepared here'}, async ctx => {
		await draftsOf(ctx).remove(placeOf(ctx));
		await ctx.reply('I will delete it, unless you have changed it.');
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
		conflict: 'you changed it, so I keep your version',
		gone: 'sent or deleted',
		refused: `refused: ${draft.status === 'refused' ? draft.reason : ''}`,
	};
	return `* ${draft.key}: ${fates[draft.status]}`;
}
