import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {ENVIRONMENT} from '../../src/config/environment.js';
import {until} from '../helpers/until.js';
import {runScript, startScript, startTree} from './tree.js';

function startProject(t: ExecutionContext, tests: Record<string, string>) {
	const tree = startTree(t);
	tree.installDependencies();
	for (const [name, text] of Object.entries(tests)) {
		// The report names sources; AVA runs their compiled files.
		tree.write(`test/${name}.test.ts`, '');
		tree.write(`dist/test/${name}.test.js`, `import test from 'ava';\n${text}`);
	}

	return tree;
}

const run = (root: string, words: string[] = [], env: NodeJS.ProcessEnv = {}) =>
	runScript(root, 'test.mjs', {words, env: {CI: '', ...env}});

const GOOD = `test('one', t => t.is(1 + 1, 2)); test('two', t => t.true([2].includes(2)));`;

test('the report has a line for each file, and the numbers at the end', t => {
	const {root} = startProject(t, {
		'a/good': GOOD,
		'b/busy': `import {spawnSync} from 'node:child_process';
			test('three', t => {
				// It looks at its time only now and then: the system would count the looks.
				const work = 'while (process.cpuUsage().user < 3e6) for (let n = 0; n < 1e8; n++);';
				const {status} = spawnSync(process.execPath, ['-e', work]);
				t.is(status, 0);
			});`,
	});

	const {output, status} = run(root);

	t.regex(output, /^✔ test\/a\/good\.test\.ts {2}2 tests {2}\d+\.\d s$/m);
	t.regex(output, /^✔ test\/b\/busy\.test\.ts {2}1 test {2}\d+\.\d s$/m);
	t.regex(output, /^Slowest files:\n {2}test\/b\/busy\.test\.ts .*\n {2}test\/a\/good\.test\.ts/m);
	const numbers = /^3 tests in 2 files: 3 passed, 0 failed, 0 skipped\. [\d.]+ s(?:, ([\d.]+) s of CPU)?$/m.exec(
		output,
	);
	// The processes that tests start count as well.
	t.true(process.platform === 'linux' ? Number(numbers?.[1]) >= 3 : numbers !== null, output);
	t.is(status, 0);
});

test('failures come last, each with its error and the command that runs it alone', t => {
	const {root} = startProject(t, {
		bad: `test("it's *bad*", t => { t.log('for seed 42'); t.is(1, 2); });`,
		exits: `setTimeout(() => process.exit(), 500); test('hangs', () => new Promise(() => setInterval(() => {}, 9)));`,
		good: GOOD,
		worse: `test('never runs', t => t.is(1 + 1, 2)); throw new Error('while loading');`,
	});

	const {output, status} = run(root);

	const [numbers = '', ...failures] = output.slice(output.indexOf(' tests in 4 files')).split(/^✘ /m);
	t.regex(numbers, /: 2 passed, 4 failed, 0 skipped/);
	const [bad = '', exits = '', hangs = '', worse = ''] = failures.sort();
	t.regex(bad, /^test\/bad\.test\.ts › it's \*bad\*\n.*Difference.*- 1\n *\+ 2.*for seed 42/s);
	t.true(bad.includes(String.raw`npm run test:one test/bad.test.ts -- --match 'it'\''s \*bad\*'`), bad);
	t.regex(exits, /^test\/exits\.test\.ts › hangs\n/);
	t.regex(hangs, /^test\/exits\.test\.ts › it called process\.exit\(\)\n/);
	t.regex(worse, /^test\/worse\.test\.ts › .*while loading.*npm run test:one test\/worse\.test\.ts\n/s);
	t.is(status, 1);
});

test('the words select files and tests', t => {
	const {root} = startProject(t, {'a/good': GOOD, 'b/bad': `test('three', t => t.fail());`});

	t.regex(run(root, ['test/a', '--match', 'one']).output, /1 test in 1 file: 1 passed/);
	const {output, status} = run(root, ['test/c']);
	t.regex(output, /0 tests in 0 files/);
	t.is(status, 1);
});

test('a skipped test is named, and fails the run in CI', t => {
	const {root} = startProject(t, {good: `${GOOD}\ntest.skip('three', t => t.is(1 + 1, 2));`});

	const here = run(root);
	t.regex(here.output, /^1 skipped:\n {2}test\/good\.test\.ts › three\n/m);
	t.is(here.status, 0);
	t.is(run(root, [], {CI: 'true'}).status, 1);
});

test('tests do not see the settings of the shell', t => {
	const names = Object.keys(ENVIRONMENT).flatMap(name => [name, `${name}_FILE`]);
	const {root} = startProject(t, {
		good: `test('none', t => t.deepEqual(${JSON.stringify(names)}.filter(name => name in process.env), []));`,
	});

	const {output, status} = run(root, [], Object.fromEntries(names.map(name => [name, 'nonsense'])));

	t.is(status, 0, output);
});

test('a run without progress ends and fails', t => {
	const {root} = startProject(t, {
		hanging: `test('hangs', () => new Promise(() => {})); process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6);`,
	});

	// Whether or not a slow machine reaches the test.
	const {output, status} = run(root, [], {TEST_TIMEOUT_SECONDS: '5'});

	t.regex(output, /^Ended, because nothing happened for 5 s$/m);
	t.is(status, 1);
});

test('an interrupt ends the tests and all processes that they started', async t => {
	const {root} = startProject(t, {
		endless: `
			import {spawn} from 'node:child_process';
			import {writeFileSync} from 'node:fs';
			test('endless', async () => {
				const words = ['-e', "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1e6)"];
				const child = spawn(process.execPath, words, {detached: true, stdio: ['ignore', 'pipe', 'ignore']});
				child.stdout.once('data', () => writeFileSync('started', [process.pid, child.pid].join(' ')));
				await new Promise(() => {});
			});`,
		good: GOOD,
	});
	const running = startScript(t, root, 'test.mjs');
	await running.until(/good\.test\.ts/);
	const processes = await startedProcesses(path.join(root, 'started'));

	running.process.kill('SIGINT');

	t.deepEqual(await once(running.process, 'exit'), [130, null]);
	t.deepEqual(processes.filter(isAlive), []);
});

/** The numbers in this file, once it is there. */
async function startedProcesses(file: string): Promise<number[]> {
	await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
	return readFileSync(file, 'utf8').split(' ').map(Number);
}

function isAlive(id: number): boolean {
	const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', String(id)], {encoding: 'utf8'});
	return /^[^Z]/.test(stdout.trim());
}
