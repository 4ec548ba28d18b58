// A realm with a bot whose receiver is a bare socket.

import type {ExecutionContext} from 'ava';
import type {OpenRealm, Realm, RealmOptions} from '../../../src/realm/index.js';
import {at, type Caller, type Json, newestMessage, openRealm, signIn} from './raw-request.js';
import {startRawServer} from './raw-server.js';

/** The bot Echo, whose receiver answers with literal bytes. The clock stands still, so the realm waits for it forever. */
export async function openRealmWithBot(
	t: ExecutionContext,
	answer: string | ((n: number) => string | Buffer),
	{hangsUp = false, ...options}: Partial<RealmOptions> & {hangsUp?: boolean} = {},
) {
	// startRealm() makes both.
	const realm = (await openRealm(t, {now: 1_800_000_000_000, ...options})) as Realm & OpenRealm;
	const receiver = await startRawServer(t, answer, {hangsUp});
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: `${receiver.url}/hooks/echo?key=1`});
	const alice = await signIn(t, 'alice', realm);
	/** Alice sends this form; once no webhook is under way, the newest message that she sees. */
	const ask = async (form: string) => {
		await send(alice, form);
		await realm.webhooksDone();
		return newestMessage(alice);
	};
	return {realm, receiver, bot, alice, ask};
}

/** Sends a literal form; answers the message's ID. */
export async function send(caller: Caller, form: string): Promise<number> {
	const {json} = await caller.post('/api/v1/messages', form, ['User-Agent: Bothy/1.2.3']);
	return Number(at(json, 'id'));
}

/** The newest messages, oldest first, as they were written. */
export async function readNewest(caller: Caller, count: number, narrow = '[]'): Promise<Json[]> {
	const {json} = await caller.get(
		`/api/v1/messages?anchor=newest&num_before=${count}&narrow=${encodeURIComponent(narrow)}` +
			'&apply_markdown=false&allow_empty_topic_name=true',
	);
	return [at(json, 'messages')].flat();
}

/** The direct messages of the owner of all bots, newest last. */
export async function readOwner(t: ExecutionContext, realm: OpenRealm, count = 100): Promise<string[]> {
	const messages = await readNewest(await signIn(t, 'olivia', realm), count, '[["is","dm"]]');
	return messages.map(message => String(at(message, 'content')));
}
