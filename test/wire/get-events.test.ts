import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {startRealm} from '../../src/realm/index.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	callerOf,
	expectRefusal,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const EVENTS = `{"result":"success","msg":"","events":[{"type":"message","message":{"id":31,"type":"stream","sender_id":10,\
"content":"x","subject":""},"flags":["mentioned"],"local_message_id":"12.01","id":1},\
{"type":"something_new","op":"add","whatever":[1],"id":3},{"type":"heartbeat","id":4}]}\n`;

test('the client polls with the queue ID as text and the last event as a number', async t => {
	const {client, server} = await clientAnswered(t, EVENTS);

	await client.getEvents({queue_id: '1375801870:2942', last_event_id: -1, dont_block: true});

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/events?queue_id=1375801870%3A2942&last_event_id=-1&dont_block=true HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads events of every type, unknown ones included', async t => {
	const {client} = await clientAnswered(t, EVENTS);

	const {events} = await client.getEvents({queue_id: 'q', last_event_id: 0});

	t.deepEqual(
		events.map(({id, type}) => ({id, type})),
		[
			{id: 1, type: 'message'},
			{id: 3, type: 'something_new'},
			{id: 4, type: 'heartbeat'},
		],
	);
	t.is(events[0]?.local_message_id, '12.01');
	t.deepEqual(events[1]?.whatever, [1]);
});

test('the client throws an ApiError with the ID of a queue that is gone', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Bad event queue ID: q","code":"BAD_EVENT_QUEUE_ID","queue_id":"q"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getEvents({queue_id: 'q', last_event_id: 0})), {
		code: 'BAD_EVENT_QUEUE_ID',
		status: 400,
		reason: 'Bad event queue ID: q',
		fields: {queue_id: 'q'},
	});
});

test('the client throws an ApiError for an event that was pruned', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"An event newer than 3 has already been pruned!","code":"BAD_REQUEST"}\n',
	);

	t.is((await refusalOf(t, client.getEvents({queue_id: 'q', last_event_id: 3}))).code, 'BAD_REQUEST');
});

/** Registers for messages; answers the ID of the queue. */
async function register(caller: Caller, form = ''): Promise<string> {
	const {json} = await caller.post('/api/v1/register', `event_types=%5B%22message%22%5D${form}`);
	return String(at(json, 'queue_id'));
}

async function send(caller: Caller, form: string): Promise<Json> {
	return at((await caller.post('/api/v1/messages', form, ['User-Agent: Bothy/1.2.3'])).json, 'id');
}

const VARYING = ['recipient_id', 'stream_id', 'timestamp', 'sender_realm_str'];

test('the realm gives a message as an event with raw content, the flags beside it', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const queue = await register(bob);
	const id = await send(alice, 'type=channel&to=general&topic=&content=%40**Bob+Birk**+*soup*');

	const answer = await bob.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);

	expectSuccess(t, answer);
	t.deepEqual(Object.keys(answer.json ?? {}), ['result', 'msg', 'events']);
	t.deepEqual(mask(at(answer.json, 'events', 0), ...VARYING), {
		type: 'message',
		id: at(answer.json, 'events', 0, 'id'),
		message: {
			id,
			type: 'stream',
			sender_id: alice.userId,
			sender_email: 'alice@bothy.example',
			sender_full_name: 'Alice Ahn',
			sender_realm_str: '<string>',
			avatar_url: null,
			client: 'Bothy',
			content: '@**Bob Birk** *soup*',
			content_type: 'text/x-markdown',
			display_recipient: 'general',
			recipient_id: '<integer>',
			stream_id: '<integer>',
			subject: 'general chat',
			topic_links: [],
			timestamp: '<integer>',
			is_me_message: false,
			reactions: [],
			submessages: [],
		},
		flags: ['mentioned'],
	});
	t.true(Number.isSafeInteger(at(answer.json, 'events', 0, 'id')));
});

test('the realm gives HTML, the empty topic and avatars to a queue that asked for them', async t => {
	const alice = await signIn(t);
	const queue = await register(
		alice,
		'&apply_markdown=true&client_gravatar=false' +
			'&client_capabilities=%7B%22notification_settings_null%22:true,%22empty_topic_name%22:true%7D',
	);
	await send(alice, 'type=channel&to=general&topic=&content=*soup*');

	const {json} = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);

	t.is(at(json, 'events', 0, 'message', 'content'), '<p><em>soup</em></p>');
	t.is(at(json, 'events', 0, 'message', 'content_type'), 'text/html');
	t.is(at(json, 'events', 0, 'message', 'subject'), '');
	t.is(typeof at(json, 'events', 0, 'message', 'avatar_url'), 'string');
});

test('the realm returns local_message_id to the queue that sent it, and to no other', async t => {
	const alice = await signIn(t);
	const [queue, other] = [await register(alice), await register(alice)];
	await send(alice, `type=channel&to=general&topic=x&content=x&queue_id=${queue}&local_id=12.01`);

	const own = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);
	const others = await alice.get(`/api/v1/events?queue_id=${other}&last_event_id=-1`);

	t.is(at(own.json, 'events', 0, 'local_message_id'), '12.01');
	t.false('local_message_id' in Object(at(others.json, 'events', 0)));
});

test('the realm gives only the messages of a narrow', async t => {
	const alice = await signIn(t);
	const queue = await register(alice, '&narrow=%5B%5B%22channel%22,%22general%22%5D,%5B%22topic%22,%22soup%22%5D%5D');
	await send(alice, 'type=channel&to=general&topic=bread&content=x');
	await send(alice, 'type=direct&to=bob%40bothy.example&content=x');
	const id = await send(alice, 'type=channel&to=general&topic=soup&content=x');

	const {json} = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);

	const events = at(json, 'events');
	t.deepEqual(Array.isArray(events) && events.map(each => at(each, 'message', 'id')), [id]);
});

test('the realm gives messages of other public channels only to those who asked', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const [all, own] = [await register(olivia, '&all_public_streams=true'), await register(olivia)];
	await send(alice, 'type=channel&to=lunch&topic=x&content=x');

	const seen = await olivia.get(`/api/v1/events?queue_id=${all}&last_event_id=-1&dont_block=true`);
	const unseen = await olivia.get(`/api/v1/events?queue_id=${own}&last_event_id=-1&dont_block=true`);

	t.is(at(seen.json, 'events', 0, 'message', 'display_recipient'), 'lunch');
	t.deepEqual(unseen.json, {result: 'success', msg: '', events: []});
});

test('the realm answers a poll that must not block at once with no events', async t => {
	const alice = await signIn(t);
	const queue = await register(alice);

	const answer = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', events: []});
});

test('the realm gives unacknowledged events again, in ascending order', async t => {
	const alice = await signIn(t);
	const queue = await register(alice);
	await send(alice, 'type=channel&to=general&topic=x&content=1');
	await send(alice, 'type=channel&to=general&topic=x&content=2');

	const first = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);
	const again = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);
	const [one, two] = [Number(at(first.json, 'events', 0, 'id')), Number(at(first.json, 'events', 1, 'id'))];
	const rest = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=${one}`);

	t.deepEqual(again.json, first.json);
	t.true(one < two);
	t.deepEqual(at(rest.json, 'events'), [at(first.json, 'events', 1)]);
});

test('the realm holds a poll until something comes, and ends an older one in the same queue', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const path = `/api/v1/events?queue_id=${await register(alice)}&last_event_id=-1`;

	const polls = [alice.get(path), alice.get(path)];
	// Which of the two came first is not ours to know.
	const older = await Promise.race(polls);
	await send(bob, 'type=channel&to=general&topic=x&content=x');
	const both = await Promise.all(polls);

	t.is(older.statusLine, 'HTTP/1.1 200 OK');
	t.deepEqual(older.json, {result: 'success', msg: '', events: []});
	const newer = both.find(answer => answer !== older);
	t.is(newer && at(newer.json, 'events', 0, 'message', 'content'), 'x');
});

test('the realm ends a poll with a lone heartbeat within 55 seconds', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const poll = alice.get(`/api/v1/events?queue_id=${await register(alice)}&last_event_id=-1`);
	let isOver = false;
	void poll.then(() => {
		isOver = true;
	});

	// The first jump may come before the poll did.
	while (!isOver) {
		await advanceClock(realm, 55_000);
	}

	const {json} = await poll;
	const id = at(json, 'events', 0, 'id');
	t.true(Number.isSafeInteger(id));
	t.deepEqual(json, {result: 'success', msg: '', events: [{type: 'heartbeat', id}]});
});

test('the realm forgets a queue that nobody polled for 600 seconds, unless it was registered for longer', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const [short, long] = [await register(alice), await register(alice, '&queue_lifespan_secs=3600')];
	const poll = (queue: string) => alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
	await advanceClock(realm, 590_000);
	expectSuccess(t, await poll(short));
	await advanceClock(realm, 661_000);

	const answer = await poll(short);

	expectRefusal(t, answer, {
		status: '400 Bad Request',
		json: {result: 'error', msg: `Bad event queue ID: ${short}`, code: 'BAD_EVENT_QUEUE_ID', queue_id: short},
	});
	expectSuccess(t, await poll(long));
});

test('the realm keeps no queue for longer than a week without a poll', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const queue = await register(alice, '&queue_lifespan_secs=9999999');
	const poll = () => alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);

	await advanceClock(realm, 604_000_000);
	const inTime = await poll();
	await advanceClock(realm, 605_000_000);
	const late = await poll();

	expectSuccess(t, inTime);
	t.is(at(late.json, 'code'), 'BAD_EVENT_QUEUE_ID');
});

test('a realm that was restarted keeps the queues and what is in them, and tells of the restart', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-events-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const first = await startRealm({file, port: 0});
	const alice = await signIn(t, 'alice', first);
	const form =
		'&narrow=%5B%5B%22topic%22,%22soup%22%5D%5D&apply_markdown=true&queue_lifespan_secs=3600&client_gravatar=false';
	const [queue, all] = [
		await register(alice, form),
		String(at((await alice.post('/api/v1/register', '')).json, 'queue_id')),
	];
	await send(alice, 'type=channel&to=general&topic=soup&content=*1*');
	await send(alice, 'type=channel&to=general&topic=soup&content=*2*');
	await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=0`);
	await first.close();

	const second = await startRealm({file, port: 0});
	t.teardown(() => second.close());
	const again = callerOf(second.url, alice);
	await send(again, 'type=channel&to=general&topic=bread&content=3');
	await send(again, 'type=channel&to=general&topic=soup&content=*4*');
	const kept = await again.get(`/api/v1/events?queue_id=${queue}&last_event_id=0&dont_block=true`);
	const pruned = await again.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
	const everything = at(
		(await again.get(`/api/v1/events?queue_id=${all}&last_event_id=-1&dont_block=true`)).json,
		'events',
	);

	expectSuccess(t, kept);
	const events = at(kept.json, 'events');
	t.deepEqual(Array.isArray(events) && events.map(event => [at(event, 'id'), at(event, 'message', 'content')]), [
		[1, '<p><em>2</em></p>'],
		[2, '<p><em>4</em></p>'],
	]);
	expectRefusal(t, pruned, badRequest('An event newer than -1 has already been pruned!'));
	const restart = Array.isArray(everything) ? everything.find(event => at(event, 'type') === 'restart') : undefined;
	t.deepEqual(mask(restart ?? null, 'id', 'server_generation', 'zulip_version', 'zulip_merge_base'), {
		type: 'restart',
		id: '<integer>',
		zulip_version: '<string>',
		zulip_merge_base: '<string>',
		zulip_feature_level: 496,
		server_generation: '<integer>',
	});
});

test('a queue that was idle for too long does not outlive a restart', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-events-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const first = await startRealm({file, port: 0});
	const alice = await signIn(t, 'alice', first);
	const queue = await register(alice);
	await first.close();
	const second = await startRealm({file, port: 0});
	t.teardown(() => second.close());

	await advanceClock(second, 601_000);

	const answer = await callerOf(second.url, alice).get(
		`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`,
	);
	t.is(at(answer.json, 'code'), 'BAD_EVENT_QUEUE_ID');
});

test('the realm refuses to go back behind what was acknowledged', async t => {
	const alice = await signIn(t);
	const queue = await register(alice);
	await send(alice, 'type=channel&to=general&topic=x&content=1');
	const {json} = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);
	const id = at(json, 'events', 0, 'id');
	await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=${id}&dont_block=true`);

	const answer = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);

	expectRefusal(t, answer, badRequest('An event newer than -1 has already been pruned!'));
});

test('the realm refuses an event that never was in the queue', async t => {
	const alice = await signIn(t);
	const queue = await register(alice);

	const answer = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=4711&dont_block=true`);

	expectRefusal(t, answer, badRequest('Event 4711 was not in this queue'));
});

test("the realm refuses another user's queue like one that does not exist", async t => {
	const realm = await openRealm(t);
	const queue = await register(await signIn(t, 'alice', realm));

	const answer = await (await signIn(t, 'bob', realm)).get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`);

	expectRefusal(t, answer, {
		status: '400 Bad Request',
		json: {result: 'error', msg: `Bad event queue ID: ${queue}`, code: 'BAD_EVENT_QUEUE_ID', queue_id: queue},
	});
});

const get = (query: string) => (caller: Caller) => caller.get(`/api/v1/events${query}`);

test('a poll in an unknown queue', refused, {
	ask: get('?queue_id=nope&last_event_id=-1'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Bad event queue ID: nope', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'nope'},
	},
});
test('a poll without queue, naming no var_name', refused, {
	ask: get('?last_event_id=-1'),
	answer: badRequest("Missing 'queue_id' argument"),
});
test('a poll without last event, naming no var_name', refused, {
	ask: get('?queue_id=nope'),
	answer: badRequest("Missing 'last_event_id' argument"),
});
test('a last event that is a word', refused, {
	ask: get('?queue_id=nope&last_event_id=abc'),
	answer: badRequest('last_event_id is not valid JSON'),
});
for (const text of ['1.5', 'true', '%221%22']) {
	test(`last_event_id=${decodeURIComponent(text)}`, refused, {
		ask: get(`?queue_id=nope&last_event_id=${text}`),
		answer: badRequest('last_event_id is not an integer'),
	});
}

test('dont_block=True', refused, {
	ask: get('?queue_id=nope&last_event_id=-1&dont_block=True'),
	answer: badRequest('dont_block is not valid JSON'),
});
test('dont_block=1', refused, {
	ask: get('?queue_id=nope&last_event_id=-1&dont_block=1'),
	answer: badRequest('dont_block is not a boolean'),
});
