// Runs a command that does one thing and ends. What it prints is a result; the log goes to stderr.

import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {type Account, readAccountFile, readAccounts} from '../config/accounts.js';
import {readSettings} from '../config/settings.js';
import {createRedisStore, type RedisStore} from '../delivery/redis-store.js';
import {accountTag} from '../delivery/ref.js';
import {createLog} from '../log.js';
import type {RedisConnection} from '../queue/connection.js';
import {nameRedis} from '../queue/redis-url.js';
import {explain} from './explain.js';
import {type Host, openConnection, openRedis} from './parts.js';
import {createTeardown, waitForStop} from './teardown.js';

/** What somebody at the terminal can mend; its text is all that they read. */
export class CommandError extends Error {
	override name = 'CommandError' as const;
}

/** Exit code of a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Opens, acts, closes. `act` may give an exit code; a Ctrl-C ends it with another. */
export async function runOnce(act: (host: Host) => Promise<number | undefined>): Promise<void> {
	const settings = readSettings(process.env);
	const log = createLog({level: settings.LOG_LEVEL, pretty: process.stderr.isTTY, to: 'stderr'});
	const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
	const stopped = waitForStop().then(() => INTERRUPTED);
	// `bothy deliveries | head` is no error.
	process.stdout.on('error', () => process.exit(0));
	let code: number | undefined;
	try {
		code = await Promise.race([act({settings, log, teardown}), stopped]);
	} catch (error) {
		process.stderr.write(`${explain(error)}\n`);
		code = 1;
	}

	await teardown.run();
	process.exit(code ?? 0);
}

export function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** A remark beside the result. */
export function note(text: string): void {
	process.stderr.write(`${text}\n`);
}

/** The configured accounts, and those of the local realm where it has run: `npm start` may run in another terminal. */
export function findAccounts({settings}: Host): readonly Account[] {
	const configured = readAccounts(settings);
	const file = resolve(settings.BOTHY_DATA, 'realm.bothyrc');
	const ofRealm = existsSync(file) ? readAccountFile(file) : [];
	const known = new Set(configured.map(accountTag));
	const accounts = [...configured, ...ofRealm.filter(account => !known.has(accountTag(account)))];
	if (accounts.length === 0) {
		throw new CommandError(
			`Expected at least one bot account in ${settings.BOTHY_CONFIG} (BOTHY_CONFIG) or in ${file}, found none. ` +
				'Run this in the folder where Bothy runs, or set BOTHY_CONFIG or BOTHY_DATA as it has them.',
		);
	}

	return accounts;
}

/** The accounts that somebody means by a section's name or an email. */
export function chooseAccounts(
	accounts: readonly Account[],
	name: string | undefined,
	option = '--bot',
): readonly Account[] {
	if (name === undefined) {
		return accounts;
	}

	const chosen = accounts.filter(
		account => account.name === name || account.email.toLowerCase() === name.toLowerCase(),
	);
	if (chosen.length === 0) {
		const names = accounts.map(account => account.name).join(', ');
		throw new CommandError(`${option}: expected one of ${names}, or an account's email, found "${name}"`);
	}

	return chosen;
}

/** How long Redis may take to answer at first, in milliseconds. */
const CONNECT_MS = 5_000;

export interface Ledger {
	readonly store: RedisStore;
	readonly connection: RedisConnection;
	readonly redisUrl: string;
}

export async function openLedger(host: Host): Promise<Ledger> {
	const redisUrl = await openRedis(host, {exclusive: false});
	const connection = openConnection(host, redisUrl);
	let timer: NodeJS.Timeout | undefined;
	const patience = new Promise<never>((_, reject) => {
		const error = new CommandError(
			`Redis (REDIS_URL) at ${nameRedis(redisUrl)} did not answer within ${CONNECT_MS / 1000} s`,
		);
		timer = setTimeout(() => reject(error), CONNECT_MS);
	});
	await Promise.race([connection.ping(), patience]);
	clearTimeout(timer);
	return {store: createRedisStore(connection), connection, redisUrl};
}
