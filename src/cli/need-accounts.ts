// The accounts that a process serves. Warns about connections that others could read.

import {type Account, readAccounts} from '../config/accounts.js';
import {ConfigError} from '../config/error.js';
import type {Host} from '../host/connections.js';

export function needAccounts({settings, log}: Host): readonly Account[] {
	const accounts = readAccounts(settings);
	for (const {name, site, tls} of accounts) {
		if (tls?.rejectUnauthorized === false) {
			log.warn({account: name, site}, '`insecure = true`: anybody on the network path can read keys and messages');
		} else if (/^http:/.test(site) && !/^(localhost|127\.|\[::1\])/.test(new URL(site).hostname)) {
			log.warn({account: name, site}, 'the site has no https: anybody on the network path can read keys and messages');
		}
	}

	if (accounts.length === 0) {
		throw new ConfigError(
			`Expected at least one bot account in ${settings.BOTHY_CONFIG} (BOTHY_CONFIG), found none. ` +
				'The README shows an example. `bothy start` needs no such file.',
		);
	}

	return accounts;
}
