// `npm run check`: all checks of the sources that do not run them. Every check runs; failures are printed.

import {spawn} from 'node:child_process';
import path from 'node:path';
import {root} from './build.mjs';
import {say} from './run.mjs';

const program = name => path.join('node_modules', '.bin', name);
const colors = process.stdout.isTTY ? {FORCE_COLOR: '1'} : {};

const checks = [
	{title: 'Format and lint', words: [program('biome'), 'check', ...(process.stdout.isTTY ? ['--colors=force'] : [])]},
	{
		title: 'Types',
		words: [program('tsc'), '-p', '.', '--noEmit', '--tsBuildInfoFile', path.join('dist', '.check.tsbuildinfo')],
	},
	{title: 'Types of the chat page', words: [program('tsc'), '-p', path.join('src', 'realm', 'page')]},
	{title: "Types of the console's page", words: [program('tsc'), '-p', path.join('src', 'console', 'page')]},
	{title: 'Imports', words: [path.join('scripts', 'imports.mjs')]},
	{title: 'Unused code', words: [program('knip')]},
];

process.chdir(root);
const results = await Promise.all(checks.map(run));
for (const {title, code, output} of results) {
	say(`${code === 0 ? '✔' : '✘'} ${title}`);
	if (code !== 0) {
		say(`${output.trim().replace(/^/gm, '  ')}\n`);
	}
}

process.exitCode = results.every(({code}) => code === 0) ? 0 : 1;

async function run({title, words}) {
	const child = spawn(process.execPath, words, {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...colors}});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', text => {
			output += text;
		});
	}

	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	return {title, code, output};
}
