// A small project with our scripts, in its own folder.

import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import type {ExecutionContext} from 'ava';

export function startTree(t: Pick<ExecutionContext, 'teardown'>, files: Record<string, string> = {}) {
	const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'bothy-tree-')));
	t.teardown(() => rmSync(root, {recursive: true, force: true}));
	for (const name of ['scripts', 'tsconfig.json', 'ava.config.js']) {
		cpSync(name, path.join(root, name), {recursive: true});
	}

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

/** Runs a script of the tree to its end. */
export function runScript(root: string, script: string, {words = [], env = {}}: Run = {}) {
	const {stdout, stderr, status} = spawnSync(process.execPath, [path.join('scripts', script), ...words], {
		cwd: root,
		encoding: 'utf8',
		env: {...process.env, ...env},
	});
	return {output: stdout + stderr, status};
}

interface Run {
	readonly words?: readonly string[];
	readonly env?: NodeJS.ProcessEnv;
}

/** A running script of the tree and the lines that it writes. */
export function startScript(t: ExecutionContext, root: string, script: string, {words = [], env = {}}: Run = {}) {
	const child: ChildProcess = spawn(process.execPath, [path.join('scripts', script), ...words], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
		env: {...process.env, ...env},
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
