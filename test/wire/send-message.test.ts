import test from 'ava';
import {openCrowd} from './crowd-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	callerOf,
	channelId,
	expectRefusal,
	expectSuccess,
	type Json,
	mask,
	missing,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {changeDatabase, temporaryFile} from './scheduled-kit.js';

const SENT = '{"result":"success","msg":"","id":42}\n';

test('the client sends a channel message as a form with strings as they are', async t => {
	const {client, server} = await clientAnswered(t, SENT);

	await client.sendMessage({type: 'channel', to: 'general', topic: '"lunch" & more', content: '[1] Hello, wörld!'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/messages HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.headers['content-length'], '89');
	t.is(request.body, 'type=channel&to=general&topic=%22lunch%22+%26+more&content=%5B1%5D+Hello%2C+w%C3%B6rld%21');
});

const written = test.macro({
	title: (title = '') => `the client writes ${title}`,
	async exec(
		t,
		{to, type, body}: {to: string | number | string[] | number[]; type: 'channel' | 'direct'; body: string},
	) {
		const {client, server} = await clientAnswered(t, SENT);

		await client.sendMessage({type, to, content: 'x'});

		t.is((await server.request()).body, body);
	},
});

test('a channel ID as a number', written, {type: 'channel', to: 7, body: 'type=channel&to=7&content=x'});
test('a channel named by digits in quotes', written, {
	type: 'channel',
	to: '7',
	body: 'type=channel&to=%227%22&content=x',
});
test('user IDs as a JSON list', written, {
	type: 'direct',
	to: [9, 10],
	body: 'type=direct&to=%5B9%2C10%5D&content=x',
});
test('emails as a JSON list', written, {
	type: 'direct',
	to: ['ann@x.example', 'bob@x.example'],
	body: 'type=direct&to=%5B%22ann%40x.example%22%2C%22bob%40x.example%22%5D&content=x',
});

test('the client writes booleans as JSON and local IDs as they are', async t => {
	const {client, server} = await clientAnswered(t, SENT);

	await client.sendMessage({
		type: 'direct',
		to: [9],
		content: 'x',
		queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8',
		local_id: '12.01',
		read_by_sender: false,
	});

	t.is(
		(await server.request()).body,
		'type=direct&to=%5B9%5D&content=x&queue_id=fb67bf8a-c031-47cc-84cf-ed80accacda8&local_id=12.01&read_by_sender=false',
	);
});

test('the client reads the ID of the sent message and the automatic policy', async t => {
	const {client} = await clientAnswered(
		t,
		'{"result":"success","msg":"","id":42,"automatic_new_visibility_policy":3}\n',
	);

	const result = await client.sendMessage({type: 'channel', to: 'general', topic: 'x', content: 'x'});

	t.is(result.id, 42);
	t.is(result.automatic_new_visibility_policy, 3);
});

const throwing = test.macro({
	title: (title = '') => `the client throws an ApiError ${title}`,
	async exec(t, {body, code, reason, fields}: {body: string; code: string; reason: string; fields: object}) {
		const {client} = await clientRefused(t, '400 Bad Request', body);

		const refusal = await refusalOf(t, client.sendMessage({type: 'channel', to: 'nope', topic: 'x', content: 'x'}));

		t.deepEqual(refusal, {code, status: 400, reason, fields});
	},
});

test('with the name of a channel that does not exist', throwing, {
	body: '{"result":"error","msg":"Channel \'nope\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream":"nope"}\n',
	code: 'STREAM_DOES_NOT_EXIST',
	reason: "Channel 'nope' does not exist",
	fields: {stream: 'nope'},
});
test('with the ID of a channel that does not exist', throwing, {
	body: '{"result":"error","msg":"Channel with ID \'99\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream_id":99}\n',
	code: 'STREAM_DOES_NOT_EXIST',
	reason: "Channel with ID '99' does not exist",
	fields: {stream_id: 99},
});
test('for an invalid recipient', throwing, {
	body: '{"result":"error","msg":"Invalid email \'eeshan@zulip.com\'","code":"BAD_REQUEST"}\n',
	code: 'BAD_REQUEST',
	reason: "Invalid email 'eeshan@zulip.com'",
	fields: {},
});
test('for a channel wildcard that is not allowed', throwing, {
	body: '{"result":"error","msg":"You do not have permission to use channel wildcard mentions in this channel.","code":"STREAM_WILDCARD_MENTION_NOT_ALLOWED"}\n',
	code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
	reason: 'You do not have permission to use channel wildcard mentions in this channel.',
	fields: {},
});
test('for a topic wildcard that is not allowed', throwing, {
	body: '{"result":"error","msg":"You do not have permission to use topic wildcard mentions in this topic.","code":"TOPIC_WILDCARD_MENTION_NOT_ALLOWED"}\n',
	code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
	reason: 'You do not have permission to use topic wildcard mentions in this topic.',
	fields: {},
});

test("the realm answers a bot's message with its ID and nothing else", async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	const answer = await bot.post('/api/v1/messages', 'type=channel&to=general&topic=lunch&content=Hello');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'id'), {result: 'success', msg: '', id: '<integer>'});
});

// service-facts.md 7.7, with the default of 6.1: people follow the topics that they start.
test('the realm tells a human who starts a topic that it is followed now', async t => {
	const alice = await signIn(t);

	const answer = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=brand+new&content=Hello');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'id'), {
		result: 'success',
		msg: '',
		id: '<integer>',
		automatic_new_visibility_policy: 3,
	});
});

test('the realm takes POST /messages as literal bytes', async t => {
	const alice = await signIn(t);

	const answer = await alice.post(
		'/api/v1/messages',
		'type=channel&to=general&topic=lunch+%26+more&content=Hello%2C+w%C3%B6rld',
	);

	expectSuccess(t, answer);
	const message = await newestMessage(alice);
	t.is(at(message, 'id'), at(answer.json, 'id'));
	t.is(at(message, 'content'), 'Hello, wörld');
	t.is(at(message, 'subject'), 'lunch & more');
});

const toGeneral = test.macro({
	title: (title = '') => `the realm reads ${title} as the channel general`,
	async exec(t, to: (id: number) => string) {
		const alice = await signIn(t);
		const id = await channelId(alice, 'general');

		const answer = await alice.post('/api/v1/messages', `type=channel&to=${to(id)}&topic=x&content=x`);

		expectSuccess(t, answer);
		t.is(at(await newestMessage(alice), 'stream_id'), id);
	},
});

test('a bare name', toGeneral, () => 'general');
test('a name in other case with spaces around it', toGeneral, () => '+GENERAL+');
test('a quoted name', toGeneral, () => '%22general%22');
test('an ID', toGeneral, id => `${id}`);
test('a list of one name', toGeneral, () => '%5B%22general%22%5D');
test('a list of one ID', toGeneral, id => `%5B${id}%5D`);

const toAliceAndBob = test.macro({
	title: (title = '') => `the realm reads ${title} as Alice and Bob`,
	async exec(t, to: (alice: number, bob: number) => string) {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];

		const answer = await alice.post('/api/v1/messages', `type=direct&to=${to(alice.userId, bob.userId)}&content=x`);

		expectSuccess(t, answer);
		const message = await newestMessage(bob);
		t.is(at(message, 'id'), at(answer.json, 'id'));
		t.deepEqual(at(message, 'display_recipient'), [
			{id: alice.userId, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
			{id: bob.userId, email: 'bob@bothy.example', full_name: 'Bob Birk', is_mirror_dummy: false},
		]);
	},
});

test('a list of the other ID', toAliceAndBob, (_, bob) => `%5B${bob}%5D`);
test('a list of both IDs, one twice', toAliceAndBob, (alice, bob) => `%5B${alice},${bob},${bob}%5D`);
test('a list of an email', toAliceAndBob, () => '%5B%22bob%40bothy.example%22%5D');
test('a comma list of emails', toAliceAndBob, () => 'alice%40bothy.example,bob%40bothy.example');
test('a quoted comma list', toAliceAndBob, () => '%22alice%40bothy.example,bob%40bothy.example%22');
test('an email in capitals', toAliceAndBob, () => 'BOB%40BOTHY.EXAMPLE');

test('the realm takes a message to oneself', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post('/api/v1/messages', `type=private&to=%5B${alice.userId}%5D&content=note`));

	t.deepEqual(at(await newestMessage(alice), 'display_recipient'), [
		{id: alice.userId, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
	]);
});

for (const [type, kind] of [
	['channel', 'stream'],
	['stream', 'stream'],
] as const) {
	test(`the realm takes the type ${type} and says ${kind}`, async t => {
		const alice = await signIn(t);

		expectSuccess(t, await alice.post('/api/v1/messages', `type=${type}&to=general&subject=old+name&content=x`));

		const message = await newestMessage(alice);
		t.is(at(message, 'type'), kind);
		t.is(at(message, 'subject'), 'old name');
	});
}

for (const type of ['direct', 'private']) {
	test(`the realm takes the type ${type} and says private, with an empty topic`, async t => {
		const alice = await signIn(t);

		expectSuccess(
			t,
			await alice.post('/api/v1/messages', `type=${type}&to=bob%40bothy.example&topic=ignored&content=x`),
		);

		const message = await newestMessage(alice);
		t.is(at(message, 'type'), 'private');
		t.is(at(message, 'subject'), '');
	});
}

const stored = test.macro({
	title: (title = '') => `the realm stores ${title}`,
	async exec(t, {form, field, value}: {form: string; field: string; value: string}) {
		const alice = await signIn(t);

		expectSuccess(t, await alice.post('/api/v1/messages', `type=channel&to=general&${form}`));

		t.is(at(await newestMessage(alice), field), value);
	},
});

test('content without leading newlines and trailing whitespace', stored, {
	form: 'topic=x&content=%0A%0A++text+%0A+',
	field: 'content',
	value: '  text',
});
test('content cut to 10000 characters with a note', stored, {
	form: `topic=x&content=${'a'.repeat(10_001)}`,
	field: 'content',
	value: `${'a'.repeat(9980)}\n[message truncated]`,
});
test('content of 10000 characters as it is', stored, {
	form: `topic=x&content=${'a'.repeat(10_000)}`,
	field: 'content',
	value: 'a'.repeat(10_000),
});
test('a topic cut to 60 characters', stored, {
	form: `topic=${'a'.repeat(61)}&content=x`,
	field: 'subject',
	value: `${'a'.repeat(57)}...`,
});
test('a topic without the spaces around it', stored, {
	form: 'topic=+lunch+&content=x',
	field: 'subject',
	value: 'lunch',
});
test('a quoted topic with its quotes', stored, {form: 'topic=%22a%22&content=x', field: 'subject', value: '"a"'});
test('the topic (no topic) as empty', stored, {form: 'topic=%28no+topic%29&content=x', field: 'subject', value: ''});
test('the topic general chat as empty', stored, {form: 'topic=general+chat&content=x', field: 'subject', value: ''});
test('an empty topic', stored, {form: 'topic=&content=x', field: 'subject', value: ''});
test('the client that the request names', stored, {
	form: 'topic=x&content=x&client=Tester',
	field: 'client',
	value: 'Tester',
});
test('a request without User-Agent as from the client Unspecified', stored, {
	form: 'topic=x&content=x',
	field: 'client',
	value: 'Unspecified',
});

const named = test.macro({
	title: (title = '') => `the realm takes the client's name from the user agent ${title}`,
	async exec(t, agent: string, name: string) {
		const alice = await signIn(t);

		await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x', [`User-Agent: ${agent}`]);

		t.is(at(await newestMessage(alice), 'client'), name);
	},
});

test('with a version', named, 'Bothy/1.2.3', 'Bothy');
test('with a comment', named, 'ZulipPython/0.9.0 (Linux; 6.1)', 'ZulipPython');
test('that is too long', named, `${'a'.repeat(31)}/1`, 'a'.repeat(30));

const readBySender = test.macro({
	title: (title = '') => `the sender's message starts ${title}`,
	async exec(t, {form, agent, flags}: {form: string; agent: string; flags: string[]}) {
		const alice = await signIn(t);

		await alice.post('/api/v1/messages', `type=channel&to=general&topic=x&content=x${form}`, [`User-Agent: ${agent}`]);

		t.deepEqual(at(await newestMessage(alice), 'flags'), flags);
	},
});

test('unread from a bot library', readBySender, {form: '', agent: 'Bothy/1.2.3', flags: []});
test('read from a full client', readBySender, {form: '', agent: 'zulipmobile/28', flags: ['read']});
test('read when read_by_sender is true', readBySender, {
	form: '&read_by_sender=true',
	agent: 'Bothy/1.2.3',
	flags: ['read'],
});
test('unread when read_by_sender is false', readBySender, {
	form: '&read_by_sender=false',
	agent: 'ZulipMobile/28',
	flags: [],
});

test('the realm names the parameters of a sent message that it does not know, sorted, and not `client`', async t => {
	const alice = await signIn(t);

	const {json} = await alice.post(
		'/api/v1/messages?zoo=1',
		'type=channel&to=general&topic=x&content=x&client=Me&colour=red&apple=1',
	);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['apple', 'colour', 'zoo']);
});

const post = (form: string) => (caller: Caller) => caller.post('/api/v1/messages', form);

test('a message without content and type for its content', refused, {
	ask: post('to=general'),
	answer: missing('content'),
});
test('a message without type', refused, {ask: post('content=x&to=general'), answer: missing('type')});
test('a message of unknown type', refused, {
	ask: post('content=x&type=carrier+pigeon&to=general'),
	answer: badRequest('Invalid type'),
});
test('read_by_sender in capitals before a missing type', refused, {
	ask: post('content=x&read_by_sender=True'),
	answer: badRequest('read_by_sender is not valid JSON'),
});
test('read_by_sender as a number', refused, {
	ask: post('content=x&read_by_sender=1&type=channel&to=general&topic=x'),
	answer: badRequest('read_by_sender is not a boolean'),
});
test('a channel message without topic', refused, {
	ask: post('content=x&type=channel&to=general'),
	answer: badRequest('Missing topic'),
});
test('a channel message without channel', refused, {
	ask: post('content=x&type=channel&topic=x'),
	answer: badRequest('Missing channel'),
});
test('a direct message without recipients', refused, {
	ask: post('content=x&type=direct'),
	answer: badRequest('Message must have recipients'),
});
test('a direct message to an empty list', refused, {
	ask: post('content=x&type=direct&to=%5B%5D'),
	answer: badRequest('Message must have recipients'),
});
test('a topic given under both of its names', refused, {
	ask: post('content=x&type=channel&to=general&topic=a&subject=b'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Can't decide between 'topic' and 'subject' arguments",
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'topic',
			var_name2: 'subject',
		},
	},
});
test('an unknown channel by name', refused, {
	ask: post('content=x&type=channel&to=nope&topic=x'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Channel 'nope' does not exist",
			code: 'STREAM_DOES_NOT_EXIST',
			stream: 'nope',
		},
	},
});
test('an unknown channel by ID', refused, {
	ask: post('content=x&type=channel&to=4711&topic=x'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Channel with ID '4711' does not exist",
			code: 'STREAM_DOES_NOT_EXIST',
			stream_id: 4711,
		},
	},
});
test('two channels at once', refused, {
	ask: post('content=x&type=channel&to=%5B%22general%22,%22lunch%22%5D&topic=x'),
	answer: badRequest('Expected exactly one channel'),
});
test('no channel in a list', refused, {
	ask: post('content=x&type=channel&to=%5B%5D&topic=x'),
	answer: badRequest('Expected exactly one channel'),
});
test('an object as channel', refused, {
	ask: post('content=x&type=channel&to=%7B%7D&topic=x'),
	answer: badRequest('Invalid data type for channel'),
});
test('true as channel', refused, {
	ask: post('content=x&type=channel&to=true&topic=x'),
	answer: badRequest('Invalid data type for channel'),
});
test('a bare user ID as recipients', refused, {
	ask: post('content=x&type=direct&to=9'),
	answer: badRequest('Invalid data type for recipients'),
});
test('emails mixed with IDs', refused, {
	ask: post('content=x&type=direct&to=%5B1,%22bob%40bothy.example%22%5D'),
	answer: badRequest('Recipient lists may contain emails or user IDs, but not both.'),
});
test('an unknown user ID', refused, {
	ask: post('content=x&type=direct&to=%5B4711%5D'),
	answer: badRequest('Invalid user ID 4711'),
});
test('an unknown email', refused, {
	ask: post('content=x&type=direct&to=nobody%40bothy.example'),
	answer: badRequest("Invalid email 'nobody@bothy.example'"),
});
test('an unknown recipient before empty content', refused, {
	ask: post('content=+&type=direct&to=%5B4711%5D'),
	answer: badRequest('Invalid user ID 4711'),
});
test('empty content before an unknown channel', refused, {
	ask: post('content=+%0A&type=channel&to=nope&topic=x'),
	answer: badRequest('Message must not be empty'),
});
test('a missing topic before empty content', refused, {
	ask: post('content=&type=channel&to=nope'),
	answer: badRequest('Missing topic'),
});
test('content with a null byte', refused, {
	ask: post('content=a%00b&type=channel&to=general&topic=x'),
	answer: badRequest('Message must not contain null bytes'),
});
test('a topic with a control character', refused, {
	ask: post('content=x&type=channel&to=general&topic=ab%07'),
	answer: badRequest('Invalid character in topic, at position 3!'),
});
test('a member in a channel where moderators post', refused, {
	ask: post('content=x&type=channel&to=announcements&topic=x'),
	answer: badRequest('You do not have permission to post in this channel.'),
});
test('a message to an archived channel', refused, {
	as: 'olivia',
	ask: post('content=x&type=channel&to=attic&topic=x'),
	answer: badRequest("Not authorized to send to channel 'attic'"),
});
test('a stranger in a private channel', refused, {
	ask: post('content=x&type=channel&to=staff&topic=x'),
	answer: badRequest("Not authorized to send to channel 'staff'"),
});
test('a broken widget', refused, {
	ask: post('content=x&type=channel&to=general&topic=x&widget_content=%7B'),
	answer: badRequest('Widgets: API programmer sent invalid JSON content'),
});

test("the realm escapes HTML in the text about a channel's name", async t => {
	const alice = await signIn(t);

	const {json} = await alice.post('/api/v1/messages', 'content=x&type=channel&to=a%3Cb&topic=x');

	t.is(at(json, 'msg'), "Channel 'a&lt;b' does not exist");
});

test('the realm refuses a topic wildcard to a member once more than 15 people take part', async t => {
	const realm = await openRealm(t);
	for (let n = 1; n <= 16; n += 1) {
		const account = realm.ensureBot({name: `bot${n}`, fullName: `Bot ${n}`, payloadUrl: 'http://127.0.0.1:9/'});
		await callerOf(realm.url, account).post('/api/v1/messages', 'content=x&type=channel&to=general&topic=crowd');
	}

	const alice = await signIn(t, 'alice', realm);
	const adam = await signIn(t, 'adam', realm);
	const form = 'content=%40**topic**&type=channel&to=general&topic=crowd';

	expectRefusal(t, await alice.post('/api/v1/messages', form), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'You do not have permission to use topic wildcard mentions in this topic.',
			code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
		},
	});
	expectSuccess(t, await adam.post('/api/v1/messages', form));
});

test('whoever reacts takes part in a topic too, and 15 may be called', async t => {
	const realm = await openRealm(t);
	let id: Json = null;
	for (let n = 1; n <= 15; n += 1) {
		const account = realm.ensureBot({name: `bot${n}`, fullName: `Bot ${n}`, payloadUrl: 'http://127.0.0.1:9/'});
		const form = 'content=x&type=channel&to=general&topic=crowd';
		id = at((await callerOf(realm.url, account).post('/api/v1/messages', form)).json, 'id');
	}

	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const call = () => alice.post('/api/v1/messages', 'content=%40**topic**&type=channel&to=general&topic=crowd');
	await bob.post(`/api/v1/messages/${id}/reactions`, 'emoji_name=tada');
	const ofSixteen = await call();
	await bob.delete(`/api/v1/messages/${id}/reactions`, 'emoji_name=tada');

	t.is(at(ofSixteen.json, 'code'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
	expectSuccess(t, await call());
});

for (const word of ['all', 'everyone', 'channel', 'stream']) {
	test(`the realm refuses @**${word}** to a member in a channel of 16, not to an administrator`, async t => {
		const realm = await openCrowd(t, 16);
		const form = `content=%40**${word}**&type=channel&to=lunch&topic=x`;

		expectRefusal(t, await (await signIn(t, 'alice', realm)).post('/api/v1/messages', form), {
			status: '400 Bad Request',
			json: {
				result: 'error',
				msg: 'You do not have permission to use channel wildcard mentions in this channel.',
				code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
			},
		});
		expectSuccess(t, await (await signIn(t, 'adam', realm)).post('/api/v1/messages', form));
	});
}

test('the realm lets everybody call all of 15 subscribers, and of 16 without a sound', async t => {
	const form = (text: string) => `content=${text}&type=channel&to=lunch&topic=x`;
	const fifteen = await signIn(t, 'alice', await openCrowd(t, 15));
	const sixteen = await signIn(t, 'alice', await openCrowd(t, 16));

	expectSuccess(t, await fifteen.post('/api/v1/messages', form('%40**all**')));
	expectSuccess(t, await sixteen.post('/api/v1/messages', form('%40_**all**')));
	expectSuccess(t, await sixteen.post('/api/v1/messages', form('%60%40**all**%60')));
});

test('the realm refuses a widget before a wildcard, and a wildcard before a group', async t => {
	const alice = await signIn(t, 'alice', await openCrowd(t, 16));
	const send = async (form: string) =>
		at((await alice.post('/api/v1/messages', `type=channel&to=lunch&topic=x&${form}`)).json, 'msg');

	t.is(await send('content=%40**all**&widget_content=%7B'), 'Widgets: API programmer sent invalid JSON content');
	t.regex(String(await send('content=%40**all**+%40*board*')), /channel wildcard mentions/);
	t.is(await send('content=%40*board*'), "You are not allowed to mention user group 'board'.");
});

test('the realm never refuses a wildcard in a direct message', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post('/api/v1/messages', 'content=%40**all**+%40**topic**&type=direct&to=[5]'));
});

test('the realm refuses a message to somebody who has left', async t => {
	const file = await temporaryFile(t);
	const alice = await signIn(t, 'alice', await openRealm(t, {file}));
	changeDatabase(file, "UPDATE accounts SET is_active = 0 WHERE email = 'bob@bothy.example'");

	expectRefusal(
		t,
		await alice.post('/api/v1/messages', 'content=x&type=direct&to=[5]'),
		badRequest("'bob@bothy.example' is no longer using Zulip."),
	);
});

test('the realm refuses a new topic to those who may only write in the old ones', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	expectSuccess(t, await adam.patch('/api/v1/streams/1', 'can_create_topic_group={"new":5}'));

	expectSuccess(t, await alice.post('/api/v1/messages', 'content=x&type=channel&to=general&topic=WELCOME'));
	expectRefusal(
		t,
		await alice.post('/api/v1/messages', 'content=x&type=channel&to=general&topic=other'),
		badRequest('You do not have permission to create new topics in this channel.'),
	);
});

test('the realm gives the local ID back in the queue that was named, and in no other', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const register = async (caller: Caller) =>
		at((await caller.post('/api/v1/register', 'event_types=["message"]')).json, 'queue_id');
	const [named, other, foreign] = [await register(alice), await register(alice), await register(bob)];
	const send = (form: string) => alice.post('/api/v1/messages', `content=x&type=channel&to=general&topic=x&${form}`);

	await send(`queue_id=${named}&local_id=%227.01%22`);
	await send(`queue_id=${named}`);
	await send('local_id=7.02');
	await send(`queue_id=${foreign}&local_id=7.03`);

	const idsIn = async (caller: Caller, queue: Json) => {
		const {json} = await caller.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
		return (at(json, 'events') as Json[]).map(event => Object(event).local_message_id);
	};
	t.deepEqual(await idsIn(alice, named), ['"7.01"', undefined, undefined, undefined]);
	t.deepEqual(await idsIn(alice, other), [undefined, undefined, undefined, undefined]);
	t.deepEqual(await idsIn(bob, foreign), [undefined, undefined, undefined, undefined]);
});

test('the realm keeps a widget beside its message', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const widget =
		'{"widget_type":"zform","extra_data":{"type":"choices","heading":"Soup?","choices":[{"short_name":"A","long_name":"Yes","reply":"yes"}]}}';

	const {json} = await alice.post(
		'/api/v1/messages',
		`content=x&type=channel&to=general&topic=x&widget_content=${encodeURIComponent(widget)}`,
	);

	const id = at(json, 'id');
	const read = await bob.get(`/api/v1/messages/${id}`);
	t.deepEqual(mask(at(read.json, 'message', 'submessages'), 'id'), [
		{id: '<integer>', message_id: id, sender_id: alice.userId, msg_type: 'widget', content: widget},
	]);
});
