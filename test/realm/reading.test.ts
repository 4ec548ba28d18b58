import test from 'ava';
import {type Caller, openRealm, signIn} from './realm-kit.js';

const newest = {anchor: 'newest', num_before: 100, apply_markdown: false};

async function contents(caller: Caller, values: Record<string, unknown>): Promise<string[]> {
	const {body} = await caller.get('/messages', {...newest, ...values});
	return body.messages.map((message: {content: string}) => message.content);
}

test('a message is read by those with access, and by nobody else', async t => {
	const realm = await openRealm(t);
	const [alice, bob, gus, olivia, adam] = (await Promise.all(
		['alice', 'bob', 'gus', 'olivia', 'adam'].map(name => signIn(realm, name)),
	)) as [Caller, Caller, Caller, Caller, Caller];
	const inLunch = await alice.say({channel: 'lunch'}, 'x');
	const inNews = await olivia.say({channel: 'announcements'}, 'x');
	const inStaff = await olivia.say({channel: 'staff'}, 'x');
	const direct = await alice.say({dm: [5]}, 'x');
	const status = async (caller: Caller, id: number) => (await caller.get(`/messages/${id}`)).body.msg;

	t.is(await status(adam, inLunch), '', 'a public channel without subscription');
	t.is(await status(gus, inLunch), 'Invalid message(s)', 'a guest without subscription');
	t.is(await status(gus, inNews), '', 'a web-public channel');
	t.is(await status(adam, inStaff), '', 'a private channel with subscription');
	t.is(await status(alice, inStaff), 'Invalid message(s)', 'a private channel without');
	t.is(await status(bob, direct), '', 'a direct message to oneself');
	t.is(await status(olivia, direct), 'Invalid message(s)', "other people's direct message");
	t.is(await status(alice, 99_999), 'Invalid message(s)', 'no message at all');
});

test('anchors take messages from both sides', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const ids: number[] = [];
	for (let n = 0; n < 5; n += 1) {
		ids.push(await alice.say({channel: 'lunch'}, `${n}`));
	}

	const around = async (values: Record<string, unknown>) => {
		const {body} = await alice.get('/messages', {narrow: [['channel', 'lunch']], ...values});
		const {messages, result: _result, msg: _msg, ...rest} = body;
		return {...rest, ids: messages.map((message: {id: number}) => message.id)};
	};

	t.deepEqual(await around({anchor: ids[2], num_before: 1, num_after: 1}), {
		ids: ids.slice(1, 4),
		anchor: ids[2],
		found_anchor: true,
		found_oldest: false,
		found_newest: false,
		history_limited: false,
	});
	t.deepEqual(await around({anchor: 'newest', num_before: 2}), {
		ids: ids.slice(3),
		anchor: 10_000_000_000_000_000,
		found_anchor: false,
		found_oldest: false,
		found_newest: true,
		history_limited: false,
	});
	t.deepEqual((await around({anchor: 'oldest', num_after: 9})).ids, ids);
	t.deepEqual((await around({anchor: ids[1], num_after: 1, include_anchor: false})).ids, [ids[2]]);
	t.is((await around({anchor: 'first_unread', num_after: 1})).anchor, ids[0]);
	t.deepEqual((await around({message_ids: [ids[4], ids[0], 99_999]})).ids, [ids[0], ids[4]]);
});

const narrows: ReadonlyArray<readonly [unknown, readonly string[]]> = [
	[[['channel', 'lunch']], ['soup', 'bread @**Alice Ahn**']],
	[[{operator: 'stream', operand: 2}], ['soup', 'bread @**Alice Ahn**']],
	[
		[
			['channel', 'lunch'],
			['topic', 'SOUP'],
		],
		['soup'],
	],
	[[['channel', 'lunch'], {operator: 'topic', operand: 'soup', negated: true}], ['bread @**Alice Ahn**']],
	[[['dm', 'bob@bothy.example']], ['to Alice']],
	[[{operator: 'dm', operand: [4, 5]}], ['to Alice']],
	[[{operator: 'dm', operand: [5, 6]}], ['to both']],
	[[['is', 'dm']], ['to Alice', 'to both']],
	[[['is', 'mentioned']], ['bread @**Alice Ahn**']],
	[[{operator: 'sender', operand: 5}, ['channel', 'lunch']], ['soup']],
	[[{operator: '-sender', operand: 5}, ['channel', 'lunch']], ['bread @**Alice Ahn**']],
	[
		[
			['is', 'unread'],
			['is', 'private'],
		],
		['to Alice', 'to both'],
	],
	[[['is', 'starred']], []],
	[[['is', 'alerted']], []],
	[[['is', 'followed']], ['bread @**Alice Ahn**']],
	[[{operator: 'dm-including', operand: [5]}], ['to Alice', 'to both']],
	[[{operator: 'dm-including', operand: [4]}], ['to Alice', 'to both']],
	[[['dm-including', 'bob@bothy.example,6']], ['to both']],
	[[{operator: 'mentions', operand: 4}], ['bread @**Alice Ahn**']],
	[
		[
			['streams', 'public'],
			['search', 'SOUP'],
		],
		['soup'],
	],
	[[['search', 'bread ahn']], ['bread @**Alice Ahn**']],
	[[['search', '"bread ahn"']], []],
	[[['search', '%']], []],
	[
		[
			['channel', 'lunch'],
			['-search', 'soup'],
		],
		['bread @**Alice Ahn**'],
	],
	[[['in', 'home'], {operator: 'sender', operand: 6}], ['bread @**Alice Ahn**']],
	[
		[{operator: 'near', operand: 1}, ['channel', 'lunch']],
		['soup', 'bread @**Alice Ahn**'],
	],
];

for (const [narrow, expected] of narrows) {
	test(`the narrow ${JSON.stringify(narrow)} gives ${JSON.stringify(expected)}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob, carla] = [
			await signIn(realm, 'alice'),
			await signIn(realm, 'bob'),
			await signIn(realm, 'carla'),
		];
		await bob.say({channel: 'lunch', topic: 'soup'}, 'soup');
		await carla.say({channel: 'lunch', topic: 'bread'}, 'bread @**Alice Ahn**');
		await bob.say({dm: [4]}, 'to Alice');
		await bob.say({dm: [4, 6]}, 'to both');

		t.deepEqual(await contents(alice, {narrow}), expected);
	});
}

test('without a channel, only what one received is found; with one, its history', async t => {
	const realm = await openRealm(t);
	const [alice, adam] = [await signIn(realm, 'alice'), await signIn(realm, 'adam')];
	await alice.say({channel: 'lunch'}, 'not for Adam');

	t.false((await contents(adam, {})).includes('not for Adam'));
	t.deepEqual(await contents(adam, {narrow: [['channel', 'lunch']]}), ['not for Adam']);
});

test('topics come latest first, and the empty one by its display name', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const first = await alice.say({channel: 'lunch', topic: ''}, 'x');
	await alice.say({channel: 'lunch', topic: 'soup'}, 'x');
	const last = await alice.say({channel: 'lunch', topic: 'Soup'}, 'x');

	const shown = await alice.get('/users/me/2/topics');
	const empty = await alice.get('/users/me/2/topics', {allow_empty_topic_name: true});

	t.deepEqual(shown.body.topics, [
		{name: 'Soup', max_id: last},
		{name: 'general chat', max_id: first},
	]);
	t.is(empty.body.topics[1].name, '');
});

test('topics of an archived, a private or no channel are refused alike', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	for (const id of [4, 5, 99]) {
		t.is((await alice.get(`/users/me/${id}/topics`)).body.msg, 'Invalid channel ID');
	}
});

test('channels are listed as far as one may see them, by name', async t => {
	const realm = await openRealm(t);
	const [alice, gus, olivia] = (await Promise.all(['alice', 'gus', 'olivia'].map(name => signIn(realm, name)))) as [
		Caller,
		Caller,
		Caller,
	];
	const names = async (caller: Caller, values = {}) =>
		(await caller.get('/streams', values)).body.streams.map((channel: {name: string}) => channel.name);

	t.deepEqual(await names(alice), ['announcements', 'general', 'lunch', 'plaza']);
	t.deepEqual(await names(gus), ['announcements', 'general']);
	t.deepEqual(await names(olivia, {include_all: true, exclude_archived: false}), [
		'announcements',
		'attic',
		'general',
		'lunch',
		'plaza',
		'staff',
	]);
	t.deepEqual(await names(alice, {include_public: false, include_subscribed: false, include_default: true}), [
		'general',
	]);
	t.is((await alice.get('/streams', {include_all_active: true})).body.msg, 'User not authorized for this query');
});

test('users have roles, and bots their kind and owner', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});
	const alice = await signIn(realm, 'alice');

	const {body} = await alice.get('/users', {user_ids: [1, 4, bot.userId]});
	const [olivia, herself, echo] = body.members;

	t.like(olivia, {role: 100, is_owner: true, is_admin: true, is_bot: false, avatar_url: null});
	t.like(herself, {role: 400, is_admin: false, is_guest: false, delivery_email: 'alice@bothy.example'});
	t.false('bot_type' in herself);
	t.like(echo, {is_bot: true, bot_type: 3, bot_owner_id: 1, email: 'echo-bot@bothy.example'});
	t.regex(olivia.date_joined, /^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
});

test('one own account stands at the top level', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	const {body} = await alice.get('/users/me');

	t.like(body, {result: 'success', user_id: 4, full_name: 'Alice Ahn', max_message_id: 6});
});

test('has finds links, pictures, uploads and reactions, and no links within the chat', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	for (const content of [
		'plain',
		'#**lunch**',
		'https://example.com/page',
		'[cat](https://example.com/cat.PNG)',
		'[plan](/user_uploads/2/ab/plan.pdf)',
	]) {
		await alice.say({channel: 'lunch', topic: 'links'}, content);
	}

	const liked = await alice.say({channel: 'lunch', topic: 'links'}, 'liked');
	const {body: reacted} = await alice.post(`/messages/${liked}/reactions`, {emoji_name: 'thumbs_up'});

	const having = (what: string) =>
		contents(alice, {
			narrow: [
				['channel', 'lunch'],
				['has', what],
			],
		});

	t.deepEqual(await having('link'), [
		'https://example.com/page',
		'[cat](https://example.com/cat.PNG)',
		'[plan](/user_uploads/2/ab/plan.pdf)',
	]);
	t.deepEqual(await having('image'), ['[cat](https://example.com/cat.PNG)']);
	t.deepEqual(await having('attachment'), ['[plan](/user_uploads/2/ab/plan.pdf)']);
	t.is(reacted.result, 'success', reacted.msg);
	t.deepEqual(await having('reaction'), ['liked']);
});

test('with follows its message to where it is now', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const first = await alice.say({channel: 'lunch', topic: 'old'}, 'first');
	await alice.say({channel: 'lunch', topic: 'new'}, 'second');
	const direct = await bob.say({dm: [4]}, 'direct');
	await alice.patch(`/messages/${first}`, {topic: 'new', send_notification_to_new_thread: false});
	const place = [
		['channel', 'lunch'],
		['topic', 'old'],
	];

	t.deepEqual(await contents(alice, {narrow: place}), []);
	t.deepEqual(await contents(alice, {narrow: [...place, {operator: 'with', operand: first}]}), ['first', 'second']);
	t.deepEqual(await contents(alice, {narrow: [['with', String(first)]]}), ['first', 'second']);
	t.deepEqual(await contents(alice, {narrow: [...place, {operator: 'with', operand: direct}]}), ['direct']);
	t.deepEqual(
		await contents(alice, {
			narrow: [['channel', 'lunch'], ['topic', 'new'], {operator: 'with', operand: 99_999}],
		}),
		['first', 'second'],
	);
});

test('resolved topics and kinds of channels are found, with the history of public ones', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(realm, 'adam'), await signIn(realm, 'alice')];
	await alice.say({channel: 'lunch', topic: '✔ done'}, 'not for Adam');
	await adam.say({channel: 'staff', topic: '✔ plans'}, 'private');

	const resolved = (kind: string) =>
		contents(adam, {
			narrow: [
				['channels', kind],
				['is', 'resolved'],
			],
		});

	t.deepEqual(await resolved('public'), ['not for Adam']);
	t.deepEqual(await resolved('web-public'), []);
	t.deepEqual(await contents(adam, {narrow: [['is', 'resolved']]}), ['private']);
	t.deepEqual(await contents(adam, {narrow: [['channels', 'archived']]}), []);
});
