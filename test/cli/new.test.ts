import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {CommandError} from '../../src/cli/once.js';
import {runNew} from '../../src/cli/project/new.js';

/** A repository of these files, and what `bothy new` does there. */
async function repository(t: ExecutionContext, files: Record<string, string>) {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-new-'));
	t.teardown(() => rm(folder, {recursive: true}));
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), {recursive: true});
		await writeFile(join(folder, name), text);
	}

	return {
		read: (name: string) => readFile(join(folder, name), 'utf8'),
		async list() {
			const entries = await readdir(folder, {recursive: true, withFileTypes: true});
			const found = entries.filter(entry => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
			return found.map(file => file.slice(folder.length + 1)).sort();
		},
		/** What it printed. */
		async make(name: string): Promise<string> {
			const lines: string[] = [];
			await runNew(name, {folder, print: line => lines.push(line)});
			return lines.join('\n');
		},
	};
}

interface Case {
	readonly files: Record<string, string>;
	readonly made: readonly [bot: string, test: string];
	readonly imports: RegExp;
	readonly run: string;
	readonly dev?: string;
}

const cases: Record<string, Case> = {
	'this repository': {
		files: {
			'package.json': JSON.stringify({name: 'bothy', type: 'module', devDependencies: {ava: '^7.0.0'}}),
			'tsconfig.json': '{}',
		},
		made: ['bots/lunch.ts', 'test/bots/lunch.test.ts'],
		imports: /^import test from 'ava';\nimport .* 'bothy\/testing';\nimport bot from '\.\.\/\.\.\/bots\/lunch\.js';\n/,
		run: 'npm run test:bots lunch',
		dev: 'npm run dev',
	},
	'a folder in which Bothy alone was installed': {
		files: {'package.json': '{"dependencies": {"bothy": "^1.0.0"}}'},
		made: ['bots/lunch.mjs', 'test/bots/lunch.test.mjs'],
		imports: /^import assert.*\nimport test from 'node:test';\n(?:.*\n)*.*'\.\.\/\.\.\/bots\/lunch\.mjs';\n/,
		run: 'node --test test/bots/lunch.test.mjs',
	},
	'a module': {
		files: {'package.json': '{"type": "module"}'},
		made: ['bots/lunch.js', 'test/bots/lunch.test.js'],
		imports: /'\.\.\/\.\.\/bots\/lunch\.js';\n/,
		run: 'node --test test/bots/lunch.test.js',
	},
	'TypeScript in a package that is no module': {
		files: {'package.json': '{"type": "commonjs", "devDependencies": {"typescript": "^5.0.0"}}'},
		made: ['bots/lunch.mts', 'test/bots/lunch.test.mts'],
		imports: /'\.\.\/\.\.\/bots\/lunch\.mjs';\n/,
		run: 'node --import tsx --test test/bots/lunch.test.mts',
	},
	'TypeScript with vitest': {
		files: {'package.json': '{"type": "module", "devDependencies": {"typescript": "^5.0.0", "vitest": "^3.0.0"}}'},
		made: ['bots/lunch.ts', 'test/bots/lunch.test.ts'],
		imports: /^import assert from 'node:assert\/strict';\nimport \{test\} from 'vitest';\n/,
		run: 'npx vitest run test/bots/lunch.test.ts',
	},
	'JavaScript with AVA': {
		files: {'package.json': '{"type": "module", "devDependencies": {"ava": "^7.0.0"}}'},
		made: ['bots/lunch.js', 'test/bots/lunch.test.js'],
		imports: /^import test from 'ava';\n/,
		run: 'npx ava test/bots/lunch.test.js',
	},
};

for (const [where, {files, made, imports, run, dev = 'npx bothy dev'}] of Object.entries(cases)) {
	test(`bothy new writes a bot and its test in the style of the repository: ${where}`, async t => {
		const {make, list, read} = await repository(t, files);

		const output = await make('lunch');

		t.deepEqual(await list(), [...Object.keys(files), ...made].sort());
		t.regex(await read(made[1]), imports);
		t.true(output.startsWith(`Created ${made.join(' and ')}. Next:\n`), output);
		t.true(output.includes(`\n  ${run}   `), output);
		t.true(output.includes(`\n  ${dev}   `), output);
		t.is(/no tsconfig\.json.*For TypeScript.*npx tsc --init/.test(output), !made[0].endsWith('ts'), output);
	});
}

const PACKAGE = {'package.json': '{"type": "module"}'};

const refusals: Record<string, [files: Record<string, string>, name: string, expected: RegExp]> = {
	'a name that is none': [PACKAGE, 'Lunch.ts', /^Expected a name of lower-case letters, .* found "Lunch\.ts"$/],
	'a path': [PACKAGE, '../lunch', /found "\.\.\/lunch"/],
	'a bot in another language': [
		{...PACKAGE, 'bots/lunch.ts': ''},
		'lunch',
		/^bots\/lunch\.ts exists already\. Choose another name, or edit that file\.$/,
	],
	'a bot in a folder': [{...PACKAGE, 'bots/lunch/index.js': ''}, 'lunch', /bots\/lunch\/index\.js exists already/],
	'a test of that name': [{...PACKAGE, 'test/bots/lunch.test.js': ''}, 'lunch', /test\/bots\/lunch\.test\.js exists/],
	'no package.json': [{}, 'lunch', /Expected a package\.json in .*, found none\. Run this in the folder of your/],
};

for (const [what, [files, name, expected]] of Object.entries(refusals)) {
	test(`bothy new creates and overwrites nothing, and says what to do: ${what}`, async t => {
		const {make, list} = await repository(t, files);

		await t.throwsAsync(make(name), {instanceOf: CommandError, message: expected});

		t.deepEqual(await list(), Object.keys(files).sort());
	});
}
