import test from 'ava';
import {type Caller, callAsBot, openRealm, signIn} from './realm-kit.js';

// IDs of the demo organization: Olivia 1, Adam 2, Mona 3, Alice 4, Bob 5, Carla 6, Gus 7.
const alice = 4;
const bob = 5;

interface Refusal {
	readonly as?: string;
	readonly values: Readonly<Record<string, unknown>>;
	readonly msg: string;
	readonly fields?: Readonly<Record<string, unknown>>;
}

const refused = test.macro({
	title: (title = '') => `${title} is refused`,
	async exec(t, {as = 'alice', values, msg, fields = {}}: Refusal) {
		const caller = await signIn(await openRealm(t), as);

		const answer = await caller.post('/messages', {content: 'x', ...values});

		t.is(answer.status, 400);
		t.deepEqual(answer.body, {result: 'error', code: 'BAD_REQUEST', msg, ...fields});
	},
});

const channel = {type: 'channel', topic: 'tests'};
const direct = {type: 'direct'};

test('a channel message without channel', refused, {values: channel, msg: 'Missing channel'});
test('a channel message without topic', refused, {values: {type: 'stream', to: 'general'}, msg: 'Missing topic'});
test('a list of two channels', refused, {values: {...channel, to: [1, 2]}, msg: 'Expected exactly one channel'});
test('true as channel', refused, {values: {...channel, to: true}, msg: 'Invalid data type for channel'});
test('an unknown channel', refused, {
	values: {...channel, to: 'a<b'},
	msg: "Channel 'a&lt;b' does not exist",
	fields: {code: 'STREAM_DOES_NOT_EXIST', stream: 'a<b'},
});
test('an unknown channel ID', refused, {
	values: {...channel, to: 99},
	msg: "Channel with ID '99' does not exist",
	fields: {code: 'STREAM_DOES_NOT_EXIST', stream_id: 99},
});
test('an empty text to an unknown channel', refused, {
	values: {...channel, to: 'nope', content: ' \n'},
	msg: 'Message must not be empty',
});
test('an empty text to an unknown person', refused, {
	values: {...direct, to: [99], content: ''},
	msg: 'Invalid user ID 99',
});
test('a direct message to nobody', refused, {values: direct, msg: 'Message must have recipients'});
test('a direct message to an empty list', refused, {values: {...direct, to: []}, msg: 'Message must have recipients'});
test('a bare ID for a direct message', refused, {values: {...direct, to: 5}, msg: 'Invalid data type for recipients'});
test('IDs and emails mixed', refused, {
	values: {...direct, to: [4, 'bob@bothy.example']},
	msg: 'Recipient lists may contain emails or user IDs, but not both.',
});
test('an unknown email', refused, {values: {...direct, to: 'x@y'}, msg: "Invalid email 'x@y'"});
test('a NUL character', refused, {
	values: {...direct, to: [4], content: 'a\0b'},
	msg: 'Message must not contain null bytes',
});
test('a control character in the topic', refused, {
	values: {type: 'channel', to: 'general', topic: 'ab\u0007'},
	msg: 'Invalid character in topic, at position 3!',
});
test('an archived channel', refused, {
	values: {...channel, to: 'attic'},
	msg: "Not authorized to send to channel 'attic'",
});
test('a private channel to an outsider', refused, {
	values: {...channel, to: 'staff'},
	msg: "Not authorized to send to channel 'staff'",
});
test('a public channel to a guest without subscription', refused, {
	as: 'gus',
	values: {...channel, to: 'lunch'},
	msg: "Not authorized to send to channel 'lunch'",
});
test('a channel where only moderators write', refused, {
	values: {...channel, to: 'announcements'},
	msg: 'You do not have permission to post in this channel.',
});
test('a group that nobody may mention', refused, {
	values: {...channel, to: 'general', content: '@*role:nobody*'},
	msg: "You are not allowed to mention user group 'role:nobody'.",
});
test('a widget of unknown kind', refused, {
	values: {...direct, to: [4], widget_content: '{"widget_type": "clock"}'},
	msg: 'Widgets: widget_type: Invalid input: expected "zform"',
});
test('a broken widget', refused, {
	values: {...direct, to: [4], widget_content: '{'},
	msg: 'Widgets: API programmer sent invalid JSON content',
});

async function read(caller: Caller, id: number, values = {}) {
	const {body} = await caller.get(`/messages/${id}`, {apply_markdown: false, allow_empty_topic_name: true, ...values});
	return body.message;
}

for (const to of ['general', '"general"', ' GENERAL ', 1, [1], ['general']]) {
	test(`${JSON.stringify(to)} names the channel`, async t => {
		const caller = await signIn(await openRealm(t), 'alice');

		const {body} = await caller.post('/messages', {...channel, to, content: 'x'});

		t.is((await read(caller, body.id)).stream_id, 1);
	});
}

for (const to of [[bob], [bob, alice, bob], ['bob@bothy.example'], 'BOB@bothy.example, alice@bothy.example']) {
	test(`${JSON.stringify(to)} names Bob, and the sender belongs to it`, async t => {
		const caller = await signIn(await openRealm(t), 'alice');

		const {body} = await caller.post('/messages', {...direct, to, content: 'x'});

		const {type, display_recipient: people, subject} = await read(caller, body.id);
		t.is(type, 'private');
		t.is(subject, '');
		t.deepEqual(
			people.map((person: {id: number}) => person.id),
			[alice, bob],
		);
	});
}

test('a text too long is cut without error, and so is a topic', async t => {
	const caller = await signIn(await openRealm(t), 'alice');

	const {body} = await caller.post('/messages', {
		type: 'channel',
		to: 'general',
		topic: 't'.repeat(61),
		content: 'c'.repeat(10_001),
	});

	const {content, subject} = await read(caller, body.id);
	t.is(content.length, 10_000);
	t.true(content.endsWith('c\n[message truncated]'));
	t.is(subject, `${'t'.repeat(57)}...`);
});

test('space after the text and lines before it go, leading spaces stay', async t => {
	const caller = await signIn(await openRealm(t), 'alice');

	const id = await caller.say({dm: [bob]}, '\n\n  text \n');

	t.is((await read(caller, id)).content, '  text');
});

for (const topic of ['', '(no topic)', 'general chat', ' general chat ']) {
	test(`the topic ${JSON.stringify(topic)} is the empty one`, async t => {
		const caller = await signIn(await openRealm(t), 'alice');

		const id = await caller.say({channel: 'general', topic}, 'x');

		t.is((await read(caller, id)).subject, '');
		t.is((await read(caller, id, {allow_empty_topic_name: false})).subject, 'general chat');
	});
}

test('a bot posts where its owner may, and its owner is not asked where the bot may itself', async t => {
	const realm = await openRealm(t);
	const bot = callAsBot(realm, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'}));

	await t.notThrowsAsync(bot.say({channel: 'staff'}, 'by right of Olivia'));
	await t.notThrowsAsync(bot.say({channel: 'lunch'}, 'without subscription'));
});

test("a bot's owner is told once when it writes to a channel that does not exist", async t => {
	const realm = await openRealm(t);
	const bot = callAsBot(realm, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'}));
	const olivia = await signIn(realm, 'olivia');

	await t.throwsAsync(bot.say({channel: 'nope'}, 'x'));
	await t.throwsAsync(bot.say({channel: 'nope'}, 'x'));

	const {body} = await olivia.get('/messages', {anchor: 'newest', num_before: 9, narrow: [['is', 'dm']]});
	t.is(body.messages.length, 1);
	t.regex(body.messages[0].content, /echo-bot@bothy\.example.*does not exist/);
});

test('the client is named by its User-Agent, and full clients read what they send', async t => {
	const caller = await signIn(await openRealm(t), 'alice');

	const plain = await caller.post('/messages', {...direct, to: [bob], content: 'x'});
	const website = await caller.post('/messages', {...direct, to: [bob], content: 'x', client: 'website'});
	const asked = await caller.post('/messages', {...direct, to: [bob], content: 'x', read_by_sender: true});

	const {client, flags} = await read(caller, plain.body.id);
	t.is(client, 'node');
	t.deepEqual(flags, []);
	t.is((await read(caller, website.body.id)).client, 'website');
	t.deepEqual((await read(caller, website.body.id)).flags, ['read']);
	t.deepEqual((await read(caller, asked.body.id)).flags, ['read']);
});

test('flags say whom a message mentions, and that an outsider did not get it', async t => {
	const realm = await openRealm(t);
	const [caller, mentioned, outsider] = await Promise.all(['alice', 'bob', 'adam'].map(name => signIn(realm, name)));

	const named = await caller?.say({channel: 'lunch'}, '@**Bob Birk**');
	const all = await caller?.say({channel: 'lunch'}, '@**all**');
	const topic = await caller?.say({channel: 'lunch'}, '@**topic**');

	const flagsOf = async (who: Caller | undefined, id: number | undefined) =>
		who && id ? (await read(who, id)).flags : undefined;
	t.deepEqual(await flagsOf(mentioned, named), ['mentioned']);
	t.deepEqual(await flagsOf(mentioned, all), ['stream_wildcard_mentioned', 'wildcard_mentioned']);
	t.deepEqual(await flagsOf(mentioned, topic), []);
	t.deepEqual(await flagsOf(caller, topic), ['topic_wildcard_mentioned', 'wildcard_mentioned']);
	t.deepEqual(await flagsOf(outsider, named), ['read', 'historical']);
});

test('a first word makes a poll', async t => {
	const caller = await signIn(await openRealm(t), 'alice');

	const id = await caller.say({dm: [bob]}, '/poll Where?\n* Here\nThere');

	const [submessage] = (await read(caller, id)).submessages;
	t.is(submessage.msg_type, 'widget');
	t.deepEqual(JSON.parse(submessage.content), {
		widget_type: 'poll',
		extra_data: {question: 'Where?', options: ['Here', 'There']},
	});
});
