// A receiver process, as the primary sees it.

import {type ChildProcess, fork} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import type {BotReport} from '../playground/bot-report.js';
import {SOCKET_FD} from './listening-socket.js';
import {type FromPrimary, FromReceiver, type Needs, WAITS} from './primary-messages.js';

/** A receiver ended before it was ready. The message is the receiver's own, if it sent one. */
export class ReceiverStartError extends Error {
	override name = 'ReceiverStartError' as const;
}

/**
 * A larger young generation, in MB, for what running deliveries allocate. With V8's default of 16, more objects are copied before
 * they die. With fifty connections, this saves up to a tenth of a receiver's CPU time. It grows under load.
 */
export const RECEIVER_FLAGS = ['--max-semi-space-size=32'];

export interface ReceiverProgram {
	/** A compiled module and its arguments. */
	readonly exec: string;
	readonly args: readonly string[];
	readonly env: NodeJS.ProcessEnv;
}

export interface Ending {
	/** `code 1`, `SIGKILL`. */
	readonly how: string;
	/** How long it was ready; 0 if it never was. */
	readonly servedMs: number;
}

export interface ReceiverProcess {
	readonly id: string;
	readonly pid: number | undefined;
	/** Resolves with its URL; rejects with a ReceiverStartError. */
	readonly ready: Promise<string>;
	readonly ended: Promise<Ending>;
	/** Lets it start, with more environment if it waits. If it is not ready after `startMs`, it is killed. */
	start(env?: Readonly<Record<string, string>>): void;
	tell(message: FromPrimary): void;
	/** Reads its metrics. Undefined if it does not answer in time. */
	metrics(): Promise<readonly unknown[] | undefined>;
	/** Lets it finish its work, and kills it after `graceMs`. Resolves when it has ended. */
	drain(graceMs: number): Promise<Ending>;
}

/** Time limit for reading metrics. */
const METRICS_MS = 2_000;

export interface LaunchOptions {
	readonly fd: number | undefined;
	readonly startMs: number;
	/** Whether it waits until `start` is called. */
	readonly waits: boolean;
	/** Called when it reports what its bots need of their accounts. */
	onNeeds?(needs: Needs): void;
	/** Called when it tells of its bots. */
	onBots?(bots: BotReport[]): void;
}

export function launchReceiver(program: ReceiverProgram, options: LaunchOptions): ReceiverProcess {
	const {fd, startMs, waits, onNeeds, onBots} = options;
	const id = randomUUID();
	const child = fork(program.exec, program.args, {
		execArgv: [...RECEIVER_FLAGS, ...process.execArgv],
		// The way systemd passes a socket, but without LISTEN_PID, because the process id is not known before the process runs.
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
		} else if (data?.kind === 'bots') {
			onBots?.(data.bots);
		}
	});
	const {ready, servedMs, begin} = startOf(child, {ended, startMs});

	function tell(message: FromPrimary): void {
		if (child.connected) {
			// If it dies in the meantime, the 'exit' event handles it.
			child.send(message, () => {});
		}
	}

	function start(env?: Readonly<Record<string, string>>): void {
		begin();
		tell({kind: 'start', env});
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
			// Without a pid, the process never ran and there will be no 'exit'.
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
			reason = `The receiver was not ready within ${startMs / 1000} s. Check the load of this machine, then start again.`;
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
			// Its last message may not have arrived yet.
			if (child.connected) {
				await once(child, 'disconnect');
			}

			reject(new ReceiverStartError(reason ?? `The receiver ended with ${how} before it was ready.`));
		});
	});
	// Some callers do not wait for it.
	ready.catch(() => {});
	return {ready, servedMs: () => (readyAt === undefined ? 0 : performance.now() - readyAt), begin};
}
