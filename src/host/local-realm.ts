// The local stand-in for the service, with one account per plugin. What only it needs is loaded only here: a host in
// production has none of it.

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {chmod, mkdir, readdir} from 'node:fs/promises';
import {delimiter, join, resolve} from 'node:path';
import {z} from 'zod';
import type {Bot} from '../bot/bot.js';
import {eventTriggersOf} from '../bot/event-triggers.js';
import {servesAdministrators} from '../bot/people.js';
import {type Account, readAccountFile} from '../config/accounts.js';
import type {PluginFile, Plugins} from '../plugins/index.js';
import type {BotAccount, Realm} from '../realm/index.js';
import type {Host} from './connections.js';
import {portError} from './explain.js';

export async function openRealm({settings, log, teardown}: Host): Promise<Realm> {
	const {startRealm} = await import('../realm/index.js');
	await openDataFolder(settings.BOTHY_DATA);
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

/** Files of an earlier version may be readable by everybody on this machine, and hold the bots' keys. */
async function openDataFolder(folder: string): Promise<void> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	for (const name of await readdir(folder)) {
		if (name.startsWith('realm.')) {
			await chmod(join(folder, name), 0o600);
		}
	}
}

/** Where the receiver will listen on this machine. */
export function receiverUrlOf({settings}: Host): string {
	return `http://127.0.0.1:${settings.PORT}`;
}

/** What bots need of their accounts, by the names of their plugins. */
export interface BotNeeds {
	/** They may do what administrators may. */
	readonly administrators: readonly string[];
	/** They see more than mentions and direct messages: their accounts poll. */
	readonly polled: readonly string[];
}

export const NO_NEEDS: BotNeeds = {administrators: [], polled: []};

export interface RealmBots {
	readonly named: readonly PluginFile[];
	readonly needs: BotNeeds;
	readonly receiverUrl: string;
}

export function ensureBots(realm: Realm, {named, needs, receiverUrl}: RealmBots): BotAccount[] {
	const names = new Set(named.map(({name}) => name));
	return [...names].map(name =>
		realm.ensureBot({
			name,
			fullName: titleOf(name),
			payloadUrl: `${receiverUrl}/webhook`,
			isAdministrator: needs.administrators.includes(name),
			isPolled: needs.polled.includes(name),
		}),
	);
}

export function needsOf({loaded}: Plugins): BotNeeds {
	// Known to be bots by their mark.
	const namesOf = (needs: (bot: Bot<unknown, unknown>) => boolean) =>
		loaded.filter(({bot}) => needs(bot as Bot<unknown, unknown>)).map(({name}) => name);
	return {
		administrators: namesOf(servesAdministrators),
		polled: namesOf(bot => eventTriggersOf(bot).length > 0),
	};
}

/** How people of the realm call the bot of a plugin. */
export function titleOf(name: string): string {
	return name
		.split(/[-_]/)
		.map(word => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

/** The realm's accounts as an operator would have them: a config file with one section per bot. */
export function writeAccounts({settings}: Host, accounts: readonly BotAccount[]): string {
	const file = resolve(settings.BOTHY_DATA, 'realm.bothyrc');
	const sections = accounts.map(({name, email, key, site, token, isPolled}) => {
		const received = isPolled ? 'receive = events' : `token = ${token}`;
		return [`[${name}]`, `email = ${email}`, `key = ${key}`, `site = ${site}`, received, ''].join('\n');
	});
	writeFileSync(file, sections.join('\n'), {mode: 0o600});
	return file;
}

export interface RealmAccounts {
	readonly accounts: readonly Account[];
	/** What receivers need in their environment to know these accounts; each that starts reads them anew. */
	readonly env: NodeJS.ProcessEnv;
}

/** The realm's accounts for this process and for its receivers, with what `bots/<name>.config.json` sets for their bots. */
export function shareAccounts(host: Host, bots: readonly BotAccount[]): RealmAccounts {
	const {settings} = host;
	const folders = [resolve('bots'), ...settings.BOTHY_BOTS.split(delimiter).filter(folder => folder !== '')];
	const accounts = readAccountFile(writeAccounts(host, bots)).map(account => {
		const config = readLocalConfig(host, folders, account.bot);
		return {...account, name: `realm:${account.name}`, ...(config && {config})};
	});
	const sections = accounts.map(({name, email, key, site, tokens, receive, bot, config = {}}) => {
		const set = Object.entries(config).map(([field, {text}]) => [`config.${field}`, text]);
		const received = receive ? {receive} : {token: tokens.join(',')};
		return [name, {email, key, site, ...received, bot, ...Object.fromEntries(set)}];
	});
	const more = settings.BOTHY_CONFIG_JSON === '' ? {} : (JSON.parse(settings.BOTHY_CONFIG_JSON) as object);
	const file = resolve(settings.BOTHY_DATA, 'realm.json');
	writeFileSync(file, JSON.stringify({...more, ...Object.fromEntries(sections)}), {mode: 0o600});
	return {accounts, env: {BOTHY_CONFIG_JSON: undefined, BOTHY_CONFIG_JSON_FILE: file}};
}

/** What a file beside a bot sets for it on this machine. One that cannot be read is told, and sets nothing. */
function readLocalConfig({log}: Host, folders: readonly string[], bot: string): Account['config'] {
	const file = folders.map(folder => join(folder, `${bot}.config.json`)).find(existsSync);
	if (file === undefined) {
		return undefined;
	}

	try {
		const values = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
		return Object.fromEntries(
			Object.entries(values).map(([key, value]) => {
				const text = typeof value === 'string' ? value : JSON.stringify(value);
				return [key.toLowerCase(), {text, place: file}];
			}),
		);
	} catch {
		log.error({file}, 'expected a JSON object of settings, such as {"channel": "general"}');
		return undefined;
	}
}
