// Starts the local realm, with one account per plugin. Only this module loads the realm's packages, so a production host does not
// need them.

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {chmod, mkdir, readdir} from 'node:fs/promises';
import {delimiter, join, resolve} from 'node:path';
import {z} from '../api/zod.js';
import {servesAdministrators} from '../bot/arguments/people.js';
import type {Bot} from '../bot/bot.js';
import {eventTriggersOf} from '../bot/event-triggers.js';
import {type Account, readAccountFile} from '../config/accounts.js';
import type {PluginFile, Plugins} from '../plugins/index.js';
import type {BotAccount, Realm} from '../realm/index.js';
import type {Host} from './connections.js';
import {listenError} from './explain.js';
import {titleOf} from './title.js';

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
		throw listenError(error, settings.REALM_PORT, 'REALM_PORT');
	}
}

/** Restricts files of an earlier version, which may be readable by everybody and contain the bots' keys. */
async function openDataFolder(folder: string): Promise<void> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	for (const name of await readdir(folder)) {
		if (name.startsWith('realm.')) {
			await chmod(join(folder, name), 0o600);
		}
	}
}

/** The receiver's URL on this machine. */
export function receiverUrlOf({settings}: Host): string {
	return `http://127.0.0.1:${settings.PORT}`;
}

/** What bots need of their accounts, by the names of their plugins. */
export interface BotNeeds {
	/** They need an administrator's account. */
	readonly administrators: readonly string[];
	/** They see more than mentions and direct messages, so their accounts poll. */
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
	// `loadPlugins` has checked that they are bots.
	const namesOf = (needs: (bot: Bot<unknown, unknown>) => boolean) =>
		loaded.filter(({bot}) => needs(bot as Bot<unknown, unknown>)).map(({name}) => name);
	return {
		administrators: namesOf(servesAdministrators),
		polled: namesOf(bot => eventTriggersOf(bot).length > 0),
	};
}

/** The realm's accounts in the form of a config file, with one section per bot. */
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
	/** Environment that tells receivers of these accounts. Each receiver reads them when it starts. */
	readonly env: NodeJS.ProcessEnv;
}

/** The realm's accounts for this process and its receivers, with the settings in `bots/<name>.config.json`. */
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

/** Reads the settings file of a local bot. Logs an unreadable file and ignores it. */
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
