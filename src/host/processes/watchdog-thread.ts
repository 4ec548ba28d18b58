// The thread of the watchdog; see watchdog.ts.

import {writeSync} from 'node:fs';
import {type Debugger, type InspectorNotification, Session} from 'node:inspector';
import {workerData} from 'node:worker_threads';
import {describePlace, type Script} from './source-map.js';
import {readMemory, type ThreadData} from './watchdog.js';

// Only startWatchdog starts this thread.
const {memory, stallMs, stackMs, beatMs} = workerData as ThreadData;
const {beats, isDebugged, running, names} = readMemory(memory);

/**
 * The event loop blocks if it stands still while the process computes for this share of the time, or after this many times the
 * limit in any case. On a machine without free CPU time, every process stops at times.
 */
const COMPUTING_SHARE = 0.5;
const LIMITS_WITHOUT_CPU = 6;

let lastBeats = beats();
let stillMs = 0;
let cpuBefore = cpuMs();

// Counts ticks of its own instead of using a clock: while the whole process is suspended, by SIGSTOP or a closed laptop, the
// ticks stand still too.
const watch = setInterval(() => {
	const isAlive = beats() !== lastBeats || isDebugged();
	lastBeats = beats();
	stillMs = isAlive ? 0 : stillMs + beatMs;
	if (isAlive) {
		cpuBefore = cpuMs();
	}

	const isComputing = cpuMs() - cpuBefore >= stallMs * COMPUTING_SHARE;
	if (stillMs >= (isComputing ? stallMs : stallMs * LIMITS_WITHOUT_CPU)) {
		clearInterval(watch);
		void findStack()
			.catch(() => [])
			.then(end);
	}
}, beatMs);

/** CPU time of this process. */
function cpuMs(): number {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1_000;
}

function end(stack: readonly string[]): void {
	const line = {
		level: 60,
		time: new Date().toISOString(),
		process: process.env.BOTHY_PROCESS,
		running: running(),
		deliveries: names(),
		stack,
		msg: `the event loop was blocked for ${stillMs / 1000} s; ending this process`,
	};
	print(`${JSON.stringify(line)}\n`);
	process.kill(process.pid, 'SIGKILL');
}

/** The stack of the main thread. Empty if it cannot be interrupted. */
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

/** Gives the reader of a full pipe a moment. After that, ending the process is more important than the line. */
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
