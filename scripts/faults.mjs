// `npm run faults [name…] [-- --short]`: runs the fault suites of test/faults/ with real processes, in full or short size.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {root} from './build.mjs';
import {isSetting} from './settings.mjs';

// `attack` measures response times under full CPU load. It needs a machine for itself, so it runs only when named.
const SUITES = ['deliveries', 'sends', 'drafts', 'deploy'];

// Like other tests, these do not see the settings of the shell that starts them.
for (const name of Object.keys(process.env).filter(isSetting)) {
	delete process.env[name];
}

const words = process.argv.slice(2);
const options = words.filter(word => word === '--short');
const names = words.filter(word => word !== '--short');
const programs = (names.length === 0 ? SUITES : names).map(name =>
	path.join(root, 'dist', 'test', 'faults', `${name}.js`),
);
const missing = programs.find(program => !existsSync(program));
if (missing) {
	console.error(`Expected one of ${SUITES.join(', ')}, found no ${missing}`);
	process.exit(2);
}

const total = {lost: 0, doubled: 0, all: 0};
// In short they wait most of the time, so two run side by side. The output of each is printed when it ends.
const isShort = options.length > 0;
const queue = [...programs];
await Promise.all([runQueue(), isShort && runQueue()]);

if (programs.length > 1) {
	console.log(`lost ${total.lost}, doubled ${total.doubled} of ${total.all}`);
}

async function runQueue() {
	for (let program = queue.shift(); program; program = queue.shift()) {
		await run(program);
	}
}

async function run(program) {
	const child = spawn(process.execPath, [program, ...options], {stdio: ['inherit', 'pipe', 'inherit']});
	const closed = once(child, 'close');
	const held = [];
	for await (const line of createInterface(child.stdout)) {
		if (isShort) {
			held.push(line);
		} else {
			console.log(line);
		}

		const [, lost, doubled, all] = /^lost (\d+), doubled (\d+) of (\d+)$/.exec(line) ?? [];
		total.lost += Number(lost ?? 0);
		total.doubled += Number(doubled ?? 0);
		total.all += Number(all ?? 0);
	}

	const [code] = await closed;
	if (isShort) {
		console.log(held.join('\n'));
	}

	process.exitCode ||= code ?? 1;
}
