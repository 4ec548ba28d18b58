// Config file and environment become one frozen object, or an error that names the place, what was expected and what
// was found. Secrets are never printed.

import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {resolve} from 'node:path';
import {z} from 'zod';
import {type IniSection, parseIni} from './ini.js';
import {type Hours, HoursError, parseHours} from './presence/hours.js';

/** One bot account on one site. */
export interface Account {
	/** Section of the config file: how people call this account. */
	readonly name: string;
	readonly email: string;
	/** API key; absent when the bot only answers webhooks. */
	readonly key: string;
	/** Base URL of the organization, without a trailing slash. */
	readonly site: string;
	/** Webhook tokens that prove a payload; several during a rotation, none for an account that gets no webhooks. */
	readonly tokens: readonly string[];
	/** Messages are asked for, since the service cannot reach us; absent where it posts webhooks. */
	readonly receive?: 'events';
	/** The plugin that does this account's work. */
	readonly bot: string;
	/** URL of the host that does this account's work instead of a plugin: its bot has not moved here yet. */
	readonly forward?: string;
	/** What the account sets for its bot: `config.<key>`, keys in lower case. */
	readonly config?: Readonly<Record<string, BotSetting>>;
	/** Absent: the service is not told that this account is here. */
	readonly presence?: Presence;
	/** Certificates for the connection to the site; absent where the well-known authorities do. */
	readonly tls?: Tls;
}

/** Certificates as PEM text (`cert_bundle`, `client_cert`, `client_cert_key`, `insecure`). */
export interface Tls {
	readonly ca?: string;
	readonly cert?: string;
	readonly key?: string;
	readonly rejectUnauthorized?: false;
}

/** One setting for a bot: its text, and where it stands, for errors. */
export interface BotSetting {
	readonly text: string;
	readonly place: string;
}

/** What the service is told of an account, and when. */
export interface Presence {
	readonly status: 'active' | 'idle';
	/** Absent: always. */
	readonly hours?: Hours;
}

/** A setting that stops the start. */
export class ConfigError extends Error {
	override name = 'ConfigError' as const;
}

const Port = z.coerce.number().int().min(0).max(65_535);

/** Every environment variable that the process reads: its default and its meaning, for `--help` and the README. */
export const ENVIRONMENT = {
	HOST: {default: '127.0.0.1', about: 'address on which the receiver listens'},
	PORT: {default: '8080', about: 'port on which the receiver listens'},
	WEB_CONCURRENCY: {default: '2', about: 'how many receiver processes share that port'},
	REALM_PORT: {default: '8090', about: 'port of the local realm and its chat page (loopback only)'},
	REALM_FEATURE_LEVEL: {default: '496', about: 'feature level of the API that the local realm plays'},
	REALM_RATE_LIMIT: {default: 'on', about: 'off: the local realm lets everybody call as often as they like'},
	REDIS_URL: {
		default: '',
		about: 'Redis to use, or nodes of a Cluster parted by commas; without it a private one is started',
	},
	REDIS_PORT: {default: '8070', about: 'port of the private Redis (loopback only)'},
	BOTHY_CONFIG: {default: 'bothyrc', about: 'config file with one section per bot account'},
	BOTHY_CONFIG_JSON: {default: '', about: 'the same as JSON: {"<section>": {"email", "key", "site", "token"}}'},
	BOTHY_BOTS: {default: '', about: "more folders of plugins, parted by the system's path delimiter"},
	BOTHY_DATA: {default: '.data', about: 'folder for everything that is kept'},
	LEDGER_TEXT_HOURS: {
		default: '24',
		about: 'hours for which the ledger keeps the text of messages, at most 168; older deliveries cannot be replayed',
	},
	SEND_CONCURRENCY: {default: '50', about: 'messages that one worker posts side by side'},
	SEND_SETTLE_SECONDS: {
		default: '60',
		about:
			'seconds for which the receipt of a post without an answer is waited for, before it is posted again or looked up',
	},
	SEND_RETRY_HOURS: {
		default: '24',
		about: 'hours for which a message that cannot be posted is tried again, before it waits as failed',
	},
	HTTPS_PROXY: {default: '', about: 'URL of the proxy through which sites with https are reached'},
	NO_PROXY: {default: '', about: 'hosts that are reached without it, parted by commas'},
	LOG_LEVEL: {default: 'info', about: 'trace, debug, info, warn, error or silent'},
} as const;

/** One server; several parted by commas are nodes of a Cluster. */
function isRedisUrl(url: string): boolean {
	return /^rediss?:\/\/[^\s/]/.test(url) && URL.canParse(url);
}

type Variable = keyof typeof ENVIRONMENT;

const Environment = z.object({
	HOST: z.string(),
	PORT: Port,
	WEB_CONCURRENCY: z.coerce.number().int().min(1).max(256),
	REALM_PORT: Port,
	REALM_FEATURE_LEVEL: z.coerce.number().int().min(1).max(9999),
	REALM_RATE_LIMIT: z.enum(['on', 'off']),
	REDIS_URL: z.string().refine(urls => urls === '' || urls.split(',').every(isRedisUrl)),
	REDIS_PORT: Port,
	BOTHY_CONFIG: z.string(),
	BOTHY_CONFIG_JSON: z.string(),
	BOTHY_BOTS: z.string(),
	BOTHY_DATA: z.string(),
	LEDGER_TEXT_HOURS: z.coerce.number().min(0).max(168),
	SEND_CONCURRENCY: z.coerce.number().int().min(1).max(1000),
	SEND_SETTLE_SECONDS: z.coerce.number().min(0).max(3600),
	SEND_RETRY_HOURS: z.coerce.number().min(0).max(168),
	HTTPS_PROXY: z.string().refine(url => url === '' || (/^https?:\/\/[^\s/]/.test(url) && URL.canParse(url))),
	NO_PROXY: z.string(),
	LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
} satisfies Record<Variable, z.ZodType>);

/** What the process was told, checked. */
export type Settings = Readonly<z.infer<typeof Environment>> & {
	/** Whether BOTHY_CONFIG was set, so that a missing file is an error. */
	readonly configIsExplicit: boolean;
};

/** Reads the environment. Secrets may also stand in files: `REDIS_URL_FILE=/run/secrets/redis`. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
	const values: Record<string, string> = {};
	for (const name of Object.keys(ENVIRONMENT) as Variable[]) {
		values[name] = readVariable(environment, name) ?? ENVIRONMENT[name].default;
	}

	const parsed = Environment.safeParse(values);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		const name = String(issue?.path[0]);
		// Such a URL may hold a password.
		const found = name === 'REDIS_URL' || name === 'HTTPS_PROXY' ? '' : `, found "${values[name]}"`;
		throw new ConfigError(`${name}: expected ${EXPECTED[name] ?? ENVIRONMENT[name as Variable].about}${found}`);
	}

	return Object.freeze({...parsed.data, configIsExplicit: Boolean(environment.BOTHY_CONFIG)});
}

const EXPECTED: Record<string, string> = {
	PORT: 'a port number from 0 to 65535',
	REALM_PORT: 'a port number from 0 to 65535',
	REALM_FEATURE_LEVEL: 'a feature level from 1 to 9999',
	REALM_RATE_LIMIT: 'on or off',
	WEB_CONCURRENCY: 'a number of processes from 1 to 256',
	REDIS_PORT: 'a port number from 0 to 65535',
	REDIS_URL: 'a URL such as redis://:password@host:6379',
	HTTPS_PROXY: 'a URL such as http://proxy.example.com:3128',
	LEDGER_TEXT_HOURS: 'a number of hours from 0 to 168',
	SEND_CONCURRENCY: 'a number from 1 to 1000',
	SEND_SETTLE_SECONDS: 'a number of seconds from 0 to 3600',
	SEND_RETRY_HOURS: 'a number of hours from 0 to 168',
};

const PROXY: ReadonlySet<Variable> = new Set(['HTTPS_PROXY', 'NO_PROXY']);

function readVariable(environment: NodeJS.ProcessEnv, name: Variable): string | undefined {
	// Other programs read the names of proxies in small letters.
	const value = environment[name] ?? (PROXY.has(name) ? environment[name.toLowerCase()] : undefined);
	const file = environment[`${name}_FILE`];
	if (value || !file) {
		return value || undefined;
	}

	try {
		return readFileSync(file, 'utf8').trim();
	} catch (error) {
		throw new ConfigError(`${name}_FILE: expected a readable file, found ${file} (${reasonOf(error)})`);
	}
}

/** Accounts of the config file and of BOTHY_CONFIG_JSON. No file is no error unless BOTHY_CONFIG names it. */
export function readAccounts(settings: Settings): readonly Account[] {
	const sections = [...fileSections(settings), ...jsonSections(settings.BOTHY_CONFIG_JSON)];
	return checkIdentities(sections.map(toAccount));
}

/** Accounts of one config file that must be there. */
export function readAccountFile(file: string): readonly Account[] {
	return checkIdentities(sectionsOf(file, readText(file)).map(toAccount));
}

interface Section {
	readonly name: string;
	/** File and line, for errors. */
	readonly place: string;
	readonly value: (key: string) => string | undefined;
	readonly keys: readonly string[];
	readonly placeOf: (key: string) => string;
}

function fileSections(settings: Settings): Section[] {
	const file = resolve(settings.BOTHY_CONFIG);
	try {
		return sectionsOf(settings.BOTHY_CONFIG, readFileSync(file, 'utf8'));
	} catch (error) {
		if (!settings.configIsExplicit && isMissing(error)) {
			return [];
		}

		throw isMissing(error)
			? new ConfigError(`BOTHY_CONFIG: expected a config file, found nothing at ${file}`)
			: asConfigError(error);
	}
}

function readText(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		throw new ConfigError(`Expected a config file at ${file}: ${reasonOf(error)}`);
	}
}

function sectionsOf(file: string, text: string): Section[] {
	return parseIni(text, file).map((section: IniSection) => ({
		name: section.name,
		place: `${file}:${section.line}`,
		value: (key: string) => section.values.get(key)?.value,
		keys: [...section.values.keys()],
		placeOf: (key: string) => `${file}:${section.values.get(key)?.line ?? section.line}`,
	}));
}

const JsonConfig = z.record(z.string(), z.record(z.string(), z.string()));

function jsonSections(text: string): Section[] {
	if (text === '') {
		return [];
	}

	const parsed = JsonConfig.safeParse(parseJson(text));
	if (!parsed.success) {
		const at = parsed.error.issues[0]?.path.join('.') || 'the top';
		throw new ConfigError(
			`BOTHY_CONFIG_JSON: expected {"<section>": {"email": "…", …}} with strings, differs at ${at}`,
		);
	}

	return Object.entries(parsed.data).map(([name, values]) => ({
		name,
		place: `BOTHY_CONFIG_JSON.${name}`,
		value: (key: string) => values[key],
		keys: Object.keys(values),
		placeOf: (key: string) => `BOTHY_CONFIG_JSON.${name}.${key}`,
	}));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new ConfigError('BOTHY_CONFIG_JSON: expected JSON, found text that is none');
	}
}

const TOKEN_HINT =
	"It proves that a webhook comes from your service. It stands in the zuliprc that the bot's settings let you download.";

function toAccount(section: Section): Account {
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
		email,
		key: need('key', "It is the account's API key; the service shows it in the bot's settings."),
		site: readSite(section, need('site', 'It is the address of your organization, https://chat.example.com.')),
		tokens: section.value('token') === undefined ? [] : need('token', TOKEN_HINT).split(/[\s,]+/),
		bot: section.value('bot')?.trim() || (section.name === 'api' ? shortName(email) : section.name),
		...(forward === undefined ? {} : {forward}),
		...(presence === undefined ? {} : {presence}),
		...(tls === undefined ? {} : {tls}),
		...readBotSettings(section),
		...(readReceive(section) === 'events' ? {receive: 'events' as const} : {}),
	});
}

/** `config.<key>` of the section; before those, for keys that it does not have, the first section of its `bot-config-file`. */
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

/** A plain `zuliprc` has one section `[api]` and names no bot: `echo-bot@…` is run by `echo`. */
function shortName(email: string): string {
	return email.replace(/@.*$/, '').replace(/-bot$/, '');
}

function readSite(section: Section, text: string): string {
	const scheme = /^localhost\b/.test(text) ? 'http://' : 'https://';
	const site = /^[a-z]+:\/\//i.test(text) ? text : scheme + text;
	if (!URL.canParse(site) || !/^https?:$/.test(new URL(site).protocol)) {
		throw new ConfigError(`${section.placeOf('site')}: expected a URL in \`site\`, found "${text}"`);
	}

	return site.replace(/\/+$/, '').replace(/\/api$/, '');
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
		// Such a URL may hold a password.
		const found = text.includes('@') ? '' : `, found "${text}"`;
		throw new ConfigError(
			`${section.placeOf('forward')}: expected the URL of your present bot host in \`forward\`, ` +
				`such as http://10.0.0.5:5002/${found}`,
		);
	}

	return text;
}

/** The keys are those of a `zuliprc`, whose files are found from the working folder. */
function readTls(section: Section): Tls | undefined {
	const insecure = section.value('insecure')?.trim().toLowerCase();
	if (insecure !== undefined && insecure !== 'true' && insecure !== 'false') {
		throw new ConfigError(
			`${section.placeOf('insecure')}: expected \`true\` or \`false\` in \`insecure\`, found "${insecure}"`,
		);
	}

	const [ca, cert, key] = ['cert_bundle', 'client_cert', 'client_cert_key'].map(name => readPem(section, name));
	if (key !== undefined && cert === undefined) {
		throw new ConfigError(
			`${section.placeOf('client_cert_key')}: expected \`client_cert\` beside \`client_cert_key\`, found none`,
		);
	}

	// A certificate may stand in one file with its key.
	const own = cert === undefined ? {} : {cert, key: key ?? cert};
	const trusted = insecure === 'true' ? {rejectUnauthorized: false as const} : ca === undefined ? {} : {ca};
	const tls = {...own, ...trusted};
	return Object.keys(tls).length > 0 ? tls : undefined;
}

function readPem(section: Section, name: string): string | undefined {
	const file = section.value(name)?.trim();
	if (!file) {
		return undefined;
	}

	const place = section.placeOf(name);
	let text: string;
	try {
		text = readFileSync(resolve(file.replace(/^~(?=\/)/, homedir())), 'utf8');
	} catch (error) {
		throw new ConfigError(`${place}: expected a readable file in \`${name}\`, found ${file} (${reasonOf(error)})`);
	}

	if (!text.includes('-----BEGIN ')) {
		throw new ConfigError(`${place}: expected certificates as PEM text in \`${name}\`, found none in ${file}`);
	}

	return text;
}

function readPresence(section: Section): Presence | undefined {
	const status = section.value('presence')?.trim();
	const hours = section.value('presence-hours')?.trim();
	if (!status && hours) {
		throw new ConfigError(
			`${section.placeOf('presence-hours')}: expected \`presence = active\` or \`presence = idle\` beside ` +
				'`presence-hours`, found neither',
		);
	}

	if (!status) {
		return undefined;
	}

	if (status !== 'active' && status !== 'idle') {
		throw new ConfigError(
			`${section.placeOf('presence')}: expected \`active\` or \`idle\` in \`presence\`, found "${status}"`,
		);
	}

	return hours ? {status, hours: readHours(section, hours)} : {status};
}

function readHours(section: Section, text: string): Hours {
	try {
		return parseHours(text);
	} catch (error) {
		if (error instanceof HoursError) {
			const place = section.placeOf('presence-hours');
			throw new ConfigError(`${place}: expected ${error.expected} in \`presence-hours\`, found "${error.found}"`);
		}

		throw error;
	}
}

function checkIdentities(accounts: readonly Account[]): readonly Account[] {
	const seen = new Map<string, Account>();
	for (const account of accounts) {
		const identity = `${account.email.toLowerCase()} ${account.site}`;
		const earlier = seen.get(identity);
		if (earlier) {
			throw new ConfigError(
				`[${account.name}] and [${earlier.name}] are the same account (${account.email} on ${account.site}). ` +
					'Give each account one section.',
			);
		}

		seen.set(identity, account);
	}

	return Object.freeze([...accounts]);
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reasonOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function asConfigError(error: unknown): ConfigError {
	return error instanceof ConfigError ? error : new ConfigError(error instanceof Error ? error.message : String(error));
}
