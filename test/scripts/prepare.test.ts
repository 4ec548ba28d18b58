import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {hostname, tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import test, {type ExecutionContext} from 'ava';

/** A small project with our scripts, as a fresh clone would be. */
function startTree(t: ExecutionContext, files: Record<string, string> = {}) {
	const root = mkdtempSync(path.join(tmpdir(), 'bothy-tree-'));
	t.teardown(() => rmSync(root, {recursive: true, force: true}));
	cpSync('scripts', path.join(root, 'scripts'), {recursive: true});
	cpSync('tsconfig.json', path.join(root, 'tsconfig.json'));
	const write = (name: string, text: string) => {
		mkdirSync(path.dirname(path.join(root, name)), {recursive: true});
		writeFileSync(path.join(root, name), text);
	};
	write('package.json', '{"name": "tree", "type": "module"}');
	write('package-lock.json', '{"packages": {"": {}}}');
	for (const [name, text] of Object.entries(files)) {
		write(name, text);
	}

	return {
		root,
		write,
		remove: (name: string) => rmSync(path.join(root, name), {recursive: true}),
		has: (name: string) => existsSync(path.join(root, name)),
		installDependencies: () => symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules')),
	};
}

function prepare(root: string, {env = {}, words = []}: {env?: NodeJS.ProcessEnv; words?: string[]} = {}) {
	const {stdout, stderr, status} = spawnSync(process.execPath, ['scripts/prepare.mjs', ...words], {
		cwd: root,
		encoding: 'utf8',
		env: {...process.env, BOTHY_NO_INSTALL: '1', REDIS_URL: 'redis://localhost', ...env},
	});
	return {output: stdout + stderr, status};
}

function startedTree(t: ExecutionContext) {
	const tree = startTree(t, {'src/cli.ts': 'export const answer: number = 1;', 'src/old.ts': 'export const old = 1;'});
	tree.installDependencies();
	t.is(prepare(tree.root).status, 0);
	return tree;
}

test('where nothing may be installed it says all that is missing and what to run', t => {
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

test('a missing browser alone stops nothing', t => {
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

test('with nothing to do it says nothing', t => {
	const tree = startedTree(t);

	t.deepEqual(prepare(tree.root), {output: '', status: 0});
});

test('what was saved since the last build is built', t => {
	const tree = startedTree(t);
	tree.write('src/cli.ts', 'export const answer: number = 22;');

	t.deepEqual(prepare(tree.root), {output: 'Building\n', status: 0});
	t.deepEqual(prepare(tree.root), {output: '', status: 0});
});

test('the build takes away what has no source any more', t => {
	const tree = startedTree(t);
	t.true(tree.has('dist/src/old.js'));
	tree.remove('src/old.ts');

	t.is(prepare(tree.root).status, 0);

	t.false(tree.has('dist/src/old.js') || tree.has('dist/src/old.d.ts') || tree.has('dist/src/old.js.map'));
});

test('a lost part of dist is made again', t => {
	const tree = startedTree(t);
	tree.remove('dist/src/old.js');

	t.is(prepare(tree.root).status, 0);

	t.true(tree.has('dist/src/old.js'));
});

test('the command line can be run as a program', t => {
	const {root} = startedTree(t);

	t.is(statSync(path.join(root, 'dist/src/cli.js')).mode & 0o111, 0o111);
});

test('a type error is shown and fails, each time anew', t => {
	const tree = startedTree(t);
	tree.write('src/cli.ts', `export const answer: number = 'one';`);

	for (const {output, status} of [prepare(tree.root), prepare(tree.root)]) {
		t.not(status, 0);
		t.regex(output, /src\/cli\.ts.*TS2322/);
	}
});

test('the lock of a process that is gone holds nobody up', t => {
	const tree = startedTree(t);
	const {pid} = spawnSync(process.execPath, ['--version']);
	tree.write('.data/prepare.lock/owner', JSON.stringify({id: 'x', processId: pid, host: hostname()}));
	tree.write('src/new.ts', '');

	t.deepEqual(prepare(tree.root), {output: 'Building\n', status: 0});
	t.false(tree.has('.data/prepare.lock'));
});

test('a second one waits for the first and says so', async t => {
	const tree = startedTree(t);
	tree.write('.data/prepare.lock/owner', JSON.stringify({id: 'x', processId: process.pid, host: hostname()}));
	tree.write('src/new.ts', '');
	const lines = start(t, tree.root, 'scripts/prepare.mjs');

	t.regex(await lines.next(), new RegExp(`Waiting for process ${process.pid}`));
	tree.remove('.data/prepare.lock');

	t.is(await lines.next(), 'Building');
	await once(lines.process, 'exit');
	t.true(tree.has('dist/src/new.js'));
});

/** Says that it has started only once it can be stopped. */
const service = (version: string) => `
	process.once('SIGTERM', () => {
		console.log('stopped', ${version});
		process.exit();
	});
	setInterval(() => {}, 1000);
	console.log('started', ${version});
`;

test('while developing, a save restarts and a type error does not', async t => {
	const tree = startTree(t, {'src/cli.ts': service('1')});
	tree.installDependencies();
	const lines = start(t, tree.root, 'scripts/dev.mjs');
	t.is(await lines.until(/started/), 'started 1');

	tree.write('src/cli.ts', service(`1 as 'one'`));
	t.regex(await lines.until(/TS\d+/), /src\/cli\.ts/);
	t.is(await lines.until(/runn/), 'The version from before keeps running');

	tree.write('src/cli.ts', service('2'));
	t.is(await lines.until(/started|stopped/), 'stopped 1');
	t.is(await lines.until(/started|stopped/), 'started 2');

	lines.process.kill('SIGTERM');
	t.is(await lines.until(/stopped/), 'stopped 2');
	t.deepEqual(await once(lines.process, 'exit'), [0, null]);
});

/** A running script and the lines that it writes. */
function start(t: ExecutionContext, root: string, script: string) {
	const child: ChildProcess = spawn(process.execPath, [script], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
		env: {...process.env, REDIS_URL: 'redis://localhost'},
	});
	t.teardown(() => child.kill());
	if (child.stdout === null) {
		throw new Error('Expected a pipe');
	}

	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const next = async (): Promise<string> => (await lines.next()).value ?? t.fail('Expected another line');
	return {
		process: child,
		next,
		async until(pattern: RegExp): Promise<string> {
			for (;;) {
				const line = await next();
				if (pattern.test(line)) {
					return line;
				}
			}
		},
	};
}
