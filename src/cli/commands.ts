// What each command opens, and what it says once it runs.

import {writeFileSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {resolve} from 'node:path';
import {type Account, ConfigError, readAccountFile, readAccounts, readSettings} from '../config.js';
import {createLog} from '../log.js';
import type {Plugins} from '../plugins.js';
import {type BotAccount, type Realm, startRealm} from '../realm/index.js';
import {assignBots} from './bots.js';
import {explain, portError} from './explain.js';
import {type Host, openPlugins, openRedis} from './parts.js';
import {openReceiver} from './receiving.js';
import {createTeardown, waitForStop} from './teardown.js';
import {openWorkers} from './working.js';

/** Everything on one machine: the realm with one account per plugin, and the bots that answer in it. */
export async function runStart(): Promise<void> {
	await run(async host => {
		const redisUrl = await openRedis(host, {exclusive: true});
		const plugins = await openPlugins(host);
		const realm = await openRealm(host);
		const file = writeAccounts(host, ensureBots(realm, {plugins, receiverUrl: receiverUrlOf(host)}));
		const accounts = assignBots([...readAccountFile(file), ...readAccounts(host.settings)], plugins);
		await openWorkers(host, {redisUrl, accounts});
		const url = await openReceiver(host, {redisUrl, accounts});
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

export async function runWeb(): Promise<void> {
	await run(async host => {
		const plugins = await openPlugins(host);
		const accounts = assignBots(needAccounts(host), plugins);
		const redisUrl = await openRedis(host, {exclusive: false});
		const url = await openReceiver(host, {redisUrl, accounts});
		say(`  Receiver   ${url}/webhook`);
		sayBots(plugins);
	});
}

export async function runWorker(): Promise<void> {
	await run(async host => {
		const plugins = await openPlugins(host);
		const accounts = assignBots(needAccounts(host), plugins);
		const redisUrl = await openRedis(host, {exclusive: false});
		await openWorkers(host, {redisUrl, accounts});
		say('  Worker     sends, sweep');
	});
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

	await teardown.run();
	process.exit(0);
}

async function openRealm({settings, log, teardown}: Host): Promise<Realm> {
	await mkdir(settings.BOTHY_DATA, {recursive: true});
	try {
		const realm = await startRealm({
			file: resolve(settings.BOTHY_DATA, 'realm.db'),
			port: settings.REALM_PORT,
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
	return [...plugins.loaded, ...plugins.broken].map(({name}) =>
		realm.ensureBot({name, fullName: titleOf(name), payloadUrl: `${receiverUrl}/webhook`}),
	);
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
