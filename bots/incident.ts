import {bot, z} from 'bothy';

const Alert = z.object({id: z.string().max(60), title: z.string().max(500)});
const Incident = z.object({title: z.string(), takenBy: z.string().optional()});

/** Receives alerts over HTTP, posts each in a channel, and escalates if nobody takes it. */
export default bot({
	about: 'Tracks incidents',
	config: z.object({
		channel: z.string().default('general'),
		escalateMinutes: z.int().min(1).default(15),
		/** If set, `POST /hooks/incident/alert` accepts alerts that are signed with it. */
		alertSecret: z.string().optional(),
	}),
})
	.http('/alert', {secret: 'alertSecret', verify: 'hmac-sha256'}, async ctx => {
		const {id, title} = Alert.parse(ctx.request.json());
		const {channel, escalateMinutes} = ctx.config;
		await ctx.storage.set(`incident ${id}`, {title});
		await ctx.send({channel, topic: `incident ${id}`}, `**${ctx.quote(title)}** Who takes it?`, {
			choices: [{label: 'I take it', says: `take ${id}`}],
		});
		const when = new Date(ctx.now().getTime() + escalateMinutes * 60_000);
		await ctx.later(when, 'escalate', {id}, {key: `incident ${id}`});
	})
	.command('take', {about: 'Take an incident', args: z.object({id: z.string()})}, async (ctx, {id}) => {
		const taken = await ctx.storage.update(
			`incident ${id}`,
			Incident,
			incident => incident && {...incident, takenBy: incident.takenBy ?? ctx.sender.name},
		);
		if (!taken) {
			await ctx.reply('There is no such incident.');
			return;
		}

		await ctx.cancel(`incident ${id}`);
		await ctx.reply(ctx.quote(`${taken.takenBy} has it: ${taken.title}`));
	})
	.command('close', {about: 'Close an incident', args: z.object({id: z.string()})}, async (ctx, {id}) => {
		const isClosed = await ctx.storage.delete(`incident ${id}`);
		await ctx.cancel(`incident ${id}`);
		await ctx.reply(isClosed ? 'Closed.' : 'There is no such incident.');
	})
	.later('escalate', z.object({id: z.string()}), async (ctx, {id}) => {
		const incident = await ctx.storage.get(`incident ${id}`, Incident);
		if (incident && incident.takenBy === undefined) {
			const {channel} = ctx.config;
			await ctx.send(
				{channel, topic: `incident ${id}`},
				`@**all** Nobody has taken this yet: ${ctx.quote(incident.title)}`,
			);
		}
	});
