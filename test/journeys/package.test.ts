// From the tarball in an empty repository to bots that run, in JavaScript and in TypeScript.

import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {BotAccount} from '../../src/realm/index.js';
import {fileScope, signIn, startCommand} from '../helpers/bothy.js';
import {installed, manifest, type Repository} from '../helpers/installed.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';

/** What `npx bothy` runs. */
const BOTHY = join('node_modules', '.bin', 'bothy');

/** Says something at once, and something that a worker posts. */
const poster = (word: string) => `
	import {bot} from 'bothy';
	export default bot({about: 'Posts'}).command('post', {about: 'Post'}, async ctx => {
		await ctx.send(ctx.here, '${word} later');
		await ctx.reply('${word}');
	});
`;

/** A person who talks to bots of a realm by their full names. */
async function openTalk(t: ExecutionContext, realmUrl: string, email = 'alice@bothy.example') {
	const person = await signIn(t, realmUrl, email);
	const queue = await person.listen();
	return async function say(bot: string, text: string): Promise<() => Promise<string>> {
		const {members} = await person.getUsers();
		const found = members.find(member => member.full_name === bot);
		await person.sendMessage({type: 'direct', to: [found?.user_id ?? 0], content: text});
		return async () => (await queue.next(({sender_email: sender}) => sender === found?.email)).content;
	};
}

/** As in production: without what only the realm needs. The tests that share it follow one another. */
const file = fileScope('the package in production');
let production: Repository;

test.before(async () => {
	production = await installed(file, {realm: false});
});

test.serial('the package holds what it needs, and nothing of its tests', async t => {
	const {files, run} = production;

	const needed = ['package.json', 'README.md', 'LICENSE', 'dist/src/cli.js', 'dist/src/index.d.ts', 'docs/api.md'];
	for (const file of [...needed, 'dist/workers/sends.js', 'src/realm/page/index.html']) {
		t.true(files.includes(file), file);
	}

	t.deepEqual(await run(BOTHY, '--version'), {code: 0, output: `${manifest.version}\n`});
	const strange = files.filter(
		file => !/^(dist\/(src|workers)\/|src\/realm\/page\/)|^docs\/api\.md$|^[^/]+$/.test(file),
	);
	t.deepEqual(strange, []);
	t.deepEqual(
		files.filter(file => /\.map$|\.test\.|tsbuildinfo/.test(file)),
		[],
	);
});

test.serial('a package that is not installed stops the start and says how to install it', async t => {
	const {write, run} = production;
	await write('bothyrc', ['[a]', ...ACCOUNT, 'bot = @acme/other-lunch'].join('\n'));

	const {code, output} = await run(BOTHY, 'web');

	t.is(code, 1);
	t.regex(output, /^bothy: \[a\]: expected a plugin `@acme\/other-lunch` .* `npm install @acme\/other-lunch`/);
});

test.serial('a package that is called as a section by chance is not loaded', async t => {
	const {write, run} = production;
	await write('bothyrc', ['[lunch]', ...ACCOUNT].join('\n'));
	await write('node_modules/lunch/package.json', '{}');
	await write('node_modules/lunch/index.js', 'console.log("loaded")');

	const {code, output} = await run(BOTHY, 'web');

	t.is(code, 1);
	t.regex(
		output,
		/^bothy: \[lunch\]: expected a plugin `lunch` .*, found only: none\. .*`npx bothy new lunch` makes one/,
	);
	t.false(output.includes('loaded'));
});

const ACCOUNT = [
	'email=a@example.com',
	'key=k',
	'site=https://chat.example.com',
	'token=tttttttttttttttttttttttttttttttt',
];
const PLUGINS: Record<string, string> = {js: 'js', ts: 'ts', npm: '@acme/bothy-lunch'};

function sectionOf({name, email, key, site, token}: BotAccount): string {
	return [`[${name}]`, `email=${email}`, `key=${key}`, `site=${site}`, `token=${token}`, `bot=${PLUGINS[name]}`].join(
		'\n',
	);
}

test.serial('where only web and worker run, nothing of the realm is needed', async t => {
	t.timeout(180_000);
	const {cli, folder: cwd, write, run} = production;
	await write('bots/js.mjs', poster('JavaScript'));
	await write('bots/ts/index.mts', poster('TypeScript').replace("'Posts'", "'Posts' as string"));
	const entry = '{"type": "module", "exports": {"import": "./bot.js"}}';
	await write('node_modules/@acme/bothy-lunch/package.json', entry);
	await write('node_modules/@acme/bothy-lunch/bot.js', poster('a package'));
	const realm = await openRealm(t);
	const ensure = (payloadUrl: string) =>
		Object.keys(PLUGINS).map(name => realm.ensureBot({name, fullName: name, payloadUrl}));
	await write('bothyrc', ensure('http://127.0.0.1:9/').map(sectionOf).join('\n'));
	const env = {...ENV, REDIS_URL: await startRedis(t)};

	const web = await startCommand(t, 'web', {cli, cwd, env, ready: /Receiver\s+(http:\S+)/});
	await startCommand(t, 'worker', {cli, cwd, env, ready: /(Worker)/});
	ensure(web.found);
	const say = await openTalk(t, realm.url);

	for (const [bot, word] of [
		['js', 'JavaScript'],
		['ts', 'TypeScript'],
		['npm', 'a package'],
	] as const) {
		const next = await say(bot, 'post');
		t.deepEqual([await next(), await next()].sort(), [word, `${word} later`]);
	}

	for (const command of ['dev', 'start', 'realm']) {
		const {code, output} = await run(BOTHY, command);

		t.is(code, 1);
		t.regex(
			output,
			/The local realm, .* Run `npm install --save-dev helmet@\S+ htm@\S+ libsql@\S+ markdown-it@\S+ preact@/,
		);
	}
});

const ENV = {PORT: '0', REALM_PORT: '0', REALM_RATE_LIMIT: 'off', WEB_CONCURRENCY: '1', LOG_LEVEL: 'warn'};

const asker = (version: string) => `
	import {bot, z} from 'bothy';

	export default bot({about: 'Asks', perMinute: 0})
		.command('version', {about: 'Tell the version'}, ctx => ctx.reply('${version}'))
		.command('ask', {about: 'Ask'}, ctx => ctx.ask('number', 'How many?'))
		.answer('number', z.coerce.number().int(), (ctx, number) => ctx.reply(\`\${number} for ${version}\`));
`;

const COMPILER = {target: 'es2023', module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true};

test.serial('while developing, a saved bot answers anew, and conversations and the other bots go on', async t => {
	t.timeout(240_000);
	const repository = await installed(t, {packages: ['typescript', '@types/node'], manifest: {type: 'module'}});
	const {cli, folder: cwd, write} = repository;
	await write('tsconfig.json', JSON.stringify({compilerOptions: COMPILER, include: ['bots']}));
	const env = {...ENV, REDIS_URL: await startRedis(t)};
	const dev = await startCommand(t, 'dev', {cli, cwd, env, ready: /Bots\s+(none; `npx bothy new lunch` makes one)/});
	const url = await dev.find(/Chat page\s+(http:\S+)/);
	await dev.find(/(Ctrl-C)/);

	t.like(await repository.run('npx', '--no-install', 'bothy', 'new', 'lunch'), {code: 0});
	await write('bots/asker.ts', asker('one'));
	await dev.find(/Bots\s+(asker, lunch)/);
	const say = await openTalk(t, url);
	const sayAsBob = await openTalk(t, url, 'bob@bothy.example');
	const ask = async (bot: string, text: string) => (await say(bot, text))();
	/** Has Bob ask until the answer is that of what was saved; what ran before answers until then. */
	const untilVersion = async (expected: RegExp) => {
		while (!expected.test(await (await sayAsBob('Asker', 'version'))())) {
			await sleep(250);
		}
	};
	await untilVersion(/^one$/);
	t.is(await ask('Asker', 'ask'), 'How many?');

	await write('bots/asker.ts', `${asker('two')}\n\tconst wrong: number = 'text';\n`);
	await untilVersion(/^two$/);
	t.is(await ask('Asker', '7'), '7 for two');
	await dev.find(/Types\s+(bots\/asker\.ts:9:8 \(TS2322\) Type 'string' is not assignable to type 'number')/);

	await write('bots/asker.ts', `${asker('three')}\n\tconst = 4;\n`);
	await dev.find(/Broken\s+asker \(.*asker\.ts\): (syntax error at .*bots\/asker\.ts:9:7: )/);
	await untilVersion(/^`asker` is out of order/);
	t.is(await ask('Lunch', 'hello'), 'Hello, Alice Ahn!');

	await write('bothyrc', ['[nobody]', ...ACCOUNT].join('\n'));
	await dev.find(/Not reloaded, and what ran before goes on: bothy: \[nobody\]: (expected a plugin `nobody`)/);
	t.is(await ask('Lunch', 'hello'), 'Hello, Alice Ahn!');

	await write('bothyrc', '');
	await write('bots/tea.js', poster('tea').replace("about: 'Post'", "about: 'Post', role: 'administrator'"));
	await write('bots/asker.ts', asker('four'));
	await untilVersion(/^four$/);
	await dev.find(/(Types\s+fit again)/);
	const alice = await signIn(t, url, 'alice@bothy.example');
	const roleOf = async (bot: string) =>
		(await alice.getUsers()).members.find(({full_name: name}) => name === bot)?.role;
	while ((await roleOf('Tea')) !== 200) {
		await sleep(100);
	}

	t.is(await roleOf('Lunch'), 400);
	const sayAsAdam = await openTalk(t, url, 'adam@bothy.example');
	const next = await sayAsAdam('Tea', 'post');
	t.deepEqual([await next(), await next()].sort(), ['tea', 'tea later']);
});

test.serial('everything starts on one machine, with bots in both languages', async t => {
	const {cli, folder: cwd, write} = await installed(t);
	const env = {...ENV, REDIS_URL: await startRedis(t)};
	await write('bots/js.mjs', poster('JavaScript'));
	await write('bots/ts.mts', poster('TypeScript').replace("'Posts'", "'Posts' as string"));

	const {found, find} = await startCommand(t, 'start', {cli, cwd, env, ready: /Chat page\s+(http:\S+)/});
	await find(/(Ctrl-C)/);

	const say = await openTalk(t, found);
	for (const [bot, word] of [
		['Js', 'JavaScript'],
		['Ts', 'TypeScript'],
	] as const) {
		const next = await say(bot, 'post');
		t.deepEqual([await next(), await next()].sort(), [word, `${word} later`]);
	}
});

const LANGUAGES = {
	JavaScript: {packages: [], extension: 'mjs', runner: 'node --test'},
	TypeScript: {packages: ['typescript', '@types/node'], extension: 'mts', runner: 'node --import tsx --test'},
};

for (const [language, {packages, extension, runner}] of Object.entries(LANGUAGES)) {
	test(`in ${language} what \`bothy new\` makes fits, is not written over, and its test passes by the command that it prints`, async t => {
		t.timeout(120_000);
		const devDependencies = Object.fromEntries(packages.map(name => [name, '*']));
		const {write, run} = await installed(t, {packages, manifest: {devDependencies}});
		await write(
			'compiler.json',
			JSON.stringify({compilerOptions: {...COMPILER, skipLibCheck: false, noEmit: true}, include: ['bots']}),
		);
		const [bot, made] = [`bots/lunch-orders.${extension}`, `test/bots/lunch-orders.test.${extension}`];

		t.deepEqual(await run(BOTHY, 'new', 'lunch-orders'), {
			code: 0,
			output: [
				`Made ${bot} and ${made}. Next:\n`,
				`  ${runner} ${made}   runs the test`,
				'  npx bothy dev   lets you talk to it, on the chat page\n',
			].join('\n'),
		});

		if (language === 'TypeScript') {
			t.deepEqual(await run('node', 'node_modules/typescript/bin/tsc', '-p', 'compiler.json'), {code: 0, output: ''});
			const again = await run(BOTHY, 'new', 'lunch-orders');
			t.is(again.code, 1);
			t.is(again.output, `bothy: There is ${bot} already. Change that one, or choose another name.\n`);
		}

		const [program = '', ...words] = `${runner} ${made}`.split(' ');
		const {code, output: report} = await run(program, ...words);
		t.is(code, 0, report);
		t.regex(report, /^# pass 2$/m);
	});
}
