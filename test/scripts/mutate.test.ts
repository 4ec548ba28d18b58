import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';

function mutate(root: string, ...words: string[]) {
	const {stdout, stderr, status} = spawnSync(process.execPath, ['scripts/mutate.mjs', ...words], {
		cwd: root,
		encoding: 'utf8',
	});
	return {lines: stdout.trim().split('\n'), errors: stderr, status};
}

/** A product of two operations in one place, which the files given are tests of. */
function startTree(t: ExecutionContext, tests: Record<string, string>): string {
	const root = mkdtempSync(path.join(tmpdir(), 'bothy-mutate-'));
	t.teardown(() => rmSync(root, {recursive: true, force: true}));
	for (const file of ['scripts', 'ava.config.js']) {
		cpSync(file, path.join(root, file), {recursive: true});
	}

	symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
	const files = {
		'package.json': '{"name": "tree", "type": "module"}',
		'dist/src/api/index.js': `export const operations = {
			getTea: {name: 'getTea', parameters: {cups: {}}},
			makeCake: {name: 'makeCake', parameters: {}},
		};`,
		'dist/src/realm/operations/index.js': `export const handlers = {
			getTea: {answer: () => ({tea: 'green'})},
			makeCake: {answer: () => ({cake: 'round'})},
		};`,
		'dist/src/client/client.js': `export function createClient() {
			return {getTea: async parameters => JSON.stringify(parameters)};
		}`,
		...tests,
	};
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(root, name)), {recursive: true});
		writeFileSync(path.join(root, name), text);
	}

	return root;
}

const testOf = (what: string, assertion: string) => `import test from 'ava';
	import {createClient} from '../../src/client/client.js';
	import {handlers} from '../../src/realm/operations/index.js';
	test('${what}', async t => ${assertion});`;

test('a handler that says nothing and a parameter that is lost are noticed in the product itself', t => {
	const {lines, errors, status} = mutate('.', 'getStreamId');

	t.is(errors, '');
	t.deepEqual(lines, ['✔ handler getStreamId', '✔ encoding getStreamId', '2 of 2 caught']);
	t.is(status, 0);
});

test('what neither the bytes nor the effects of an operation tell is listed, and fails', t => {
	const root = startTree(t, {
		'dist/test/wire/get-tea.test.js': testOf(
			'tea',
			`t.is(await createClient().getTea({cups: 2, sugar: undefined}), '{"cups":2}')`,
		),
		'dist/test/wire/make-cake.test.js': testOf('cake', `t.true('answer' in handlers.makeCake)`),
		'dist/test/effects/effects.test.js': testOf(
			'the two values of getTea cups are told apart',
			`t.is(handlers.getTea.answer().tea, 'green')`,
		),
	});

	const {lines, status} = mutate(root);

	t.deepEqual(lines.slice(-2), ['No test noticed: handler makeCake', '2 of 3 caught']);
	t.deepEqual(lines.slice(0, -2).sort(), ['✔ encoding getTea', '✔ handler getTea', '✘ handler makeCake']);
	t.is(status, 1);
});

test('tests that fail by themselves notice nothing', t => {
	const root = startTree(t, {'dist/test/wire/get-tea.test.js': testOf('tea', `t.fail('of its own')`)});

	const {lines, status} = mutate(root, 'getTea');

	t.is(lines.at(-1), '0 of 2 caught');
	t.is(status, 1);
});

test('an unknown operation is refused', t => {
	const {errors, status} = mutate('.', 'getTea');

	t.regex(errors, /found getTea/);
	t.is(status, 2);
});
