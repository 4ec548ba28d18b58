// Debian packages: installed if permissions allow, else unpacked under .data/ with the libraries that the system lacks.

import {mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {Failure, findProgram, isExecutable, run, succeeds} from './run.mjs';

const isRoot = process.getuid?.() === 0;
const patience = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2'];

export async function canInstall() {
	return isRoot || (findProgram(['sudo']) !== undefined && (await succeeds('sudo', ['-n', 'true'])));
}

export async function installPackages(packages, title) {
	await asRoot(['apt-get', ...patience, 'update'], `Fetching the list of packages for ${title}`);
	const install = ['apt-get', ...patience, 'install', '-y', '--no-install-recommends', ...packages];
	await asRoot(install, `Installing ${title} with \`apt-get install ${packages.join(' ')}\``);
}

async function asRoot(words, title) {
	const call = ['env', 'DEBIAN_FRONTEND=noninteractive', ...words];
	const [command, ...rest] = isRoot ? call : ['sudo', '-n', ...call];
	await run(command, rest, {title});
}

/** Creates `.data/bin/<name>`, which starts `program` from the packages. */
export async function unpackPackages(packages, {title, program, name}) {
	const ownLists = path.resolve('.data', 'apt');
	const tools = path.resolve('.data', 'tools', name);
	mkdirSync(path.resolve('.data', 'tools'), {recursive: true});
	const folder = mkdtempSync(path.resolve('.data', 'tools', 'new-'));
	try {
		const found = await listPackages({packages, title, ownLists});
		await run('apt-get', [...found.words, 'download', ...found.packages], {
			cwd: folder,
			title: `Fetching ${title} (${found.packages.length} packages)`,
		});
		const archives = readdirSync(folder).filter(file => file.endsWith('.deb'));
		for (const archive of archives) {
			await run('dpkg-deb', ['-x', path.join(folder, archive), folder]);
			rmSync(path.join(folder, archive));
		}

		if (!isExecutable(path.join(folder, program))) {
			throw new Failure(`Expected ${program} in the packages ${packages.join(', ')}`);
		}

		rmSync(tools, {recursive: true, force: true});
		renameSync(folder, tools);
	} finally {
		rmSync(folder, {recursive: true, force: true});
		rmSync(ownLists, {recursive: true, force: true});
	}

	writeStarter({tools, program, name});
}

/** What apt would install for these packages, by our own package lists: those of the system may be missing or old. */
async function listPackages({packages, title, ownLists}) {
	const lists = path.join(ownLists, 'lists');
	const cache = path.join(ownLists, 'cache');
	mkdirSync(path.join(lists, 'partial'), {recursive: true});
	mkdirSync(path.join(cache, 'archives', 'partial'), {recursive: true});
	const words = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'Debug::NoLocking=1'];
	await run('apt-get', [...words, ...patience, 'update'], {title: `Fetching the list of packages for ${title}`});

	const plan = await run('apt-get', [...words, 'install', '-s', '--no-install-recommends', ...packages]);
	const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(match => match[1]);
	// A C library works only with the loader that it belongs to.
	return {words, packages: [...new Set([...names, ...packages])].filter(name => !/^libc6|^libc-bin/.test(name))};
}

function writeStarter({tools, program, name}) {
	const starter = path.resolve('.data', 'bin', name);
	const libraries = libraryFolders(tools).map(folder => `$tools/${path.relative(tools, folder)}`);
	const lines = [
		'#!/bin/sh',
		'# Made by scripts/prepare.mjs: runs an unpacked program with the libraries beside it.',
		`tools=$(cd "$(dirname "$0")/../tools/${name}" && pwd) || exit 1`,
		`export LD_LIBRARY_PATH="${libraries.join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
		'export FONTCONFIG_FILE="$tools/fonts.conf"',
		`exec "$tools/${program}" "$@"`,
		'',
	];
	const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
	<dir prefix="relative">usr/share/fonts</dir>
	<cachedir prefix="relative">cache</cachedir>
</fontconfig>
`;
	writeFileSync(path.join(tools, 'fonts.conf'), fonts);
	mkdirSync(path.dirname(starter), {recursive: true});
	writeFileSync(starter, lines.join('\n'), {mode: 0o755});
}

function libraryFolders(folder) {
	const entries = readdirSync(folder, {withFileTypes: true});
	const inside = entries
		.filter(entry => entry.isDirectory())
		.flatMap(entry => libraryFolders(path.join(folder, entry.name)));
	return entries.some(entry => /\.so(\.|$)/.test(entry.name)) ? [folder, ...inside] : inside;
}
