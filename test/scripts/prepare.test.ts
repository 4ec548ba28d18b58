import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {statSync} from 'node:fs';
import {hostname} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {fileScope} from '../helpers/file-scope.js';
import {runScript, startScript, startTree} from './tree.js';

const withRedis = {REDIS_URL: 'redis://localhost'};

function prepare(root: string, {env = {}, words = []}: {env?: NodeJS.ProcessEnv; words?: string[]} = {}) {
	return runScript(root, 'prepare.mjs', {words, env: {BOTHY_NO_INSTALL: '1', ...withRedis, ...env}});
}

const file = fileScope('a tree that is built');
let built = '';

/** What others import. */
const faces = {'src/index.ts': 'export const face = 1;', 'src/testing/index.ts': "export * from '../index.js';"};

test.before(t => {
	const sources = {...faces, 'src/cli.ts': 'export const answer: number = 1;', 'src/old.ts': 'export const old = 1;'};
	const tree = startTree(file, sources);
	tree.installDependencies();
	t.is(prepare(tree.root).status, 0);
	built = tree.root;
});

/** A copy of a tree that is built. */
function startedTree(t: ExecutionContext) {
	const tree = startTree(t);
	// With the times of files to the nanosecond, which Node does not copy.
	t.is(spawnSync('cp', ['-pPR', `${built}/.`, tree.root]).status, 0);
	return tree;
}

test('if nothing may be installed, all missing parts and the command to run are reported', t => {
	const tree = startTree(t);

	const {output, status} = prepare(tree.root, {
		env: {REDIS_URL: '', PATH: '/nowhere', BOTHY_CHROMIUM: ''},
		words: ['--browser'],
	});

	t.is(status, 1);
	t.regex(output, /dependencies are not installed.*npm ci/);
	t.regex(output, /no Redis server.*apt-get install redis-server.*REDIS_URL/);
	t.regex(output, /no Chromium.*BOTHY_CHROMIUM/);
	t.false(tree.has('dist'));
});

test('a missing browser alone does not fail it', t => {
	const tree = startedTree(t);

	const {output, status} = prepare(tree.root, {env: {BOTHY_CHROMIUM: '/nowhere/chromium'}, words: ['--browser']});

	t.is(status, 0);
	t.regex(output, /no Chromium/);
});

test('a lockfile that changed since the last install is noticed', t => {
	const tree = startedTree(t);
	tree.write('package-lock.json', '{"packages": {"": {}, "node_modules/ava": {"version": "0.0.1"}}}');

	const {output, status} = prepare(tree.root);

	t.is(status, 1);
	t.regex(output, /not those of package-lock\.json/);
});

test('with nothing to do it prints nothing', t => {
	const tree = startedTree(t);

	t.deepEqual(prepare(tree.root), {output: '', status: 0});
});

test('files that were saved since the last build are built', t => {
	const tree = startedTree(t);
	tree.write('src/cli.ts', 'export const answer: number = 22;');

	t.deepEqual(prepare(tree.root), {output: 'Building\n', status: 0});
	t.deepEqual(prepare(tree.root), {output: '', status: 0});
});

test('the build removes output whose source is gone', t => {
	const tree = startedTree(t);
	t.true(tree.has('dist/src/old.js'));
	tree.remove('src/old.ts');

	t.is(prepare(tree.root).status, 0);

	t.false(tree.has('dist/src/old.js') || tree.has('dist/src/old.d.ts') || tree.has('dist/src/old.js.map'));
});

test('a lost part of dist is built again', t => {
	const tree = startedTree(t);
	tree.remove('dist/src/old.js');

	t.is(prepare(tree.root).status, 0);

	t.true(tree.has('dist/src/old.js'));
});

test('the command line can be run as a program', t => {
	const {root} = startedTree(t);

	t.is(statSync(path.join(root, 'dist/src/cli.js')).mode & 0o111, 0o111);
});

test('a type error is reported and fails each time', t => {
	const tree = startedTree(t);
	tree.write('src/cli.ts', `export const answer: number = 'one';`);

	for (const {output, status} of [prepare(tree.root), prepare(tree.root)]) {
		t.not(status, 0);
		t.regex(output, /src\/cli\.ts.*TS2322/);
	}
});

test('the lock of a dead process blocks nobody', t => {
	const tree = startedTree(t);
	const {pid} = spawnSync(process.execPath, ['--version']);
	tree.write('.data/prepare.lock/owner', JSON.stringify({id: 'x', processId: pid, host: hostname()}));
	tree.write('src/new.ts', '');

	t.deepEqual(prepare(tree.root), {output: 'Building\n', status: 0});
	t.false(tree.has('.data/prepare.lock'));
});

test('a second run waits for the first and prints that it does', async t => {
	const tree = startedTree(t);
	tree.write('.data/prepare.lock/owner', JSON.stringify({id: 'x', processId: process.pid, host: hostname()}));
	tree.write('src/new.ts', '');
	const lines = startScript(t, tree.root, 'prepare.mjs', {env: withRedis});

	t.regex(await lines.next(), new RegExp(`Waiting for process ${process.pid}`));
	tree.remove('.data/prepare.lock');

	t.is(await lines.next(), 'Building');
	await once(lines.process, 'exit');
	t.true(tree.has('dist/src/new.js'));
});

/** Reports its start only once it can be stopped. */
const service = (version: string) => `
	process.once('SIGTERM', () => {
		console.log('stopped', ${version});
		process.exit();
	});
	setInterval(() => {}, 1000);
	console.log('started', ${version});
`;

test('during development a save restarts, and an error does not', async t => {
	const tree = startTree(t, {...faces, 'src/cli.ts': service('1')});
	tree.installDependencies();
	const lines = startScript(t, tree.root, 'dev.mjs', {env: withRedis});
	t.is(await lines.until(/started/), 'started 1');

	tree.write('src/cli.ts', service(`1 as 'one'`));
	t.regex(await lines.until(/TS\d+/), /src\/cli\.ts/);
	t.is(await lines.until(/runn/), 'The previous version keeps running');

	tree.write('src/cli.ts', `${service('1')}export const load = () => import('luxon');\n`);
	t.regex(await lines.until(/statically/), /luxon/);
	t.is(await lines.until(/runn/), 'The previous version keeps running');

	tree.write('src/cli.ts', service('2'));
	t.is(await lines.until(/started|stopped/), 'stopped 1');
	t.is(await lines.until(/started|stopped/), 'started 2');

	lines.process.kill('SIGTERM');
	t.is(await lines.until(/stopped/), 'stopped 2');
	t.deepEqual(await once(lines.process, 'exit'), [0, null]);
});
