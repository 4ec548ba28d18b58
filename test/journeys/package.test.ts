// From the tarball in an empty repository to bots that run, in JavaScript and in TypeScript.

import {once} from 'node:events';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {type BotAccount, startRealm} from '../../src/realm/index.js';
import {signIn, startCommand} from '../helpers/bothy.js';
import {installed, manifest, type Repository} from '../helpers/installed.js';
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

test('the package holds what it needs, and nothing of its tests', async t => {
	const {files, run} = await installed(t);

	const needed = ['package.json', 'README.md', 'LICENSE', 'dist/src/cli.js', 'dist/src/index.d.ts'];
	for (const file of [...needed, 'dist/workers/sends.js', 'src/realm/page/index.html']) {
		t.true(files.includes(file), file);
	}

	t.deepEqual(await run(BOTHY, '--version'), {code: 0, output: `${manifest.version}\n`});
	const strange = files.filter(file => !/^(dist\/(src|workers)\/|src\/realm\/page\/)|^[^/]+$/.test(file));
	t.deepEqual(strange, []);
	t.deepEqual(
		files.filter(file => /\.map$|\.test\.|tsbuildinfo/.test(file)),
		[],
	);
});

async function webEnvironment(t: ExecutionContext, repository: Repository, accounts: readonly BotAccount[]) {
	const sections = accounts.map(({name, email, key, site, token}) =>
		[`[${name}]`, `email=${email}`, `key=${key}`, `site=${site}`, `token=${token}`, `bot=${PLUGINS[name]}`].join('\n'),
	);
	await repository.write('bothyrc', sections.join('\n'));
	return {REDIS_URL: await startRedis(t), PORT: '0', LOG_LEVEL: 'warn', BOTHY_DATA: join(repository.folder, '.data')};
}

const PLUGINS: Record<string, string> = {js: 'js', ts: 'ts', npm: '@acme/bothy-lunch'};

test.serial('where only web and worker run, nothing of the realm is needed', async t => {
	t.timeout(180_000);
	const repository = await installed(t, {realm: false});
	const {cli, folder: cwd} = repository;
	await repository.write('bots/js.mjs', poster('JavaScript'));
	await repository.write('bots/ts/index.mts', poster('TypeScript').replace("'Posts'", "'Posts' as string"));
	await repository.write(
		'node_modules/@acme/bothy-lunch/package.json',
		'{"type": "module", "exports": {"import": "./bot.js"}}',
	);
	await repository.write('node_modules/@acme/bothy-lunch/bot.js', poster('a package'));
	const realm = await startRealm({file: ':memory:', port: 0});
	t.teardown(() => realm.close());
	const ensure = (payloadUrl: string) =>
		Object.keys(PLUGINS).map(name => realm.ensureBot({name, fullName: name, payloadUrl}));
	const env = await webEnvironment(t, repository, ensure('http://127.0.0.1:9/'));

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
		const {code, output} = await repository.run(BOTHY, command);

		t.is(code, 1);
		t.regex(
			output,
			/The local realm, .* Run `npm install --save-dev helmet@\S+ htm@\S+ libsql@\S+ markdown-it@\S+ preact@/,
		);
	}
});

test.serial('a package that is not installed stops the start and says how to install it', async t => {
	const {write, run} = await installed(t, {realm: false});
	const account = ['email=a@example.com', 'key=k', 'site=https://chat.example.com', 'token=t'];
	await write('bothyrc', ['[a]', ...account, 'bot = @acme/bothy-lunch'].join('\n'));

	const {code, output} = await run(BOTHY, 'web');

	t.is(code, 1);
	t.regex(output, /^bothy: \[a\]: expected a plugin `@acme\/bothy-lunch` .* `npm install @acme\/bothy-lunch`/);
});

test.serial('a package that is called as a section by chance is not loaded', async t => {
	const {write, run} = await installed(t, {realm: false});
	const account = ['email=a@example.com', 'key=k', 'site=https://chat.example.com', 'token=t'];
	await write('bothyrc', ['[lunch]', ...account].join('\n'));
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

const asker = (version: string) => `
	import {bot, z} from 'bothy';

	export default bot({about: 'Asks'})
		.command('version', {about: 'Tell the version'}, ctx => ctx.reply('${version}'))
		.command('ask', {about: 'Ask'}, ctx => ctx.ask('number', 'How many?'))
		.answer('number', z.coerce.number().int(), (ctx, number) => ctx.reply(\`\${number} for ${version}\`));
`;

test.serial('while developing, a saved bot answers anew, and conversations and the other bots go on', async t => {
	t.timeout(240_000);
	const repository = await installed(t, {packages: ['typescript', '@types/node'], manifest: {type: 'module'}});
	const {cli, folder: cwd} = repository;
	const compilerOptions = {target: 'es2023', module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true};
	await repository.write('tsconfig.json', JSON.stringify({compilerOptions, include: ['bots']}));
	t.like(await repository.run('npx', '--no-install', 'bothy', 'new', 'lunch'), {code: 0});
	await repository.write('bots/asker.ts', asker('one'));
	const env = {REDIS_URL: await startRedis(t), PORT: '0', REALM_PORT: '0', LOG_LEVEL: 'warn'};
	const dev = await startCommand(t, 'dev', {cli, cwd, env, ready: /Chat page\s+(http:\S+)/});
	await dev.find(/(Ctrl-C)/);
	let reloads = 0;
	const reloaded = () => dev.find(new RegExp(`(?:Reloaded[^]*){${++reloads - 1}}(Reloaded)`));
	const say = await openTalk(t, dev.found);
	const sayAsBob = await openTalk(t, dev.found, 'bob@bothy.example');
	const ask = async (bot: string, text: string) => (await say(bot, text))();
	const askAsBob = async (bot: string, text: string) => (await sayAsBob(bot, text))();
	t.is(await askAsBob('Asker', 'version'), 'one');
	t.is(await ask('Asker', 'ask'), 'How many?');

	const savedAt = performance.now();
	await repository.write('bots/asker.ts', asker('two'));
	await reloaded();
	t.is(await askAsBob('Asker', 'version'), 'two');
	t.log(`${Math.round(performance.now() - savedAt)} ms from the save to the answer`);
	t.is(await ask('Asker', '7'), '7 for two');

	await repository.write('bots/asker.ts', `${asker('three')}\n\tconst wrong: number = 'text';\n`);
	await reloaded();
	t.is(await askAsBob('Asker', 'version'), 'three');
	await dev.find(/Types\s+(bots\/asker\.ts:9:8 \(TS2322\) Type 'string' is not assignable to type 'number')/);

	await repository.write('bots/asker.ts', `${asker('four')}\n\tconst = 4;\n`);
	await dev.find(/Broken\s+asker \(.*asker\.ts\): (syntax error at .*bots\/asker\.ts:9:7: )/);
	await reloaded();
	t.regex(await askAsBob('Asker', 'version'), /^`asker` is out of order/);
	t.is(await ask('Lunch', 'hello'), 'Hello, Alice Ahn!');

	const account = ['email=a@example.com', 'key=k', 'site=https://chat.example.com', 'token=t'];
	await repository.write('bothyrc', ['[nobody]', ...account].join('\n'));
	await dev.find(/Not reloaded, and what ran before goes on: bothy: \[nobody\]: (expected a plugin `nobody`)/);
	t.is(await ask('Lunch', 'hello'), 'Hello, Alice Ahn!');
	await repository.write('bothyrc', '');
	await reloaded();

	await repository.write('bots/asker.ts', asker('five'));
	await repository.write('bots/tea.js', poster('tea'));
	await reloaded();
	t.is(await askAsBob('Asker', 'version'), 'five');
	await dev.find(/(Types\s+fit again)/);
	const next = await say('Tea', 'post');
	t.deepEqual([await next(), await next()].sort(), ['tea', 'tea later']);

	await repository.write('bots/tea.js', poster('tea').replace("about: 'Post'", "about: 'Post', role: 'administrator'"));
	await reloaded();
	const {members} = await (await signIn(t, dev.found, 'alice@bothy.example')).getUsers();
	t.is(members.find(({full_name: name}) => name === 'Tea')?.role, 200);
	t.is(members.find(({full_name: name}) => name === 'Lunch')?.role, 400);
});

test.serial('what `bothy new` makes compiles, runs and is not written over', async t => {
	t.timeout(120_000);
	const repository = await installed(t, {packages: ['typescript', '@types/node'], manifest: {type: 'module'}});
	const make = (name: string) => repository.run(BOTHY, 'new', name);
	const compilerOptions = {target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true};
	await repository.write('tsconfig.json', JSON.stringify({compilerOptions, include: ['bots']}));

	const made = await make('lunch-orders');

	t.deepEqual(made, {
		code: 0,
		output: [
			'Made bots/lunch-orders.ts and test/bots/lunch-orders.test.ts. Next:\n',
			'  node --import tsx --test test/bots/lunch-orders.test.ts   runs the test',
			'  npx bothy dev   lets you talk to it, on the chat page\n',
		].join('\n'),
	});
	t.deepEqual(await repository.run('node', 'node_modules/typescript/bin/tsc', '-p', '.'), {code: 0, output: ''});
	const again = await make('lunch-orders');
	t.is(again.code, 1);
	t.regex(again.output, /^bothy: There is bots\/lunch-orders\.ts already\. Change that one, or choose another name\./);
});

test.serial('everything starts on one machine, with bots in both languages', async t => {
	const {cli, folder: cwd, write} = await installed(t);
	const env = {REDIS_URL: await startRedis(t), PORT: '0', REALM_PORT: '0', LOG_LEVEL: 'warn'};
	const first = await startCommand(t, 'start', {
		cli,
		cwd,
		env,
		ready: /Bots\s+(none; `npx bothy new lunch` makes one)/,
	});
	first.process.kill('SIGTERM');
	await once(first.process, 'exit');
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

for (const [language, packages] of Object.entries({JavaScript: [], TypeScript: ['typescript', '@types/node']})) {
	test(`in ${language} the test that \`bothy new\` makes passes by the command that it prints`, async t => {
		t.timeout(120_000);
		const devDependencies = Object.fromEntries(packages.map(name => [name, '*']));
		const repository = await installed(t, {packages, manifest: {devDependencies}});
		const {output} = await repository.run('npx', '--no-install', 'bothy', 'new', 'lunch');
		const [, words = ''] = /^ {2}node (--.+?) {3}/m.exec(output) ?? [];

		const {code, output: report} = await repository.run('node', ...words.split(' '));

		t.is(code, 0, report);
		t.regex(report, /^# pass 2$/m);
	});
}
