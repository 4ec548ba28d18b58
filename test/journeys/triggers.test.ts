// Messages without a mention, reactions, edits and joins, counted in the service: pollers are killed, nobody polls for a while, the
// event queue expires and handlers kill their process, and each of them runs its handler once.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {isOpen} from '../../src/delivery/ledger.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {startRealm} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import {CALM, dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

/** Each handler ends its process once, when it has sent but not ended. */
const WITNESS = `
	import {existsSync, writeFileSync} from 'node:fs';
	import {bot} from ${JSON.stringify(FACE)};
	async function note(ctx, kind, what) {
		await ctx.send({channel: 'lunch', topic: 'log'}, kind + ' ' + what);
		const mark = process.env.MARK + kind;
		if (process.env.MARK && !existsSync(mark)) {
			writeFileSync(mark, '');
			process.kill(process.pid, 'SIGKILL');
		}
	}
	export default bot({about: 'x', perMinute: 0})
		.on('mention', ctx => ctx.reply('heard'))
		.on('channel_message', ctx => note(ctx, 'said', ctx.text))
		.on('reaction', ctx => note(ctx, 'reaction', ctx.person.name + ' ' + ctx.emoji))
		.on('edit', ctx => note(ctx, 'edit', ctx.oldText + ' ' + ctx.newText))
		.on('join', ctx => note(ctx, 'join', ctx.member.id + ' ' + ctx.channel.name));
`;

const EMOJI = ['tada', 'heart', 'octopus', 'smile', 'cat', 'dog', 'fire', 'rocket', 'eyes', 'wave'];

async function start(t: ExecutionContext) {
	t.timeout(240_000);
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'witness.mjs'), WITNESS);
	const realm = await startRealm({file: join(folder, 'realm.db'), port: 0, rateLimit: false});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({
		name: 'witness',
		fullName: 'Witness',
		payloadUrl: 'http://127.0.0.1:9/',
		isPolled: true,
		isAdministrator: true,
	});
	const {email, key, site} = bot;
	const redisUrl = await startRedis(t);
	const env = {
		...CALM,
		BOTHY_CONFIG_JSON: JSON.stringify({witness: {email, key, site, receive: 'events'}}),
		BOTHY_BOTS: folder,
		BOTHY_DATA: folder,
		REDIS_URL: redisUrl,
		MARK: join(folder, 'died-'),
		LOG_LEVEL: 'info',
		SEND_SETTLE_SECONDS: '2',
	};
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const adam = await signIn(t, realm.url, 'adam@bothy.example');
	const store = createRedisStore(await connect(t, redisUrl));
	const said = async (channel: string, topic: string) => {
		const narrow: [string, string][] = [
			['sender', email],
			['channel', channel],
			['topic', topic],
		];
		const {messages} = await adam.getMessages({anchor: 'newest', num_before: 1000, narrow, apply_markdown: false});
		return messages;
	};
	const ledger = () => store.list(accountTag(bot), {since: 0, limit: 1000});
	const write = (content: string) => alice.sendMessage({type: 'channel', to: 'general', topic: 'x', content});

	return {
		alice,
		adam,
		ledger,
		env,
		said,
		write,
		open: () => startCommand(t, 'worker', {env, ready: /Worker\s+(.*)/}),
		async expire(queueId: string): Promise<void> {
			const body = JSON.stringify({queue_id: queueId});
			const headers = {'content-type': 'application/json'};
			t.is((await fetch(`${realm.url}/trouble/expire-queue`, {method: 'POST', headers, body})).status, 200);
		},
		/** The notes, once there are as many as actions and nothing remains to run or to post. */
		async noted(count: number): Promise<string[]> {
			await until(async () => (await said('lunch', 'log')).length >= count);
			await until(async () => !(await ledger()).some(isOpen));
			return (await said('lunch', 'log')).map(({content}) => content).toSorted();
		},
	};
}

type Command = Awaited<ReturnType<typeof startCommand>>;

const queuesOf = ({output}: Pick<Command, 'output'>) =>
	[...output().matchAll(/"queue":"([^"]+)".*polling for the messages/g)].map(([, queue]) => String(queue));

test('each message without a mention, reaction, edit and join runs its handler once, whichever process dies', async t => {
	const house = await start(t);
	const {alice, adam, write} = house;
	const first = await house.open();
	// The process that loads bots stores what they declare, perhaps after the first queue was opened.
	await first.find(/("triggers":\["channel_message",.*polling for the messages)/);
	const {id: asked} = await write('@**Witness** zero');
	await until(async () => (await house.said('general', 'x')).length > 0);
	const {members} = await adam.getUsers();
	const {subscribers} = await adam.getSubscribers({stream_id: (await adam.getStreamId({stream: 'lunch'})).stream_id});
	const outside = members.filter(({is_bot: isBot, user_id: id}) => !isBot && !subscribers.includes(id));
	const [answer] = await house.said('general', 'x');
	const expected: string[] = [];
	let before = 'zero';
	async function act(n: number): Promise<void> {
		const emoji = EMOJI[n] ?? t.fail('too few emoji');
		const user = outside[n]?.user_id ?? t.fail('too few people');
		await write(`m${n}`);
		await alice.addReaction({message_id: answer?.id ?? 0, emoji_name: emoji});
		await alice.updateMessage({message_id: asked, content: `@**Witness** v${n}`});
		await adam.subscribe({subscriptions: [{name: 'lunch'}], principals: [user]});
		expected.push(`said m${n}`, `reaction Alice Ahn ${emoji}`, `edit ${before} v${n}`, `join ${user} lunch`);
		before = `v${n}`;
	}

	await act(0);
	await house.noted(expected.length);

	const second = await house.open();
	await act(1);
	first.process.kill('SIGKILL');
	await act(2);
	await until(() => queuesOf(second).length > 0);
	await act(3);
	second.process.kill('SIGKILL');
	await act(4);
	await act(5);
	const third = await house.open();
	await until(() => queuesOf(third).length > 0);
	await act(6);
	await house.expire(queuesOf(third).at(-1) ?? '');
	await act(7);

	t.deepEqual(await house.noted(expected.length), expected.toSorted());

	const reaction = (await house.ledger()).find(({ref}) => ref.id.startsWith('reaction-'));
	const id = reaction?.ref.id ?? '';
	t.regex((await runHere(['deliveries', id], {env: house.env})).output, /Work +reaction :\w+:/);
	t.regex(
		(await runHere(['replay', id, '--dry-run'], {env: house.env})).output,
		/Would send to .+log.+: reaction Alice Ahn/,
	);
});
