// Runs other programs and reports progress: one line per step, a sign of life during long ones, and their output on failure.

import {spawn} from 'node:child_process';
import {accessSync, constants, statSync} from 'node:fs';
import path from 'node:path';

/** An error that the user can fix. Only its message is printed. */
export class Failure extends Error {}

export function say(text) {
	console.log(text);
}

export function findProgram(names, folders = []) {
	const places = [...(process.env.PATH ?? '').split(path.delimiter).filter(folder => folder !== ''), ...folders];
	return names.flatMap(name => places.map(folder => path.resolve(folder, name))).find(isExecutable);
}

export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** Runs one program. Resolves to its output; throws a `Failure` that ends with the last part of the output. */
export async function run(command, words, {title, progress = lastLine, ...options} = {}) {
	const child = spawn(command, words, {stdio: ['ignore', 'pipe', 'pipe'], ...options});
	const lines = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', text => lines.push(...text.split('\n').filter(line => line.trim() !== '')));
	}

	const stopTicking = title ? tick(title, () => progress(lines)) : () => {};
	const code = await new Promise(resolve => {
		child.once('error', error => resolve(error.message));
		child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
	});
	stopTicking();
	if (code === 0) {
		return lines.join('\n');
	}

	const call = [path.basename(command), ...words].join(' ');
	throw new Failure(`\`${call}\` failed (${code}):\n${shorten(lines.filter(isTelling)).join('\n')}`);
}

/** Whether a program runs and exits with 0. */
export async function succeeds(command, words, options = {}) {
	try {
		await run(command, words, options);
		return true;
	} catch {
		return false;
	}
}

function tick(title, progress) {
	const started = Date.now();
	const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
	if (!process.stdout.isTTY) {
		say(title);
		const timer = setInterval(() => say(`  ${seconds()} s: ${progress()}`), 10_000);
		return () => clearInterval(timer);
	}

	const show = text => process.stdout.write(`\r\x1b[2K${text.slice(0, (process.stdout.columns || 80) - 1)}`);
	const draw = () => show(`${title} ${seconds()} s ${progress()}`);
	draw();
	const timer = setInterval(draw, 200);
	return () => {
		clearInterval(timer);
		show(`${title} (${seconds()} s)`);
		process.stdout.write('\n');
	};
}

// Hides the list of packages that npm fetched.
function isTelling(line) {
	return !/^npm (http|notice|warn)/.test(line);
}

// npm prints the error at the top, apt at the end.
function shorten(lines) {
	return lines.length > 25 ? [...lines.slice(0, 12), '…', ...lines.slice(-12)] : lines;
}

function lastLine(lines) {
	return lines.at(-1)?.trim() ?? '';
}
