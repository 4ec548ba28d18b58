// Clients of the realm's people and of the bot. What a 429 asks for passes by the realm's clock.

import type {Pool} from 'undici';
import {type Client, createClient} from '../client/client.js';
import {createLevel} from '../client/level.js';
import type {OpenRealm} from '../realm/index.js';
import {findAccountByEmail} from '../realm/people/accounts.js';

/** One client for each account, by its email. */
export function createClients({services, url: site}: OpenRealm, pool: Pool): (email: string) => Client {
	const level = createLevel(services.featureLevel);
	const clients = new Map<string, Client>();
	const now = () => services.clock.now();

	return function clientOf(email) {
		const known = clients.get(email);
		if (known) {
			return known;
		}

		let until = 0;
		const pause = {
			remainingMs: () => Math.max(0, until - now()),
			begin(ms: number) {
				until = now() + ms;
			},
		};
		const key = findAccountByEmail(services.store, email)?.api_key ?? '';
		const client = createClient({site, email, key, userAgent: 'bothy-testing/1', pool, pause, level});
		clients.set(email, client);
		return client;
	};
}
