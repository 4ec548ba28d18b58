// What the documents link to is there, and the commands that they show exist.

import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test from 'ava';
import type {Command} from 'commander';
import {createProgram} from '../../src/cli/program.js';
import {readAccountFile} from '../../src/config/accounts.js';
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
	return script && (script in scripts || ['ci', 'pack'].includes(script)) ? undefined : 'no such script';
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
