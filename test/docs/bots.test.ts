// Every bot and every example in the documents is compiled, and every conversation in them is held.

import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import type {Bot} from 'bothy';
import {type PersonName, type TestBot, testBot} from 'bothy/testing';
import {fileScope} from '../helpers/file-scope.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** A file that a document shows, and the conversation that it shows after it. */
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

/**
 * The examples of the reference by the names of what they show: an entry has its signature, and then its example.
 * test/docs/pages.test.ts compares the document with the doc comments that it is generated from.
 */
function examplesOf(reference: string): Map<string, string> {
	const entries = reference.split(/^#{2,3} /m).map(entry => ({
		name: entry.split('\n')[0] ?? '',
		code: [...entry.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code),
	}));
	return new Map(entries.filter(({code}) => code.length > 1).map(({name, code}) => [name, code.at(-1) ?? '']));
}

const EXAMPLES = 'reference.ts';
const FACE = "import {ApiError, arg, bot, z} from 'bothy';\n";

/** The examples of the reference as one module: bots, and what handlers do as commands of one bot. */
function referenceModule(examples: ReadonlyMap<string, string>): string {
	const all = [...examples].map(([name, code]) => ({name, code: code.replace(/^export default /, '')}));
	const bots = all.filter(({code}) => code.startsWith('bot('));
	const bodies = all.filter(({code}) => !code.startsWith('bot('));
	return `${FACE}
export const bots = {${bots.map(({name, code}) => `${JSON.stringify(name)}: ${code.replace(/;$/, '')}`).join(',\n')}};
export const names = ${JSON.stringify(bodies.map(({name}) => name))};
void ApiError;
export default bot({
	about: 'Tries the examples',
	perMinute: 0,
	config: z.object({channel: z.string().default('general')}),
	session: z.object({limit: z.int().default(5)}),
})
	.answer('limit', z.string(), () => {})
	.answer('decide', z.string(), () => {})
	.later('escalate', () => {})
	${bodies.map(({name, code}) => `.command(${JSON.stringify(name)}, {about: 'Try it'}, async ctx => {\n${code}\n})`).join('\n')};
`;
}

/** A folder that finds `bothy` as a repository does which has installed it. */
async function writeAll(files: readonly (readonly [path: string, source: string])[]): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-docs-'));
	await mkdir(join(folder, 'node_modules'));
	await symlink(PROJECT, join(folder, 'node_modules', 'bothy'));
	await symlink(join(PROJECT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
	await writeFile(join(folder, 'package.json'), '{"type": "module"}');
	for (const [path, source] of files) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await writeFile(join(folder, path), source);
	}

	const extended = JSON.stringify(join(PROJECT, 'tsconfig.json'));
	const options =
		'{"rootDir": ".", "outDir": ".", "types": ["node"], "declaration": false, "sourceMap": false, "incremental": false}';
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

const FILES = ['README.md', 'docs/bots.md', 'docs/migrating.md'];
const file = fileScope('documents');
/** What each of the documents shows, in a folder of its own, and the folder of these. */
const documents = new Map<string, readonly Shown[]>();
let folder = '';
/** What the compiler complains of, once it has ended. */
let complaints = Promise.resolve('');

test.before(async () => {
	for (const name of FILES) {
		const shown = shownIn(await readFile(join(PROJECT, name), 'utf8'));
		documents.set(
			name,
			shown.map(({path, ...rest}) => ({...rest, path: join(name, path)})),
		);
	}

	const [, reference = ''] = (await readFile(join(PROJECT, 'docs/bots.md'), 'utf8')).split('<!-- generated');
	const examples = examplesOf(reference);
	const shown = [...documents.values()].flat().map(({path, source}) => [path, source] as const);
	folder = await writeAll([...shown, [EXAMPLES, referenceModule(examples)]]);
	file.teardown(() => rm(folder, {recursive: true}));
	const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
	complaints = run(process.execPath, [compiler, '-p', folder]).then(
		() => '',
		({stdout}) => stdout,
	);
});

test('every bot and every example in the documents compiles', async t => {
	t.timeout(240_000);
	t.is(await complaints, '');
});

/** The compiled file of a source. */
const outputOf = (path: string) => join(folder, path.replace(/\.ts$/, '.js'));

for (const name of FILES) {
	test(`the bots in ${name} answer as written there`, async t => {
		t.timeout(240_000);
		await complaints;
		const shown = documents.get(name) ?? [];
		t.true(shown.length > 0);
		for (const {path, chat} of shown) {
			if (path.endsWith('.test.ts')) {
				await t.notThrowsAsync(run(process.execPath, ['--test', outputOf(path)]));
				continue;
			}

			const loaded: {default: Bot} = await import(outputOf(path));
			const bot = basename(path, '.ts').replace(/^./, first => first.toUpperCase());
			const kit = await testBot(loaded.default, {name: bot, now: '2026-11-21T10:00:00Z'});
			t.teardown(() => kit.close());
			const written = (chat ?? '').trim().split(/\n(?! |\n|$)/);
			t.deepEqual(await hold(kit, chat ?? ''), written, path);
		}
	});
}

test('the examples of the reference run', async t => {
	t.timeout(240_000);
	await complaints;
	const loaded: {default: Bot; bots: Record<string, Bot>; names: string[]} = await import(outputOf(EXAMPLES));
	const kit = await testBot(loaded.default, {fetch: () => Response.json({state: 'done'})});
	t.teardown(() => kit.close());
	for (const name of loaded.names) {
		await t.notThrowsAsync(kit.olivia.says('#general > examples', `@**Bot** ${name}`), name);
		await kit.olivia.says('#general > examples', '@**Bot** cancel');
	}

	t.true(loaded.names.length > 30 && Object.keys(loaded.bots).length > 5);
	t.deepEqual(kit.failed, []);
	for (const [name, bot] of Object.entries(loaded.bots)) {
		const other = await testBot(bot);
		t.teardown(() => other.close());
		t.true((await other.alice.dm('help')).length > 0, name);
	}
});
