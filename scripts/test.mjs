// `npm test [file or folder…] [option of AVA…]`: runs all tests, or the named ones, and reports.

import {spawn} from 'node:child_process';
import path from 'node:path';
import {root} from './build.mjs';
import {endTree, secondsOfChildren} from './processes.mjs';
import {toOutput} from './test-files.mjs';
import {createReport} from './test-report.mjs';

const isTerminal = process.stdout.isTTY === true;
const words = process.argv.slice(2).map(toOutput);
process.chdir(root);

const report = createReport({
	isTerminal,
	columns: process.stdout.columns,
	write: text => process.stdout.write(text),
});
const ava = spawn(
	process.execPath,
	[path.join('node_modules', '.bin', 'ava'), ...(isTerminal ? ['--color'] : []), ...words],
	// A separate process group: Ctrl-C in the terminal goes to us, and we end everything.
	{stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced', detached: true},
);

// AVA's own report, for problems without an event: a wrong option, a broken config. (Its TAP report stops at a timeout.)
let printed = '';
for (const stream of [ava.stdout, ava.stderr]) {
	stream.setEncoding('utf8').on('data', text => {
		printed = (printed + text).slice(-4000);
	});
}

let endedBy;
// AVA does not notice a test that hangs after a longer timeout of its own.
const patienceSeconds = Number(process.env.TEST_TIMEOUT_SECONDS ?? 300);
let hasStalled = false;
const stalling = setTimeout(() => {
	hasStalled = true;
	void endTree(ava.pid);
}, patienceSeconds * 1000);

for (const [signal, number] of Object.entries({SIGINT: 2, SIGTERM: 15, SIGHUP: 1})) {
	process.on(signal, () => {
		// The second Ctrl-C does not wait.
		void endTree(ava.pid, endedBy === undefined ? 3000 : 0);
		endedBy = 128 + number;
	});
}

ava.on('message', event => {
	if (!hasStalled) {
		stalling.refresh();
		report.take(event);
	}
});
const ticking = setInterval(report.progress, 200);
const code = await new Promise(resolve => ava.once('close', resolve));
clearInterval(ticking);
clearTimeout(stalling);
if (hasStalled) {
	report.giveUp(`nothing happened for ${patienceSeconds} s`);
}

const isGood = report.end({cpuSeconds: secondsOfChildren(), allowsSkips: process.env.CI !== 'true'});
if (endedBy === undefined && !hasStalled && code !== 0 && !report.hasFailures()) {
	console.log(`\nAVA ended with exit code ${code}:\n${printed}`);
}

if (hasStalled) {
	console.log(`\nEnded, because nothing happened for ${patienceSeconds} s`);
}

if (endedBy !== undefined) {
	console.log('\nInterrupted');
}

process.exitCode = endedBy ?? (code === 0 && isGood && !hasStalled ? 0 : 1);
