// The README's two commands without REDIS_URL: whichever starts or stops first, people do not notice.

import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import type {OpenRealm, Realm} from '../../src/realm/index.js';
import {connectTo} from '../../src/redis/redis-folder.js';
import {dataFolder, runBothy, signIn, startCommand} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

/** Answers at once, and has a worker post something. */
const TWICE = `
	import {bot} from ${JSON.stringify(FACE)};
	export default bot({about: 'x', perMinute: 0}).on('mention', async ctx => {
		await ctx.send(ctx.here, 'later ' + ctx.text);
		await ctx.reply('now ' + ctx.text);
	});
`;

const BOT = {name: 'twice', fullName: 'Twice'};
const EVERY_MS = 25;

async function openService(t: ExecutionContext) {
	const folder = await dataFolder(t);
	await mkdir(join(folder, 'bots'));
	await writeFile(join(folder, 'bots', 'twice.mjs'), TWICE);
	const realm = (await openRealm(t, {rateLimit: false})) as Realm & OpenRealm;
	const {email, key, site, token} = realm.ensureBot({...BOT, payloadUrl: 'http://127.0.0.1:9/'});
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const env = {
		BOTHY_CONFIG_JSON: JSON.stringify({twice: {email, key, site, token}}),
		BOTHY_BOTS: join(folder, 'bots'),
		BOTHY_DATA: join(folder, 'data'),
		PORT: '0',
		WEB_CONCURRENCY: '1',
		LOG_LEVEL: 'warn',
	};
	const outputs: (() => string)[] = [];
	const asked: string[] = [];
	let asking: Promise<void> | undefined;
	let isAsking = false;

	async function start(command: 'web' | 'worker') {
		const started = await startCommand(t, command, {
			env,
			ready: command === 'web' ? /Receiver\s+(http:\S+)/ : /(Worker)/,
		});
		outputs.push(started.output);
		if (command === 'web') {
			realm.ensureBot({...BOT, payloadUrl: started.found});
		}

		return started.process;
	}

	const said = () =>
		realm.services.store
			.all<{content: string}>(
				'SELECT content FROM messages JOIN accounts ON accounts.id = sender_id WHERE bot_type = 3 ORDER BY messages.id',
			)
			.map(({content}) => content);
	const heard = () => said().filter(text => text.startsWith('now ')).length;

	return {
		start,
		said,
		expected: () => asked.flatMap(text => [`later ${text}`, `now ${text}`]),
		warnings: () => outputs.map(output => output()).join(''),
		command: (...words: string[]) => runBothy(words, env),
		redisSocket: join(folder, 'data', 'redis', 'redis.sock'),
		/** People go on asking until `pause`. */
		ask() {
			isAsking = true;
			asking = (async () => {
				while (isAsking) {
					const text = `question ${asked.length}`;
					asked.push(text);
					await alice.sendMessage({type: 'channel', to: 'general', topic: 'x', content: `@**Twice** ${text}`});
					await sleep(EVERY_MS);
				}
			})();
		},
		/** Waits for some more answers. */
		async goOn() {
			const enough = heard() + 10;
			await until(() => heard() >= enough);
		},
		async pause() {
			isAsking = false;
			await asking;
			await realm.webhooksDone();
		},
	};
}

type Process = Awaited<ReturnType<typeof startCommand>>['process'];

async function end(process: Process, signal: NodeJS.Signals = 'SIGTERM') {
	process.kill(signal);
	const [code] = await once(process, 'exit');
	return code;
}

test('web and worker start and stop in any order under load: nothing is lost, and nobody sees a failure', async t => {
	const {start, ask, goOn, pause, said, expected, warnings, command, redisSocket} = await openService(t);

	// The worker starts Redis, and stops first.
	const first = await start('worker');
	const web = await start('web');
	ask();
	await goOn();
	t.is(await end(first), 0);
	await goOn();

	// The web stops while another worker runs, and comes back. A command comes and goes.
	const second = await start('worker');
	await pause();
	t.is(await end(web), 0);
	const again = await start('web');
	ask();
	t.is((await command('deliveries', '--limit', '1')).code, 0);
	await goOn();

	// The worker is killed. The web is the last to stop, and Redis stops with it.
	await end(second, 'SIGKILL');
	await goOn();
	await pause();
	t.is(await end(again), 0);
	t.is(await connectTo(redisSocket), undefined);
	// Both start at once.
	const both = await Promise.all([start('web'), start('worker')]);
	ask();
	await goOn();
	await pause();

	await until(() => said().length >= expected().length);

	t.deepEqual(await Promise.all(both.map(process => end(process))), [0, 0]);
	t.deepEqual(said().toSorted(), expected().toSorted());
	// On a busy machine, Redis is rightly called slow.
	const others = warnings()
		.split('\n')
		.filter(line => !/Redis \(REDIS_URL\) needs attention: version \S+, answers in/.test(line));
	t.notRegex(others.join('\n'), /Redis|warn|error/i);
});
