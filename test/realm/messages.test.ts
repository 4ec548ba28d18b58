// Who reads which messages, where they are found, and when they go.

import test from 'ava';
import {type Caller, callAs, callAsBot, cause, databaseFile, listen, openChat} from './realm-kit.js';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const [LUNCH, STAFF, PLAZA] = [2, 4, 6];

/** What somebody finds, as it was written. */
async function contents(caller: Caller, ...narrow: unknown[]): Promise<string[]> {
	const {body} = await caller.get('/messages', {anchor: 'newest', num_before: 100, apply_markdown: false, narrow});
	const own = body.messages.filter(({subject}: {subject: string}) => subject !== 'channel events');
	return own.map(({content}: {content: string}) => content);
}

async function topicsOf(caller: Caller, channel: number): Promise<string[]> {
	const {body} = await caller.get(`/users/me/${channel}/topics`);
	return body.topics.map(({name}: {name: string}) => name);
}

test('members read public channels, guests theirs and web-public ones, and everybody only private ones of their own', async t => {
	const {alice, bob, gus, olivia, adam} = await openChat(t);
	const inLunch = await alice.say({channel: 'lunch'}, 'x');
	const inNews = await olivia.say({channel: 'announcements'}, 'x');
	const inStaff = await olivia.say({channel: 'staff'}, 'x');
	const direct = await alice.say({dm: [5]}, 'x');

	for (const [caller, id, isRead] of [
		[adam, inLunch, true],
		[gus, inLunch, false],
		[gus, inNews, true],
		[adam, inStaff, true],
		[alice, inStaff, false],
		[bob, direct, true],
		[olivia, direct, false],
		[alice, 99_999, false],
	] as const) {
		const {body} = await caller.get(`/messages/${id}`);
		t.is(body.msg, isRead ? '' : 'Invalid message(s)', `${caller.email} ${id}`);
	}
});

test('a guest writes in no channel without subscription, nobody to the group of nobody, and widgets are polls or forms', async t => {
	const {alice, gus} = await openChat(t);
	const lunch = {type: 'channel', to: 'lunch', topic: 'x', content: 'x'};

	for (const [caller, values, msg] of [
		[gus, {}, "Not authorized to send to channel 'lunch'"],
		[alice, {content: '@*role:nobody*'}, "You are not allowed to mention user group 'role:nobody'."],
		[alice, {widget_content: '{"widget_type": "clock"}'}, 'Widgets: extra_data is not in widget_content'],
	] as const) {
		const {status, body} = await caller.post('/messages', {...lunch, ...values});
		t.deepEqual([status, body.msg], [400, msg]);
	}
});

test('a topic is trimmed before it is compared with the name of the empty one', async t => {
	const {alice} = await openChat(t);

	const id = await alice.say({channel: 'lunch', topic: ' general chat '}, 'x');

	t.is((await alice.get(`/messages/${id}`, {allow_empty_topic_name: true})).body.message.subject, '');
});

test('a first word makes a poll', async t => {
	const {alice} = await openChat(t);

	const id = await alice.say({dm: [5]}, '/poll Where?\n* Here\nThere');

	const {body} = await alice.get(`/messages/${id}`);
	const [{msg_type, content}] = body.message.submessages;
	t.is(msg_type, 'widget');
	t.deepEqual(JSON.parse(content), {
		widget_type: 'poll',
		extra_data: {question: 'Where?', options: ['Here', 'There']},
	});
});

test('a bot posts where its owner may, and its owner is not asked where the bot may itself', async t => {
	const bot = callAsBot((await openChat(t)).realm);

	await t.notThrowsAsync(bot.say({channel: 'staff'}, 'by right of Olivia'));
	await t.notThrowsAsync(bot.say({channel: 'lunch'}, 'without subscription'));
});

test("a bot's owner is told once when it writes to a channel that does not exist", async t => {
	const {realm, olivia} = await openChat(t);
	const bot = callAsBot(realm);

	await t.throwsAsync(bot.say({channel: 'nope'}, 'x'));
	await t.throwsAsync(bot.say({channel: 'nope'}, 'x'));

	const told = await contents(olivia, ['is', 'dm']);
	t.is(told.length, 1);
	t.regex(told[0] ?? '', /echo-bot@bothy\.example.*does not exist/);
});

test('each narrow finds its messages', async t => {
	const {alice, bob, carla} = await openChat(t);
	await bob.say({channel: 'lunch', topic: 'soup'}, 'soup');
	await carla.say({channel: 'lunch', topic: 'bread'}, 'bread @**Alice Ahn**');
	await bob.say({dm: [4]}, 'to Alice');
	await bob.say({dm: [4, 6]}, 'to both');
	const [soup, bread, one, both] = ['soup', 'bread @**Alice Ahn**', 'to Alice', 'to both'];
	const lunch = ['channel', 'lunch'];

	for (const [narrow, ...expected] of [
		[[lunch], soup, bread],
		[[{operator: 'stream', operand: LUNCH}], soup, bread],
		[[lunch, ['topic', 'SOUP']], soup],
		[[lunch, {operator: 'topic', operand: 'soup', negated: true}], bread],
		[[['dm', 'bob@bothy.example']], one],
		[[{operator: 'dm', operand: [4, 5]}], one],
		[[{operator: 'dm', operand: [5, 6]}], both],
		[[['is', 'dm']], one, both],
		[[['is', 'mentioned']], bread],
		[[{operator: 'sender', operand: 5}, lunch], soup],
		[[{operator: 'sender', operand: 5, negated: true}, lunch], bread],
		[
			[
				['is', 'unread'],
				['is', 'private'],
			],
			one,
			both,
		],
		[[['is', 'starred']]],
		[[['is', 'alerted']]],
		[[['is', 'followed']], bread],
		[[{operator: 'dm-including', operand: 5}], one, both],
		[[['dm-including', 'alice@bothy.example']], one, both],
		[[{operator: 'group-pm-with', operand: 5}], both],
		[[['pm_with', 'bob@bothy.example']], one],
		[[{operator: 'mentions', operand: 4}], bread],
		[
			[
				['streams', 'public'],
				['search', 'SOUP'],
			],
			soup,
		],
		[[['search', 'bread ahn']], bread],
		[[['search', '"bread ahn"']]],
		[[['search', '%']]],
		[[lunch, {operator: 'search', operand: 'soup', negated: true}], soup],
		[[['in', 'home'], {operator: 'sender', operand: 6}], bread],
		[[['near', '1'], lunch], soup, bread],
	] as const) {
		t.deepEqual(await contents(alice, ...narrow), expected, JSON.stringify(narrow));
	}
});

test('without a channel, only what one received is found; with one, its history', async t => {
	const {alice, adam} = await openChat(t);
	await alice.say({channel: 'lunch'}, 'not for Adam');

	t.false((await contents(adam)).includes('not for Adam'));
	t.deepEqual(await contents(adam, ['channel', 'lunch']), ['not for Adam']);
});

test('has finds links, pictures, uploads and reactions, and no links within the chat', async t => {
	const {alice} = await openChat(t);
	const [page, cat, plan] = [
		'https://example.com/page',
		'[cat](https://example.com/cat.PNG)',
		'[plan](/user_uploads/2/ab/plan.pdf)',
	] as const;
	for (const content of ['plain', '#**lunch**', page, cat, plan]) {
		await alice.say({channel: 'lunch'}, content);
	}

	const liked = await alice.say({channel: 'lunch'}, 'liked');
	await alice.post(`/messages/${liked}/reactions`, {emoji_name: 'thumbs_up'});

	for (const [what, ...expected] of [
		['link', page, cat, plan],
		['image', cat],
		['attachment', plan],
		['reaction', 'liked'],
	] as const) {
		t.deepEqual(await contents(alice, ['channel', 'lunch'], ['has', what]), expected, what);
	}
});

test('with follows its message to where it is now', async t => {
	const {alice, bob} = await openChat(t);
	const first = await alice.say({channel: 'lunch', topic: 'old'}, 'first');
	await alice.say({channel: 'lunch', topic: 'new'}, 'second');
	const direct = await bob.say({dm: [4]}, 'direct');
	await alice.patch(`/messages/${first}`, {topic: 'new', send_notification_to_new_thread: false});
	const [lunch, old] = [
		['channel', 'lunch'],
		['topic', 'old'],
	];

	t.deepEqual(await contents(alice, lunch, old), []);
	t.deepEqual(await contents(alice, lunch, old, {operator: 'with', operand: first}), ['first', 'second']);
	t.deepEqual(await contents(alice, ['with', String(first)]), ['first', 'second']);
	t.deepEqual(await contents(alice, lunch, old, {operator: 'with', operand: direct}), ['direct']);
	t.deepEqual(await contents(alice, lunch, ['topic', 'new'], {operator: 'with', operand: 99_999}), ['first', 'second']);
});

test('resolved topics and kinds of channels are found, with the history of public ones', async t => {
	const {adam, alice} = await openChat(t);
	await alice.say({channel: 'lunch', topic: '✔ done'}, 'not for Adam');
	await adam.say({channel: 'staff', topic: '✔ plans'}, 'private');
	const resolved = ['is', 'resolved'];

	t.deepEqual(await contents(adam, ['channels', 'public'], resolved), ['not for Adam']);
	t.deepEqual(await contents(adam, ['channels', 'web-public'], resolved), []);
	t.deepEqual(await contents(adam, resolved), ['private']);
	t.deepEqual(await contents(adam, ['channels', 'archived']), []);
});

test('in a channel with protected history, new subscribers and generic bots see only the topics since they subscribed', async t => {
	const {realm, mona, alice} = await openChat(t);
	const outgoing = callAsBot(realm);
	const made = await alice.post('/bots', {full_name: 'Genny', short_name: 'genny', bot_type: 1});
	const generic = callAs(realm, 'genny-bot@bothy.example', made.body.api_key);
	await mona.say({channel: 'staff', topic: 'old'}, 'x');
	const refusal = await generic.get(`/users/me/${STAFF}/topics`);

	await mona.post('/users/me/subscriptions', {
		subscriptions: [{name: 'staff'}],
		principals: [alice.email, generic.email, outgoing.email],
	});
	await mona.say({channel: 'staff', topic: 'new'}, 'x');

	t.like(refusal, {status: 400, body: {msg: 'Invalid channel ID', code: 'BAD_REQUEST'}});
	t.deepEqual(await topicsOf(mona, STAFF), ['new', 'old']);
	t.deepEqual(await topicsOf(alice, STAFF), ['new']);
	t.deepEqual(await topicsOf(generic, STAFF), ['new']);
	t.deepEqual(await topicsOf(outgoing, STAFF), [], 'the service keeps no rows for it');
});

async function keepDays(owner: Caller, channel: number, days: number | 'unlimited'): Promise<void> {
	await owner.patch(`/streams/${channel}`, {message_retention_days: JSON.stringify(days)});
}

test('a message goes the night after its days are over, its readers hear of it, and other channels keep theirs', async t => {
	const {realm, olivia, alice} = await openChat(t, {now: NOON});
	await keepDays(olivia, LUNCH, 2);
	const id = await alice.say({channel: 'lunch', topic: 'soup'}, 'old');
	await alice.say({channel: 'general'}, 'kept');
	const queue = await listen(alice, {event_types: ['delete_message'], queue_lifespan_secs: 604_800});

	await cause(realm, '/clock', {advance_ms: 36 * HOUR_MS});
	await alice.say({channel: 'lunch', topic: 'soup'}, 'young');
	t.deepEqual(await contents(alice, ['channel', 'lunch']), ['old', 'young']);
	await cause(realm, '/clock', {advance_ms: 24 * HOUR_MS});

	t.deepEqual(await contents(alice, ['channel', 'lunch']), ['young']);
	t.true((await contents(alice, ['channel', 'general'])).includes('kept'));
	const gone = await queue.events();
	t.deepEqual(
		gone.filter(({topic}) => topic === 'soup').map(({id: _, ...event}) => event),
		[{type: 'delete_message', message_type: 'stream', stream_id: LUNCH, topic: 'soup', message_id: id}],
	);
});

test('a channel whose retention changed to unlimited keeps its messages', async t => {
	const {realm, olivia, alice} = await openChat(t, {now: NOON});
	await keepDays(olivia, LUNCH, 2);
	await keepDays(olivia, PLAZA, 400);
	await alice.say({channel: 'lunch'}, 'kept');

	await keepDays(olivia, LUNCH, 'unlimited');
	await cause(realm, '/clock', {advance_ms: 200 * 24 * HOUR_MS});

	t.deepEqual(await contents(alice, ['channel', 'lunch']), ['kept']);
	t.is((await contents(alice, ['channel', 'plaza'])).length, 3);
});

test('messages that expire while no realm runs are deleted when the next one starts', async t => {
	const file = await databaseFile(t);
	const first = await openChat(t, {file, now: NOON});
	await keepDays(first.olivia, LUNCH, 2);
	await first.alice.say({channel: 'lunch'}, 'old');
	await first.realm.close();

	const next = await openChat(t, {file, now: NOON + 49 * HOUR_MS});

	t.deepEqual(await contents(next.alice, ['channel', 'lunch']), []);
});

const bob = '<span class="user-mention" data-user-id="5">@Bob Birk</span>';
const silentBob = '<span class="user-mention silent" data-user-id="5">Bob Birk</span>';
const topicLink = (path: string, name: string) =>
	`<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-general/topic/${path}">#general &gt; ${name}</a>`;

test('mentions, links and times are rendered, and what is not allowed or does not fit stays text', async t => {
	const {alice} = await openChat(t);

	const aloud = await alice.post('/messages/render', {content: '@*role:members*'});
	t.is(aloud.body.rendered, '<p><span class="user-group-mention" data-user-group-id="3">@Members</span></p>');

	for (const [content, html] of [
		['@**bob birk** hi', `${bob} hi`],
		['@**Bob Birk|5**', bob],
		['@**|5**', bob],
		['@**bob|5**', '@<strong>bob|5</strong>'],
		['@**Zoe**', '@<strong>Zoe</strong>'],
		['a@**Bob Birk**', 'a@<strong>Bob Birk</strong>'],
		['(@**Bob Birk**)', `(${bob})`],
		['@_**Bob Birk**', silentBob],
		['@**all**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'],
		['@**topic**', '<span class="topic-mention">@topic</span>'],
		['@_*role:members*', '<span class="user-group-mention silent" data-user-group-id="3">Members</span>'],
		['`@**Bob Birk**`', '<code>@**Bob Birk**</code>'],
		['#**general**', '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-general">#general</a>'],
		['#**general>a & b**', topicLink('a.20.26.20b', 'a &amp; b')],
		['#**general>"onclick="x**', topicLink('.22onclick.3D.22x', '"onclick="x')],
		[
			'#**general>x@12**',
			'<a class="message-link" href="/#narrow/channel/1-general/topic/x/near/12">#general &gt; x @ 💬</a>',
		],
		['#**staff**', '#<strong>staff</strong>'],
		['<time:2026-05-01T09:30:00+02:00>', '<time datetime="2026-05-01T07:30:00Z">2026-05-01T09:30:00+02:00</time>'],
		['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
		['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
		['[x](data:text/html,x)', '[x](data:text/html,x)'],
		['[x](/path)', '<a href="/path">x</a>'],
		['https://a.example/', '<a href="https://a.example/">https://a.example/</a>'],
	] as const) {
		const id = await alice.say({dm: [4]}, content);
		t.is((await alice.get(`/messages/${id}`)).body.message.content, `<p>${html}</p>`);
	}

	const id = await alice.say({dm: [4]}, '> @**Bob Birk**');
	t.is((await alice.get(`/messages/${id}`)).body.message.content, `<blockquote>\n<p>${silentBob}</p>\n</blockquote>`);
});

test('a mentioned person may be written in another case in every alphabet; a group and a channel may not', async t => {
	const {adam, alice} = await openChat(t);
	await adam.patch('/users/5', {full_name: 'Björn Ås'});
	await alice.post('/user_groups/create', {name: 'Köche', description: '', members: [4]});
	await alice.post('/channels/create', {name: 'Küche', subscribers: [4]});

	const id = await alice.say({dm: [4]}, '@**BJÖRN ås** @*KÖCHE* #**KÜCHE**');

	t.is(
		(await alice.get(`/messages/${id}`)).body.message.content,
		'<p><span class="user-mention" data-user-id="5">@Björn Ås</span> ' + '@<em>KÖCHE</em> #<strong>KÜCHE</strong></p>',
	);
});
