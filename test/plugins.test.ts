import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {importPlugin} from '../src/plugins/import-plugin.js';
import {loadPackages, loadPlugins} from '../src/plugins/index.js';

const FACE = fileURLToPath(new URL('../src/index.js', import.meta.url));
const BOT = "export default {[Symbol.for('bothy.bot')]: 1, about: 'x'};";

async function folderOf(t: ExecutionContext, files: Record<string, string>): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-plugins-'));
	t.teardown(() => rm(folder, {recursive: true}));
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), {recursive: true});
		await writeFile(join(folder, name), text);
	}

	return folder;
}

test('a plugin is a file or a folder, in JavaScript or TypeScript', async t => {
	const folder = await folderOf(t, {
		'one.mjs': BOT,
		'two/index.mjs': BOT,
		'three.mts': `type A = string; const a: A = 'x'; ${BOT.replace("'x'", 'a')}`,
		'one.test.mjs': 'throw new Error("a test is no plugin")',
		'one.d.mts': 'export default 1',
		'notes.txt': 'no plugin',
		'empty/readme.md': 'no plugin either',
	});

	const {loaded, broken} = await loadPlugins([folder]);

	t.deepEqual(
		loaded.map(({name}) => name),
		['one', 'three', 'two'],
	);
	t.deepEqual(broken, []);
});

test('a bot is found in a package that is not an ES module', async t => {
	const folder = await folderOf(t, {
		'package.json': '{"type": "commonjs"}',
		'one.ts': `type A = string; const a: A = 'x'; ${BOT.replace("'x'", 'a')}`,
		'two.mts': BOT,
		'three.js': BOT.replace('export default', 'module.exports ='),
	});

	const {loaded, broken} = await loadPlugins([folder]);

	t.deepEqual(broken, []);
	t.deepEqual(
		loaded.map(({name}) => name),
		['one', 'three', 'two'],
	);
});

test('a bot made by another copy of this package is accepted', async t => {
	const copy = (n: number) => `export const bot = ({about}) => ({[Symbol.for('bothy.bot')]: ${n}, about});`;
	const folder = await folderOf(t, {
		'node_modules/bothy/package.json': '{"name": "bothy", "type": "module", "exports": "./index.js"}',
		'node_modules/bothy/index.js': copy(1),
		'lunch.mjs': "import {bot} from 'bothy'; export default bot({about: 'Lunch'});",
	});

	const {loaded} = await loadPlugins([folder]);

	t.like(loaded[0], {name: 'lunch', bot: {about: 'Lunch'}});
});

/** A plugin that cannot be loaded, and what is said of it. */
const faults: Record<string, [Record<string, string>, string]> = {
	'a function for a default export': [
		{'lunch.mjs': 'export default () => {};'},
		"expected `export default bot({about: '…'})`, found a default export that is a function (call it?)",
	],
	'no default export': [
		{'lunch.mjs': 'export const lunch = 1;'},
		"expected `export default bot({about: '…'})`, found no default export (only lunch)",
	],
	'a default export that is no bot': [
		{'lunch.mjs': 'export default {about: "x"};'},
		"expected `export default bot({about: '…'})`, found a default export that is not a bot but object",
	],
	'JavaScript that is none': [
		{'lunch.mjs': '\nexport default {'},
		'syntax error at <folder>/lunch.mjs:2: Unexpected end of input',
	],
	'TypeScript that is none': [
		{'lunch.mts': 'const a: string = "x";\nconst b = = 3;'},
		'syntax error at <folder>/lunch.mts:2:10: Unexpected "="',
	],
	'a module in a package of CommonJS': [
		{'package.json': '{"type": "commonjs"}', 'lunch.js': BOT},
		'<folder>/lunch.js is read as CommonJS; add `"type": "module"` to package.json, or rename it to end in `.mjs`',
	],
	'a package that is not installed': [
		{'lunch.mjs': "import '@acme/prices/list.js';"},
		'<folder>/lunch.mjs imports `@acme/prices`, which is not installed. Run `npm install @acme/prices`',
	],
	'a file that is not there': [
		{'lunch.mts': "import './prices.mjs';"},
		'<folder>/lunch.mts imports <folder>/prices.mjs, which does not exist. Correct the path, or create the file',
	],
	'a name that another file does not export': [
		{'lunch.mjs': "import {cheap} from './prices.mjs';", 'prices.mjs': 'export default {}'},
		"<folder>/lunch.mjs imports `cheap` from './prices.mjs', which does not export it. Correct the name",
	],
	'a name that another file does not export, in TypeScript': [
		{'lunch.mts': "import {cheap} from './prices.mjs'; cheap();", 'prices.mjs': 'export default {}'},
		"<folder>/lunch.mts imports `cheap` from './prices.mjs', which does not export it. Correct the name",
	],
	'CommonJS in an ES module': [
		{'lunch.mjs': "const {bot} = require('bothy');"},
		'<folder>/lunch.mjs is read as an ES module, but is written as CommonJS. Use `import` and `export default`',
	],
	'a declaration that Bothy refuses': [
		{'lunch.mts': `import {bot} from '${FACE}';\nexport default bot({about: 'x'})\n\t.on('message', () => {});`},
		'it threw during import: Expected .on() with mention, direct_message, channel_message, reaction, edit, join, ' +
			'got "message" (<folder>/lunch.mts:3:3)',
	],
	'a value of the wrong type': [
		{
			'lunch.mts': `import {bot} from '${FACE}';\nexport default bot({about: 'x'})\n\t.cron('tick', '0 9 * * *' as never, () => {});`,
		},
		'it threw during import: ✖ Invalid input: expected object, received string (<folder>/lunch.mts:3:3)',
	],
	'an error of its own': [
		{'lunch.mts': "\nthrow new Error('no database');"},
		'it threw during import: no database (<folder>/lunch.mts:2:7)',
	],
	'something thrown that is no error': [
		{'lunch.mjs': "throw 'no database';"},
		'it threw during import, and not an Error, which would name the line: no database',
	],
};

for (const [what, [files, expected]] of Object.entries(faults)) {
	// Serial ones come first, before this process reads TypeScript, and with it modules of every kind.
	const run = what.includes('CommonJS') ? test.serial : test;
	run(`a broken plugin is named with place and cure, and the others run: ${what}`, async t => {
		const folder = await folderOf(t, {...files, 'good.mjs': BOT});

		const {loaded, broken} = await loadPlugins([folder]);

		t.deepEqual(
			loaded.map(({name}) => name),
			['good'],
		);
		const lunch = broken.find(({name}) => name === 'lunch');
		t.is(lunch?.file, join(folder, Object.keys(files).find(name => name.startsWith('lunch')) ?? ''));
		t.is(lunch?.reason.replaceAll(folder, '<folder>'), expected);
	});
}

const entries: Record<string, [manifest: object, file: string]> = {
	main: [{main: 'lib/bot.cjs'}, 'lib/bot.cjs'],
	nothing: [{}, 'index.js'],
	'exports as text': [{exports: './bot.mjs'}, 'bot.mjs'],
	'exports for import alone': [{exports: {'.': {types: './bot.d.ts', import: './bot.mjs'}}}, 'bot.mjs'],
	'conditions in conditions': [{exports: {browser: './no.mjs', node: {import: './bot.mjs'}}}, 'bot.mjs'],
};

for (const [what, [manifest, file]] of Object.entries(entries)) {
	test(`a package is a plugin, found from the folder or above it: ${what}`, async t => {
		const source = file.endsWith('mjs') ? BOT : BOT.replace('export default', 'module.exports =');
		const folder = await folderOf(t, {
			'node_modules/@acme/bothy-lunch/package.json': JSON.stringify(manifest),
			[`node_modules/@acme/bothy-lunch/${file}`]: source,
			'apps/bots/readme.md': '',
		});

		const {loaded, broken} = await loadPackages(['@acme/bothy-lunch', '@acme/other'], join(folder, 'apps/bots'));

		t.deepEqual(broken, []);
		t.like(loaded, [{name: '@acme/bothy-lunch', bot: {about: 'x'}}]);
	});
}

test('an invalid package name is not looked up', async t => {
	const folder = await folderOf(t, {'lunch/package.json': '{}', 'lunch/index.js': 'throw new Error("imported")'});

	t.deepEqual(await loadPackages(['../lunch', '/lunch', ''], folder), {loaded: [], broken: []});
});

test('of two plugins with the same name, the first is used and the second is reported', async t => {
	const [first, second] = [await folderOf(t, {'a.mjs': BOT}), await folderOf(t, {'a.mjs': BOT, 'b.mjs': BOT})];

	const {loaded, broken} = await loadPlugins([first, second]);

	t.deepEqual(
		loaded.map(({name}) => name),
		['a', 'b'],
	);
	t.regex(broken[0]?.reason ?? '', /the plugin `a` exists already, in .*a\.mjs\. Rename one of them/);
});

test('a missing folder stops the start, and the error names it', async t => {
	await t.throwsAsync(loadPlugins(['/nowhere/bots']), {
		message: 'Expected a folder of plugins at /nowhere/bots (ENOENT)',
	});
});

test('a CommonJS source is refused by name', async t => {
	const folder = await folderOf(t, {'old.cts': 'export = 1;'});

	const {loaded, broken} = await loadPlugins([folder]);

	t.deepEqual(loaded, []);
	t.deepEqual(
		broken.map(({name}) => name),
		['old'],
	);
	t.regex(broken[0]?.reason ?? '', /found a CommonJS file\. Rename it, and use `import` and `export default`$/);
});

test('a bot whose import never ends is named, and does not stop the others', async t => {
	const folder = await folderOf(t, {'lunch.mjs': `await new Promise(() => {}); ${BOT}`});

	const imported = await importPlugin(join(folder, 'lunch.mjs'), 10);

	t.deepEqual(imported, {
		reason: 'its import took longer than 0.01 s. A top-level `await` waits there: move it into a handler',
	});
});
