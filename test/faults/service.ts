// What the suites ask of a service: it gives bots their accounts, posts what people write to them, and shows what bots said.

import {join} from 'node:path';
import {type Client, createClient} from '../../src/client/client.js';
import {startRealm} from '../../src/realm/index.js';
import {type Planned, titleOf} from './plan.js';
import {openRealmStore} from './verdict.js';

export interface Account {
	readonly name: string;
	readonly email: string;
	readonly key: string;
	readonly site: string;
	readonly token: string;
	readonly payloadUrl: string;
}

export interface Service {
	account(name: string, payloadUrl: string): Account;
	/** Somebody writes a message to a bot. */
	write(planned: Planned, accounts: readonly Account[]): Promise<void>;
	/** Everything that bots wrote. */
	said(): string[];
	/** Webhooks that wait for an answer. */
	waiting(): number;
	close(): Promise<void>;
}

/** While Redis is away each waits until its deadline. */
const WEBHOOKS = 2_000;

/** The realm, with its own rules; people use its API. */
export async function startRealmService(folder: string): Promise<Service> {
	const file = join(folder, 'realm.db');
	const realm = await startRealm({file, port: 0, rateLimit: false, webhooksAtOnce: WEBHOOKS});
	const store = openRealmStore(file);
	const ids = new Map<string, number>();
	const people = new Map<string, Promise<Client>>();
	return {
		account(name, payloadUrl) {
			const account = realm.ensureBot({name, fullName: titleOf(name), payloadUrl});
			ids.set(name, account.userId);
			return {...account, payloadUrl};
		},
		async write({from, bot, topic, words}) {
			const signedIn = people.get(from) ?? signIn(realm.url, `${from}@bothy.example`);
			people.set(from, signedIn);
			const client = await signedIn;
			await client.sendMessage(
				topic === undefined
					? {type: 'direct', to: [ids.get(bot) ?? 0], content: words}
					: {type: 'channel', to: 'general', topic, content: `@**${titleOf(bot)}** ${words}`},
			);
		},
		said: store.said,
		waiting: store.waiting,
		async close() {
			await Promise.all([...people.values()].map(async client => (await client).close()));
			store.close();
			await realm.close();
		},
	};
}

async function signIn(site: string, email: string): Promise<Client> {
	const nobody = createClient({site, email, key: '', userAgent: 'faults/1'});
	const {api_key: key} = await nobody.devFetchApiKey({username: email});
	await nobody.close();
	return createClient({site, email, key, userAgent: 'faults/1', timeoutMs: 60_000});
}
