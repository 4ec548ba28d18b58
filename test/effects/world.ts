// A realm of one's own, and its people with our client: what an effect is tried in.

import type {ExecutionContext} from 'ava';
import type {Event} from '../../src/api/index.js';
import {type Client, createClient} from '../../src/client/client.js';
import type {Realm} from '../../src/realm/index.js';
import {openRealm, type Receiver, signIn, startReceiver} from '../realm/realm-kit.js';

/** An event without its own ID. */
export type WatchedEvent = Omit<Event, 'id'>;

export interface World {
	readonly realm: Realm;
	/** Somebody of the demo organization: olivia owns it, adam administers, gus is a guest. */
	as(name: string): Promise<Client>;
	/** Anybody whose address and key are known. */
	client(email: string, key: string): Client;
	/** Where outgoing webhooks may go. */
	receiver(): Promise<Receiver>;
	/** Opens an event queue; what it answers gives all events so far, their own IDs left out. */
	watch(client: Client, options?: Parameters<Client['register']>[0]): Promise<() => Promise<readonly WatchedEvent[]>>;
}

export async function openWorld(t: ExecutionContext): Promise<World> {
	const realm = await openRealm(t);
	const client = (email: string, key: string): Client => {
		const made = createClient({site: realm.url, email, key, userAgent: 'Bothy/1.2.3'});
		t.teardown(() => made.close());
		return made;
	};

	return {
		realm,
		client,
		async as(name) {
			const {email, key} = await signIn(realm, name);
			return client(email, key);
		},
		receiver: () => startReceiver(t, ({response}) => response.end('{}')),
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
	};
}
