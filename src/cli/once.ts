// Runs a command that does one thing and ends. What it prints is a result; the log goes to stderr.

import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {type Account, readAccountFile, readAccounts} from '../config/accounts.js';
import {readSettings} from '../config/settings.js';
import {createRedisStore, type RedisStore} from '../delivery/redis-store.js';
import {type Host, openConnection, openRedis} from '../host/connections.js';
import {explain} from '../host/explain.js';
import {createTeardown, waitForStop} from '../host/teardown.js';
import {version} from '../host/version.js';
import {createLog} from '../log.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {nameRedis} from '../redis/redis-url.js';
import {createPaint, type Paint, visible} from './paint.js';

/** What somebody at the terminal can mend; its text is all that they read. */
export class CommandError extends Error {
	override name = 'CommandError' as const;
}

/** Exit code of a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** What such a command is given. */
export interface Terminal extends Host {
	/** Writes a line of the result. */
	print(text: string): void;
	/** Writes a remark beside the result. */
	note(text: string): void;
	readonly paint: Paint;
	readonly input: NodeJS.ReadableStream;
}

/** Gives an exit code; none stands for 0. */
export type Act = (terminal: Terminal) => Promise<number | undefined>;

/** Opens, acts, closes, exits. A Ctrl-C ends the command with an exit code of its own. */
export async function runOnce(act: Act): Promise<void> {
	const stopped = waitForStop().then(() => INTERRUPTED);
	// `bothy deliveries | head` is no error.
	process.stdout.on('error', () => process.exit(0));
	const {env, stdin, stdout, stderr} = process;
	const code = await actOnce(terminal => Promise.race([act(terminal), stopped]), {
		settings: readSettings(env),
		print: text => stdout.write(`${text}\n`),
		note: text => stderr.write(`${text}\n`),
		paint: createPaint(stdout),
		input: stdin,
	});
	// A pipe takes what was printed when its reader does; `process.exit` would not wait for that.
	await Promise.all([stdout, stderr].map(stream => new Promise<void>(flushed => stream.write('', () => flushed()))));
	process.exit(code);
}

/** Resolves with the exit code when everything is closed. */
export async function actOnce(act: Act, parts: Omit<Terminal, 'log' | 'teardown'>): Promise<number> {
	const log = createLog({version, level: parts.settings.LOG_LEVEL, pretty: process.stderr.isTTY, to: 'stderr'});
	const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
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

/** The configured accounts, and those of the local realm where it has run: `npm start` may run in another terminal. */
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

/** Where the local realm is, when it has run here. */
export function localSite({settings}: Host): string | undefined {
	return realmAccounts(settings).accounts[0]?.site;
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
	const redisUrl = await openRedis(host);
	const connection = openConnection(host, redisUrl);
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		const error = new CommandError(
			`Redis (REDIS_URL) at ${nameRedis(redisUrl)} did not answer within ${CONNECT_MS / 1000} s`,
		);
		timer = setTimeout(() => reject(error), CONNECT_MS);
	});
	const refused = (error: Error) => {
		throw new CommandError(`Redis (REDIS_URL) at ${nameRedis(redisUrl)} refused us: ${error.message} ${cureOf(error)}`);
	};
	await Promise.race([connection.ping().catch(refused), timeout]);
	clearTimeout(timer);
	return {store: createRedisStore(connection), connection, redisUrl};
}

function cureOf({message}: Error): string {
	if (message.includes('MISCONF')) {
		return 'Make room on the disk of Redis; it then takes writes again by itself.';
	}

	if (/WRONGPASS|NOAUTH/.test(message)) {
		return 'Correct user and password in REDIS_URL: redis://user:password@host:6379.';
	}

	return /NOPERM/.test(message) ? 'Give the user the rights that docs/runbook.md lists.' : '';
}
