// One receiver's process, as the primary sees it.

import {type ChildProcess, fork} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {SOCKET_FD} from './listening-socket.js';
import {type FromPrimary, FromReceiver, type Needs, WAITS} from './primary-messages.js';

/** A receiver ended before it was ready; the message says why, in its own words where it found any. */
export class ReceiverStartError extends Error {
	override name = 'ReceiverStartError' as const;
}

/**
 * Room for what deliveries under way allocate, in MB: with V8's own 16 more of it is copied before it dies. Beside fifty
 * connections that saves up to a tenth of a receiver's time, for 20 MB of memory.
 */
export const RECEIVER_FLAGS = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

export interface ReceiverProgram {
	/** A compiled module, and its arguments. */
	readonly exec: string;
	readonly args: readonly string[];
	readonly env: NodeJS.ProcessEnv;
}

export interface Ending {
	/** `code 1`, `SIGKILL`. */
	readonly how: string;
	/** How long it was ready; 0 when it never was. */
	readonly servedMs: number;
}

export interface ReceiverProcess {
	readonly id: string;
	readonly pid: number | undefined;
	/** The URL at which it listens; rejects with a ReceiverStartError. */
	readonly ready: Promise<string>;
	readonly ended: Promise<Ending>;
	/** Its turn has come; one that is not ready `startMs` later is killed. */
	start(): void;
	tell(message: FromPrimary): void;
	/** Its metrics; undefined if it does not answer in time. */
	metrics(): Promise<readonly unknown[] | undefined>;
	/** Lets it finish its work, and kills it after `graceMs`; resolves when it is gone. */
	drain(graceMs: number): Promise<Ending>;
}

/** A receiver that takes longer is left out. */
const METRICS_MS = 2_000;

export interface LaunchOptions {
	readonly fd: number | undefined;
	readonly startMs: number;
	/** Whether it is to begin only when its `start` is called. */
	readonly waits: boolean;
	/** Told what its bots need of their accounts, by one that says so. */
	onNeeds?(needs: Needs): void;
}

export function launchReceiver(program: ReceiverProgram, options: LaunchOptions): ReceiverProcess {
	const {fd, startMs, waits, onNeeds} = options;
	const id = randomUUID();
	const child = fork(program.exec, program.args, {
		execArgv: [...RECEIVER_FLAGS, ...process.execArgv],
		// As systemd hands over a socket, save that nobody knows a process's id before it runs.
		env: {
			...program.env,
			BOTHY_PROCESS: id,
			LISTEN_FDS: fd === undefined ? undefined : '1',
			LISTEN_PID: undefined,
			[WAITS]: waits ? '1' : undefined,
		},
		stdio: stdioWith(fd),
	});
	const ended = endOf(child);
	child.on('message', message => {
		const {data} = FromReceiver.safeParse(message);
		if (data?.kind === 'needs') {
			onNeeds?.(data.needs);
		}
	});
	const {ready, servedMs, begin} = startOf(child, {ended, startMs});

	function tell(message: FromPrimary): void {
		if (child.connected) {
			// One that dies meanwhile is buried when it ends.
			child.send(message, () => {});
		}
	}

	function start(): void {
		begin();
		tell({kind: 'start'});
	}

	async function drain(graceMs: number): Promise<Ending> {
		tell({kind: 'drain'});
		const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
		const how = await ended;
		clearTimeout(timer);
		return {how, servedMs: servedMs()};
	}

	function metrics(): Promise<readonly unknown[] | undefined> {
		return new Promise(resolve => {
			const timer = setTimeout(() => end(undefined), METRICS_MS);
			const listen = (message: unknown) => {
				const {data} = FromReceiver.safeParse(message);
				if (data?.kind === 'metrics') {
					end(data.metrics);
				}
			};
			const end = (found: readonly unknown[] | undefined) => {
				clearTimeout(timer);
				child.off('message', listen);
				resolve(found);
			};
			child.on('message', listen);
			tell({kind: 'metrics'});
		});
	}

	return {
		id,
		pid: child.pid,
		metrics,
		ready,
		ended: ended.then(how => ({how, servedMs: servedMs()})),
		start,
		tell,
		drain,
	};
}

function stdioWith(fd: number | undefined) {
	const stdio: ('ignore' | 'inherit' | 'ipc' | number)[] = ['ignore', 'inherit', 'inherit'];
	stdio[SOCKET_FD] = fd ?? 'ignore';
	return [...stdio, 'ipc' as const];
}

function endOf(child: ChildProcess): Promise<string> {
	return new Promise(resolve => {
		child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
		child.on('error', error => {
			// Without an id it never ran, and no 'exit' will come.
			if (child.pid === undefined) {
				resolve(error.message);
			}
		});
	});
}

function startOf(child: ChildProcess, {ended, startMs}: {ended: Promise<string>; startMs: number}) {
	let readyAt: number | undefined;
	let reason: string | undefined;
	let timer: NodeJS.Timeout | undefined;
	const begin = () => {
		timer = setTimeout(() => {
			reason = `The receiver was not ready within ${startMs / 1000} s.`;
			child.kill('SIGKILL');
		}, startMs);
	};
	const ready = new Promise<string>((resolve, reject) => {
		child.on('message', message => {
			const {data} = FromReceiver.safeParse(message);
			if (data?.kind === 'ready') {
				clearTimeout(timer);
				readyAt ??= performance.now();
				resolve(data.url);
			} else if (data?.kind === 'failed') {
				reason = data.message;
			}
		});
		void ended.then(async how => {
			clearTimeout(timer);
			// Its last words may still be on their way.
			if (child.connected) {
				await once(child, 'disconnect');
			}

			reject(new ReceiverStartError(reason ?? `The receiver ended with ${how} before it was ready.`));
		});
	});
	// Not everybody who starts one waits for it.
	ready.catch(() => {});
	return {ready, servedMs: () => (readyAt === undefined ? 0 : performance.now() - readyAt), begin};
}
