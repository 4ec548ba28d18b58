import {arg, bot, type Context, z} from 'bothy';

/** The default settings that this bot can change, by the service's names. */
const Default = z.enum(['enter_sends', 'twenty_four_hour_time', 'send_read_receipts', 'enable_digest_emails']);

/**
 * Helps administrators, through the typed API. The bot calls the service with its own rights: its account must be an
 * administrator and must manage the groups that it changes.
 */
export default bot({about: 'Manages people and groups'})
	.command('who', {about: 'Show who is in a group', args: z.object({group: arg.rest()})}, async (ctx, {group}) => {
		const found = await findGroup(ctx, group);
		if (!found) {
			await ctx.reply(`There is no group “${ctx.quote(group)}”.`);
			return;
		}

		const {members: ids} = await ctx.api.getUserGroupMembers({user_group_id: found.id});
		const {members} = await ctx.api.getUsers();
		const names = members.filter(({user_id: id}) => ids.includes(id)).map(({full_name: name}) => `* ${name}`);
		await ctx.reply(names.join('\n') || `Nobody is in ${found.name}.`);
	})
	.command(
		'nest',
		{
			about: 'Put a group into another: `nest "kitchen" "helpers"`',
			args: z.object({inner: z.string(), outer: z.string()}),
			role: 'administrator',
		},
		async (ctx, {inner, outer}) => {
			const [part, whole] = [await findGroup(ctx, inner), await findGroup(ctx, outer)];
			if (!part || !whole) {
				await ctx.reply(`There is no group “${ctx.quote(part ? outer : inner)}”.`);
				return;
			}

			await ctx.api.updateUserGroupSubgroups({user_group_id: whole.id, add: [part.id]});
			await ctx.reply(`${part.name} is now part of ${whole.name}.`);
		},
	)
	.command(
		'deactivate',
		{
			about: 'Deactivate the account of somebody who left',
			args: z.object({who: arg.user()}),
			role: 'administrator',
			confirm: 'This logs them out everywhere. Deactivate the account?',
		},
		async (ctx, {who}) => {
			await ctx.api.deactivateUser({
				user_id: who.id,
				deactivation_notification_comment: `Deactivated by ${ctx.sender.name}`,
			});
			await ctx.reply(`The account of ${who.name} is deactivated.`);
		},
	)
	.command(
		'default',
		{
			about: 'Set a default for new people: `default enter_sends on`',
			args: z.object({setting: Default, value: z.boolean('expected `on` or `off`')}),
			role: 'administrator',
		},
		async (ctx, {setting, value}) => {
			await ctx.api.updateRealmUserSettingsDefaults({[setting]: value});
			await ctx.reply(`New people start with \`${setting}\` ${value ? 'on' : 'off'}.`);
		},
	)
	.catch(async (error, ctx) => {
		// An ApiError has a reason for people.
		if (!('reason' in error)) {
			throw error;
		}

		await ctx.reply(`The service says: ${error.reason}`);
	});

async function findGroup(ctx: Context, name: string) {
	const {user_groups: groups} = await ctx.api.getUserGroups();
	return groups.find(group => group.name.toLowerCase() === name.toLowerCase());
}
