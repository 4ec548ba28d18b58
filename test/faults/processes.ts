// The processes of the suites: realm, hosts of receivers, workers, each started again when it dies.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createWriteStream, readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const BOTS = fileURLToPath(new URL('./bots/', import.meta.url));
const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

export interface Kept {
	/** Processes that may be killed: the receivers under a primary, or the process itself. */
	pids(): readonly number[];
	/** SIGKILL ends one of those; any other signal goes to the process itself, as a supervisor sends it. */
	strike(signal: Strike): void;
	/** Whether it said that it runs, and was not told to stop since. */
	readonly isUp: boolean;
	up(): Promise<void>;
	/** SIGTERM, and another one in its place when it has ended, as a supervisor does it. */
	restart(): Promise<void>;
	/** SIGHUP; resolves when each of its processes was replaced. */
	reload(): Promise<void>;
	stop(): Promise<void>;
}

export type Strike = 'SIGKILL' | 'SIGTERM' | 'SIGHUP';

export interface KeepOptions {
	readonly command: 'realm' | 'web' | 'worker';
	readonly env: NodeJS.ProcessEnv;
	readonly logFile: string;
}

/** The settings of processes that serve these accounts. */
export function settingsOf({accounts, folder, redisUrl}: SettingsOptions) {
	const sections = accounts.map(({name, email, key, site, token}) => [name, {email, key, site, token}]);
	return {
		BOTHY_CONFIG_JSON: JSON.stringify(Object.fromEntries(sections)),
		BOTHY_BOTS: BOTS,
		BOTHY_DATA: folder,
		REDIS_URL: redisUrl,
		LOG_LEVEL: 'info',
	};
}

interface SettingsOptions {
	readonly accounts: readonly {name: string; email: string; key: string; site: string; token: string}[];
	readonly folder: string;
	readonly redisUrl: string;
}

/** Runs a command of the command line; when it dies it is started again at once, as a supervisor does it. */
export function keep({command, env, logFile}: KeepOptions): Kept {
	let child: ChildProcess;
	let isUp = false;
	let isStopping = false;
	let wasUp = false;
	let isBroken = false;
	const log = createWriteStream(logFile, {flags: 'a'});

	function start(): void {
		child = spawn(process.execPath, [CLI, command], {
			env: {PATH: process.env.PATH, HOME: process.env.HOME, ...env},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				isUp ||= /" {2}(Chat page|Receiver|Worker)/.test(chunk.toString());
				wasUp ||= isUp;
				log.write(chunk);
			});
		}

		child.once('exit', (code, signal) => {
			isUp = false;
			log.write(`--- ended with ${signal ?? code}\n`);
			isBroken = code === 1 && !wasUp;
			if (!isStopping && !isBroken) {
				start();
			}
		});
	}

	start();
	const end = () => child.kill('SIGKILL');
	process.once('exit', end);
	const pids = () => {
		const below = childrenOf(child.pid);
		return below.length > 0 ? below : [child.pid ?? 0];
	};
	return {
		pids,
		strike(signal) {
			log.write(`--- gets ${signal}\n`);
			isUp &&= signal !== 'SIGTERM';
			try {
				process.kill((signal === 'SIGKILL' ? pids()[0] : child.pid) ?? 0, signal);
			} catch {
				// It has ended, and another takes its place.
			}
		},
		get isUp() {
			return isUp;
		},
		async up() {
			while (!isUp) {
				if (isBroken) {
					throw new Error(`Expected \`bothy ${command}\` to start; see ${logFile}`);
				}

				await sleep(20);
			}
		},
		async restart() {
			const exited = once(child, 'exit');
			child.kill('SIGTERM');
			await exited;
			await this.up();
		},
		async reload() {
			const before = childrenOf(child.pid);
			child.kill('SIGHUP');
			while (childrenOf(child.pid).some(pid => before.includes(pid))) {
				await sleep(50);
			}
		},
		async stop() {
			isStopping = true;
			process.off('exit', end);
			if (child.exitCode === null && child.signalCode === null) {
				const exited = once(child, 'exit');
				child.kill('SIGTERM');
				const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
				await exited;
				clearTimeout(timer);
			}

			log.end();
		},
	};
}

function childrenOf(pid: number | undefined): number[] {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
	} catch {
		return [];
	}
}
