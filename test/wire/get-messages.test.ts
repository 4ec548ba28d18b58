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

const FOUND = `{"result":"success","msg":"","messages":[{"id":21,"type":"private","sender_id":4,\
"sender_email":"hamlet@chat.example.com","sender_full_name":"King Hamlet","sender_realm_str":"zulip",\
"avatar_url":null,"client":"website","content":"<p>x</p>","content_type":"text/html",\
"display_recipient":[{"id":4,"email":"hamlet@chat.example.com","full_name":"King Hamlet","is_mirror_dummy":false}],\
"recipient_id":27,"subject":"","topic_links":[],"timestamp":1527921326,"is_me_message":false,"reactions":[],\
"submessages":[],"flags":["read"],"match_content":"<p>x</p>","match_subject":""}],"anchor":21,"found_anchor":true,\
"found_newest":true,"found_oldest":false,"history_limited":false}\n`;

test('the client asks for messages with an anchor as a word and a narrow as JSON', async t => {
	const {client, server} = await clientAnswered(t, FOUND);

	await client.getMessages({
		anchor: 'newest',
		num_before: 100,
		num_after: 0,
		narrow: [{operator: 'channel', operand: 'general'}, ['topic', 'lunch']],
		apply_markdown: false,
	});

	const request = await server.request();
	t.is(
		request.line,
		'GET /api/v1/messages?anchor=newest&num_before=100&num_after=0' +
			'&narrow=%5B%7B%22operator%22%3A%22channel%22%2C%22operand%22%3A%22general%22%7D%2C%5B%22topic%22%2C%22lunch%22%5D%5D' +
			'&apply_markdown=false HTTP/1.1',
	);
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client asks for messages by ID with a JSON list, or by an anchor that is a number', async t => {
	const {client, server} = await clientAnswered(t, FOUND);

	await client.getMessages({message_ids: [21, 22]});
	await client.getMessages({anchor: 21, include_anchor: false, client_gravatar: false, num_before: 1});

	t.is((await server.request(1)).line, 'GET /api/v1/messages?message_ids=%5B21%2C22%5D HTTP/1.1');
	t.is(
		(await server.request(2)).line,
		'GET /api/v1/messages?anchor=21&include_anchor=false&client_gravatar=false&num_before=1 HTTP/1.1',
	);
});

test('the client reads messages and what was found around them', async t => {
	const {client} = await clientAnswered(t, FOUND);

	const {messages, ...found} = await client.getMessages({anchor: 'newest'});

	t.is(messages.length, 1);
	t.is(messages[0]?.id, 21);
	t.deepEqual(messages[0]?.flags, ['read']);
	t.is(messages[0]?.match_content, '<p>x</p>');
	t.is(found.anchor, 21);
	t.true(found.found_anchor);
	t.true(found.found_newest);
	t.false(found.found_oldest);
	t.false(found.history_limited);
});

test('the client throws an ApiError with `desc` for a bad narrow', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid narrow operator: unknown channel 9","code":"BAD_NARROW","desc":"unknown channel 9"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getMessages({anchor: 'newest', narrow: [['channel', 9]]})), {
		code: 'BAD_NARROW',
		status: 400,
		reason: 'Invalid narrow operator: unknown channel 9',
		fields: {desc: 'unknown channel 9'},
	});
});

async function send(caller: Caller, form: string): Promise<Json> {
	return at((await caller.post('/api/v1/messages', form)).json, 'id');
}

/** Sends three messages `1`, `2`, `3` to general > numbers; answers their IDs. */
async function sendNumbers(caller: Caller): Promise<Json[]> {
	const ids: Json[] = [];
	for (const content of ['1', '2', '3']) {
		ids.push(await send(caller, `type=channel&to=general&topic=numbers&content=${content}`));
	}

	return ids;
}

const NARROW = 'narrow=%5B%5B%22channel%22,%22general%22%5D,%5B%22topic%22,%22numbers%22%5D%5D';

test('the realm gives messages with their flags, in the order of their IDs, and says what it found', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await sendNumbers(alice);

	const answer = await bob.get(`/api/v1/messages?anchor=newest&num_before=2&num_after=0&${NARROW}`);

	expectSuccess(t, answer);
	const message = (n: number) => ({
		id: '<integer>',
		type: 'stream',
		sender_id: alice.userId,
		sender_email: 'alice@bothy.example',
		sender_full_name: 'Alice Ahn',
		sender_realm_str: '<string>',
		avatar_url: null,
		client: 'Unspecified',
		content: `<p>${n}</p>`,
		content_type: 'text/html',
		display_recipient: 'general',
		recipient_id: '<integer>',
		stream_id: '<integer>',
		subject: 'numbers',
		topic_links: [],
		timestamp: '<integer>',
		is_me_message: false,
		reactions: [],
		submessages: [],
		flags: [],
	});
	const masked = mask(answer.json, 'id', 'recipient_id', 'stream_id', 'timestamp', 'sender_realm_str', 'anchor');
	t.is(typeof at(answer.json, 'anchor'), 'number');
	t.deepEqual(masked, {
		result: 'success',
		msg: '',
		messages: [message(2), message(3)],
		anchor: at(masked, 'anchor'),
		found_anchor: false,
		found_newest: true,
		found_oldest: false,
		history_limited: false,
	});
});

const around = test.macro({
	title: (title = '') => `the realm gives, asked for ${title}, just those messages`,
	async exec(
		t,
		query: (ids: readonly Json[]) => string,
		contents: string[],
		found: {found_anchor: boolean; found_newest: boolean; found_oldest: boolean},
	) {
		const alice = await signIn(t);
		const ids = await sendNumbers(alice);

		const answer = await alice.get(`/api/v1/messages?${query(ids)}&apply_markdown=false&${NARROW}`);

		expectSuccess(t, answer);
		const messages = at(answer.json, 'messages');
		t.deepEqual(Array.isArray(messages) && messages.map(each => at(each, 'content')), contents);
		const {json} = answer;
		t.deepEqual(
			{
				found_anchor: at(json, 'found_anchor'),
				found_newest: at(json, 'found_newest'),
				found_oldest: at(json, 'found_oldest'),
			},
			found,
		);
	},
});

test('one on either side of an ID', around, ids => `anchor=${ids[1]}&num_before=1&num_after=1`, ['1', '2', '3'], {
	found_anchor: true,
	found_newest: false,
	found_oldest: false,
});
test(
	'one on either side without the anchor',
	around,
	ids => `anchor=${ids[1]}&include_anchor=false&num_before=1&num_after=1`,
	['1', '3'],
	{found_anchor: false, found_newest: false, found_oldest: false},
);
test('more than there are after an ID', around, ids => `anchor=${ids[1]}&num_before=0&num_after=9`, ['2', '3'], {
	found_anchor: true,
	found_newest: true,
	found_oldest: false,
});
test('the oldest two', around, () => 'anchor=oldest&num_before=0&num_after=2', ['1', '2'], {
	found_anchor: false,
	found_newest: false,
	found_oldest: true,
});
test('the newest nine', around, () => 'anchor=newest&num_before=9&num_after=0', ['1', '2', '3'], {
	found_anchor: false,
	found_newest: true,
	found_oldest: true,
});

test('the realm anchors at the first unread message', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await send(bob, 'type=channel&to=general&topic=numbers&content=0&read_by_sender=true');
	const [first] = await sendNumbers(alice);

	const {json} = await bob.get(`/api/v1/messages?anchor=first_unread&num_before=0&num_after=1&${NARROW}`);

	t.is(at(json, 'anchor'), first ?? null);
	t.is(at(json, 'messages', 0, 'id'), first ?? null);
});

test('the realm gives messages by ID', async t => {
	const alice = await signIn(t);
	const [first, , third] = await sendNumbers(alice);

	const answer = await alice.get(`/api/v1/messages?message_ids=%5B${third},${first}%5D`);

	expectSuccess(t, answer);
	const messages = at(answer.json, 'messages');
	t.deepEqual(Array.isArray(messages) && messages.map(each => at(each, 'id')), [first ?? null, third ?? null]);
});

test('the realm gives of the messages by ID those that fit a narrow, and marks what was searched', async t => {
	const alice = await signIn(t);
	const ids = await sendNumbers(alice);

	const {json} = await alice.get(`/api/v1/messages?message_ids=%5B${ids}%5D&narrow=%5B%5B%22search%22,%222%22%5D%5D`);

	const messages = at(json, 'messages');
	t.deepEqual(Array.isArray(messages) && messages.map(each => at(each, 'id')), [ids[1] ?? null]);
	t.is(at(json, 'messages', 0, 'match_content'), '<p><span class="highlight">2</span></p>');
});

const narrowed = test.macro({
	title: (title = '') => `the realm reads the narrow ${title}`,
	async exec(t, narrow: (ids: {general: number; alice: number; bob: number; message: Json}) => string) {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		await send(bob, 'type=direct&to=alice%40bothy.example&content=no');
		await send(bob, 'type=channel&to=general&topic=other&content=no');
		await send(bob, 'type=channel&to=lunch&topic=wanted&content=no');
		const general = await channelId(alice, 'general');
		const message = await send(alice, 'type=channel&to=general&topic=wanted&content=yes');
		const term = narrow({general, alice: alice.userId, bob: bob.userId, message});

		const {json} = await bob.get(
			`/api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&narrow=${encodeURIComponent(term)}`,
		);

		t.is(at(json, 'messages', 0, 'content'), 'yes');
		t.is(at(json, 'messages', 0, 'id'), message);
	},
});

test('of pairs', narrowed, () => '[["channel","general"],["topic","wanted"]]');
test(
	'of objects',
	narrowed,
	() => '[{"operator":"channel","operand":"general"},{"operator":"topic","operand":"WANTED"}]',
);
test('stream, the old name of channel', narrowed, () => '[["stream","general"],["topic","wanted"]]');
test('of a channel by ID', narrowed, ({general}) => `[["channel",${general}],["topic","wanted"]]`);
test('of a sender by email', narrowed, () => '[["sender","alice@bothy.example"],["topic","wanted"]]');
test('of a sender by ID', narrowed, ({alice}) => `[["sender",${alice}],["topic","wanted"]]`);
test('of an ID', narrowed, ({message}) => `[["id",${message}]]`);
test(
	'with a negated object',
	narrowed,
	() => '[{"operator":"channel","operand":"lunch","negated":true},["topic","wanted"]]',
);

for (const [name, narrow] of [
	['dm by email', '[["dm","bob@bothy.example"]]'],
	['pm-with, the old name of dm', '[["pm-with","bob@bothy.example"]]'],
	['is dm', '[["is","dm"]]'],
] as const) {
	test(`the realm reads the narrow ${name}`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=yes');
		await send(alice, 'type=channel&to=general&topic=x&content=no');

		const {json} = await alice.get(`/api/v1/messages?anchor=newest&num_before=1&narrow=${encodeURIComponent(narrow)}`);

		t.is(at(json, 'messages', 0, 'id'), id);
	});
}

test('the realm gives avatars as addresses when client_gravatar is false', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get('/api/v1/messages?anchor=newest&num_before=1&client_gravatar=false');

	t.is(typeof at(json, 'messages', 0, 'avatar_url'), 'string');
});

test('the realm names the parameters of a search for messages that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get('/api/v1/messages?anchor=newest&num_before=1&b=1&a=1&client=x');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['a', 'b']);
});

const get = (query: string) => (caller: Caller) => caller.get(`/api/v1/messages${query}`);

test('a search without anchor', refused, {ask: get('?num_before=1'), answer: badRequest("Missing 'anchor' argument.")});
test('an anchor that is no place', refused, {
	ask: get('?anchor=middle&num_before=1'),
	answer: badRequest('Invalid anchor'),
});
test('a count that is no JSON', refused, {
	ask: get('?anchor=newest&num_before=abc'),
	answer: badRequest('num_before is not valid JSON'),
});
for (const text of ['%225%22', '1.5', 'true']) {
	test(`num_after=${decodeURIComponent(text)}`, refused, {
		ask: get(`?anchor=newest&num_before=1&num_after=${text}`),
		answer: badRequest('num_after is not an integer'),
	});
}

test('a negative count', refused, {
	ask: get('?anchor=newest&num_before=-1'),
	answer: badRequest('num_before is too small'),
});
test('too many messages at once', refused, {
	ask: get('?anchor=newest&num_before=5000&num_after=1'),
	answer: badRequest('Too many messages requested (maximum 5000).'),
});
for (const range of ['anchor=newest', 'num_before=1', 'num_after=1']) {
	const parameters = 'num_before, num_after, anchor, message_ids, include_anchor';
	test(`messages by ID beside ${range}`, refused, {
		ask: get(`?message_ids=%5B1%5D&${range}`),
		answer: {
			status: '400 Bad Request',
			json: {
				result: 'error',
				msg: `Unsupported parameter combination: ${parameters}`,
				code: 'BAD_REQUEST',
				parameters,
			},
		},
	});
}

test('a negative ID of a message', refused, {
	ask: get('?message_ids=%5B1,-1%5D'),
	answer: badRequest('message_ids[1] is too small'),
});
test('too many messages by ID', refused, {
	ask: get(`?message_ids=${JSON.stringify(Array(5001).fill(1))}`),
	answer: badRequest('Too many messages requested (maximum 5000).'),
});
test('an object as list of IDs', refused, {
	ask: get('?message_ids=%7B%7D'),
	answer: badRequest('message_ids is not a list'),
});
test('a word among the IDs', refused, {
	ask: get('?message_ids=%5B1,%22a%22%5D'),
	answer: badRequest('message_ids[1] is not an integer'),
});
test('a narrow that is no JSON', refused, {
	ask: get('?anchor=newest&num_before=1&narrow=channel'),
	answer: badRequest('narrow is not valid JSON'),
});
test('a narrow that is no list', refused, {
	ask: get('?anchor=newest&num_before=1&narrow=%7B%7D'),
	answer: badRequest('narrow is not a list'),
});

for (const narrow of [
	'[["colour","red"]]',
	'[["constructor","x"]]',
	'[["is","red"]]',
	'[["is","constructor"]]',
	'[["has","colour"]]',
	'[["in","there"]]',
	'[["channels","red"]]',
	'[["channel","nowhere"]]',
	'[["channel","staff"]]',
	'[["sender","nobody@bothy.example"]]',
	'[["dm","nobody@bothy.example"]]',
	'[["dm-including",[99999]]]',
	'[["mentions","nobody@bothy.example"]]',
	'[["id","abc"]]',
	'[["search",[1]]]',
	'[["with","abc"]]',
	'[["with",99999]]',
	'[["with",99999],["channel","general"]]',
	'[["with",1],["with",2]]',
]) {
	test(`the realm refuses the narrow ${narrow} with a \`desc\``, async t => {
		const alice = await signIn(t);

		const answer = await alice.get(`/api/v1/messages?anchor=newest&num_before=1&narrow=${encodeURIComponent(narrow)}`);

		const desc = at(answer.json, 'desc');
		t.true(typeof desc === 'string' && desc !== '');
		expectRefusal(t, answer, {
			status: '400 Bad Request',
			json: {result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc},
		});
	});
}

for (const [search, words, content, subject] of [
	['soup', 'hot+soup+%26+bread', '<p>hot <span class="highlight">soup</span> &amp; bread</p>', 'my &amp; lunch'],
	['LUNCH', 'hot', '<p>hot</p>', 'my &amp; <span class="highlight">lunch</span>'],
	[
		'amp hot',
		'hot+%26+amp',
		'<p><span class="highlight">hot</span> &amp; <span class="highlight">amp</span></p>',
		'my &amp; lunch',
	],
	['"hot soup"', '*hot+soup*', '<p><em><span class="highlight">hot soup</span></em></p>', 'my &amp; lunch'],
] as const) {
	test(`the realm marks what the search for ${search} found`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, `type=channel&to=general&topic=my+%26+lunch&content=${words}`);
		await send(alice, 'type=channel&to=general&topic=other&content=nothing');
		const narrow = encodeURIComponent(JSON.stringify([{operator: 'search', operand: search}]));

		const {json} = await alice.get(`/api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=${narrow}`);

		t.is(at(json, 'messages', 0, 'id'), id);
		t.throws(() => at(json, 'messages', 1));
		t.is(at(json, 'messages', 0, 'match_content'), content);
		t.is(at(json, 'messages', 0, 'match_subject'), subject);
	});
}
