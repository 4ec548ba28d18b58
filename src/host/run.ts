// Runs a command until it is stopped.

import {setTimeout as sleep} from 'node:timers/promises';
import {readSettings} from '../config/settings.js';
import {createLog, type Log} from '../log.js';
import type {Host} from './connections.js';
import {explain} from './explain.js';
import {createTeardown, type Teardown, waitForStop} from './teardown.js';
import {version} from './version.js';

/** Handlers get this long to finish when the host stops. Another process runs unfinished ones again. */
export const GRACE_MS = 10_000;

/** Time for closing, in addition to the handlers' grace. */
export const CLOSING_MS = 5_000;

/** Time for closing if the start has not finished and nothing serves others yet. */
const UNSTARTED_MS = 500;

/** Time for a whole stop. */
const STOPPING_MS = GRACE_MS + 2 * CLOSING_MS;

type Open = (host: Host) => Promise<void>;

/** Opens, waits for a signal (with `onHangUp`, also for a closed terminal), closes. If the start fails, closes what was opened. */
export async function run(open: Open, options: {onHangUp?: boolean} = {}): Promise<void> {
	const {log, start, stop} = prepare(open, options);
	const teardown = await start();
	await stop;
	await close(() => teardown.run(), log);
}

/** The same for a command at a terminal: closing the terminal stops it. */
export const runInTerminal = (open: Open): Promise<void> => run(open, {onHangUp: true});

/** The same, but SIGHUP opens everything again, then closes the old. If opening fails, the old keeps running. */
export async function runReloading(open: Open): Promise<void> {
	const {log, start, opened, stop} = prepare(open);
	// Install the handler before anything is open: without one, SIGHUP would kill the process.
	let reload = () => {};
	process.on('SIGHUP', () => reload());
	let teardown = await start();
	let reloading = Promise.resolve();
	reload = () => {
		reloading = reloading.then(async () => {
			try {
				const before = teardown;
				const next = await opened();
				if (next) {
					teardown = next;
					await before.run();
					log.info({}, 'reloaded');
				}
			} catch (error) {
				log.error({reason: explain(error)}, 'not reloaded; the old configuration stays');
			}
		});
	};
	await stop;
	reload = () => {};
	// During a reload, the old is open too.
	await close(() => Promise.all([teardown.run(), reloading.then(() => teardown.run())]), log);
}

function prepare(open: Open, options: {onHangUp?: boolean} = {}) {
	// Stored files contain keys and people's messages, so only this user may read them.
	process.umask(0o077);
	const log = openLog();
	const stop = waitForStop(options);

	/**
	 * Undefined if a signal arrives first.
	 * @throws the error of `open`, after closing what it had opened.
	 */
	async function opened(): Promise<Teardown | undefined> {
		const teardown = createTeardown(error => log.warn({err: error}, 'could not close a part of this process'));
		try {
			const opening = open({settings: readSettings(process.env), log, teardown});
			// A start may wait for Redis. A signal ends it nevertheless.
			const isOpen = await Promise.race([opening.then(() => true), stop.then(() => false)]);
			if (!isOpen) {
				opening.catch(() => {});
				const limitMs = teardown.isServing ? STOPPING_MS : UNSTARTED_MS;
				await Promise.race([teardown.run(), sleep(limitMs)]);
				return undefined;
			}

			return teardown;
		} catch (error) {
			await teardown.run();
			throw error;
		}
	}

	async function start(): Promise<Teardown> {
		try {
			return (await opened()) ?? process.exit(0);
		} catch (error) {
			fail(log, error);
		}
	}

	return {log, start, opened, stop};
}

function openLog(): Log {
	const pretty = process.stdout.isTTY;
	try {
		return createLog({version, level: readSettings(process.env).LOG_LEVEL, pretty});
	} catch (error) {
		return fail(createLog({version, level: 'info', pretty}), error);
	}
}

/** Prints the error at a terminal. Without a terminal, logs it. */
function fail(log: Log, error: unknown): never {
	const text = explain(error);
	if (process.stdout.isTTY) {
		process.stderr.write(`${text}\n`);
	} else {
		log.child({}, {level: 'fatal'}).fatal(text);
	}

	process.exit(1);
}

async function close(end: () => Promise<unknown>, log: Log): Promise<never> {
	// Without a limit, closing would wait as long as Redis is away.
	setTimeout(() => {
		log.warn({seconds: STOPPING_MS / 1000}, 'could not close everything in time. Is Redis away?');
		process.exit(1);
	}, STOPPING_MS);
	await end();
	process.exit(0);
}
