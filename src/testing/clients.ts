// Clients of the realm's people and of the bot. They wait out a 429 on the realm's clock.

import type {Pool} from 'undici';
import {type Client, createClient} from '../client/client.js';
import {createLevel} from '../client/level.js';
import type {OpenRealm} from '../realm/index.js';
import {findAccountByEmail} from '../realm/people/accounts.js';

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
