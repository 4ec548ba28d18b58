// The environment variables, checked.

import {readFileSync} from 'node:fs';
import {z} from '../api/zod.js';
import {readRedisUrl} from '../redis/redis-url.js';
import {ENVIRONMENT} from './environment.js';
import {ConfigError, reasonOf} from './error.js';

const Port = z.coerce.number().int().min(0).max(65_535);

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
