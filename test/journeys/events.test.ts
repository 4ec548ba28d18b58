// A bot host that nobody can reach: no receiver, its workers ask for messages. What people see when those who ask are
// killed or frozen, the queue expires and the service restarts: each message is answered once.

import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import Database from 'libsql';
import {startRealm} from '../../src/realm/index.js';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';

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
	t.timeout(120_000);
	const folder = await dataFolder(t);
	const file = join(folder, 'realm.db');
	await writeFile(join(folder, 'parrot.mjs'), PARROT);
	let realm = await startRealm({file, port: 0, rateLimit: false});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({name: 'parrot', fullName: 'Parrot', payloadUrl: 'http://127.0.0.1:9/'});
	const database = new Database(file, {timeout: 2000});
	// A generic bot: it gets no webhooks.
	database.exec("UPDATE accounts SET bot_type = 1 WHERE email = 'parrot-bot@bothy.example'");
	database.close();

	const {email, key, site} = bot;
	const env = {
		BOTHY_CONFIG_JSON: JSON.stringify({parrot: {email, key, site, receive: 'events'}}),
		BOTHY_BOTS: folder,
		BOTHY_DATA: folder,
		REDIS_URL: await startRedis(t),
		MARK: join(folder, 'died'),
		LOG_LEVEL: 'info',
		// Posts that were under way when the realm went are looked up after this.
		SEND_SETTLE_SECONDS: '2',
	};
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const said = async (by: string) => {
		const {messages} = await alice.getMessages({
			anchor: 'newest',
			num_before: 4000,
			narrow: [['sender', by]],
			apply_markdown: false,
		});
		return messages.map(({content}) => content.replace('@**Parrot** ', ''));
	};

	return {
		alice,
		bot,
		start: (...roles: string[]) => startCommand(t, 'worker', {args: roles, env, ready: /Worker\s+(.*)/}),
		asked: () => said('alice@bothy.example'),
		answers: () => said(email),
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

const queuesOf = ({output}: Command) => [...output().matchAll(/"queue":"([^"]+)".*asking for the messages/g)];

/** Waits until a process has opened so many queues; gives the last one. */
async function queueOf(command: Command, count = 1): Promise<string> {
	while (queuesOf(command).length < count) {
		await sleep(20);
	}

	return queuesOf(command).at(-1)?.[1] ?? '';
}

test.serial(
	'the service restarted, the queue expired, pollers killed and frozen: no message missed, none answered twice',
	async t => {
		const house = await start(t);
		const {alice, bot} = house;
		await house.start('sends', 'sweep');
		const first = await house.start('events');
		await queueOf(first);
		const second = await house.start('events');
		t.is(queuesOf(second).length, 0, 'one poller per account');

		let isTalking = true;
		const talking = (async () => {
			for (let n = 1; isTalking; n++) {
				const sent =
					n % 2 === 0
						? alice.sendMessage({type: 'direct', to: [bot.userId], content: `${n}`})
						: alice.sendMessage({type: 'channel', to: 'general', topic: 'x', content: `@**Parrot** ${n}`});
				// What the realm did not take while it was away was not asked.
				await sent.catch(() => {});
				await sleep(60);
			}
		})();

		await sleep(500);
		const exited = once(first.process, 'exit');
		first.process.kill('SIGKILL');
		await exited;
		const killedAt = performance.now();
		await queueOf(second);
		t.true(performance.now() - killedAt < 10_000, 'handed over within seconds');

		await house.expire(await queueOf(second));
		await queueOf(second, 2);
		// The queue outlives this.
		await house.restartRealm();
		await sleep(500);

		const third = await house.start('events');
		second.process.kill('SIGSTOP');
		await queueOf(third);
		await sleep(500);
		second.process.kill('SIGCONT');
		await sleep(2_000);
		t.regex(second.output(), /another process has taken over/);

		const stopped = once(third.process, 'exit');
		third.process.kill('SIGTERM');
		t.deepEqual(await stopped, [0, null]);
		await queueOf(second, 3);
		await sleep(500);
		isTalking = false;
		await talking;

		const asked = await house.asked();
		t.true(asked.length > 100, `${asked.length} messages`);
		while ((await house.answers()).length < asked.length) {
			await sleep(200);
		}

		await sleep(1_500);
		t.deepEqual((await house.answers()).toSorted(), asked.map(text => `heard ${text}`).toSorted());
	},
);

test.serial(
	'a message that kills who runs it leaves the polling as it is, and is answered by the next run',
	async t => {
		const house = await start(t);
		const worker = await house.start();
		await queueOf(worker);

		await house.alice.sendMessage({type: 'direct', to: [house.bot.userId], content: 'die once'});
		await sleep(1_000);
		await house.alice.sendMessage({type: 'direct', to: [house.bot.userId], content: 'still there?'});
		while ((await house.answers()).length < 2) {
			await sleep(100);
		}

		t.deepEqual((await house.answers()).toSorted(), ['heard die once', 'heard still there?']);
		t.is(queuesOf(worker).length, 1);
		t.is(worker.process.exitCode, null);
	},
);
