// Every bot in the documents is compiled, and every conversation in them is held.

import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import type {Bot} from 'bothy';
import {type PersonName, type TestBot, testBot} from 'bothy/testing';
import {tsImport} from 'tsx/esm/api';
import {fileScope} from '../helpers/bothy.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const TSX = import.meta.resolve('tsx');
const run = promisify(execFile);

/** A file that a document shows, and the conversation that it shows behind it. */
interface Shown {
	readonly path: string;
	readonly source: string;
	readonly chat: string | undefined;
}

function shownIn(markdown: string): Shown[] {
	const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({kind, text}));
	return blocks.flatMap(({kind, text}, index) => {
		const path = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
		const next = blocks[index + 1];
		return kind === 'ts' && path ? [{path, source: text, chat: next?.kind === 'chat' ? next.text : undefined}] : [];
	});
}

/** A folder that finds `bothy` as a repository does which has installed it. */
async function writeAll(shown: readonly Shown[]): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-docs-'));
	await mkdir(join(folder, 'node_modules'));
	await symlink(PROJECT, join(folder, 'node_modules', 'bothy'));
	await symlink(join(PROJECT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
	await writeFile(join(folder, 'package.json'), '{"type": "module"}');
	for (const {path, source} of shown) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await writeFile(join(folder, path), source);
	}

	const extended = JSON.stringify(join(PROJECT, 'tsconfig.json'));
	const options = '{"noEmit": true, "rootDir": ".", "types": ["node"], "incremental": false, "composite": false}';
	await writeFile(
		join(folder, 'tsconfig.json'),
		`{"extends": ${extended}, "compilerOptions": ${options}, "include": ["."], "exclude": []}`,
	);
	return folder;
}

/** Holds a conversation as it is written: who says what, what the bot answers, and how much time passes. */
async function hold(kit: TestBot, chat: string): Promise<string[]> {
	const held: string[] = [];
	let answers: string[] = [];
	for (const line of chat.split(/\n(?! |\n|$)/)) {
		const [, minutes] = /^\((.+) later\)$/.exec(line.trim()) ?? [];
		const [, name = '', where, text = ''] = /^(\w+)(?: in (#[^:]+))?: ([\s\S]*?)\s*$/.exec(line) ?? [];
		if (minutes !== undefined) {
			answers.push(...(await kit.wait(minutes)).map(({text}) => text));
		} else if (name === 'bot') {
			const answer = answers.shift() ?? 'nothing';
			held.push(`bot: ${answer.replaceAll(/\n(?=.)/g, '\n  ')}`);
			continue;
		} else {
			const person = kit[name as PersonName];
			answers = where === undefined ? await person.dm(text) : await person.says(where, text);
		}

		held.push(line.trim());
	}

	return [...held, ...answers.map(answer => `bot: ${answer}`)];
}

const FILES = ['docs/bots.md', 'docs/migrating.md'];
const file = fileScope('documents');
/** What each of the documents shows, in a folder of its own, and the folder of these. */
const documents = new Map<string, readonly Shown[]>();
let folder = '';

test.before(async () => {
	for (const name of FILES) {
		const shown = shownIn(await readFile(join(PROJECT, name), 'utf8'));
		documents.set(
			name,
			shown.map(({path, ...rest}) => ({...rest, path: join(name, path)})),
		);
	}

	folder = await writeAll([...documents.values()].flat());
	file.teardown(() => rm(folder, {recursive: true}));
});

test('every bot in the documents compiles', async t => {
	t.timeout(120_000);
	const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');

	await t.notThrowsAsync(run(process.execPath, [compiler, '-p', folder]).catch(({stdout}) => t.fail(stdout)));
});

for (const name of FILES) {
	test(`the bots in ${name} say what stands there`, async t => {
		t.timeout(120_000);
		const shown = documents.get(name) ?? [];
		t.true(shown.length > 0);
		for (const {path, chat} of shown) {
			const url = join(folder, path);
			if (path.endsWith('.test.ts')) {
				await t.notThrowsAsync(run(process.execPath, ['--import', TSX, '--test', url]));
				continue;
			}

			const loaded: {default: Bot} = await tsImport(url, import.meta.url);
			const bot = basename(path, '.ts').replace(/^./, first => first.toUpperCase());
			const kit = await testBot(loaded.default, {name: bot, now: '2026-11-21T10:00:00Z'});
			t.teardown(() => kit.close());
			const written = (chat ?? '').trim().split(/\n(?! |\n|$)/);
			t.deepEqual(await hold(kit, chat ?? ''), written, path);
		}
	});
}
