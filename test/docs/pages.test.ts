// What the documents link to is there, the commands that they show exist, and their generated parts are up to date. What the
// files in deploy/ set exists, and systemd accepts its units.

import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test from 'ava';
import type {Command} from 'commander';
import {operations} from '../../src/api/index.js';
import {createProgram} from '../../src/cli/program.js';
import {readAccountFile} from '../../src/config/accounts.js';
import {ENVIRONMENT} from '../../src/config/environment.js';
import {EXAMPLES} from './api-examples.js';
import {generated} from './generated.js';
import {anchorOf} from './reference.js';

const PAGES = [
	...readdirSync('.').filter(file => file.endsWith('.md')),
	...readdirSync('docs')
		.filter(file => file.endsWith('.md'))
		.map(file => `docs/${file}`),
];
const read = (page: string) => readFileSync(page, 'utf8');
const blocksOf = (page: string, kind: string) =>
	[...read(page).matchAll(new RegExp(`^\`\`\`${kind}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

/** The text without blocks of code, in which `#` begins comments. */
const proseOf = (page: string) => read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');

function anchorsOf(page: string): Set<string> {
	return new Set([...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

test('links resolve', t => {
	const broken = PAGES.flatMap(page =>
		[...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, link = '']) => link)
			.filter(link => !/^https?:/.test(link))
			.filter(link => {
				const [path = '', anchor] = link.split('#');
				const file = path === '' ? page : join(dirname(page), path);
				return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
			})
			.map(link => `${page}: ${link}`),
	);

	t.deepEqual(broken, []);
});

test('commands exist', t => {
	const wrong = PAGES.flatMap(page =>
		commandsOf(page).flatMap(line => (wrongWith(line) === undefined ? [] : [`${page}: ${line}: ${wrongWith(line)}`])),
	);

	t.deepEqual(wrong, []);
});

/** Lines of shell blocks, and commands within the text. */
function commandsOf(page: string): string[] {
	const lines = blocksOf(page, 'sh').flatMap(block => block.split('\n'));
	const inline = [...proseOf(page).matchAll(/`((?:npm|npx|bothy|node \S*cli\.js) [^`]+)`/g)].map(
		([, text = '']) => text,
	);
	return [...lines.map(line => line.replace(/\s+#.*$/, '')), ...inline].filter(line => line.trim() !== '');
}

const {scripts} = JSON.parse(read('package.json')) as {scripts: Record<string, string>};

/** What is wrong with a command; undefined for a sound one. */
function wrongWith(line: string): string | undefined {
	const words =
		line
			.replace(/^(\w+=\S+ )*(npx )?/, '')
			.replace(/^node \S*dist\/src\/cli\.js/, 'bothy')
			.match(/"[^"]*"|<[^>]*>|\[[^\]]*\]|\S+/g) ?? [];
	const [program, name = '', ...rest] = words;
	if (program === 'bothy') {
		return wrongCall(createProgram(), [name, ...rest]);
	}

	if (program !== 'npm' || name === 'install') {
		return rest.includes('bothy') ? 'the package is not published' : undefined;
	}

	const script = name === 'run' ? rest[0] : name;
	return script && (script in scripts || ['ci', 'init', 'pack'].includes(script)) ? undefined : 'no such script';
}

function wrongCall(command: Command, words: readonly string[]): string | undefined {
	const [first = '', ...rest] = words;
	if (/^(<\w+>|--help|--version|…)$/.test(first)) {
		return undefined;
	}

	const inner = command.commands.find(candidate => candidate.name() === first);
	if (inner) {
		const found = rest.length > 0 && inner.commands.length > 0 ? wrongCall(inner, rest) : undefined;
		const unknown = options(rest).find(option => !known(inner, option) && !known(command, option));
		return found ?? (unknown && inner.commands.length === 0 ? `no option ${unknown}` : undefined);
	}

	// Words of a command with subcommands that are its own options.
	const unknown = options(words).find(option => !known(command, option));
	return command.parent === null || !(first.startsWith('-') || first.startsWith('['))
		? `no command ${first}`
		: unknown && `no option ${unknown}`;
}

const options = (words: readonly string[]) => words.filter(word => /^--?\w/.test(word));
const known = (command: Command, option: string) =>
	option === '--help' || command.options.some(({long, short}) => long === option || short === option);

test('a command that does not exist is found', t => {
	const wrong = ['npm run nothing', 'npx bothy fly', 'npx bothy deliveries --all', 'npx bothy sends resolve 1 --twice'];
	for (const line of [...wrong, 'npm install bothy']) {
		t.not(wrongWith(line), undefined, line);
	}
});

test('the config files in the documents are read', t => {
	const folder = mkdtempSync(join(tmpdir(), 'bothy-pages-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	for (const page of ['README.md', 'docs/cli.md']) {
		for (const block of blocksOf(page, 'ini')) {
			const file = join(folder, 'bothyrc');
			writeFileSync(file, block);
			t.is(readAccountFile(file).length, 1, page);
		}
	}
});

test('the tests that docs/guarantees.md names exist', t => {
	for (const [, path = ''] of read('docs/guarantees.md').matchAll(/`(test\/[^`]+)`/g)) {
		t.true(existsSync(path), path);
	}
});

test('the log messages in docs/runbook.md are in the code', t => {
	const code = ['src', 'workers'].flatMap(folder =>
		readdirSync(folder, {recursive: true, encoding: 'utf8'})
			.filter(file => file.endsWith('.ts'))
			.map(file => read(join(folder, file))),
	);
	const [, alerts = ''] = read('docs/runbook.md').split('## Messages to alert on');
	const messages = [...alerts.matchAll(/^\| (?:warn|error) \| (.+) \|$/gm)].flatMap(([, cell = '']) =>
		[...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
	);

	t.true(messages.length > 5);
	t.deepEqual(
		messages.filter(message => !code.some(text => text.includes(message))),
		[],
	);
});

test('`npm run docs` would change nothing', async t => {
	for (const [file, text] of await generated()) {
		t.is(read(file), text, `${file} is stale: run \`npm run docs\``);
	}
});

test('every operation has an example', t => {
	const missing = Object.keys(operations).filter(name => !(name in EXAMPLES));

	t.deepEqual(missing, [], 'add a call to test/docs/api-examples.ts');
});

const deployed = readdirSync('deploy', {recursive: true, withFileTypes: true})
	.filter(entry => entry.isFile())
	.map(entry => join(entry.parentPath, entry.name));

/** What Docker, systemd, Kubernetes and redis-cli call by names of that kind, and names of metrics in capitals. */
const FOREIGN = new Set([
	'AF_INET',
	'AF_INET6',
	'AF_UNIX',
	'NODE_ENV',
	'NODE_OPTIONS',
	'REDISCLI_AUTH',
	'ROOT_CONTEXT',
]);

test('Bothy reads each variable that a file in deploy/ sets', t => {
	const named = deployed.flatMap(file => [...read(file).matchAll(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g)]);
	const unknown = named.map(([name]) => name).filter(name => !(name in ENVIRONMENT) && !FOREIGN.has(name));

	t.true(named.length > 10);
	t.deepEqual(unknown, []);
});

test('the shell accepts the scripts in deploy/', t => {
	for (const file of deployed.filter(name => name.endsWith('.sh'))) {
		t.is(spawnSync('sh', ['-n', file], {encoding: 'utf8'}).stderr, '', file);
	}
});

test('each rule has an example, and fires for it, where promtool is installed', t => {
	const examples = 'test/docs/alerts.promtool.yml';
	const namesIn = (path: string, pattern: RegExp) =>
		[...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name).toSorted();

	const rules = namesIn('deploy/prometheus/alerts.yml', /- alert: (\w+)/g);
	t.true(rules.length > 10);
	t.deepEqual(namesIn(examples, /alertname="(\w+)"/g), rules);

	const {error, status, stdout, stderr} = spawnSync('promtool', ['test', 'rules', examples], {encoding: 'utf8'});
	if (error) {
		t.log('promtool is not installed here (Debian: `apt-get install prometheus`)');
		return;
	}

	t.is(status, 0, stdout + stderr);
});

test('systemd accepts the units in deploy/, where it is installed', t => {
	const units = deployed.filter(file => /\.(service|socket)$/.test(file));
	t.is(units.length, 3);
	const {error, status, stderr} = spawnSync('systemd-analyze', ['verify', ...units], {
		encoding: 'utf8',
		timeout: 30_000,
	});
	if (error) {
		t.log('systemd-analyze is not installed here');
		return;
	}

	t.is(status, 0, stderr);
	t.notRegex(stderr, /bothy-/, stderr);
});
