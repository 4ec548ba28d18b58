import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {loadPlugins} from '../src/plugins.js';

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

test('a broken plugin is named with file and reason, and the others run', async t => {
	const folder = await folderOf(t, {
		'good.mjs': BOT,
		'syntax.mjs': 'export default {',
		'throws.mjs': 'throw new Error("no database")',
		'nothing.mjs': 'export const lunch = 1;',
		'function.mjs': 'export default () => {};',
		'object.mjs': 'export default {about: "x"};',
	});

	const {loaded, broken} = await loadPlugins([folder]);

	t.deepEqual(
		loaded.map(({name}) => name),
		['good'],
	);
	t.deepEqual(
		broken.map(({file, reason}) => `${file.slice(folder.length + 1)}: ${reason.split('\n')[0]}`),
		[
			"function.mjs: expected `export default bot({about: '…'})`, found a default export that is a function (call it?)",
			"nothing.mjs: expected `export default bot({about: '…'})`, found no default export (only lunch)",
			"object.mjs: expected `export default bot({about: '…'})`, found a default export that is no bot but object",
			'syntax.mjs: importing it failed: Unexpected end of input',
			'throws.mjs: importing it failed: no database',
		],
	);
});

test('of two plugins with one name the first stands and the second is reported', async t => {
	const [first, second] = [await folderOf(t, {'a.mjs': BOT}), await folderOf(t, {'a.mjs': BOT, 'b.mjs': BOT})];

	const {loaded, broken} = await loadPlugins([first, second]);

	t.deepEqual(
		loaded.map(({name}) => name),
		['a', 'b'],
	);
	t.regex(broken[0]?.reason ?? '', /there is a plugin `a` already, in .*a\.mjs; rename one of them/);
});

test('a folder that is not there stops the start with its name', async t => {
	await t.throwsAsync(loadPlugins(['/nowhere/bots']), {
		message: 'Expected a folder of plugins at /nowhere/bots (ENOENT)',
	});
});
