import {arg, bot, z} from 'bothy';

const Game = z.object({
	sticks: z.int(),
	players: z.tuple([z.int(), z.int()]),
	names: z.tuple([z.string(), z.string()]),
	turn: z.int(),
});

/** Nim for two players: one game in each conversation. */
export default bot({
	about: 'Plays Nim: in turn, take one to three of 21 sticks. If you take the last one, you lose',
	session: z.object({game: Game.nullable().default(null)}),
})
	.command('play', {about: 'Challenge somebody', args: z.object({opponent: arg.user()})}, async (ctx, {opponent}) => {
		const {sender} = ctx;
		ctx.session.game = {
			sticks: 21,
			players: [opponent.id, sender.id],
			names: [opponent.name, sender.name],
			turn: 0,
		};
		await ctx.reply(ctx.quote(`21 sticks. ${opponent.name} begins.`), {choices: MOVES});
	})
	.command('take', {about: 'Take sticks', args: z.object({count: z.int().min(1).max(3)})}, async (ctx, {count}) => {
		const {game} = ctx.session;
		if (!game || game.players[game.turn] !== ctx.sender.id) {
			await ctx.reply(game ? 'It is not your turn.' : 'There is no game here. `play @**somebody**` starts one.');
			return;
		}

		game.sticks = Math.max(0, game.sticks - count);
		game.turn = 1 - game.turn;
		const next = game.names[game.turn] ?? '';
		if (game.sticks === 0) {
			ctx.session.game = null;
			await ctx.reply(ctx.quote(`${ctx.sender.name} took the last stick. ${next} wins!`));
			return;
		}

		await ctx.reply(ctx.quote(`${game.sticks} left. ${next}, your turn.`), {choices: MOVES});
	});

const MOVES = [1, 2, 3].map(count => ({label: String(count), says: `take ${count}`}));
