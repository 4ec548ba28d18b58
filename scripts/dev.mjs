// Runs `bothy dev`, which reloads a bot when it is saved. When a source of Bothy itself is saved, this script compiles, and
// restarts everything after a clean compile.

import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {build, isBuilt, root, stamp} from './build.mjs';
import {say} from './run.mjs';

// Polling is cheap (a few ms for all sources). Unlike watching, it notices every way in which editors save.
const lookEveryMs = 150;
const program = [path.join('dist', 'src', 'cli.js'), 'dev', ...process.argv.slice(2)];
const folders = ['src', 'workers'];

let child;
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, stop);
}

process.chdir(root);
let compiled = stamp(folders);
if (!isBuilt()) {
	// Type errors, perhaps in a bot, have been printed and do not prevent a run.
	await compile();
}

child = start();

while (!isStopping) {
	await sleep(lookEveryMs);
	if (stamp(folders) !== compiled && !isStopping) {
		compiled = stamp(folders);
		await rebuild();
	}
}

async function rebuild() {
	const code = await compile();
	if (code !== 0) {
		say(child ? 'The previous version keeps running' : 'Nothing runs until you fix this');
		return;
	}

	await end();
	if (!isStopping) {
		child = start();
	}
}

/** Resolves to the exit code. The bundler refuses some code that the compiler accepts. */
function compile() {
	return build().catch(error => {
		say(error.message);
		return 1;
	});
}

function start() {
	if (!existsSync(program[0])) {
		say(`There is no ${program[0]} to start`);
		return undefined;
	}

	// A separate process group: Ctrl-C in the terminal goes to us, and we stop the child once.
	const started = spawn(process.execPath, ['--enable-source-maps', ...program], {stdio: 'inherit', detached: true});
	started.once('exit', (code, signal) => {
		if (child === started) {
			child = undefined;
			say(`It ended by itself (${signal ?? `exit code ${code}`}); the next save starts it again`);
		}
	});
	return started;
}

async function end() {
	if (!child) {
		return;
	}

	const running = child;
	// From here on we expect it to end.
	child = undefined;
	const exited = new Promise(resolve => running.once('exit', resolve));
	running.kill('SIGTERM');
	const impatience = setTimeout(() => running.kill('SIGKILL'), 15_000);
	await exited;
	clearTimeout(impatience);
}

async function stop() {
	if (isStopping) {
		return;
	}

	isStopping = true;
	await end();
	process.exit();
}
