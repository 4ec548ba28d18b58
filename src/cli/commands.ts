// What each command opens, and what it says once it runs.

import {randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Bot} from '../bot/bot.js';
import {servesAdministrators} from '../bot/people.js';
import {type Account, ConfigError, readAccountFile, readAccounts, readSettings} from '../config.js';
import {createLog} from '../log.js';
import type {Plugins} from '../plugins.js';
import {type BotAccount, type Realm, startRealm} from '../realm/index.js';
import {assignBots} from './bots.js';
import {explain, portError} from './explain.js';
import {joinPrimary} from './join-primary.js';
import {listenTarget} from './listening-socket.js';
import {type Host, openClients, openPlugins, openRedis} from './parts.js';
import {startPrimary} from './primary.js';
import {GRACE_MS, openReceiver} from './receiving.js';
import {ALL_RERUNS, openRerunner, RERUNS, runLast} from './rerunning.js';
import {createTeardown, waitForStop} from './teardown.js';
import {packageFolder} from './version.js';
import {startWatchdog} from './watchdog.js';
import {openWorkers, ROLES, type RoleName} from './working.js';

/** Everything on one machine: the realm with one account per plugin, and the bots that answer in it. */
export async function runStart(): Promise<void> {
	await run(async host => {
		const redisUrl = await openRedis(host, {exclusive: true});
		const plugins = await openPlugins(host);
		const realm = await openRealm(host);
		const file = writeAccounts(host, ensureBots(realm, {plugins, receiverUrl: receiverUrlOf(host)}));
		const inRealm = readAccountFile(file);
		const accounts = [...inRealm, ...readAccounts(host.settings)];
		await openWorkers(host, {redisUrl, accounts, clientOf: openClients(host, {redisUrl, accounts})});
		const url = await openPrimary(host, {redisUrl, inRealm});
		// With PORT=0 the address is known only now.
		ensureBots(realm, {plugins, receiverUrl: url});

		say('');
		say(`  Chat page  ${realm.url}   (a local realm: write @**Echo** hello)`);
		say(`  Receiver   ${url}/webhook`);
		sayBots(plugins);
		say('');
		say('  Ctrl-C stops everything.');
		say('');
	});
}

/** Receivers behind one socket, each in a process of its own; one that dies is replaced. */
export async function runWeb(): Promise<void> {
	await run(async host => {
		const plugins = await openPlugins(host);
		assignBots(needAccounts(host), plugins);
		const redisUrl = await openRedis(host, {exclusive: false});
		const url = await openPrimary(host, {redisUrl, inRealm: []});
		say(`  Receiver   ${url}/webhook`);
		sayBots(plugins);
	});
}

/** One of the processes that `runWeb` and `runStart` start. */
export async function runReceiver(): Promise<void> {
	const settings = readSettings(process.env);
	const log = createLog({level: settings.LOG_LEVEL, pretty: process.stdout.isTTY});
	const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
	const dead = new Set<string>();
	const joined = joinPrimary({
		onDead: id => dead.add(id),
		onDrain: () => teardown.run(),
		graceMs: GRACE_MS + CLOSING_MS,
	});
	// A bot's forgotten promise is its own fault; the others go on.
	process.on('unhandledRejection', error => log.error({err: error}, 'a promise was rejected and nobody listened'));
	process.on('uncaughtException', error => {
		log.fatal({err: error}, 'something threw outside of any handler; this receiver ends and is replaced');
		process.exit(1);
	});
	try {
		const host = {settings, log, teardown};
		const watchdog = startWatchdog({report: error => log.error({err: error}, 'the watchdog failed')});
		const parts = {
			redisUrl: settings.REDIS_URL,
			accounts: assignBots(readAccounts(settings), await openPlugins(host)),
			process: joined?.process ?? randomUUID(),
			isDead: (id: string) => dead.has(id),
			watchdog,
		};
		const rerun = process.env[RERUNS];
		if (rerun === ALL_RERUNS) {
			await openRerunner(host, parts);
			joined?.ready('');
			return;
		}

		if (rerun !== undefined) {
			await runLast(host, parts, rerun);
			await teardown.run();
			process.exit(0);
		}

		const listen = listenTarget(process.env, {host: settings.HOST, port: settings.PORT});
		joined?.ready(await openReceiver(host, {...parts, listen}));
	} catch (error) {
		await joined?.failed(error instanceof Error ? error.message : String(error));
		process.exit(1);
	}
}

/** The workers of some roles; of all when none is named. */
export async function runWorker(names: readonly string[]): Promise<void> {
	await run(async host => {
		const roles = names.length === 0 ? ROLES : names.map(readRole);
		const accounts = needAccounts(host);
		const redisUrl = await openRedis(host, {exclusive: false});
		if (roles.includes('events') && accounts.some(({receive}) => receive === 'events')) {
			// Whoever polls does so beside bots that may fail, not among them; and no receiver need run here.
			await openPrimary(host, {redisUrl, inRealm: [], listens: false});
		}

		await openWorkers(host, {redisUrl, accounts, clientOf: openClients(host, {redisUrl, accounts})}, roles);
		say(`  Worker     ${roles.join(', ')}`);
	});
}

function readRole(name: string): RoleName {
	const role = ROLES.find(candidate => candidate === name);
	if (!role) {
		throw new ConfigError(`bothy worker: expected roles among ${ROLES.join(', ')}, found "${name}"`);
	}

	return role;
}

export async function runRealm(): Promise<void> {
	await run(async host => {
		const plugins = await openPlugins(host);
		const realm = await openRealm(host);
		const file = writeAccounts(
			host,
			ensureBots(realm, {plugins, receiverUrl: `http://127.0.0.1:${host.settings.PORT}`}),
		);
		say(`  Chat page  ${realm.url}`);
		say(`  Accounts   ${file}   (start the others with BOTHY_CONFIG=${file})`);
	});
}

/** What closing takes beyond the handlers' grace. */
const CLOSING_MS = 5_000;

/** What a whole stop may take. */
const STOPPING_MS = GRACE_MS + 2 * CLOSING_MS;

interface PrimaryParts {
	readonly redisUrl: string;
	readonly inRealm: readonly Account[];
	/** Whether there are receivers, or only the process that runs what waits for no answer. Default true. */
	readonly listens?: boolean;
}

/** Starts the receivers; SIGHUP replaces them one by one. Resolves with the address. */
async function openPrimary(
	{settings, log, teardown}: Host,
	{redisUrl, inRealm, listens = true}: PrimaryParts,
): Promise<string> {
	const sections = inRealm.map(({name, email, key, site, tokens, bot}) => [
		`realm:${name}`,
		{email, key, site, token: tokens.join(','), bot},
	]);
	const more = settings.BOTHY_CONFIG_JSON === '' ? {} : (JSON.parse(settings.BOTHY_CONFIG_JSON) as object);
	try {
		const primary = await startPrimary({
			count: listens ? settings.WEB_CONCURRENCY : 0,
			exec: fileURLToPath(new URL('dist/src/cli.js', packageFolder)),
			args: ['receiver'],
			besides: [{[RERUNS]: ALL_RERUNS}],
			env: {
				...process.env,
				REDIS_URL: redisUrl,
				BOTHY_CONFIG_JSON: JSON.stringify({...more, ...Object.fromEntries(sections)}),
			},
			...(listens && {listen: listenTarget(process.env, {host: settings.HOST, port: settings.PORT})}),
			log,
			graceMs: GRACE_MS + CLOSING_MS,
		});
		teardown.add(() => primary.close());
		process.on('SIGHUP', () => {
			primary.roll().catch((error: Error) => log.error({reason: error.message}, 'the receivers could not be replaced'));
		});
		return primary.address();
	} catch (error) {
		throw portError(error, settings.PORT, 'PORT');
	}
}

/** Opens, waits for a signal, closes. A failed start closes what was opened and says why. */
async function run(open: (host: Host) => Promise<void>): Promise<void> {
	const settings = readSettings(process.env);
	const log = createLog({level: settings.LOG_LEVEL, pretty: process.stdout.isTTY});
	const teardown = createTeardown(error => log.warn({err: error}, 'closing failed'));
	const stop = waitForStop();
	try {
		await open({settings, log, teardown});
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

async function openRealm({settings, log, teardown}: Host): Promise<Realm> {
	await mkdir(settings.BOTHY_DATA, {recursive: true});
	try {
		const realm = await startRealm({
			file: resolve(settings.BOTHY_DATA, 'realm.db'),
			port: settings.REALM_PORT,
			featureLevel: settings.REALM_FEATURE_LEVEL,
			rateLimit: settings.REALM_RATE_LIMIT === 'on',
			log: line => log.debug(line, 'realm'),
		});
		teardown.add(() => realm.close());
		return realm;
	} catch (error) {
		throw portError(error, settings.REALM_PORT, 'REALM_PORT');
	}
}

/** Where the receiver will listen on this machine. */
function receiverUrlOf({settings}: Host): string {
	return `http://127.0.0.1:${settings.PORT}`;
}

function ensureBots(realm: Realm, {plugins, receiverUrl}: {plugins: Plugins; receiverUrl: string}): BotAccount[] {
	return [...plugins.loaded, ...plugins.broken].map(plugin => {
		const {name} = plugin;
		// Known to be a bot by its mark.
		const work = 'bot' in plugin ? (plugin.bot as Bot<unknown, unknown>) : undefined;
		const isAdministrator = work !== undefined && servesAdministrators(work);
		return realm.ensureBot({name, fullName: titleOf(name), payloadUrl: `${receiverUrl}/webhook`, isAdministrator});
	});
}

function titleOf(name: string): string {
	return name
		.split(/[-_]/)
		.map(word => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

/** The realm's accounts as an operator would have them: a config file with one section per bot. */
function writeAccounts({settings}: Host, accounts: readonly BotAccount[]): string {
	const file = resolve(settings.BOTHY_DATA, 'realm.bothyrc');
	const sections = accounts.map(({name, email, key, site, token}) =>
		[`[${name}]`, `email = ${email}`, `key = ${key}`, `site = ${site}`, `token = ${token}`, ''].join('\n'),
	);
	writeFileSync(file, sections.join('\n'), {mode: 0o600});
	return file;
}

function needAccounts({settings}: Host): readonly Account[] {
	const accounts = readAccounts(settings);
	if (accounts.length === 0) {
		throw new ConfigError(
			`Expected at least one bot account in ${settings.BOTHY_CONFIG} (BOTHY_CONFIG), found none. ` +
				'The README shows such a file; `npm start` runs without one.',
		);
	}

	return accounts;
}

function sayBots({loaded, broken}: Plugins): void {
	say(`  Bots       ${loaded.map(({name}) => name).join(', ') || 'none'}`);
	for (const {name, file, reason} of broken) {
		say(`  Broken     ${name} (${file}): ${reason}`);
	}
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
