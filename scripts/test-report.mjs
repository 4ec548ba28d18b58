// The output of `npm test`: one progress line at a terminal, else one line per file. The numbers and the failures come last.

import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {stripVTControlCharacters} from 'node:util';
import {root} from './build.mjs';
import {patternOf, sourceOf} from './test-files.mjs';

const ofWholeFile = {
	'hook-failed': event => event.title,
	'internal-error': () => 'AVA failed',
	'missing-ava-import': () => 'it does not import AVA',
	'process-exit': () => 'it called process.exit()',
	'uncaught-exception': () => 'an exception was not caught',
	'unhandled-rejection': () => 'a rejected promise was not handled',
	'worker-failed': event => `its process ended with ${event.signal ?? `exit code ${event.nonZeroExitCode}`}`,
};

const slowest = 10;

export function createReport({isTerminal, columns = 80, write, now = () => performance.now()}) {
	const startedAt = now();
	const files = new Map();
	const failures = [];
	const skipped = [];
	// The time at which AVA could start another file. AVA reports a file only after loading it.
	const freed = [];
	let runStartedAt = startedAt;
	let fileCount = 0;

	const seconds = since => ((now() - since) / 1000).toFixed(1);
	const count = what => [...files.values()].reduce((sum, file) => sum + file[what], 0);
	const isDone = file => file.seconds !== undefined;

	function fileOf(testFile) {
		const name = testFile === undefined ? 'AVA' : sourceOf(path.relative(root, testFile));
		const file = files.get(name) ?? {name, passed: 0, failed: 0, pending: new Set(), output: ''};
		files.set(name, file);
		return file;
	}

	function fail(file, {title, reason, error, logs = []}) {
		failures.push({file, title, reason, error, logs});
		file.failed++;
	}

	function finish(file, reason = 'its process ended') {
		for (const title of file.pending) {
			fail(file, {title, reason: `It did not finish: ${reason}`});
		}

		file.pending.clear();
		file.seconds ??= Number(seconds(file.startedAt ?? runStartedAt));
		freed.push(now());
		if (!isTerminal) {
			write(`${file.failed > 0 ? '✘' : '✔'} ${lineOf(file)}\n`);
		}
	}

	/** Reports everything that still runs as failed. */
	function giveUp(reason) {
		for (const file of [...files.values()].filter(each => !isDone(each))) {
			if (file.pending.size === 0) {
				fail(file, {reason: `its process did not end: ${reason}`});
			}

			finish(file, reason);
		}
	}

	/** Handles an event of AVA. */
	function take(event) {
		if (event.type === 'run-started') {
			runStartedAt = now();
			return;
		}

		const file = fileOf(event.testFile);
		switch (event.type) {
			case 'file-started':
				fileCount = event.files;
				file.startedAt = freed.shift() ?? runStartedAt;
				break;
			case 'selected-test':
				if (event.skip || event.todo) {
					skipped.push(`${file.name} › ${event.title}`);
				} else {
					file.pending.add(event.title);
				}

				break;
			case 'test-passed':
				file.pending.delete(event.title);
				file.passed++;
				break;
			case 'test-failed':
				file.pending.delete(event.title);
				fail(file, {title: event.title, error: event.err, logs: event.logs});
				break;
			case 'timeout':
				for (const [testFile, titles] of event.pendingTests) {
					for (const title of titles) {
						fileOf(testFile).pending.delete(title);
						fail(fileOf(testFile), {title, reason: `It did not finish: no test did for ${event.period / 1000} s`});
					}
				}

				break;
			case 'worker-stdout':
			case 'worker-stderr':
				file.output += Buffer.from(event.chunk).toString();
				break;
			default:
				// After an exception AVA ends the process. That is not a separate failure.
				if (event.type in ofWholeFile && !(event.type === 'worker-failed' && file.failed > 0)) {
					fail(file, {reason: ofWholeFile[event.type](event), error: event.err});
				}
		}

		if (event.type === 'worker-finished' || event.type === 'worker-failed') {
			finish(file);
		}
	}

	function progress() {
		if (isTerminal) {
			const done = [...files.values()].filter(isDone).length;
			const counts = `${done}/${fileCount} files, ${number(count('passed'))} tests passed, ${count('failed')} failed`;
			write(`\r\x1b[2K${`${counts}, ${Math.round(seconds(startedAt))} s`.slice(0, columns - 1)}`);
		}
	}

	/** Prints the summary. Returns whether everything passed. */
	function end({cpuSeconds, allowsSkips}) {
		const finished = [...files.values()].filter(isDone);
		const cpu = cpuSeconds === undefined ? '' : `, ${cpuSeconds.toFixed(1)} s of CPU`;
		write(isTerminal ? '\r\x1b[2K' : '\n');
		if (finished.length > 1) {
			write(`Slowest files:\n`);
			for (const file of finished.sort((one, other) => other.seconds - one.seconds).slice(0, slowest)) {
				write(`  ${lineOf(file)}\n`);
			}
		}

		if (skipped.length > 0) {
			write(`\n${skipped.length} skipped${allowsSkips ? '' : ', which CI=true forbids'}:\n`);
			write(skipped.map(line => `  ${line}\n`).join(''));
		}

		const tests = plural(count('passed') + count('failed'), 'test');
		write(`\n${tests} in ${plural(finished.length, 'file')}: `);
		write(`${number(count('passed'))} passed, ${count('failed')} failed, ${skipped.length} skipped. `);
		write(`${seconds(startedAt)} s${cpu}\n`);
		for (const failure of failures) {
			write(describe(failure));
		}

		return failures.length === 0 && (allowsSkips || skipped.length === 0);
	}

	return {take, progress, giveUp, end, hasFailures: () => failures.length > 0};
}

const number = value => value.toLocaleString('en');
const plural = (value, word) => `${number(value)} ${word}${value === 1 ? '' : 's'}`;

function lineOf({name, passed, failed, seconds}) {
	return `${name}  ${plural(passed + failed, 'test')}${failed > 0 ? `, ${failed} failed` : ''}  ${seconds.toFixed(1)} s`;
}

function describe({file, title, reason, error, logs}) {
	const name = title ?? reason;
	const command =
		title === undefined
			? `npm run test:one ${file.name}`
			: `npm run test:one ${file.name} -- --match ${quote(patternOf(title))}`;
	const what = [
		title === undefined ? '' : reason,
		...explain(error),
		...logs,
		title === undefined ? printed(file) : '',
	];
	const text = what.filter(part => part).join('\n\n');
	return `\n✘ ${file.name} › ${name}\n${text.replace(/^(?=.)/gm, '    ')}\n\n    ${command}\n`;
}

function explain(error) {
	if (error === undefined) {
		return [];
	}

	if (error.type === 'aggregate') {
		return [error.message, ...error.errors.flatMap(explain)];
	}

	if (error.type === 'unknown') {
		return [`Expected an error, found ${error.formattedError}`];
	}

	const place = error.source ? `${nameOf(error.source.file)}:${error.source.line}` : '';
	const details = (error.formattedDetails ?? []).map(({label, formatted}) => `${label}\n\n${formatted}`);
	const name = error.type === 'native' ? `${error.name}: ` : '';
	const message = details[0]?.startsWith(error.message) ? '' : `${name}${error.message}`;
	return [[place, message].filter(part => part).join('\n'), ...details, stackOf(error.stack)];
}

/** The stack frames inside the project. */
function stackOf(stack = '') {
	const lines = stack.split('\n').filter(line => /^\s+at /.test(line));
	const own = lines.filter(line => line.includes(root) && !line.includes('node_modules'));
	return own.map(line => line.trim().replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '')).join('\n');
}

function nameOf(file) {
	const name = path.relative(root, file.startsWith('file:') ? fileURLToPath(file) : file);
	return name.startsWith('dist') ? sourceOf(name) : name;
}

/** The last output of a file's process. */
function printed({output}) {
	return stripVTControlCharacters(output).trim().split('\n').slice(-20).join('\n');
}

function quote(text) {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
