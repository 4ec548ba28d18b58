import {arg, bot, z} from 'bothy';

const Visits = z.record(z.string(), z.int());

/** Stores who eats where today, for each topic separately, and counts the favourite places over the weeks. */
export default bot({
	about: 'Organizes lunch',
	config: z.object({
		channel: z.string().default('lunch').describe('where it asks'),
		topic: z.string().default('today'),
	}),
	session: z.object({
		day: z.string().default(''),
		/** Names by place. */
		parties: z.record(z.string(), z.array(z.string())).default({}),
	}),
})
	.use(async (ctx, next) => {
		const day = new Date(ctx.message.timestamp * 1000).toISOString().slice(0, 10);
		if (ctx.session.day !== day) {
			Object.assign(ctx.session, {day, parties: {}});
		}

		await next();
	})
	.command(
		'join',
		{about: 'Say where you will eat today', args: z.object({place: arg.rest()})},
		async (ctx, {place}) => {
			const parties = without(ctx.session.parties, ctx.sender.name);
			const here = Object.hasOwn(parties, place) ? parties[place] : [];
			ctx.session.parties = {...parties, [place]: [...(here ?? []), ctx.sender.name]};
			await ctx.storage.update('visits', Visits, (visits = {}) => {
				const before = Object.hasOwn(visits, place) ? visits[place] : 0;
				return {...visits, [place]: (before ?? 0) + 1};
			});
			await ctx.reply(ctx.quote(listOf(ctx.session.parties)));
		},
	)
	.command('leave', {about: 'Take your name off the list'}, async ctx => {
		ctx.session.parties = without(ctx.session.parties, ctx.sender.name);
		await ctx.reply(ctx.quote(listOf(ctx.session.parties)));
	})
	.command('who', {about: 'Show who eats where today'}, ctx => ctx.reply(ctx.quote(listOf(ctx.session.parties))))
	.command('favourites', {about: 'Show the most popular places'}, async ctx => {
		const visits = Object.entries((await ctx.storage.get('visits', Visits)) ?? {});
		const best = visits.toSorted(([, a], [, b]) => b - a).slice(0, 3);
		await ctx.reply(
			ctx.quote(best.map(([place, times]) => `* ${place} (${times})`).join('\n')) || 'Nobody has joined anything yet.',
		);
	})
	.cron('ask', {pattern: '30 11 * * 1-5', tz: 'UTC'}, ctx =>
		ctx.send(ctx.config, 'Where are you going for lunch? Tell me with `join <place>`.'),
	);

type Parties = Readonly<Record<string, readonly string[]>>;

function without(parties: Parties, name: string): Record<string, string[]> {
	return Object.fromEntries(
		Object.entries(parties)
			.map(([place, names]) => [place, names.filter(other => other !== name)] as const)
			.filter(([, names]) => names.length > 0),
	);
}

function listOf(parties: Parties): string {
	const lines = Object.entries(parties).map(([place, names]) => `* **${place}**: ${names.join(', ')}`);
	return lines.join('\n') || 'Nobody has joined yet.';
}
