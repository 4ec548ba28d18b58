// A bot that asks, keeps, knows roles and hears of failures, used through the whole product, which is restarted in between.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {freePort} from '../../src/queue/find-running-redis.js';
import {type Bothy, dataFolder, type Person, signIn, startBothy} from '../helpers/bothy.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const SOURCE = `
	import {arg, bot, z} from ${JSON.stringify(FACE)};
	export default bot({about: 'Asks', session: z.object({limit: z.int().default(5)})})
		.command('limit', {about: 'Set it'}, ctx => ctx.ask('limit', 'How many?'))
		.answer('limit', z.coerce.number().int(), async (ctx, limit) => {
			ctx.session.limit = limit;
			const asked = await ctx.storage.update('asked', z.int(), (count = 0) => count + 1);
			await ctx.reply('limit ' + limit + ', asked ' + asked);
		})
		.command('show', {about: 'Show it'}, ctx => ctx.reply('limit is ' + ctx.session.limit))
		.command('close', {about: 'Close', role: 'administrator', confirm: 'Really close?'}, ctx => ctx.reply('closed'))
		.command('who', {about: 'Look somebody up', args: z.object({who: arg.user()})}, (ctx, {who}) =>
			ctx.reply(who.name + ' has the ID ' + who.id))
		.command('post', {about: 'Post'}, async ctx => {
			const {sent} = await ctx.send(ctx.here, 'posted');
			const id = await sent;
			await ctx.edit(id, 'edited');
			await ctx.react('tada');
		})
		.command('shout', {about: 'Write where it may not'}, async ctx => {
			await ctx.send({channel: 'nowhere at all', topic: 'x'}, 'hello');
			await ctx.reply('on its way');
		})
		.catch((error, ctx) => ctx.reply(error.name + ' about ' + ctx.text + ': ' + error.reason));
`;

async function start(t: ExecutionContext): Promise<{start(): Promise<Bothy>}> {
	t.timeout(120_000);
	const [data, folder] = [await dataFolder(t), await dataFolder(t)];
	await writeFile(join(folder, 'asker.mjs'), SOURCE);
	// The accounts are those of a site: it stays where it was.
	const env = {BOTHY_BOTS: folder, LOG_LEVEL: 'error', REALM_PORT: String(await freePort())};
	return {start: () => startBothy(t, {data, env})};
}

/** Writes to the bot; resolves with its next message. */
async function talk(t: ExecutionContext, bothy: Bothy, name: string) {
	const person: Person = await signIn(t, bothy.realmUrl, `${name}@bothy.example`);
	const {members} = await person.getUsers();
	const bot = members.find(({full_name: fullName}) => fullName === 'Asker');
	const queue = await person.listen();
	const next = async () => (await queue.next(({sender_email: sender}) => sender === bot?.email)).content;
	return {
		person,
		next,
		async say(text: string) {
			await person.sendMessage({type: 'direct', to: [bot?.user_id ?? 0], content: text});
			return next();
		},
	};
}

test.serial('a question outlives a restart of the whole product, and so does what was kept', async t => {
	const product = await start(t);
	const first = await product.start();
	t.is(await (await talk(t, first, 'alice')).say('limit'), 'How many?');
	await first.stop();
	const second = await product.start();
	const {say} = await talk(t, second, 'alice');

	t.is(await say('7'), 'limit 7, asked 1');
	t.is(await say('show'), 'limit is 7');
	await say('limit');
	t.is(await say('8'), 'limit 8, asked 2');
});

test.serial('the service is asked for roles, people and messages', async t => {
	const bothy = await (await start(t)).start();
	const [alice, adam] = [await talk(t, bothy, 'alice'), await talk(t, bothy, 'adam')];

	t.is(await alice.say('close'), '`close` is for administrators only.');
	t.is(await adam.say('close'), 'Really close?');
	t.is(await adam.say('yes'), 'closed');
	t.is(await alice.say('who @**Bob Birk**'), 'Bob Birk has the ID 5');
	t.is(await alice.say('who bob@bothy.example'), 'Bob Birk has the ID 5');
	t.regex(await alice.say('who is'), /^`who` cannot be “is”: expected somebody/);

	t.is(await alice.say('post'), 'posted');
	for (;;) {
		const {messages} = await alice.person.getMessages({
			anchor: 'newest',
			num_before: 2,
			num_after: 0,
			apply_markdown: false,
		});
		const [asked, answered] = messages;
		if (asked?.reactions.length === 1) {
			t.is(answered?.content, 'edited');
			break;
		}
	}
});

test.serial('what could not be posted reaches the bot, which tells whoever had asked', async t => {
	const bothy = await (await start(t)).start();
	const alice = await talk(t, bothy, 'alice');

	const heard = [await alice.say('shout'), await alice.next()];

	t.deepEqual(heard.sort(), [
		"SendError about shout: Channel 'nowhere at all' does not exist (STREAM_DOES_NOT_EXIST)",
		'on its way',
	]);
});
