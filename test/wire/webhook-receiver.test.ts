import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createReceiver} from '../../src/receiver/receiver.js';
import {createMemoryStore} from '../../src/testing/memory-store.js';
import {type Json, sendRequest} from './kit/raw-request.js';

// Written from spec.md, operation 21, and service-facts.md 4.2.
const MENTION = `{"data":"@**Echo** hello, w\\u00f6rld","message":{"id":4711,"sender_id":9,\
"sender_email":"user9@chat.example.com","sender_full_name":"Alice Ahn","sender_realm_str":"",\
"avatar_url":"https://secure.gravatar.com/avatar/0?d=identicon&version=1","client":"website",\
"content":"@**Echo** hello, w\\u00f6rld","content_type":"text/x-markdown",\
"rendered_content":"<p><span class=\\"user-mention\\" data-user-id=\\"12\\">@Echo</span> hello, w\\u00f6rld</p>",\
"type":"stream","display_recipient":"general","recipient_id":20,"stream_id":3,"subject":"","topic_links":[],\
"reactions":[],"submessages":[],"timestamp":1527876931,"is_me_message":false},"bot_email":"echo-bot@chat.example.com",\
"bot_full_name":"Echo","token":"xvOzfurIutdRRVLzpXrIIHXJvNfaJLJ0","trigger":"mention"}`;

const DIRECT = `{"data":"hello","message":{"id":4712,"sender_id":9,"sender_email":"user9@chat.example.com",\
"sender_full_name":"Alice Ahn","sender_realm_str":"","avatar_url":"https://chat.example.com/9.png",\
"client":"ZulipMobile","content":"hello","rendered_content":"<p>hello</p>","type":"private",\
"display_recipient":[{"id":9,"email":"user9@chat.example.com","full_name":"Alice Ahn","is_mirror_dummy":false},\
{"id":12,"email":"echo-bot@chat.example.com","full_name":"Echo","is_mirror_dummy":false}],"recipient_id":21,\
"subject":"","topic_links":[],"reactions":[],"submessages":[],"timestamp":1527876932,"is_me_message":false},\
"bot_email":"echo-bot@chat.example.com","bot_full_name":"Echo","token":"xvOzfurIutdRRVLzpXrIIHXJvNfaJLJ0",\
"trigger":"direct_message"}`;

/** Our receiver with a bot that says `reply`, or nothing. Says what the bot was given. */
async function startOurs(t: ExecutionContext, reply: string | undefined) {
	const delivered: Json[] = [];
	const deliveries = createDeliveries({
		process: 'test',
		store: createMemoryStore(Date.now),
		log: {info() {}, warn() {}, error() {}},
		isDead: () => false,
		enqueue: async () => {},
		async handle({work, run: {say}}) {
			// It came in as JSON.
			delivered.push((work.kind === 'message' ? work.payload : work) as Json);
			if (reply !== undefined) {
				await say.reply(reply);
			}
		},
	});
	const account = {
		site: 'https://chat.example.com',
		email: 'echo-bot@chat.example.com',
		tokens: ['xvOzfurIutdRRVLzpXrIIHXJvNfaJLJ0'],
		// A bot is in time however slow the machine is.
		deadlineMs: 60_000,
		timeoutMs: 60_000,
		concurrency: 10,
		perMinute: 0,
		hasSession: false,
	};
	const server = createReceiver({
		accounts: [account],
		deliver: arrival => deliveries.receive(arrival),
		readiness: async () => ({missing: [], degraded: []}),
		report: error => t.fail(String(error)),
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(async () => {
		server.close();
		server.closeAllConnections();
		await deliveries.close(0);
	});

	// It listens on a port.
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const headers = [
		`Host: ${host}`,
		'User-Agent: ZulipOutgoingWebhook/12.0',
		'Accept-Encoding: gzip, deflate',
		'Accept: */*',
		'Content-Type: application/json',
	];
	const post = (body: string, path = '/webhook') => sendRequest(`http://${host}`, `POST ${path}`, headers, body);
	return {post, delivered};
}

for (const [kind, payload] of [
	['a mention', MENTION],
	['a direct message', DIRECT],
] as const) {
	test(`our receiver hands ${kind} to the bot with every field, and answers what it says as JSON`, async t => {
		const {post, delivered} = await startOurs(t, 'Grüße 🎲, *wörld*\n"again"');

		const answer = await post(payload);

		t.is(answer.statusLine, 'HTTP/1.1 200 OK');
		t.is(answer.headers['content-type']?.split(';')[0], 'application/json');
		t.is(answer.headers['content-length'], String(Buffer.byteLength(answer.body)));
		t.is(answer.body, '{"content":"Grüße 🎲, *wörld*\\n\\"again\\""}');
		t.deepEqual(delivered, [JSON.parse(payload) as Json]);
	});

	test(`our receiver answers ${kind} with no response required when the bot says nothing`, async t => {
		const {post} = await startOurs(t, undefined);

		const answer = await post(payload);

		t.is(answer.statusLine, 'HTTP/1.1 200 OK');
		t.is(answer.headers['content-type']?.split(';')[0], 'application/json');
		t.is(answer.body, '{"response_not_required":true}');
	});
}

for (const [what, payload, path] of [
	['payloads at /, where other bot servers listen', MENTION, '/'],
	[
		'keys and triggers that it does not know',
		MENTION.replace('"trigger":"mention"', '"trigger":"wave","brand_new":[1]').replace('"id":4711', '"id":1,"odd":{}'),
	],
	[
		'the old trigger private_message and the deprecated edit fields',
		DIRECT.replace('"trigger":"direct_message"', '"trigger":"private_message"').replace(
			'"is_me_message":false',
			'"is_me_message":false,"last_edit_timestamp":1527876940,"edit_history":[{"user_id":null,"timestamp":1,"prev_rendered_content":null}]',
		),
	],
	['the email of the bot in another case', MENTION.replace('echo-bot@chat.example.com', 'Echo-Bot@Chat.Example.com')],
] as const) {
	test(`our receiver takes ${what}`, async t => {
		const {post, delivered} = await startOurs(t, 'hello');

		t.is((await post(payload, path)).body, '{"content":"hello"}');
		t.deepEqual(delivered, [JSON.parse(payload) as Json]);
	});
}

test('our receiver answers the same payload posted again with the same answer, and runs the bot once', async t => {
	const {post, delivered} = await startOurs(t, 'hello');

	const answers = [await post(MENTION), await post(MENTION)];

	t.deepEqual(
		answers.map(answer => answer.body),
		['{"content":"hello"}', '{"content":"hello"}'],
	);
	t.is(delivered.length, 1);
});

for (const [wrong, payload] of [
	['a wrong token', MENTION.replace('xvOzfurIutdRRVLzpXrIIHXJvNfaJLJ0', 'xvOzfurIutdRRVLzpXrIIHXJvNfaJLJ1')],
	['an unknown bot', MENTION.replace('echo-bot@', 'nobody-bot@')],
] as const) {
	test(`our receiver refuses ${wrong} with 401 and a JSON object, without running a bot`, async t => {
		const {post, delivered} = await startOurs(t, 'hello');

		const answer = await post(payload);

		t.is(answer.statusLine, 'HTTP/1.1 401 Unauthorized');
		t.is(answer.headers['content-type']?.split(';')[0], 'application/json');
		t.like(answer.json, {result: 'error', code: 'UNAUTHORIZED'});
		t.deepEqual(delivered, []);
	});
}
