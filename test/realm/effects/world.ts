// What effects are tried in: a realm that forgets all of it before the next one, and people with our client.

import {once} from 'node:events';
import http, {type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Event} from '../../../src/api/index.js';
import {type Client, createClient} from '../../../src/client/client.js';
import {type OpenRealm, type Realm, startRealm} from '../../../src/realm/index.js';
import type {Store} from '../../../src/realm/store/store.js';
import {createLocalPool} from '../../../src/testing/connections.js';
import {signIn} from '../realm-kit.js';

const NAMES = ['olivia', 'adam', 'mona', 'alice', 'bob', 'carla', 'gus'] as const;

/** An event without its own ID. */
export type WatchedEvent = Omit<Event, 'id'>;

/** People of the demo organization: Olivia owns it, Adam administers, Gus is a guest. */
export interface World extends Readonly<Record<(typeof NAMES)[number], Client>> {
	readonly realm: Realm & OpenRealm;
	/** Somebody who joined. */
	as(name: string): Client;
	/** Anybody whose address and key are known. */
	client(email: string, key: string): Client;
	/** Moves the realm's clock, which stands otherwise. */
	pass(ms: number): void;
	/** Where outgoing webhooks may go. */
	readonly receiver: string;
	/** The next webhook there. */
	delivery(): Promise<IncomingMessage>;
	/** Opens an event queue; what it answers gives all events so far, their own IDs left out. */
	watch(client: Client, options?: Parameters<Client['register']>[0]): Promise<() => Promise<readonly WatchedEvent[]>>;
	/** Forgets all that was done. */
	forget(): Promise<void>;
	close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
	const realm = await startRealm({file: ':memory:', port: 0, rateLimit: false, now: Date.UTC(2026, 2, 1)});
	const receiver = http.createServer((request, response) => response.end(request.resume() && '{}'));
	await once(receiver.listen(0, '127.0.0.1'), 'listening');
	const pool = createLocalPool(realm.server, realm.url, 4);
	const restore = remember(realm.services.store);
	const client = (email: string, key: string) =>
		createClient({site: realm.url, email, key, userAgent: 'Bothy/1.2.3', pool});
	const as = (name: string) => {
		const {email, key} = signIn(realm, name);
		return client(email, key);
	};
	const people = Object.fromEntries(NAMES.map(name => [name, as(name)]));

	return {
		// An entry for each name.
		...(people as Record<(typeof NAMES)[number], Client>),
		realm,
		as,
		client,
		pass: ms => realm.services.clock.advance(ms),
		receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
		delivery: async () => (await once(receiver, 'request'))[0],
		async watch(watcher, options) {
			const {queue_id} = await watcher.register(options);
			if (!queue_id) {
				throw new Error('Expected an event queue, found none');
			}

			return async () => {
				const {events} = await watcher.getEvents({queue_id, last_event_id: -1, dont_block: true});
				return events.map(({id: _, ...event}: Event) => event);
			};
		},
		async forget() {
			await realm.webhooksDone();
			realm.services.queues.loseAll();
			restore();
		},
		async close() {
			receiver.close();
			await Promise.all([pool.destroy(), realm.close()]);
		},
	};
}

/** Remembers all rows of a database; the answer brings them back. */
function remember(store: Store): () => void {
	const tables = store.all<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'").map(({name}) => name);
	store.run("ATTACH ':memory:' AS start");
	for (const name of tables) {
		store.run(`CREATE TABLE start."start_${name}" AS SELECT * FROM main."${name}"`);
	}

	// The last IDs are counted up by rows that are written before them.
	const inOrder = [...tables.filter(name => name !== 'sqlite_sequence'), 'sqlite_sequence'];
	return () => {
		// Every row goes and comes, so nothing has to be looked up in between.
		store.run('PRAGMA foreign_keys = OFF');
		store.transaction(() => {
			for (const name of inOrder) {
				store.run(`DELETE FROM main."${name}"`);
				store.run(`INSERT INTO main."${name}" SELECT * FROM start."start_${name}"`);
			}
		});
		store.run('PRAGMA foreign_keys = ON');
	};
}
