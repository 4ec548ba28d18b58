// From the tarball in an empty repository to bots that run, in JavaScript and in TypeScript.

import {once} from 'node:events';
import {rename} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import test from 'ava';
import type {BotAccount} from '../../src/realm/index.js';
import {startCommand} from '../helpers/bothy.js';
import {fileScope} from '../helpers/file-scope.js';
import {installed, manifest, REALM_PACKAGES, type Repository} from '../helpers/installed.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';
import {openTalk, poster} from './posters.js';

/** What `npx bothy` runs. */
const BOTHY = join('node_modules', '.bin', 'bothy');

/** As in production: without what only the realm needs. All tests share it, one after the other. */
const file = fileScope('the package in production');
let production: Repository;

test.before(async () => {
	production = await installed(file, ['typescript', '@types/node']);
});

test.serial('the package contains everything that it needs, and none of its tests', async t => {
	const {files, run} = production;

	const needed = ['package.json', 'README.md', 'LICENSE', 'dist/src/cli.js', 'dist/src/index.d.ts', 'docs/api.md'];
	for (const file of [
		...needed,
		'dist/bundle/LICENSES.txt',
		'dist/workers/sends.d.ts',
		'src/realm/page/index.html',
		'src/console/page/index.html',
	]) {
		t.true(files.includes(file), file);
	}

	t.deepEqual(await run(BOTHY, '--version'), {code: 0, output: `${manifest.version}\n`});
	const strange = files.filter(
		file => !/^(dist\/(bundle|src|workers)\/|src\/(realm|console)\/page\/)|^docs\/api\.md$|^[^/]+$/.test(file),
	);
	t.deepEqual(strange, []);
	// All other code is in the bundle.
	t.deepEqual(files.filter(file => /^dist\/(src|workers)\/.*\.js$/.test(file)).sort(), [
		'dist/src/cli.js',
		'dist/src/host/processes/watchdog-thread.js',
		'dist/src/redis/redis-keeper.js',
	]);
	t.deepEqual(
		files.filter(file => /\.map$|\.test\.|tsbuildinfo/.test(file)),
		[],
	);
});

test.serial('a package that happens to have the name of a section is not loaded', async t => {
	const {write, run} = production;
	await write('bothyrc', ['[lunch]', ...ACCOUNT].join('\n'));
	await write('node_modules/lunch/package.json', '{}');
	await write('node_modules/lunch/index.js', 'console.log("loaded")');

	const {code, output} = await run(BOTHY, 'web');

	t.is(code, 1);
	t.regex(
		output,
		/"msg":"bothy: \S+: \[lunch\]: expected a plugin `lunch` .*, found only: none\. .*`npx bothy new lunch` makes one/,
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

test.serial("if only web and worker run, none of the realm's packages is needed", async t => {
	t.timeout(180_000);
	const {cli, folder: cwd, write} = production;
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
});

test.serial('a host that runs forwards messages although an update has replaced its files', async t => {
	const {cli, folder: cwd, write} = production;
	const old = createServer((_request, response) => response.end('{"content": "from the old host"}'));
	t.teardown(() => old.close());
	await once(old.listen(0, '127.0.0.1'), 'listening');
	const realm = await openRealm(t);
	const ensure = (payloadUrl: string) => realm.ensureBot({name: 'moved', fullName: 'moved', payloadUrl});
	const {email, key, site, token} = ensure('http://127.0.0.1:9/');
	const forward = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
	const section = Object.entries({email, key, site, token, forward}).map(([name, value]) => `${name}=${value}`);
	await write('bothyrc', ['[moved]', ...section].join('\n'));
	const env = {...ENV, REDIS_URL: await startRedis(t)};
	const web = await startCommand(t, 'web', {cli, cwd, env, ready: /Receiver\s+(http:\S+)/});
	ensure(web.found);
	const say = await openTalk(t, realm.url);

	const bundle = join(cwd, 'node_modules', 'bothy', 'dist', 'bundle');
	await rename(bundle, `${bundle}-before`);
	t.teardown(() => rename(`${bundle}-before`, bundle));
	const next = await say('moved', 'hello');

	t.is(await next(), 'from the old host');
});

test.serial('the realm of the package runs, and has its page', async t => {
	const {cli, folder: cwd, link} = production;
	await link(REALM_PACKAGES);

	const {found} = await startCommand(t, 'realm', {cli, cwd, env: ENV, ready: /Chat page\s+(http:\S+)/});

	const page = await (await fetch(found)).text();
	const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
	t.is((await fetch(new URL(script, found))).status, 200, page);
});

const ENV = {PORT: '0', REALM_PORT: '0', REALM_RATE_LIMIT: 'off', WEB_CONCURRENCY: '1', LOG_LEVEL: 'warn'};

const COMPILER = {target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true};

for (const [language, manifest, extension, runner] of [
	['JavaScript', {}, 'mjs', 'node --test'],
	['TypeScript', {devDependencies: {typescript: '*'}}, 'mts', 'node --import tsx --test'],
] as const) {
	test.serial(
		`in ${language}, the test of a bot from \`bothy new\` passes with the command that it prints`,
		async t => {
			const {write, run} = production;
			await write('package.json', JSON.stringify(manifest));
			const name = language.toLowerCase();
			const made = `test/bots/${name}.test.${extension}`;

			const {output} = await run(BOTHY, 'new', name);

			t.true(output.includes(`  ${runner} ${made}   runs its test\n`), output);
			const [program = '', ...words] = `${runner} ${made}`.split(' ');
			const {code, output: report} = await run(program, ...words);
			t.is(code, 0, report);
			t.regex(report, /^# pass 2$/m);
		},
	);
}

test.serial('a bot from `bothy new` has the types that it needs', async t => {
	const {write, run} = production;
	await write('tsconfig.json', JSON.stringify({compilerOptions: COMPILER, files: ['bots/typescript.mts']}));

	t.deepEqual(await run('node', 'node_modules/typescript/bin/tsc', '-p', '.'), {code: 0, output: ''});
});
