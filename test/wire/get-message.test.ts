import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

// Every field of spec.md's message object.
const MESSAGE = `{"id":16,"type":"stream","sender_id":4,"sender_email":"hamlet@chat.example.com",\
"sender_full_name":"King Hamlet","sender_realm_str":"zulip","avatar_url":null,"client":"website",\
"content":"<p>a</p>","content_type":"text/html","display_recipient":"general","recipient_id":20,"stream_id":1,\
"subject":"lunch","topic_links":[{"text":"#12","url":"https://issues.example.com/12"}],"timestamp":1527921326,\
"is_me_message":false,"last_edit_timestamp":1528000000,"last_moved_timestamp":1528000001,\
"edit_history":[{"user_id":null,"timestamp":1528000000,"prev_content":"b","prev_rendered_content":"<p>b</p>"},\
{"user_id":5,"timestamp":1527999999,"prev_stream":3,"stream":1,"prev_topic":"food","topic":"lunch"}],\
"reactions":[{"emoji_name":"smile","emoji_code":"1f642","reaction_type":"unicode_emoji","user_id":5},\
{"emoji_name":"party","emoji_code":"2","reaction_type":"realm_emoji","user_id":5},\
{"emoji_name":"extra","emoji_code":"extra","reaction_type":"service_extra_emoji","user_id":5}],\
"submessages":[{"id":1,"message_id":16,"sender_id":4,"msg_type":"widget","content":"{}"}],\
"flags":["read","stream_wildcard_mentioned","wildcard_mentioned"]}`;

test('the client asks for a message by path, with booleans in the query', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","message":${MESSAGE}}\n`);

	await client.getMessage({message_id: 16, apply_markdown: false, allow_empty_topic_name: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/messages/16?apply_markdown=false&allow_empty_topic_name=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.headers['content-type'], undefined);
	t.is(request.body, '');
});

test('the client leaves out what it was not given', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","message":${MESSAGE}}\n`);

	await client.getMessage({message_id: 16});

	t.is((await server.request()).line, 'GET /api/v1/messages/16 HTTP/1.1');
});

test('the client reads every field of a message', async t => {
	const body = `{"result":"success","msg":"","message":${MESSAGE},"raw_content":"a"}\n`;
	const {client} = await clientAnswered(t, body);

	const {message, raw_content} = await client.getMessage({message_id: 16});

	t.is(raw_content, 'a');
	t.is(message.avatar_url, null);
	t.is(message.display_recipient, 'general');
	t.is(message.stream_id, 1);
	t.is(message.edit_history?.[0]?.user_id, null);
	t.is(message.edit_history?.[1]?.prev_topic, 'food');
	t.is(message.reactions[2]?.reaction_type, 'service_extra_emoji');
	t.deepEqual(message.flags, ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned']);
	t.deepEqual<object, object>(message, JSON.parse(MESSAGE) as object);
});

test('the client reads a direct message, which has people and no channel', async t => {
	const body = `{"result":"success","msg":"","message":{"id":17,"type":"private","sender_id":4,\
"sender_email":"hamlet@chat.example.com","sender_full_name":"King Hamlet","sender_realm_str":"zulip",\
"avatar_url":"https://chat.example.com/4.png","client":"website","content":"a","content_type":"text/x-markdown",\
"display_recipient":[{"id":4,"email":"hamlet@chat.example.com","full_name":"King Hamlet","is_mirror_dummy":false},\
{"id":5,"email":"iago@chat.example.com","full_name":"Iago","is_mirror_dummy":false}],"recipient_id":21,"subject":"",\
"topic_links":[],"timestamp":1527921326,"is_me_message":true,"reactions":[],"submessages":[],"flags":[]}}\n`;
	const {client} = await clientAnswered(t, body);

	const {message} = await client.getMessage({message_id: 17});

	t.is(message.type, 'private');
	t.is(message.stream_id, undefined);
	t.deepEqual(message.display_recipient, [
		{id: 4, email: 'hamlet@chat.example.com', full_name: 'King Hamlet', is_mirror_dummy: false},
		{id: 5, email: 'iago@chat.example.com', full_name: 'Iago', is_mirror_dummy: false},
	]);
});

test('the client throws an ApiError for a message that is not there', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid message(s)","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getMessage({message_id: 1})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Invalid message(s)',
		fields: {},
	});
});

/** Sends by a literal form; answers the ID. */
async function send(caller: Caller, form: string): Promise<Json> {
	const answer = await caller.post('/api/v1/messages', form, ['User-Agent: Bothy/1.2.3']);
	return at(answer.json, 'id');
}

test('the realm gives a channel message with every field that never lacks', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=*Soup*');

	const answer = await alice.get(`/api/v1/messages/${id}`);

	expectSuccess(t, answer);
	t.is(at(answer.json, 'message', 'id'), id);
	t.is(at(answer.json, 'message', 'sender_id'), alice.userId);
	t.is(at(answer.json, 'message', 'stream_id'), await channelId(alice, 'general'));
	t.deepEqual(mask(answer.json, 'id', 'sender_id', 'recipient_id', 'stream_id', 'timestamp', 'sender_realm_str'), {
		result: 'success',
		msg: '',
		message: {
			id: '<integer>',
			type: 'stream',
			sender_id: '<integer>',
			sender_email: 'alice@bothy.example',
			sender_full_name: 'Alice Ahn',
			sender_realm_str: '<string>',
			avatar_url: null,
			client: 'Bothy',
			content: '<p><em>Soup</em></p>',
			content_type: 'text/html',
			display_recipient: 'general',
			recipient_id: '<integer>',
			stream_id: '<integer>',
			subject: 'lunch',
			topic_links: [],
			timestamp: '<integer>',
			is_me_message: false,
			reactions: [],
			submessages: [],
			flags: [],
		},
		raw_content: '*Soup*',
	});
});

test('the realm gives a direct message with its people and without channel', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, `type=direct&to=%5B${bob.userId}%5D&content=%2Fme+waves`);

	const answer = await bob.get(`/api/v1/messages/${id}?apply_markdown=false`);

	expectSuccess(t, answer);
	t.deepEqual(mask(at(answer.json, 'message'), 'recipient_id', 'timestamp', 'sender_realm_str'), {
		id,
		type: 'private',
		sender_id: alice.userId,
		sender_email: 'alice@bothy.example',
		sender_full_name: 'Alice Ahn',
		sender_realm_str: '<string>',
		avatar_url: null,
		client: 'Bothy',
		content: '/me waves',
		content_type: 'text/x-markdown',
		display_recipient: [
			{id: alice.userId, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
			{id: bob.userId, email: 'bob@bothy.example', full_name: 'Bob Birk', is_mirror_dummy: false},
		],
		recipient_id: '<integer>',
		subject: '',
		topic_links: [],
		timestamp: '<integer>',
		is_me_message: true,
		reactions: [],
		submessages: [],
		flags: [],
	});
});

test('the realm stamps a message with the seconds of its sending', async t => {
	const alice = await signIn(t);
	const before = Math.floor(Date.now() / 1000);
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=x');
	const after = Math.ceil(Date.now() / 1000);

	const timestamp = Number(at((await alice.get(`/api/v1/messages/${id}`)).json, 'message', 'timestamp'));

	t.true(timestamp >= before && timestamp <= after);
});

for (const [query, subject] of [
	['', 'general chat'],
	['?allow_empty_topic_name=false', 'general chat'],
	['?allow_empty_topic_name=true', ''],
] as const) {
	test(`the realm gives an empty topic as "${subject}" when asked with "${query}"`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=channel&to=general&topic=&content=x');

		const answer = await alice.get(`/api/v1/messages/${id}${query}`);

		t.is(at(answer.json, 'message', 'subject'), subject);
	});
}

test('the realm marks a message that was not sent to its reader as read and historical', async t => {
	const realm = await openRealm(t);
	const id = await send(await signIn(t, 'alice', realm), 'type=channel&to=lunch&topic=x&content=x');

	const answer = await (await signIn(t, 'olivia', realm)).get(`/api/v1/messages/${id}`);

	t.deepEqual(at(answer.json, 'message', 'flags'), ['read', 'historical']);
});

for (const [content, flags] of [
	['%40**Bob+Birk**', ['mentioned']],
	['%40**all**', ['stream_wildcard_mentioned', 'wildcard_mentioned']],
	['%40_**Bob+Birk**', []],
] as const) {
	test(`the realm flags ${decodeURIComponent(content)} for its receiver with ${flags.join(' and ') || 'nothing'}`, async t => {
		const realm = await openRealm(t);
		const id = await send(await signIn(t, 'alice', realm), `type=channel&to=general&topic=x&content=${content}`);

		const answer = await (await signIn(t, 'bob', realm)).get(`/api/v1/messages/${id}`);

		const found = at(answer.json, 'message', 'flags');
		t.deepEqual(Array.isArray(found) ? found.map(String).sort() : found, [...flags].sort());
	});
}

test('the realm flags a topic wildcard for those who take part in the topic', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [mona, carla] = [await signIn(t, 'mona', realm), await signIn(t, 'carla', realm)];
	const first = await send(bob, 'type=channel&to=general&topic=x&content=x');
	await mona.post(`/api/v1/messages/${first}/reactions`, 'emoji_name=tada');
	const id = await send(alice, 'type=channel&to=general&topic=x&content=%40**topic**');

	const flagsOf = async (caller: Caller) => at((await caller.get(`/api/v1/messages/${id}`)).json, 'message', 'flags');

	t.deepEqual(await flagsOf(bob), ['topic_wildcard_mentioned', 'wildcard_mentioned']);
	t.deepEqual(await flagsOf(mona), ['topic_wildcard_mentioned', 'wildcard_mentioned']);
	t.deepEqual(await flagsOf(carla), []);
});

for (const [content, html] of [
	['%40**Bob+Birk**', (id: number) => `<p><span class="user-mention" data-user-id="${id}">@Bob Birk</span></p>`],
	['%40_**Bob+Birk**', (id: number) => `<p><span class="user-mention silent" data-user-id="${id}">Bob Birk</span></p>`],
	['%40**all**', () => '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>'],
	['%40**topic**', () => '<p><span class="topic-mention">@topic</span></p>'],
	['a%40**Bob+Birk**', () => '<p>a@<strong>Bob Birk</strong></p>'],
] as const) {
	test(`the realm renders ${decodeURIComponent(content).replace('+', ' ')}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const id = await send(alice, `type=channel&to=general&topic=x&content=${content}`);

		const answer = await alice.get(`/api/v1/messages/${id}`);

		t.is(at(answer.json, 'message', 'content'), html(bob.userId));
	});
}

test('the realm names the parameters of a fetched message that it does not know, but none of the path', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=x&content=x');

	const {json} = await alice.get(`/api/v1/messages/${id}?colour=red&apply_markdown=true`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('the realm answers an ID in the path that is no integer like an unknown path', async t => {
	const answer = await (await signIn(t)).get('/api/v1/messages/abc');

	t.is(answer.statusLine, 'HTTP/1.1 404 Not Found');
});

const get = (path: string) => (caller: Caller) => caller.get(path);

test('an unknown message', refused, {
	ask: get('/api/v1/messages/99999'),
	answer: badRequest('Invalid message(s)'),
});
test('apply_markdown in capitals', refused, {
	ask: get('/api/v1/messages/1?apply_markdown=False'),
	answer: badRequest('apply_markdown is not valid JSON'),
});
test('apply_markdown as a number', refused, {
	ask: get('/api/v1/messages/1?apply_markdown=0'),
	answer: badRequest('apply_markdown is not a boolean'),
});
test('allow_empty_topic_name as a word', refused, {
	ask: get('/api/v1/messages/1?allow_empty_topic_name=yes'),
	answer: badRequest('allow_empty_topic_name is not valid JSON'),
});

for (const [place, form] of [
	['a direct conversation of others', 'type=direct&to=adam%40bothy.example'],
	['a private channel of others', 'type=channel&to=staff&topic=x'],
] as const) {
	test(`the realm refuses a message of ${place} like one that does not exist`, async t => {
		const realm = await openRealm(t);
		const id = await send(await signIn(t, 'olivia', realm), `${form}&content=secret`);

		const answer = await (await signIn(t, 'alice', realm)).get(`/api/v1/messages/${id}`);

		expectRefusal(t, answer, badRequest('Invalid message(s)'));
	});
}
