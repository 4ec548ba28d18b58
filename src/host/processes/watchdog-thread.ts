// The thread of the watchdog; see watchdog.ts.

import {writeSync} from 'node:fs';
import {type Debugger, type InspectorNotification, Session} from 'node:inspector';
import {workerData} from 'node:worker_threads';
import {describePlace, type Script} from './source-map.js';
import {readMemory, type ThreadData} from './watchdog.js';

// startWatchdog is the only one who starts this thread.
const {memory, stallMs, stackMs, beatMs} = workerData as ThreadData;
const {beats, isDebugged, running, names} = readMemory(memory);

let lastBeats = beats();
let stillMs = 0;

// Counted in own ticks rather than by a clock: while the whole process is suspended, by SIGSTOP or a laptop's lid, the
// ticks stand still too.
const watch = setInterval(() => {
	const isAlive = beats() !== lastBeats || isDebugged();
	lastBeats = beats();
	stillMs = isAlive ? 0 : stillMs + beatMs;
	if (stillMs >= stallMs) {
		clearInterval(watch);
		void findStack()
			.catch(() => [])
			.then(end);
	}
}, beatMs);

function end(stack: readonly string[]): void {
	const line = {
		level: 60,
		time: new Date().toISOString(),
		process: process.env.BOTHY_PROCESS,
		running: running(),
		deliveries: names(),
		stack,
		msg: `the event loop was blocked for ${stallMs / 1000} s; ending this process`,
	};
	print(`${JSON.stringify(line)}\n`);
	process.kill(process.pid, 'SIGKILL');
}

/** Where the main thread stands; empty when it cannot be interrupted. */
function findStack(): Promise<readonly string[]> {
	return new Promise(resolve => {
		setTimeout(() => resolve([]), stackMs);
		const scripts = new Map<string, Script>();
		const session = new Session();
		session.connectToMainThread();
		session.on('Debugger.scriptParsed', ({params}: InspectorNotification<Debugger.ScriptParsedEventDataType>) => {
			const {scriptId, url, sourceMapURL: sourceMapUrl = ''} = params;
			scripts.set(scriptId, {url, sourceMapUrl});
		});
		session.once('Debugger.paused', ({params}: InspectorNotification<Debugger.PausedEventDataType>) => {
			resolve(params.callFrames.map(frame => describeFrame(frame, scripts)));
		});
		session.post('Debugger.enable');
		session.post('Debugger.pause');
	});
}

function describeFrame({functionName, location}: Debugger.CallFrame, scripts: Map<string, Script>): string {
	const {scriptId, lineNumber: line, columnNumber: column = 0} = location;
	const script = scripts.get(scriptId) ?? {url: '', sourceMapUrl: ''};
	return `${functionName || '<anonymous>'} (${describePlace(script, {line, column})})`;
}

/** A full pipe gets a moment to be read; then the end is more important than its line. */
function print(text: string): void {
	let rest = Buffer.from(text);
	for (let attempt = 0; rest.length > 0 && attempt < 20; attempt += 1) {
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
		}
	}
}
