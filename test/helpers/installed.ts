// A repository of somebody's own that has Bothy as a package: the tarball of `npm pack`, unpacked as npm would, beside links
// to those packages of ours that it is to find.

import {execFile} from 'node:child_process';
import {chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {promisify} from 'node:util';
import type {Scope} from './bothy.js';

const run = promisify(execFile);

/** The tarball of dist/. */
async function packInto(folder: string): Promise<string> {
	const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
	const {stdout} = await run('npm', words, {maxBuffer: 10_000_000});
	const [{filename}] = JSON.parse(stdout) as [{filename: string}];
	return join(folder, filename);
}

interface Manifest {
	readonly version: string;
	readonly dependencies: object;
}

export const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;

export interface Repository {
	readonly folder: string;
	/** The package's command line. */
	readonly cli: string;
	/** Files of the package. */
	readonly files: readonly string[];
	write(name: string, text: string): Promise<void>;
	/** Has it find more packages of ours. */
	link(names: readonly string[]): Promise<void>;
	/** Runs a program of the repository in its folder; what it prints, and its exit code. */
	run(program: string, ...words: string[]): Promise<{code: number; output: string}>;
}

/** What a production image may leave out (docs/operating.md). */
export const REALM_PACKAGES = ['helmet', 'htm', 'libsql', 'markdown-it', 'preact'];

/** With what the package needs in production, and these packages of ours besides: none that only the realm needs. */
export async function installed(t: Scope, packages: readonly string[]): Promise<Repository> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-repository-'));
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	const tarball = await packInto(folder);
	const home = join(folder, 'node_modules', 'bothy');
	await mkdir(home, {recursive: true});
	const {stdout} = await run('tar', ['-xvzf', tarball, '-C', home, '--strip-components=1']);

	async function link(names: readonly string[]): Promise<void> {
		for (const name of names) {
			const place = join(folder, 'node_modules', name);
			await mkdir(dirname(place), {recursive: true});
			await symlink(resolve('node_modules', name), place);
		}
	}

	const needed = Object.keys(manifest.dependencies).filter(name => !REALM_PACKAGES.includes(name));
	await link([...needed, ...packages]);
	const cli = join(home, 'dist', 'src', 'cli.js');
	await chmod(cli, 0o755);
	await mkdir(join(folder, 'node_modules', '.bin'));
	await symlink(cli, join(folder, 'node_modules', '.bin', 'bothy'));
	const write = async (name: string, text: string) => {
		await mkdir(dirname(join(folder, name)), {recursive: true});
		await writeFile(join(folder, name), text);
	};
	await write('package.json', '{}');

	return {
		folder,
		cli,
		files: stdout
			.trim()
			.split('\n')
			.map(file => file.replace(/^package\//, '')),
		write,
		link,
		async run(program, ...words) {
			const env = {PATH: process.env.PATH, HOME: process.env.HOME};
			return run(program, words, {cwd: folder, env}).then(
				({stdout, stderr}) => ({code: 0, output: stdout + stderr}),
				(failure: {code: number; stdout: string; stderr: string}) => ({
					code: failure.code,
					output: failure.stdout + failure.stderr,
				}),
			);
		},
	};
}
