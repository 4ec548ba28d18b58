// A bot host that nobody can reach: no receiver, its workers ask for messages. What people see when those who ask are
// killed or frozen, the queue expires and the service restarts: each message is answered once.

import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import Database from 'libsql';
import pino from 'pino';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {isOpen} from '../../src/delivery/ledger.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {openClients} from '../../src/host/clients.js';
import type {RoleName} from '../../src/host/roles.js';
import {createTeardown} from '../../src/host/teardown.js';
import {openWorkers} from '../../src/host/working.js';
import {startRealm} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import {CALM, dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {freePort} from '../helpers/free-port.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const PARROT = `
	import {bot} from ${JSON.stringify(FACE)};
	export default bot({about: 'x', perMinute: 0})
		.hears(/^die once$/, async ctx => {
			const {existsSync, writeFileSync} = await import('node:fs');
			const mark = process.env.MARK;
			if (!existsSync(mark)) {
				writeFileSync(mark, '');
				process.kill(process.pid, 'SIGKILL');
			}
			await ctx.reply('heard ' + ctx.text);
		})
		.hears(/.*/, ctx => ctx.reply('heard ' + ctx.text));
`;

async function start(t: ExecutionContext) {
	t.timeout(240_000);
	const folder = await dataFolder(t);
	const file = join(folder, 'realm.db');
	await writeFile(join(folder, 'parrot.mjs'), PARROT);
	// It comes back to its port, so that is none which the system gives to connections meanwhile.
	let realm = await startRealm({file, port: await freePort(), rateLimit: false});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({name: 'parrot', fullName: 'Parrot', payloadUrl: 'http://127.0.0.1:9/'});
	const database = new Database(file, {timeout: 2000});
	// A generic bot: it gets no webhooks.
	database.exec("UPDATE accounts SET bot_type = 1 WHERE email = 'parrot-bot@bothy.example'");
	database.close();

	const {email, key, site} = bot;
	const redisUrl = await startRedis(t);
	const mark = join(folder, 'died');
	const env = {
		...CALM,
		BOTHY_CONFIG_JSON: JSON.stringify({parrot: {email, key, site, receive: 'events'}}),
		BOTHY_BOTS: folder,
		BOTHY_DATA: folder,
		REDIS_URL: redisUrl,
		MARK: mark,
		LOG_LEVEL: 'info',
		// Posts that were under way when the realm went are looked up after this.
		SEND_SETTLE_SECONDS: '2',
	};
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const store = createRedisStore(await connect(t, redisUrl));
	const said = async (by: string) => {
		const {messages} = await alice.getMessages({
			anchor: 'newest',
			num_before: 4000,
			narrow: [['sender', by]],
			apply_markdown: false,
		});
		return messages.map(({content}) => content.replace('@**Parrot** ', ''));
	};
	const asked = () => said('alice@bothy.example');
	const answers = () => said(email);

	return {
		alice,
		bot,
		asked,
		mark,
		start: (...roles: string[]) => startCommand(t, 'worker', {args: roles, env, ready: /Worker\s+(.*)/}),
		/** The same in this process. */
		async startHere(...roles: RoleName[]) {
			const lines: string[] = [];
			const log = pino({}, {write: (line: string) => lines.push(line)});
			const settings = readSettings(env);
			const teardown = createTeardown(error => t.fail(String(error)));
			t.teardown(() => teardown.run());
			const host = {settings, log, teardown};
			const accounts = readAccounts(settings);
			await openWorkers(host, {redisUrl, accounts, clientOf: openClients(host, {redisUrl, accounts})}, roles);
			return {output: () => lines.join(''), stop: teardown.run};
		},
		/** The bot's messages, once it has answered everything and nothing remains to be posted. */
		async answersInTheEnd(): Promise<string[]> {
			await until(async () => (await answers()).length >= (await asked()).length, {everyMs: 200});

			await until(async () => !(await store.list(accountTag(bot), {since: 0, limit: 4000})).some(isOpen), {
				everyMs: 200,
			});

			return (await answers()).toSorted();
		},
		async expire(queueId: string): Promise<void> {
			const headers = {'content-type': 'application/json'};
			const url = `${realm.url}/trouble/expire-queue`;
			const {status} = await fetch(url, {method: 'POST', headers, body: JSON.stringify({queue_id: queueId})});
			t.is(status, 200);
		},
		async restartRealm(): Promise<void> {
			const {port} = realm;
			await realm.close();
			realm = await startRealm({file, port, rateLimit: false});
		},
	};
}

type Command = Awaited<ReturnType<typeof startCommand>>;

const queuesOf = ({output}: Pick<Command, 'output'>) => [
	...output().matchAll(/"queue":"([^"]+)".*polling for the messages/g),
];

/** Waits until a process has opened so many queues; gives the last one. */
async function queueOf(command: Pick<Command, 'output'>, count = 1): Promise<string> {
	await until(() => queuesOf(command).length >= count);

	return queuesOf(command).at(-1)?.[1] ?? '';
}

/** Alice goes on talking to the bot; `more` waits until so many more messages of hers were taken. */
function keepTalking({alice, bot}: Awaited<ReturnType<typeof start>>) {
	let taken = 0;
	let isTalking = true;
	const talking = (async () => {
		for (let n = 1; isTalking; n++) {
			const sent =
				n % 2 === 0
					? alice.sendMessage({type: 'direct', to: [bot.userId], content: `${n}`})
					: alice.sendMessage({type: 'channel', to: 'general', topic: 'x', content: `@**Parrot** ${n}`});
			await sent.then(
				() => {
					taken++;
				},
				// What the realm did not take while it was away was not asked.
				() => {},
			);
			await sleep(60);
		}
	})();
	return {
		async more(count: number): Promise<void> {
			const enough = taken + count;
			await until(() => taken >= enough);
		},
		async stop(): Promise<void> {
			isTalking = false;
			await talking;
		},
	};
}

test('a polling bot misses no message and answers none twice, even if processes are killed', async t => {
	const house = await start(t);
	await house.startHere('sends', 'sweep');
	const first = await house.start('events');
	await queueOf(first);
	const second = await house.start('events');
	t.is(queuesOf(second).length, 0, 'one poller per account');

	// A message kills who runs it, which is another process than the one that polls.
	await house.alice.sendMessage({type: 'direct', to: [house.bot.userId], content: 'die once'});
	t.deepEqual(await house.answersInTheEnd(), ['heard die once']);
	t.true(existsSync(house.mark));
	t.is(queuesOf(first).length, 1);
	t.is(first.process.exitCode, null);

	// A poller is killed.
	const talk = keepTalking(house);
	await talk.more(5);
	first.process.kill('SIGKILL');
	await queueOf(second);
	await talk.more(5);

	// The queue expires.
	await house.expire(await queueOf(second));
	await queueOf(second, 2);

	// The service restarts, which the queue outlives.
	await house.restartRealm();
	await talk.more(5);

	// A poller is frozen for longer than its lease.
	second.process.kill('SIGSTOP');
	const third = await house.startHere('events');
	await queueOf(third);
	await talk.more(5);
	second.process.kill('SIGCONT');
	await second.find(/(another process has taken over)/);
	await talk.more(5);

	// A poller stops in order.
	await third.stop();
	await queueOf(second, 3);
	await talk.more(5);
	await talk.stop();

	const answers = await house.answersInTheEnd();
	t.deepEqual(answers, (await house.asked()).map(text => `heard ${text}`).toSorted());
});
