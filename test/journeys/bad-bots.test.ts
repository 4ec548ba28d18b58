// Eleven bots, five of them bad: one loops endlessly, one ends the process, one floods, one throws, one leaks.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import type {BotAccount} from '../../src/realm/index.js';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));
const GOOD = 6;

const BAD: Record<string, string> = {
	loops: 'for (;;) {}',
	exits: 'process.exit(1)',
	floods: 'for (let n = 0; n < 100; n++) await ctx.reply("flood " + n)',
	throws: "Promise.reject(new Error('nobody listens')); throw 'a string'",
	leaks: 'const held = []; for (;;) { held.push(new Array(1e6).fill(Math.random())); }',
};

/** Of the bots whose process does not end. */
const FIRST_TEXTS: Record<string, RegExp> = {floods: /^flood 0/, throws: /^Sorry, something went wrong here/};

const source = (handler: string) => `
	import {bot} from ${JSON.stringify(FACE)};
	const run = async ctx => { ${handler} };
	export default bot({about: 'x', perMinute: 0}).on('mention', run).on('direct_message', run);
`;

function hostEnv({folder, redisUrl, accounts}: {folder: string; redisUrl: string; accounts: readonly BotAccount[]}) {
	const sections = accounts.map(({name, email, key, site, token}) => [name, {email, key, site, token}]);
	return {
		BOTHY_CONFIG_JSON: JSON.stringify(Object.fromEntries(sections)),
		BOTHY_BOTS: folder,
		BOTHY_DATA: folder,
		REDIS_URL: redisUrl,
		PORT: '0',
		LOG_LEVEL: 'warn',
	};
}

async function startHost(t: ExecutionContext) {
	const folder = await dataFolder(t);
	const realm = await openRealm(t, {rateLimit: false});
	const names = Array.from({length: GOOD}, (_, index) => `good-${index}`);
	const handlers = {...Object.fromEntries(names.map(name => [name, 'await ctx.reply(ctx.text)'])), ...BAD};
	const accounts = new Map<string, BotAccount>();
	for (const [name, handler] of Object.entries(handlers)) {
		await writeFile(join(folder, `${name}.mjs`), source(handler));
		accounts.set(name, realm.ensureBot({name, fullName: name, payloadUrl: 'http://127.0.0.1:9/'}));
	}

	const env = {
		...hostEnv({folder, redisUrl: await startRedis(t), accounts: [...accounts.values()]}),
		WEB_CONCURRENCY: '2',
		// The leak is to end its process soon.
		NODE_OPTIONS: '--max-old-space-size=100',
	};
	const web = await startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)/});
	await startCommand(t, 'worker', {env, ready: /(Worker)/});
	for (const name of accounts.keys()) {
		realm.ensureBot({name, fullName: name, payloadUrl: web.found});
	}

	return {realm, accounts, names};
}

test.serial(
	'good bots keep answering while others loop, end the process, flood, throw and leak; the poison is parked',
	async t => {
		t.timeout(240_000);
		const {realm, accounts, names} = await startHost(t);
		const alice = await signIn(t, realm.url, 'alice@bothy.example');
		const heard = await alice.listen();
		const idOf = (name: string) => accounts.get(name)?.userId ?? 0;
		const emailOf = (name: string) => accounts.get(name)?.email ?? '';
		const tell = (name: string, content: string) => alice.sendMessage({type: 'direct', to: [idOf(name)], content});

		// One bad bot a round, until it is answered for: the service gives up a message whose connections broke too often.
		for (const [round, bad] of Object.keys(BAD).entries()) {
			await tell(bad, 'go');
			for (const name of names) {
				await tell(name, `${name} ${round}`);
			}

			const answers: string[] = [];
			while (answers.length < names.length) {
				answers.push((await heard.next(({sender_email: sender}) => sender.startsWith('good-'))).content);
			}

			t.deepEqual(answers.toSorted(), names.map(name => `${name} ${round}`).toSorted());
			const {content} = await heard.next(({sender_email}) => sender_email === emailOf(bad));
			t.regex(content, FIRST_TEXTS[bad] ?? /^Sorry, I could not handle this message/, bad);
		}

		const owner = await signIn(t, realm.url, 'alice@bothy.example');
		const {messages} = await owner.getMessages({anchor: 'newest', num_before: 5000, apply_markdown: false});
		t.false(messages.some(({content}) => content.includes('Failure!')));
	},
);

test.serial(
	'a slow bot that dies twice with another one is not treated as the cause; the other is parked and counted',
	async t => {
		t.timeout(120_000);
		const folder = await dataFolder(t);
		const realm = await openRealm(t, {rateLimit: false});
		// Each run leaves a letter in the file of its bot. One that is to end its process waits for the same run of the other.
		const file = (name: string) => JSON.stringify(join(folder, `${name}.runs`));
		const note = (name: string) => `
		const {appendFileSync, existsSync, readFileSync} = await import('node:fs');
		const runs = file => existsSync(file) ? readFileSync(file, 'utf8').length : 0;
		appendFileSync(${file(name)}, 'x');
	`;
		const bots = {
			slow: `${note('slow')} if (runs(${file('slow')}) < 3) await new Promise(() => {}); await ctx.reply('slow, but here')`,
			exits: `${note('exits')}
			const own = runs(${file('exits')});
			while (own < 3 && runs(${file('slow')}) < own) await new Promise(done => setTimeout(done, 20));
			process.exit(1);
		`,
		};
		const ensure = (name: string, payloadUrl: string) => realm.ensureBot({name, fullName: name, payloadUrl});
		for (const [name, handler] of Object.entries(bots)) {
			await writeFile(join(folder, `${name}.mjs`), source(handler));
		}

		const env = hostEnv({
			folder,
			redisUrl: await startRedis(t),
			accounts: Object.keys(bots).map(name => ensure(name, 'http://127.0.0.1:9/')),
		});
		const web = await startCommand(t, 'web', {
			env: {...env, WEB_CONCURRENCY: '1', METRICS_PORT: '0'},
			ready: /Receiver\s+(http:\S+)/,
		});
		await startCommand(t, 'worker', {env, ready: /(Worker)/});
		const [slow, exits] = Object.keys(bots).map(name => ensure(name, web.found));
		const alice = await signIn(t, realm.url, 'alice@bothy.example');
		const heard = await alice.listen();
		for (const bot of [slow, exits]) {
			await alice.sendMessage({type: 'direct', to: [bot?.userId ?? 0], content: 'go'});
		}

		const from = (bot: BotAccount | undefined) => heard.next(({sender_email}) => sender_email === bot?.email);
		t.is((await from(slow)).content, 'slow, but here');
		t.regex((await from(exits)).content, /^Sorry, I could not handle this message/);
		t.regex(web.output(), /running it a last time in a process of its own/);
		const metrics = await fetch(await web.find(/Metrics +(http[^\s"]+)/));
		t.regex(await metrics.text(), /^bothy_deliveries_total\{bot="exits",[^}]*outcome="parked"[^}]*\} 1$/m);
	},
);
