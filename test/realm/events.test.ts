import test from 'ava';
import {callAsBot, cause, listen, openRealm, signIn} from './realm-kit.js';

test('a message comes as an event with flags of one own, raw unless HTML was asked for', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const raw = await listen(bob);
	const html = await listen(bob, {apply_markdown: true});

	const id = await alice.say({channel: 'lunch'}, '@**Bob Birk** *now*');

	const event = await raw.next();
	t.is(event.type, 'message');
	t.is(event.message.id, id);
	t.is(event.message.content, '@**Bob Birk** *now*');
	t.deepEqual(event.flags, ['mentioned']);
	t.false('flags' in event.message);
	t.is(
		(await html.next()).message.content,
		'<p><span class="user-mention" data-user-id="5">@Bob Birk</span> <em>now</em></p>',
	);
});

test('only the queue that the sender named learns the local ID', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const own = await listen(alice);
	const other = await listen(alice);

	await alice.post('/messages', {type: 'direct', to: [5], content: 'x', queue_id: own.queueId, local_id: '7.01'});

	t.is((await own.next()).local_message_id, '7.01');
	t.false('local_message_id' in (await other.next()));
});

test('the empty topic has a name for clients that do not know it', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const older = await listen(alice);
	const newer = await listen(alice, {
		client_capabilities: {notification_settings_null: false, empty_topic_name: true},
	});

	await alice.say({channel: 'lunch', topic: ''}, 'x');

	t.is((await older.next()).message.subject, 'general chat');
	t.is((await newer.next()).message.subject, '');
});

test('a queue without subscription hears public channels only when it asked to, and private ones never', async t => {
	const realm = await openRealm(t);
	const bot = callAsBot(realm, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'}));
	const [alice, olivia] = [await signIn(realm, 'alice'), await signIn(realm, 'olivia')];
	const curious = await listen(bot, {all_public_streams: true});
	const modest = await listen(bot);

	await olivia.say({channel: 'staff'}, 'secret');
	await alice.say({channel: 'lunch'}, 'public');
	await alice.say({dm: [bot.email]}, 'direct');

	t.is((await curious.next()).message.content, 'public');
	t.is((await modest.next()).message.content, 'direct');
});

test('guests may not hear all public channels', async t => {
	const gus = await signIn(await openRealm(t), 'gus');

	const {body} = await gus.post('/register', {all_public_streams: true});

	t.is(body.msg, 'User not authorized for this query');
});

for (const [narrow, expected] of [
	[[['sender', 'bob@bothy.example']], 'from Bob'],
	[[['is', 'dm']], 'direct'],
	[[['channel', 'general']], 'in general'],
	[
		[
			['stream', 'LUNCH'],
			['topic', 'Soup'],
		],
		'in soup',
	],
	[[['is', 'mentioned']], '@**Alice Ahn**'],
	[[['channel', '1']], 'in general'],
	[[['from', '5']], 'from Bob'],
	[[['subject', 'BREAD']], 'from Bob'],
	[[['dm', 'carla@bothy.example']], 'direct'],
	[[['pm-with', '6']], 'direct'],
	[[['is', 'private']], 'direct'],
	[[['is', 'resolved']], 'answered'],
] as const) {
	test(`a queue with the narrow ${JSON.stringify(narrow)} hears ${expected}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob, carla] = await Promise.all([
			signIn(realm, 'alice'),
			signIn(realm, 'bob'),
			signIn(realm, 'carla'),
		]);
		const queue = await listen(alice, {narrow});

		await carla.say({channel: 'lunch', topic: 'soup'}, 'in soup');
		await carla.say({dm: [4]}, 'direct');
		await carla.say({channel: 'general'}, 'in general');
		await carla.say({channel: 'announcements'}, 'x').catch(() => {});
		await carla.say({channel: 'lunch', topic: '✔ bread'}, 'answered');
		await bob.say({channel: 'lunch', topic: 'bread'}, 'from Bob');
		await carla.say({channel: 'lunch', topic: 'bread'}, '@**Alice Ahn**');

		t.is((await queue.next()).message.content, expected);
	});
}

test('a poll is held until something happens', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const {body: queue} = await alice.post('/register', {event_types: ['message']});

	const poll = alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1});
	const id = await alice.say({channel: 'lunch'}, 'x');

	t.is((await poll).body.events[0].message.id, id);
});

test('a poll that may not be held answers at once', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const {body: queue} = await alice.post('/register');

	const {body} = await alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});

	t.deepEqual(body.events, []);
});

test('a silent queue gives a heartbeat after 45 to 55 seconds', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const {body: queue} = await alice.post('/register', {event_types: ['message']});
	let isAnswered = false;
	const poll = alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1}).then(answer => {
		isAnswered = true;
		return answer.body.events;
	});
	await alice.get('/users/me');

	await cause(realm, '/clock', {advance_ms: 44_000});
	t.false(isAnswered);
	await cause(realm, '/clock', {advance_ms: 11_500});

	t.deepEqual(await poll, [{type: 'heartbeat', id: 0}]);
});

test('a second poll ends the one before', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const {body: queue} = await alice.post('/register');
	const values = {queue_id: queue.queue_id, last_event_id: -1};

	const polls = [alice.get('/events', values), alice.get('/events', values)];

	t.deepEqual((await Promise.race(polls)).body.events, []);
	await alice.say({channel: 'lunch'}, 'x');
	const lengths = (await Promise.all(polls)).map(({body}) => body.events.length);
	t.deepEqual(lengths.sort(), [0, 1]);
});

test('events stay until they are acknowledged, and no longer', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const {body: queue} = await alice.post('/register', {event_types: ['message']});
	const poll = (last: number) =>
		alice.get('/events', {queue_id: queue.queue_id, last_event_id: last, dont_block: true});
	for (const content of ['one', 'two', 'three']) {
		await alice.say({channel: 'lunch'}, content);
	}

	const ids = ({body}: {body: {events: Array<{id: number}>}}) => body.events.map(event => event.id);
	t.deepEqual(ids(await poll(-1)), [0, 1, 2]);
	t.deepEqual(ids(await poll(-1)), [0, 1, 2]);
	t.deepEqual(ids(await poll(1)), [2]);
	t.is((await poll(0)).body.msg, 'An event newer than 0 has already been pruned!');
	t.is((await poll(9)).body.msg, 'Event 9 was not in this queue');
});

test("somebody else's queue is a bad one, and so is one that was deleted", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const {body: queue} = await alice.post('/register');
	const values = {queue_id: queue.queue_id, last_event_id: -1, dont_block: true};
	const bad = {
		result: 'error',
		msg: `Bad event queue ID: ${queue.queue_id}`,
		code: 'BAD_EVENT_QUEUE_ID',
		queue_id: queue.queue_id,
	};

	t.deepEqual((await bob.get('/events', values)).body, bad);
	t.is((await alice.delete('/events', {queue_id: queue.queue_id})).body.result, 'success');
	t.deepEqual((await alice.get('/events', values)).body, bad);
	t.deepEqual((await alice.delete('/events', {queue_id: queue.queue_id})).body, bad);
});

test('a queue that nobody polls goes after its lifetime', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const {body: usual} = await alice.post('/register');
	const {body: patient} = await alice.post('/register', {queue_lifespan_secs: 3600});
	const poll = (id: string) => alice.get('/events', {queue_id: id, last_event_id: -1, dont_block: true});

	await cause(realm, '/clock', {advance_ms: 601_000});

	t.is((await poll(usual.queue_id)).body.code, 'BAD_EVENT_QUEUE_ID');
	t.is((await poll(patient.queue_id)).body.result, 'success');
});

test('the end of the realm ends polls', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const {body: queue} = await alice.post('/register');
	const poll = alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1});
	await alice.get('/users/me');

	await realm.close();

	t.deepEqual((await poll).body.events, []);
});

test('register gives the state of the types asked for', async t => {
	const realm = await openRealm(t);
	const gus = await signIn(realm, 'gus');

	const small = await gus.post('/register', {event_types: ['message']});
	const {body} = await gus.post('/register', {
		fetch_event_types: ['realm', 'realm_user', 'subscription', 'streams'],
		include_subscribers: true,
	});

	t.deepEqual(Object.keys(small.body).sort(), [
		'last_event_id',
		'max_message_id',
		'msg',
		'queue_id',
		'result',
		'zulip_feature_level',
		'zulip_merge_base',
		'zulip_version',
	]);
	t.is(body.realm_empty_topic_display_name, 'general chat');
	t.is(body.max_message_length, 10_000);
	t.is(body.max_topic_length, 60);
	t.is(body.event_queue_longpoll_timeout_seconds, 90);
	t.is(body.realm_users.length, 19);
	t.deepEqual(
		body.subscriptions.map((channel: {name: string}) => channel.name),
		['announcements', 'general'],
	);
	t.true(body.subscriptions[1].subscribers.includes(7));
	t.deepEqual(
		body.streams.map((channel: {name: string}) => channel.name),
		['announcements', 'general'],
	);
});

test('a new bot is announced', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const queue = await listen(alice, {event_types: ['realm_user']});

	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'});

	const {op, person} = await queue.next();
	t.is(op, 'add');
	t.is(person.user_id, bot.userId);
	t.is(person.bot_type, 3);
});
