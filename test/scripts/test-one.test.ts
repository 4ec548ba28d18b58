import {once} from 'node:events';
import {statSync, utimesSync} from 'node:fs';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {runScript, startScript, startTree} from './tree.js';

const testsOf = (titles: string[]) => `import test from 'ava';
	import {answer} from '../../src/answer.js';
	${titles.map(title => `test('${title} is right', t => t.is(answer, 42));`).join('\n')}`;

function startProject(t: ExecutionContext) {
	const tree = startTree(t, {
		'src/answer.ts': 'export const answer: number = 42;',
		'test/tea/green.test.ts': testsOf(['green tea', 'the first cup']),
		'test/bots/echo.test.ts': testsOf(['echo']),
		'test/bots/dice.test.ts': testsOf(['dice']),
	});
	tree.installDependencies();
	return tree;
}

const one = (root: string, ...words: string[]) => runScript(root, 'test-one.mjs', {words});

/** The titles of the tests that passed. */
const passed = (output: string) => [...output.matchAll(/✔ (?:.* › )?(.*) is right/g)].map(([, title]) => title).sort();

test('test:one runs the file or the tests that the words name', t => {
	const {root} = startProject(t);

	t.deepEqual(passed(one(root, 'test/tea/green.test.ts').output), ['green tea', 'the first cup']);
	t.deepEqual(passed(one(root, 'green', '--match', '*cup*').output), ['the first cup']);
	t.deepEqual(passed(one(root, 'the first cup').output), ['the first cup']);
	const {output, status} = one(root, 'coffee');
	t.regex(output, /No test file is called, and no title contains: coffee/);
	t.is(status, 2);
});

test('test:bots runs the tests of one bot, or of all', t => {
	const {root} = startProject(t);

	t.deepEqual(passed(one(root, '--bots', 'dice').output), ['dice']);
	t.deepEqual(passed(one(root, '--bots').output), ['dice', 'echo']);
});

test('test:one compiles saved files without checking types, and the next build compiles all of them', t => {
	const {root, write, has} = startProject(t);
	const source = path.join(root, 'src/answer.ts');
	t.is(runScript(root, 'build.mjs').status, 0);
	const {atime, mtime} = statSync(source);
	write('src/answer.ts', `export const answer: string = 41;`);
	utimesSync(source, new Date(), new Date(Date.now() + 1000));
	t.is(one(root, 'green').status, 1);

	// As it was, with the time that it had.
	write('src/answer.ts', 'export const answer: number = 42;');
	utimesSync(source, atime, mtime);
	t.is(runScript(root, 'prepare.mjs', {env: {REDIS_URL: 'redis://localhost'}}).status, 0);

	t.is(one(root, 'green').status, 0);
	t.true(has('dist/src/answer.d.ts'));
});

test('test:one reports a syntax error each time', t => {
	const {root, write} = startProject(t);
	write('src/answer.ts', 'export const answer = ;');

	for (const {output, status} of [one(root, 'green'), one(root, 'green')]) {
		t.regex(output, /src\/answer\.ts.*TS1109/);
		t.not(status, 0);
	}
});

test('with --watch each save runs the tests again, and Ctrl-C ends it', async t => {
	const {root, write} = startProject(t);
	const running = startScript(t, root, 'test-one.mjs', {words: ['green', '--watch']});
	await running.until(/2 tests passed/);

	write('src/answer.ts', 'export const answer: number = 410;');
	await running.until(/2 tests failed/);
	write('src/answer.ts', 'export const answer: number = 42;');
	await running.until(/2 tests passed/);

	running.process.kill('SIGINT');
	t.deepEqual(await once(running.process, 'exit'), [130, null]);
});
