// Runs a command that does one thing and exits. The result goes to stdout, the log to stderr.

import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {type Account, readAccountFile, readAccounts} from '../config/accounts.js';
import {readSettings} from '../config/settings.js';
import {createRedisStore, type RedisStore} from '../delivery/redis-store.js';
import {type Host, openConnection, openRedis, unknownHostCure} from '../host/connections.js';
import {explain} from '../host/explain.js';
import {createTeardown, waitForStop} from '../host/teardown.js';
import {version} from '../host/version.js';
import {createLog} from '../log.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {nameRedis} from '../redis/redis-url.js';
import {cureOf, reasonOf} from '../redis/refusal.js';
import {createPaint, type Paint, visible} from './paint.js';

/** An error that the user can fix. Only its message is printed, without a stack. */
export class CommandError extends Error {
	override name = 'CommandError' as const;
}

/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;
/** A socket whose reader closes it with something unread can also report a reset. */
const READER_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);

export interface Terminal extends Host {
	/** Writes a line of the result. */
	print(text: string): void;
	/** Writes a remark that is not part of the result. */
	note(text: string): void;
	readonly paint: Paint;
	readonly input: NodeJS.ReadableStream;
	/** How long Redis may take to answer at first, in milliseconds. */
	readonly connectMs: number;
}

/** Returns an exit code; undefined means 0. */
export type Act = (terminal: Terminal) => Promise<number | undefined>;

/** Opens, runs, closes, exits. */
export async function runOnce(act: Act): Promise<void> {
	const stopped = waitForStop().then(() => INTERRUPTED);
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		// In `bothy deliveries | head`, `head` closes the pipe. This is not an error.
		if (READER_GONE.has(error.code)) {
			process.exit(0);
		}

		process.stderr.write(`bothy: The output is not complete: ${error.message}\n`);
		process.exit(1);
	});
	const {env, stdin, stdout, stderr} = process;
	const code = await actOnce(terminal => Promise.race([act(terminal), stopped]), {
		settings: readSettings(env),
		print: text => stdout.write(`${text}\n`),
		note: text => stderr.write(`${text}\n`),
		paint: createPaint(stdout),
		input: stdin,
		connectMs: CONNECT_MS,
	});
	// Wait until a pipe has taken the output; `process.exit` would not.
	await Promise.all([stdout, stderr].map(stream => new Promise<void>(flushed => stream.write('', () => flushed()))));
	process.exit(code);
}

export async function actOnce(act: Act, parts: Omit<Terminal, 'log' | 'teardown'>): Promise<number> {
	const log = createLog({version, level: parts.settings.LOG_LEVEL, pretty: process.stderr.isTTY, to: 'stderr'});
	const teardown = createTeardown(error => log.warn({err: error}, 'could not close a part of this process'));
	try {
		const print = (text: string) => parts.print(visible(text));
		const note = (text: string) => parts.note(visible(text));
		return (await act({...parts, print, note, log, teardown})) ?? 0;
	} catch (error) {
		parts.note(explain(error));
		return 1;
	} finally {
		await teardown.run();
	}
}

/** The accounts of the config and of the local realm, which `npm start` may be running in another terminal. */
export function findAccounts({settings}: Host): readonly Account[] {
	const configured = readAccounts(settings);
	const {file, accounts: ofRealm} = realmAccounts(settings);
	const known = new Set(configured.map(accountTag));
	const accounts = [...configured, ...ofRealm.filter(account => !known.has(accountTag(account)))];
	if (accounts.length === 0) {
		throw new CommandError(
			`Expected at least one bot account in ${settings.BOTHY_CONFIG} (BOTHY_CONFIG) or in ${file}, found none. ` +
				'Run this in the folder where Bothy runs, or set BOTHY_CONFIG or BOTHY_DATA to the same values.',
		);
	}

	return accounts;
}

function realmAccounts({BOTHY_DATA}: Host['settings']): {file: string; accounts: readonly Account[]} {
	const file = resolve(BOTHY_DATA, 'realm.bothyrc');
	return {file, accounts: existsSync(file) ? readAccountFile(file) : []};
}

/** The site of the local realm, if one has run here. */
export function localSite({settings}: Host): string | undefined {
	return realmAccounts(settings).accounts[0]?.site;
}

/** Finds accounts by section name or email. */
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

const CONNECT_MS = 5_000;

export interface Ledger {
	readonly store: RedisStore;
	readonly connection: RedisConnection;
	readonly redisUrl: string;
}

export async function openLedger(terminal: Terminal): Promise<Ledger> {
	const redisUrl = await openRedis(terminal);
	const {connectMs} = terminal;
	const about = `Redis (REDIS_URL) at ${nameRedis(redisUrl)}`;
	const connection = await new Promise<RedisConnection>((resolve, reject) => {
		let lastReason = '';
		const refuse = (error: Error) => {
			lastReason = reasonOf(error);
			const cure = cureOf(error, redisUrl);
			if (cure !== undefined) {
				clearTimeout(timer);
				reject(new RedisUnusable(`${about} refused the connection: ${reasonOf(error)}`, cure));
			}
		};
		// The error of this command says why the first connection failed.
		const log = terminal.log.child({}, {level: 'silent'});
		const opened = openConnection({...terminal, log}, redisUrl, {onLost: refuse});
		const timer = setTimeout(() => {
			const cure = unknownHostCure(lastReason) ?? 'Start Redis, or correct host and port in REDIS_URL.';
			const why = lastReason === '' ? '' : ` (${lastReason})`;
			reject(new RedisUnusable(`${about} did not answer within ${connectMs / 1000} s${why}`, cure));
		}, connectMs);
		opened
			.ping()
			.then(() => {
				log.level = terminal.log.level;
				resolve(opened);
			}, refuse)
			.finally(() => clearTimeout(timer));
	});
	return {store: createRedisStore(connection), connection, redisUrl};
}

/** Redis cannot be reached, or refuses us. */
export class RedisUnusable extends CommandError {
	constructor(
		readonly text: string,
		readonly cure: string,
	) {
		super(`${text.replace(/\.$/, '')}. ${cure}`);
	}
}
