// Runs `bothy dev`, which answers anew when a bot is saved. Here: when a source of Bothy itself is saved, compiles, and starts
// everything anew after a clean compile.

import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {build, isBuilt, root, stamp} from './build.mjs';
import {say} from './run.mjs';

// Looking is cheap (a few ms for all sources) and, unlike watching, sees every way in which editors save.
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
	// Wrong types, perhaps of a bot, have been told and keep nothing from running.
	await build();
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
	const code = await build();
	if (code !== 0) {
		say(child ? 'The previous version keeps running' : 'Nothing runs until you fix this');
		return;
	}

	await end();
	if (!isStopping) {
		child = start();
	}
}

function start() {
	if (!existsSync(program[0])) {
		say(`There is no ${program[0]} to start`);
		return undefined;
	}

	// In a process group of its own: Ctrl-C in the terminal is for us, and we stop it once.
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
	// From here on its end is no accident.
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
