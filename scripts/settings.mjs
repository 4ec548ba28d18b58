// The environment variables that Bothy reads, and those that change what its tests check.

const names =
	/^(HOST|PORT|WEB_CONCURRENCY|REALM_\w+|REDIS_\w+|BOTHY_(?!CHROMIUM$|MUTATION$|NO_INSTALL$)\w+|LEDGER_\w+|SEND_\w+|METRICS_\w+|CONSOLE_\w+|ADMIN_TOKEN|HTTPS?_PROXY|NO_PROXY|LOG_LEVEL)(_FILE)?$/i;

export function isSetting(name) {
	return names.test(name);
}
