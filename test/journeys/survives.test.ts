// What bots begin and their processes do not live to end: text that grows, a question to somebody else, a handler planned for
// later, a request of another system. Each process kills itself between two steps; the test counts the messages in the service.
// test/bot/context.test.ts has all steps, without processes.

import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {signatureHeader} from '../../src/receiver/hooks.js';
import {CALM, dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));
const SECRET = 'a secret of the hook';

/** Dies once at the step that its message names. */
const source = (folder: string) => `
import {writeFileSync} from 'node:fs';
import {bot, z} from ${JSON.stringify(FACE)};

const step = (wanted, here) => {
	if (wanted !== here) return;
	try {
		writeFileSync(${JSON.stringify(folder)} + '/died-' + here, '', {flag: 'wx'});
	} catch {
		return;
	}
	process.kill(process.pid, 'SIGKILL');
};
const args = z.object({at: z.string()});

export default bot({about: 'Dies', perMinute: 0, config: z.object({hookSecret: z.string()})})
	.command('stream', {about: 'x', args}, async (ctx, {at}) => {
		const stream = ctx.stream();
		await stream.write('stream ' + at);
		await stream.write(' one');
		await new Promise(resolve => setTimeout(resolve, 1_200));
		step(at, 'stream-shown');
		await stream.write(' two');
	})
	.command('ask', {about: 'x', args: z.object({at: z.string(), of: z.int()})}, async (ctx, {at, of}) => {
		await ctx.ask('decide', 'question ' + at, {of, data: {at}});
		step(at, 'ask-asked');
	})
	.answer('decide', z.enum(['yes', 'no']), async (ctx, answer, {data: {at}, from}) => {
		await ctx.send(from, 'decided ' + at + ' ' + answer);
		step(at, 'answer-told');
	})
	.command('later', {about: 'x', args}, async (ctx, {at}) => {
		await ctx.later(new Date(Date.now() + 300), 'ring', {at});
		step(at, 'later-planned');
	})
	.later('ring', z.object({at: z.string()}), async (ctx, {at}) => {
		step(at, 'later-run');
		await ctx.send(ctx.from, 'rang ' + at);
	})
	.http('/hook', {secret: 'hookSecret', verify: 'github'}, async ctx => {
		const {at} = ctx.request.json();
		await ctx.send({channel: 'general', topic: 'hooks'}, 'request ' + at);
		step(at, 'http-told');
	});
`;

async function startHost(t: ExecutionContext) {
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'dies.mjs'), source(folder));
	const realm = await openRealm(t, {
		rateLimit: false,
		// On a busy machine, the receiver that follows a killed one starts slowly.
		webhookTimeoutMs: 120_000,
	});
	const account = realm.ensureBot({name: 'dies', fullName: 'Dies', payloadUrl: 'http://127.0.0.1:9/'});
	const {email, key, site, token} = account;
	const env = {
		...CALM,
		BOTHY_CONFIG_JSON: JSON.stringify({dies: {email, key, site, token}}),
		BOTHY_CONFIG_DIES_HOOK_SECRET: SECRET,
		BOTHY_BOTS: folder,
		BOTHY_DATA: folder,
		REDIS_URL: await startRedis(t),
		PORT: '0',
		LOG_LEVEL: 'silent',
		WEB_CONCURRENCY: '1',
	};
	const startWorker = () => startCommand(t, 'worker', {env, ready: /(Worker)/});
	const [web, worker] = await Promise.all([
		startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)\/webhook/}),
		startWorker(),
	]);
	realm.ensureBot({name: 'dies', fullName: 'Dies', payloadUrl: `${web.found}/webhook`});

	const contents = () =>
		realm.services.store
			.all<{content: string}>('SELECT content FROM messages WHERE sender_id = ? ORDER BY id', account.userId)
			.map(({content}) => content)
			// What the service says in the bot's name after three broken connections: a busy machine starts no receiver that soon.
			.filter(content => !content.startsWith('Failure!'));
	const count = (text: string) => contents().filter(content => content === text).length;
	return {
		web: web.found,
		deaths: async () => (await readdir(folder)).filter(name => name.startsWith('died-')).length,
		contents,
		count,
		account,
		/** Resolves once the service has it. */
		async stands(text: string): Promise<void> {
			await until(() => count(text) > 0);
		},
		alice: await signIn(t, realm.url, 'alice@bothy.example'),
		bob: await signIn(t, realm.url, 'bob@bothy.example'),
		async exchangeWorker() {
			worker.process.kill('SIGKILL');
			await startWorker();
		},
	};
}

test.serial('a stream, an asked person, a later handler and a request survive kill -9 between two steps', async t => {
	t.timeout(300_000);
	const {web, deaths, contents, count, account, stands, alice, bob, exchangeWorker} = await startHost(t);
	const tell = (content: string) =>
		alice.sendMessage({type: 'channel', to: 'general', topic: 'steps', content: `@**Dies** ${content}`});
	const request = (at: string) => {
		const body = JSON.stringify({at});
		const headers = {...signatureHeader({verify: 'github', secret: SECRET}, body), 'x-github-delivery': at};
		return fetch(`${web}/hooks/dies/hook`, {method: 'POST', body, headers}).then(
			({status}) => status,
			() => 0,
		);
	};

	await tell('stream stream-shown');
	await stands('stream stream-shown one two');

	for (const at of ['ask-asked', 'answer-told']) {
		await tell(`ask ${at} ${bob.id}`);
		await stands(`question ${at}`);
		await bob.sendMessage({type: 'direct', to: [account.userId], content: 'yes'});
		await stands(`decided ${at} yes`);
	}

	await exchangeWorker();
	// Each may also meet the death that the other causes.
	await Promise.all(
		['later-planned', 'later-run'].map(async at => {
			await tell(`later ${at}`);
			await stands(`rang ${at}`);
		}),
	);

	// A system that gets no answer sends its request again.
	await until(async () => (await request('http-told')) === 200);
	await stands('request http-told');
	t.is(await request('http-told'), 200);

	// All that is said once more would come through one more message of the bot.
	await tell('stream end');
	await stands('stream end one two');
	const said = contents();
	t.is(await deaths(), 6);
	t.deepEqual(
		[...new Set(said)].filter(text => count(text) > 1),
		[],
	);
	t.is(said.length, 2 + 4 + 2 + 1, said.join('\n'));
});
