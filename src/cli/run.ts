// Runs a command that goes on until it is stopped.

import {setTimeout as sleep} from 'node:timers/promises';
import {readSettings} from '../config/settings.js';
import {createLog} from '../log.js';
import {explain} from './explain.js';
import type {Host} from './parts.js';
import {createTeardown, waitForStop} from './teardown.js';

/** Handlers get this long to end when the host stops; what they had not said by then is run again elsewhere. */
export const GRACE_MS = 10_000;

/** What closing takes beyond the handlers' grace. */
export const CLOSING_MS = 5_000;

/** What closing may take when the start had not come to its end. */
const UNSTARTED_MS = 500;

/** What a whole stop may take. */
const STOPPING_MS = GRACE_MS + 2 * CLOSING_MS;

/** Opens, waits for a signal, closes. A failed start closes what was opened and says why. */
export async function run(open: (host: Host) => Promise<void>): Promise<void> {
	// What is stored holds keys and people's messages: nobody else on this machine reads it.
	process.umask(0o077);
	const settings = readSettings(process.env);
	const log = createLog({level: settings.LOG_LEVEL, pretty: process.stdout.isTTY});
	const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
	const stop = waitForStop();
	try {
		const opening = open({settings, log, teardown});
		// A start may wait for Redis; a signal ends it all the same.
		const isOpen = await Promise.race([opening.then(() => true), stop.then(() => false)]);
		if (!isOpen) {
			opening.catch(() => {});
			await Promise.race([teardown.run(), sleep(UNSTARTED_MS)]);
			process.exit(0);
		}

		await stop;
	} catch (error) {
		await teardown.run();
		process.stderr.write(`${explain(error)}\n`);
		process.exit(1);
	}

	// What waits for a Redis that is away would wait for ever.
	setTimeout(() => {
		log.warn({seconds: STOPPING_MS / 1000}, 'not everything could be closed in time; is Redis away?');
		process.exit(1);
	}, STOPPING_MS);
	await teardown.run();
	process.exit(0);
}
