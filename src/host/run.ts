// Runs a command that goes on until it is stopped.

import {setTimeout as sleep} from 'node:timers/promises';
import {readSettings} from '../config/settings.js';
import {createLog, type Log} from '../log.js';
import type {Host} from './connections.js';
import {explain} from './explain.js';
import {createTeardown, type Teardown, waitForStop} from './teardown.js';
import {version} from './version.js';

/** Handlers get this long to end when the host stops; what they had not said by then is run again elsewhere. */
export const GRACE_MS = 10_000;

/** What closing takes beyond the handlers' grace. */
export const CLOSING_MS = 5_000;

/** What closing may take when the start had not come to its end. */
const UNSTARTED_MS = 500;

/** What a whole stop may take. */
const STOPPING_MS = GRACE_MS + 2 * CLOSING_MS;

type Open = (host: Host) => Promise<void>;

/** Opens, waits for a signal (`onHangUp`: also that the terminal was closed), closes. A failed start closes what was opened and says why. */
export async function run(open: Open, options: {onHangUp?: boolean} = {}): Promise<void> {
	const {log, start, stop} = prepare(open, options);
	const teardown = await start();
	await stop;
	await close(teardown, log);
}

/** The same, for somebody at a terminal: closing it ends this. */
export const runInTerminal = (open: Open): Promise<void> => run(open, {onHangUp: true});

/** The same; SIGHUP opens everything anew, and closes the old when the new one runs. What cannot be opened changes nothing. */
export async function runReloading(open: Open): Promise<void> {
	const {log, start, opened, stop} = prepare(open);
	// Before anything is open: by itself the signal ends a process.
	let reload = () => {};
	process.on('SIGHUP', () => reload());
	let teardown = await start();
	let reloading = Promise.resolve();
	reload = () => {
		reloading = reloading.then(async () => {
			try {
				const before = teardown;
				teardown = await opened();
				await before.run();
				log.info({}, 'reloaded');
			} catch (error) {
				log.error({reason: explain(error)}, 'not reloaded; the old configuration stays');
			}
		});
	};
	await stop;
	await close(teardown, log);
}

function prepare(open: Open, options: {onHangUp?: boolean} = {}) {
	// What is stored holds keys and people's messages: nobody else on this machine reads it.
	process.umask(0o077);
	const log = openLog();
	const stop = waitForStop(options);

	/** @throws what `open` throws; what it had opened is closed again. */
	async function opened(): Promise<Teardown> {
		const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
		try {
			const opening = open({settings: readSettings(process.env), log, teardown});
			// A start may wait for Redis; a signal ends it all the same.
			const isOpen = await Promise.race([opening.then(() => true), stop.then(() => false)]);
			if (!isOpen) {
				opening.catch(() => {});
				await Promise.race([teardown.run(), sleep(UNSTARTED_MS)]);
				process.exit(0);
			}

			return teardown;
		} catch (error) {
			await teardown.run();
			throw error;
		}
	}

	async function start(): Promise<Teardown> {
		try {
			return await opened();
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

/** Says it to people, or as a line of the log where the log is not for people. */
function fail(log: Log, error: unknown): never {
	const text = explain(error);
	if (process.stdout.isTTY) {
		process.stderr.write(`${text}\n`);
	} else {
		log.child({}, {level: 'fatal'}).fatal(text);
	}

	process.exit(1);
}

async function close(teardown: Teardown, log: Log): Promise<never> {
	// What waits for a Redis that is away would wait for ever.
	setTimeout(() => {
		log.warn({seconds: STOPPING_MS / 1000}, 'could not close everything in time. Is Redis away?');
		process.exit(1);
	}, STOPPING_MS);
	await teardown.run();
	process.exit(0);
}
