// The environment variables, checked.

import {readFileSync} from 'node:fs';
import {z} from 'zod';
import {readRedisUrl} from '../redis/redis-url.js';
import {ConfigError, reasonOf} from './error.js';

const Port = z.coerce.number().int().min(0).max(65_535);

/** Every environment variable that the process reads, with its default and meaning. For `--help` and docs/cli.md. */
export const ENVIRONMENT = {
	HOST: {default: '127.0.0.1', about: 'address that the receivers listen on'},
	PORT: {default: '8080', about: 'port that the receivers listen on'},
	WEB_CONCURRENCY: {default: '2', about: 'number of receiver processes'},
	REALM_PORT: {default: '8090', about: 'port of the local realm and its chat page (loopback only)'},
	REALM_FEATURE_LEVEL: {default: '496', about: 'API feature level of the local realm'},
	REALM_RATE_LIMIT: {default: 'on', about: '`off` turns the rate limits of the local realm off'},
	REDIS_URL: {
		default: '',
		about:
			'Redis server: redis://, rediss:// (TLS), unix://, redis+cluster:// or redis+sentinel://. By default Bothy starts a private one',
	},
	REDIS_PREFIX: {
		default: 'bothy',
		about:
			'first word of all keys and channels in Redis. Give staging another one, and it can share a server with production',
	},
	BOTHY_CONFIG: {default: 'bothyrc', about: 'config file with one section per account'},
	BOTHY_CONFIG_JSON: {default: '', about: 'more accounts as JSON: {"<section>": {"email", "key", "site", "token"}}'},
	BOTHY_BOTS: {default: '', about: 'more plugin folders, separated by `:` (`;` on Windows)'},
	BOTHY_DATA: {default: '.data', about: 'folder for all data'},
	LEDGER_TEXT_HOURS: {
		default: '24',
		about: 'hours to keep the text of messages in the ledger, at most 168. Older deliveries cannot be replayed',
	},
	SEND_CONCURRENCY: {default: '50', about: 'messages that one worker posts at the same time'},
	SEND_SETTLE_SECONDS: {
		default: '60',
		about: 'seconds to look for the outcome of a post that got no answer, before posting it again',
	},
	SEND_RETRY_HOURS: {
		default: '24',
		about: 'hours to retry a message that cannot be posted, before it counts as failed',
	},
	METRICS_PORT: {default: '', about: 'port of `GET /metrics` for Prometheus. Off by default'},
	METRICS_HOST: {default: '127.0.0.1', about: 'address on which `/metrics` listens'},
	CONSOLE_PORT: {
		default: '',
		about: "port of the operator's console. `bothy web` serves it if this is set; `bothy console` uses 8091 without it",
	},
	CONSOLE_HOST: {default: '127.0.0.1', about: 'address on which the console listens'},
	CONSOLE_URL: {
		default: '',
		about: 'URL at which people open the console, if a proxy serves it: https://console.example.com',
	},
	ADMIN_TOKEN: {default: '', about: 'what operators sign in to the console with: at least 16 characters'},
	HTTPS_PROXY: {default: '', about: 'URL of the proxy for https sites'},
	NO_PROXY: {default: '', about: 'comma-separated hosts that need no proxy'},
	LOG_LEVEL: {default: 'info', about: 'trace, debug, info, warn, error or silent'},
} as const;

type Variable = keyof typeof ENVIRONMENT;

const Environment = z.object({
	HOST: z.string(),
	PORT: Port,
	WEB_CONCURRENCY: z.coerce.number().int().min(1).max(256),
	REALM_PORT: Port,
	REALM_FEATURE_LEVEL: z.coerce.number().int().min(1).max(9999),
	REALM_RATE_LIMIT: z.enum(['on', 'off']),
	REDIS_URL: z.string().refine(url => url === '' || readRedisUrl(url) !== undefined),
	REDIS_PREFIX: z.string().regex(/^[\w.-]{1,32}$/),
	BOTHY_CONFIG: z.string(),
	BOTHY_CONFIG_JSON: z.string(),
	BOTHY_BOTS: z.string(),
	BOTHY_DATA: z.string(),
	LEDGER_TEXT_HOURS: z.coerce.number().min(0).max(168),
	SEND_CONCURRENCY: z.coerce.number().int().min(1).max(1000),
	SEND_SETTLE_SECONDS: z.coerce.number().min(0).max(3600),
	SEND_RETRY_HOURS: z.coerce.number().min(0).max(168),
	METRICS_PORT: z.union([z.literal(''), Port]),
	METRICS_HOST: z.string(),
	CONSOLE_PORT: z.union([z.literal(''), Port]),
	CONSOLE_HOST: z.string(),
	CONSOLE_URL: z.string().refine(url => url === '' || (/^https?:\/\/[^\s/]+\/?$/.test(url) && URL.canParse(url))),
	ADMIN_TOKEN: z.string(),
	HTTPS_PROXY: z.string().refine(url => url === '' || (/^https?:\/\/[^\s/]/.test(url) && URL.canParse(url))),
	NO_PROXY: z.string(),
	LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
} satisfies Record<Variable, z.ZodType>);

/** The settings of the process. */
export type Settings = Readonly<z.infer<typeof Environment>> & {
	/** Whether BOTHY_CONFIG was set, so that a missing file is an error. */
	readonly configIsExplicit: boolean;
};

/** Reads the environment. Secrets may also be in files: `REDIS_URL_FILE=/run/secrets/redis`. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
	const values: Record<string, string> = {};
	for (const name of Object.keys(ENVIRONMENT) as Variable[]) {
		values[name] = readVariable(environment, name) ?? ENVIRONMENT[name].default;
	}

	const parsed = Environment.safeParse(values);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		const name = String(issue?.path[0]);
		// These URLs may contain a password.
		const found = name === 'REDIS_URL' || name === 'HTTPS_PROXY' ? '' : `, found "${values[name]}"`;
		throw new ConfigError(`${name}: expected ${EXPECTED[name] ?? ENVIRONMENT[name as Variable].about}${found}`);
	}

	return Object.freeze({...parsed.data, configIsExplicit: Boolean(environment.BOTHY_CONFIG)});
}

const EXPECTED: Record<string, string> = {
	PORT: 'a port number from 0 to 65535',
	REALM_PORT: 'a port number from 0 to 65535',
	METRICS_PORT: 'a port number from 0 to 65535',
	CONSOLE_PORT: 'a port number from 0 to 65535',
	CONSOLE_URL: 'a URL without a path such as https://console.example.com',
	REALM_FEATURE_LEVEL: 'a feature level from 1 to 9999',
	REALM_RATE_LIMIT: 'on or off',
	WEB_CONCURRENCY: 'a number of processes from 1 to 256',
	REDIS_URL:
		'a URL such as redis://:password@host:6379, redis+cluster://:password@host:7000,host:7001 or ' +
		'redis+sentinel://:password@host:26379,host:26379/master, with special characters of a password percent-encoded',
	REDIS_PREFIX: 'a word of at most 32 letters, digits, `.`, `_` or `-`',
	HTTPS_PROXY: 'a URL such as http://proxy.example.com:3128',
	LEDGER_TEXT_HOURS: 'a number of hours from 0 to 168',
	SEND_CONCURRENCY: 'a number from 1 to 1000',
	SEND_SETTLE_SECONDS: 'a number of seconds from 0 to 3600',
	SEND_RETRY_HOURS: 'a number of hours from 0 to 168',
};

const PROXY: ReadonlySet<Variable> = new Set(['HTTPS_PROXY', 'NO_PROXY']);

function readVariable(environment: NodeJS.ProcessEnv, name: Variable): string | undefined {
	// Other programs use lower-case names for the proxies.
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
