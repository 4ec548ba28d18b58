// A realm with a bot whose receiver is a bare socket, and people who watch what is posted.

import type {ExecutionContext} from 'ava';
import type {RealmOptions} from '../../src/realm/index.js';
import {at, type Caller, type Json, openRealm, signIn} from './raw-request.js';
import {startRawServer} from './raw-server.js';

/** The bot Echo, whose receiver answers with literal bytes. */
export async function openRealmWithBot(
	t: ExecutionContext,
	answer: string | ((n: number) => string),
	{hangsUp = false, ...options}: Partial<RealmOptions> & {hangsUp?: boolean} = {},
) {
	const realm = await openRealm(t, options);
	const receiver = await startRawServer(t, answer, {hangsUp});
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: `${receiver.url}/hooks/echo?key=1`});
	return {realm, receiver, bot, alice: await signIn(t, 'alice', realm)};
}

/** Sends a literal form; answers the message's ID. */
export async function send(caller: Caller, form: string): Promise<number> {
	const {json} = await caller.post('/api/v1/messages', form, ['User-Agent: Bothy/1.2.3']);
	return Number(at(json, 'id'));
}

export interface Watch {
	/** The next message that comes from somebody else, with raw content. */
	next(): Promise<Json>;
}

/** Everything that reaches `caller` from now on, through an event queue. */
export async function watch(caller: Caller): Promise<Watch> {
	const {json} = await caller.post(
		'/api/v1/register',
		'event_types=%5B%22message%22%5D&all_public_streams=true' +
			'&client_capabilities=%7B%22notification_settings_null%22:true,%22empty_topic_name%22:true%7D',
	);
	const queue = at(json, 'queue_id');
	let last = Number(at(json, 'last_event_id'));
	const ready: Json[] = [];

	return {
		async next() {
			for (;;) {
				const message = ready.shift();
				if (message !== undefined) {
					return message;
				}

				const answer = await caller.get(`/api/v1/events?queue_id=${queue}&last_event_id=${last}`);
				const events = at(answer.json, 'events');
				for (const event of Array.isArray(events) ? events : []) {
					last = Number(at(event, 'id'));
					if (at(event, 'type') === 'message' && at(event, 'message', 'sender_id') !== caller.userId) {
						ready.push(at(event, 'message'));
					}
				}
			}
		},
	};
}
