// The example payload has two paths, which do the same.

import test from 'ava';
import type {Client} from '../../src/client/client.js';
import {clientAnswered} from './raw-client.js';
import {
	at,
	badRequest,
	callerOf,
	channelId,
	expectRefusal,
	expectSuccess,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {httpAnswer} from './raw-server.js';
import {refused} from './refused.js';
import {openRealmWithBot, send} from './webhook-kit.js';

const NOTHING = httpAnswer('200 OK', '{"response_not_required":true}');

/** Declares the tests of one of them. */
export function testExamplePayload(
	PATH: string,
	ask: (client: Client) => ReturnType<Client['serviceOutgoingWebhook']>,
): void {
	test(`${PATH}: the client asks with an empty form and reads the payload`, async t => {
		const {client, server} = await clientAnswered(
			t,
			`{"result":"success","msg":"","bot_email":"echo-bot@x.example","bot_full_name":"Echo","data":"hi",\
"trigger":"mention","token":"abc","message":{"id":1,"type":"stream","sender_id":2,"sender_email":"a@x.example",\
"sender_full_name":"A","sender_realm_str":"","avatar_url":null,"client":"website","content":"hi",\
"display_recipient":"general","recipient_id":3,"stream_id":4,"subject":"x","topic_links":[],"timestamp":5,\
"is_me_message":false,"reactions":[],"submessages":[]}}\n`,
		);

		const payload = await ask(client);

		const request = await server.request();
		t.is(request.line, `POST ${PATH} HTTP/1.1`);
		t.is(request.body, '');
		t.is(payload.trigger, 'mention');
		t.is(payload.message.subject, 'x');
	});

	test(`${PATH}: the realm shows a bot what it posts for a message that mentions it`, async t => {
		const {realm, receiver, alice, bot} = await openRealmWithBot(t, NOTHING);
		const id = await send(alice, 'type=channel&to=general&topic=soup&content=%40**Echo**+*hello*');

		const answer = await callerOf(realm.url, bot).post(PATH, '');

		expectSuccess(t, answer);
		t.deepEqual(answer.json, {result: 'success', msg: '', ...Object(JSON.parse((await receiver.request()).body))});
		t.deepEqual(mask(answer.json, 'recipient_id', 'timestamp', 'sender_realm_str', 'avatar_url'), {
			result: 'success',
			msg: '',
			data: '@**Echo** *hello*',
			message: {
				id,
				sender_id: alice.userId,
				sender_email: 'alice@bothy.example',
				sender_full_name: 'Alice Ahn',
				sender_realm_str: '<string>',
				avatar_url: '<string>',
				client: 'Bothy',
				content: '@**Echo** *hello*',
				content_type: 'text/x-markdown',
				rendered_content: `<p><span class="user-mention" data-user-id="${bot.userId}">@Echo</span> <em>hello</em></p>`,
				type: 'stream',
				display_recipient: 'general',
				recipient_id: '<integer>',
				stream_id: await channelId(alice, 'general'),
				subject: 'soup',
				topic_links: [],
				timestamp: '<integer>',
				is_me_message: false,
				reactions: [],
				submessages: [],
			},
			bot_email: 'echo-bot@bothy.example',
			bot_full_name: 'Echo',
			token: bot.token,
			trigger: 'mention',
		});
	});

	test(`${PATH}: the realm shows a bot what it posts for a direct message`, async t => {
		const {realm, receiver, alice, bot} = await openRealmWithBot(t, NOTHING);
		await send(alice, `type=direct&to=%5B${bot.userId}%5D&content=hello`);

		const {json} = await callerOf(realm.url, bot).post(PATH, '');

		t.is(at(json, 'trigger'), 'direct_message');
		t.deepEqual(json, {result: 'success', msg: '', ...Object(JSON.parse((await receiver.request()).body))});
	});

	test(`${PATH}: the realm gives a bot without webhook a token that stays`, async t => {
		const bot = await signIn(t, 'notification-bot');

		const [first, second] = [await bot.post(PATH, ''), await bot.post(PATH, '')];

		expectSuccess(t, first);
		t.regex(String(at(first.json, 'token')), /^[A-Za-z0-9]{32}$/);
		t.not(at(first.json, 'token'), bot.key);
		t.is(at(second.json, 'token'), at(first.json, 'token'));
	});

	test(`${PATH}: the realm lists parameters, for there are none`, async t => {
		const bot = await signIn(t, 'notification-bot');

		t.deepEqual(at((await bot.post(PATH, 'token=x')).json, 'ignored_parameters_unsupported'), ['token']);
	});

	test(`${PATH}: the realm refuses a bot that no message has reached yet`, async t => {
		const realm = await openRealm(t);
		const [olivia, bot] = [await signIn(t, 'olivia', realm), await signIn(t, 'notification-bot', realm)];
		const {json} = await olivia.get('/api/v1/messages?anchor=oldest&num_after=1000&narrow=[["channels","public"]]');
		for (const message of [at(json, 'messages')].flat()) {
			expectSuccess(t, await olivia.delete(`/api/v1/messages/${at(message, 'id')}`, ''));
		}

		expectRefusal(t, await bot.post(PATH, ''), badRequest('There is no message yet that this bot may read.'));
	});

	test(`${PATH} for a human`, refused, {
		ask: alice => alice.post(PATH, ''),
		answer: badRequest('This endpoint accepts bot requests only.'),
	});
}
