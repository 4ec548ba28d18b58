// The move of a Python bot server's bots to Bothy, one by one, and back, while people write to them.

import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import type {OpenRealm, Realm} from '../../src/realm/index.js';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));
const NAMES = ['tally', 'greeter'];
const EVERY_MS = 50;

/** Answers as the Python bot server does: by address and token of the payload, at its root. */
async function startOldServer(t: ExecutionContext, tokens: ReadonlyMap<string, string>): Promise<string> {
	const server = createServer(async (request, response) => {
		const {bot_email: email, token, data} = JSON.parse(await text(request));
		const isKnown = request.method === 'POST' && tokens.get(email) === token;
		response.writeHead(isKnown ? 200 : 401, {'content-type': 'application/json'});
		response.end(JSON.stringify(isKnown ? {content: `old ${data}`} : {}));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('bots move from a Python bot server one by one, and back, without a lost or doubled answer', async t => {
	const folder = await dataFolder(t);
	await mkdir(join(folder, 'bots'));
	// On a busy machine, a receiver that has just started is slow.
	const realm = (await openRealm(t, {rateLimit: false, webhookTimeoutMs: 120_000})) as Realm & OpenRealm;
	const pointTo = (payloadUrl: string) => NAMES.map(name => realm.ensureBot({name, fullName: name, payloadUrl}));
	const bots = pointTo('http://127.0.0.1:9');
	const old = await startOldServer(t, new Map(bots.map(({email, token}) => [email, token])));
	for (const name of NAMES) {
		await writeFile(
			join(folder, 'bots', `${name}.mjs`),
			`import {bot} from ${JSON.stringify(FACE)};
			export default bot({about: 'New', perMinute: 0}).on('direct_message', ctx => ctx.reply('new ' + ctx.text));`,
		);
	}

	const file = join(folder, 'botserverrc');
	const write = (moved: readonly string[]) =>
		writeFile(
			file,
			bots
				.map(({name, email, key, site, token}) => {
					const forward = moved.includes(name) ? '' : `forward=${old}\n`;
					return `[${name}]\nemail=${email}\nkey=${key}\nsite=${site}\ntoken=${token}\n${forward}`;
				})
				.join('\n'),
		);
	await write([]);
	const env = {
		BOTHY_CONFIG: file,
		BOTHY_BOTS: join(folder, 'bots'),
		BOTHY_DATA: join(folder, 'data'),
		REDIS_URL: await startRedis(t),
		PORT: '0',
		WEB_CONCURRENCY: '1',
	};
	const [web, worker] = await Promise.all([
		startCommand(t, 'web', {env, ready: /Receiver +(\S+)/}),
		startCommand(t, 'worker', {env, ready: /Worker +(\S+)/}),
	]);

	pointTo(old);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');
	const asked: string[] = [];
	let isAsking = true;
	const asking = (async () => {
		while (isAsking) {
			for (const {name, userId} of bots) {
				asked.push(`${name}-${asked.length}`);
				await alice.sendMessage({type: 'direct', to: [userId], content: asked.at(-1) ?? ''});
			}

			await sleep(EVERY_MS);
		}
	})();
	t.teardown(() => {
		isAsking = false;
		return asking.catch(() => {});
	});
	const said = () =>
		realm.services.store
			.all<{content: string}>(
				'SELECT content FROM messages JOIN accounts ON accounts.id = sender_id WHERE bot_type = 3',
			)
			.map(({content}) => {
				if (!/^(old|new) /.test(content)) {
					throw new Error(`Expected an answer of the old or the new code, found ${content}`);
				}

				return content;
			});
	/** Messages from now on are answered by the old or the new code. */
	const answers = async (age: 'old' | 'new', name: string) => {
		const from = asked.length;
		await until(() => said().some(line => line.startsWith(`${age} ${name}-`) && Number(line.split('-')[1]) >= from));
	};
	const configure = async (...moved: string[]) => {
		await write(moved);
		web.process.kill('SIGHUP');
		worker.process.kill('SIGHUP');
	};

	await answers('old', 'tally');
	pointTo(`${web.found.replace(/\/webhook$/, '')}/webhook`);
	await answers('old', 'tally');
	await configure('tally');
	await Promise.all([web.find(/"(reloaded)"/), worker.find(/"(reloaded)"/)]);
	await answers('new', 'tally');
	await answers('old', 'greeter');
	await configure('tally', 'greeter');
	await answers('new', 'greeter');
	await configure();
	await answers('old', 'tally');
	await answers('old', 'greeter');
	pointTo(old);
	await answers('old', 'greeter');
	await writeFile(file, '[tally]\nemial=x');
	web.process.kill('SIGHUP');
	worker.process.kill('SIGHUP');
	await web.find(/emial.*"(could not replace the receivers; the old ones keep running)"/);
	await worker.find(/emial.*"(not reloaded; the old configuration stays)"/);
	isAsking = false;
	await asking;
	const questions = () => said().map(line => line.replace(/^(old|new) /, ''));
	await until(() => new Set(questions()).size === asked.length);
	await realm.webhooksDone();

	t.deepEqual(questions().toSorted(), asked.toSorted());
	t.true(said().some(line => line.startsWith('new tally')));
	t.log(`${asked.length} messages, ${said().filter(line => line.startsWith('new')).length} answered by Bothy`);
});
