import {spawnSync} from 'node:child_process';
import test, {type ExecutionContext} from 'ava';
import {startTree} from './tree.js';

function mutate(root: string, ...words: string[]) {
	const {stdout, stderr, status} = spawnSync(process.execPath, ['scripts/mutate.mjs', ...words], {
		cwd: root,
		encoding: 'utf8',
	});
	return {lines: stdout.trim().split('\n'), errors: stderr, status};
}

/** A small product with two operations, and these test files. */
function startProduct(t: ExecutionContext, tests: Record<string, string>): string {
	const tree = startTree(t, {
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
	});
	tree.installDependencies();
	return tree.root;
}

const testsOf = (assertions: Record<string, string>) => `import test from 'ava';
	import {createClient} from '../../src/client/client.js';
	import {handlers} from '../../src/realm/operations/index.js';
	${Object.entries(assertions)
		.map(([title, assertion]) => `test('${title}', async t => ${assertion});`)
		.join('\n')}`;

test('the wire tests of the product fail on an empty answer and on a lost parameter', t => {
	const {lines, errors, status} = mutate('.', 'removeAlertWords');

	t.is(errors, '');
	t.deepEqual(lines, ['✔ handler removeAlertWords', '✔ encoding removeAlertWords', '2 of 2 caught']);
	t.is(status, 0);
});

test('an operation is tested by the titles that begin with its name, and then by its effects', t => {
	const root = startProduct(t, {
		'dist/test/wire/kitchen.test.js': testsOf({
			'getTea: tea': `t.is(await createClient().getTea({cups: 2, sugar: undefined}), '{"cups":2}')`,
			// Would notice, but says that it is about another operation.
			'getTea2: cake': `t.is(handlers.makeCake.answer().cake, 'round')`,
			'makeCake: cake': `t.true('answer' in handlers.makeCake)`,
		}),
		'dist/test/realm/effects.test.js': testsOf({
			'the two values of getTea cups are told apart': `t.is(handlers.getTea.answer().tea, 'green')`,
		}),
	});

	const {lines, status} = mutate(root);

	t.deepEqual(lines.slice(-2), ['No test noticed: handler makeCake', '2 of 3 caught']);
	t.deepEqual(lines.slice(0, -2).sort(), ['✔ encoding getTea', '✔ handler getTea', '✘ handler makeCake']);
	t.is(status, 1);
});

test('tests that fail without a mutation do not count', t => {
	const root = startProduct(t, {
		'dist/test/wire/kitchen.test.js': testsOf({
			'getTea: tea': `t.fail('of its own')`,
			'makeCake: cake': `t.is(handlers.makeCake.answer().cake, 'round')`,
		}),
	});

	const {lines, status} = mutate(root, 'getTea');

	t.is(lines[0], 'The tests of getTea in dist/test/wire/kitchen.test.js fail without a mutation');
	t.is(lines.at(-1), '0 of 2 caught');
	t.is(status, 1);
});

test('mutate refuses an unknown operation', t => {
	const {errors, status} = mutate('.', 'getTea');

	t.regex(errors, /found getTea/);
	t.is(status, 2);
});
