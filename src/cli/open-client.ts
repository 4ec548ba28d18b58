// Creates the client of an account for a command that exits.

import {type Client, createClient} from '../client/client.js';
import {createPool} from '../client/pool.js';
import type {Account} from '../config/accounts.js';
import {poolOptions} from '../host/clients.js';
import {version} from '../host/version.js';
import type {Terminal} from './once.js';

export function openClient({settings, teardown, note}: Terminal, account: Account): Client {
	const pool = createPool(account.site, poolOptions(settings, account));
	teardown.add(() => pool.destroy());
	return createClient({
		...account,
		pool,
		userAgent: `Bothy/${version}`,
		// Wait out a 429, because there is no job that could be delayed.
		waits: true,
		onIgnoredParameters: (_, names) => note(`The service ignored ${names.join(', ')}.`),
	});
}
