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
	ADMIN_TOKEN: {default: '', about: 'token with which operators sign in to the console, of at least 16 characters'},
	HTTPS_PROXY: {default: '', about: 'URL of the proxy for https sites'},
	NO_PROXY: {default: '', about: 'comma-separated hosts that need no proxy'},
	LOG_LEVEL: {default: 'info', about: 'trace, debug, info, warn, error or silent'},
} as const;
