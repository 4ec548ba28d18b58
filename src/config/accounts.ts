// Turns the config file's sections into frozen accounts, or into an error with the place, what was expected and what was
// found. Never prints secrets.

import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {closest} from 'fastest-levenshtein';
import {asConfigError, ConfigError, isMissing} from './error.js';
import {type IniSection, parseIni} from './ini.js';
import {type Presence, readPresence} from './presence.js';
import {readFileSections, readSections, type Section} from './sections.js';
import type {Settings} from './settings.js';
import {readTls, type Tls} from './tls.js';

/** One bot account on one site. */
export interface Account {
	/** Section of the config file. The name of this account for people. */
	readonly name: string;
	readonly email: string;
	/** API key; absent when the bot only answers webhooks. */
	readonly key: string;
	/** Base URL of the organization, without a trailing slash. */
	readonly site: string;
	/** Webhook tokens that verify a payload. Several during a rotation, none for an account that gets no webhooks. */
	readonly tokens: readonly string[];
	/** Bothy polls for messages because the service cannot reach us. Absent if the service posts webhooks. */
	readonly receive?: 'events';
	/** The plugin that does this account's work. */
	readonly bot: string;
	/** URL of the host that does this account's work instead of a plugin: its bot has not moved here yet. */
	readonly forward?: string;
	/** What the account sets for its bot: `config.<key>`, keys in lower case. */
	readonly config?: Readonly<Record<string, BotSetting>>;
	/** Absent: Bothy does not report this account as present. */
	readonly presence?: Presence;
	/** File and line of the section, for errors. */
	readonly place?: string;
	/** Certificates for the connection to the site. Absent if the well-known authorities are enough. */
	readonly tls?: Tls;
}

/** One setting for a bot: its text, and its place for errors. */
export interface BotSetting {
	readonly text: string;
	readonly place: string;
}

/** Accounts of the config file and of BOTHY_CONFIG_JSON. A missing file is an error only if BOTHY_CONFIG names it. */
export function readAccounts(settings: Settings): readonly Account[] {
	return checkIdentities(readSections(settings).map(toAccount));
}

/** Accounts of one config file, which must exist. */
export function readAccountFile(file: string): readonly Account[] {
	return checkIdentities(readFileSections(file).map(toAccount));
}

const TOKEN_HINT =
	"It verifies that a webhook comes from your service. You find it in the zuliprc that you can download in the bot's settings.";

/** Our own keys, and those of a `zuliprc`. */
const KEYS: ReadonlySet<string> = new Set([
	...['email', 'key', 'site', 'token', 'bot', 'bot-config-file', 'forward', 'receive', 'presence', 'presence-hours'],
	...['cert_bundle', 'client_cert', 'client_cert_key', 'insecure'],
]);

function refuseUnknownKeys(section: Section): void {
	const unknown = section.keys.find(key => !KEYS.has(key.toLowerCase()) && !/^config\./i.test(key));
	if (unknown !== undefined) {
		throw new ConfigError(
			`${section.placeOf(unknown)}: unknown key \`${unknown}\` in [${section.name}]. ` +
				`Did you mean \`${closest(unknown.toLowerCase(), [...KEYS])}\`? A setting of the bot starts with \`config.\`.`,
		);
	}
}

function toAccount(section: Section): Account {
	refuseUnknownKeys(section);
	const need = (key: string, hint: string) => {
		const value = section.value(key)?.trim();
		if (!value) {
			throw new ConfigError(`${section.place}: expected \`${key}\` in [${section.name}], found none. ${hint}`);
		}

		return value;
	};

	const email = need('email', "It is the bot account's address on the service.");
	if (!email.includes('@')) {
		throw new ConfigError(`${section.placeOf('email')}: expected an email address in \`email\`, found "${email}"`);
	}

	const forward = readForward(section);
	const presence = readPresence(section);
	const tls = readTls(section);
	return Object.freeze({
		name: section.name,
		place: section.place,
		email,
		key: need('key', "It is the account's API key; the service shows it in the bot's settings."),
		site: readSite(section, need('site', 'It is the address of your organization, https://chat.example.com.')),
		tokens: section.value('token') === undefined ? [] : readTokens(section, need('token', TOKEN_HINT)),
		bot: section.value('bot')?.trim() || (section.name === 'api' ? shortName(email) : section.name),
		...(forward === undefined ? {} : {forward}),
		...(presence === undefined ? {} : {presence}),
		...(tls === undefined ? {} : {tls}),
		...readBotSettings(section),
		...(readReceive(section) === 'events' ? {receive: 'events' as const} : {}),
	});
}

/** Shorter tokens can be guessed. The service's own have 32 characters. */
const SHORTEST_TOKEN = 16;

/** One token, or several during a rotation. An empty one would let anybody in. */
function readTokens(section: Section, text: string): string[] {
	const tokens = text.split(/\s*,\s*|\s+/);
	const place = section.placeOf('token');
	if (tokens.includes('')) {
		throw new ConfigError(`${place}: expected comma-separated tokens in \`token\`, found an empty one`);
	}

	const short = tokens.find(token => token.length < SHORTEST_TOKEN);
	if (short !== undefined) {
		throw new ConfigError(
			`${place}: expected a \`token\` of at least ${SHORTEST_TOKEN} characters, found one of ${short.length}. ${TOKEN_HINT}`,
		);
	}

	return tokens;
}

/** `config.<key>` of the section. For other keys, the first section of its `bot-config-file`. */
function readBotSettings(section: Section): Pick<Account, 'config'> {
	const file = section.value('bot-config-file')?.trim();
	const config: Record<string, BotSetting> = {};
	for (const {values} of file ? parseBotFile(section, file) : []) {
		for (const [key, {value, line}] of values) {
			config[key] ??= {text: value, place: `${file}:${line}`};
		}
	}

	for (const key of section.keys.filter(key => /^config\./i.test(key))) {
		config[key.slice('config.'.length).toLowerCase()] = {
			text: section.value(key) ?? '',
			place: section.placeOf(key),
		};
	}

	return Object.keys(config).length === 0 ? {} : {config};
}

function parseBotFile(section: Section, file: string): IniSection[] {
	try {
		return parseIni(readFileSync(resolve(file), 'utf8'), file);
	} catch (error) {
		throw isMissing(error)
			? new ConfigError(`${section.placeOf('bot-config-file')}: expected a file, found nothing at ${resolve(file)}`)
			: asConfigError(error);
	}
}

/** A plain `zuliprc` has one section `[api]` and names no bot: the plugin `echo` runs `echo-bot@…`. */
function shortName(email: string): string {
	return email.replace(/@.*$/, '').replace(/-bot$/, '');
}

function readSite(section: Section, text: string): string {
	const scheme = /^localhost\b/.test(text) ? 'http://' : 'https://';
	const site = /^[a-z]+:\/\//i.test(text) ? text : scheme + text;
	const base = site.replace(/\/+$/, '').replace(/\/api$/, '');
	// The canonical form differs in case and default port only.
	const isBase = URL.canParse(base) && /^https?:\/\/[^/?#@]+$/i.test(base);
	if (!isBase) {
		// It may contain a password.
		const found = text.includes('@') ? 'a login' : `"${text}"`;
		throw new ConfigError(
			`${section.placeOf('site')}: expected the address of your organization in \`site\`, scheme and host without a path ` +
				`such as https://chat.example.com, found ${found}`,
		);
	}

	return base;
}

function readReceive(section: Section): 'webhook' | 'events' {
	const text = section.value('receive')?.trim() || 'webhook';
	if (text !== 'webhook' && text !== 'events') {
		throw new ConfigError(
			`${section.placeOf('receive')}: expected \`webhook\` or \`events\` in \`receive\`, found "${text}"`,
		);
	}

	return text;
}

function readForward(section: Section): string | undefined {
	const text = section.value('forward')?.trim();
	if (!text) {
		return undefined;
	}

	if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
		// The URL may contain a password.
		const found = text.includes('@') ? '' : `, found "${text}"`;
		throw new ConfigError(
			`${section.placeOf('forward')}: expected the URL of your present bot host in \`forward\`, ` +
				`such as http://10.0.0.5:5002/${found}`,
		);
	}

	return text;
}

function checkIdentities(accounts: readonly Account[]): readonly Account[] {
	const seen = new Map<string, Account>();
	for (const account of accounts) {
		const identity = `${account.email.toLowerCase()} ${account.site}`;
		const earlier = seen.get(identity);
		if (earlier) {
			throw new ConfigError(
				`${account.place}: [${account.name}] and [${earlier.name}] (${earlier.place}) are the same account ` +
					`(${account.email} on ${account.site}). ` +
					'Give each account one section.',
			);
		}

		seen.set(identity, account);
	}

	return Object.freeze([...accounts]);
}
