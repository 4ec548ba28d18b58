// What goes wrong on demand, and who has to wait.

import http from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {Clock} from '../../src/realm/clock.js';
import {LeakyLimit, WindowLimit} from '../../src/realm/http/rate-limit.js';
import type {OpenRealm} from '../../src/realm/index.js';
import {
	ask,
	basic,
	type Caller,
	cause,
	type Delivery,
	databaseFile,
	ECHO,
	listen,
	openChat,
	reply,
	send,
	startReceiver,
} from './realm-kit.js';

const NOW = Date.UTC(2026, 2, 1);
const TO_BOB = {type: 'direct', to: [5], content: 'x'};

/** A realm with a bot, and alice, who hears what it says. */
async function openScene(t: ExecutionContext, answer: (delivery: Delivery, n: number) => void, options = {}) {
	// A receiver that a busy machine slows down is not slow.
	const chat = await openChat(t, {webhookTimeoutMs: 120_000, ...options});
	const receiver = await startReceiver(t, answer);
	const bot = chat.realm.ensureBot({...ECHO, payloadUrl: receiver.url});
	const queue = await listen(chat.alice);
	const hear = () => queue.next(event => event.message.sender_id === bot.userId);
	return {...chat, receiver, bot, hear};
}

const newest = async (caller: Caller): Promise<number> => (await caller.get('/users/me')).body.max_message_id;

/** What is pending, as the realm answers. */
const pending = async (realm: OpenRealm, method = 'GET', path = '/trouble') => (await ask(realm, {method, path})).body;

test('a delivery is delayed as long as asked, on the clock of the realm', async t => {
	const {realm, receiver, alice, bot} = await openScene(t, reply({}), {now: NOW});
	await cause(realm, '/webhooks', {kind: 'delay', bot: bot.email, delay_ms: 60_000});
	await alice.say({dm: [bot.userId]}, 'late');
	await cause(realm, '/clock', {advance_ms: 59_999});

	// A webhook that was asked for later has come: the first one would have come before it.
	const other = await startReceiver(t, reply({}));
	const punctual = realm.ensureBot({name: 'other', fullName: 'Other', payloadUrl: other.url});
	await alice.say({dm: [punctual.userId]}, 'in time');
	await other.delivery(1);
	t.is(receiver.deliveries.length, 0);

	await cause(realm, '/clock', {advance_ms: 1});
	t.is((await receiver.delivery(1)).body.data, 'late');
});

test('a delayed delivery comes although its message was deleted meanwhile', async t => {
	const {realm, receiver, alice, bot, hear} = await openScene(t, reply({content: 'done'}));
	await cause(realm, '/webhooks', {kind: 'delay', delay_ms: 60_000});
	const id = await alice.say({dm: [bot.userId]}, 'hello');

	const deleted = await alice.delete(`/messages/${id}`);
	await cause(realm, '/clock', {advance_ms: 60_000});

	t.is(deleted.status, 200);
	t.is((await receiver.delivery(1)).body.data, 'hello');
	t.is((await hear()).message.content, 'done');
});

for (const kind of ['break-before', 'break-after']) {
	test(`${kind} makes the realm deliver again what the receiver got already`, async t => {
		const {realm, receiver, alice, bot, hear} = await openScene(t, (delivery, n) =>
			reply({content: `answer ${n}`})(delivery),
		);
		await cause(realm, '/webhooks', {kind, bot: bot.email, count: 2});

		await alice.say({dm: [bot.userId]}, 'hello');

		t.is((await hear()).message.content, 'answer 3');
		t.is(receiver.deliveries.length, 3);
		t.is(new Set(receiver.deliveries.map(({text}) => text)).size, 1);
	});
}

test('trouble for another bot leaves this one alone', async t => {
	const {realm, receiver, alice, bot, hear} = await openScene(t, reply({content: 'fine'}));
	const {body} = await cause(realm, '/webhooks', {kind: 'break-after', bot: 'other-bot@bothy.example'});

	await alice.say({dm: [bot.userId]}, 'hello');

	t.is((await hear()).message.content, 'fine');
	t.is(receiver.deliveries.length, 1);
	t.deepEqual(body.webhooks, [{kind: 'break-after', bot: 'other-bot@bothy.example', count: 1}]);
});

test('a message is delivered again on demand', async t => {
	const {realm, receiver, alice, bot} = await openScene(t, reply({}));
	const id = await alice.say({channel: 'general'}, '@**Echo** hello');
	await receiver.delivery(1);

	const done = await cause(realm, '/redeliver', {message_id: id, bot: bot.email});
	await receiver.delivery(2);
	const nobody = await cause(realm, '/redeliver', {message_id: 1});

	t.is(done.body.deliveries, 1);
	t.is(receiver.deliveries[1]?.text, receiver.deliveries[0]?.text);
	t.is(nobody.status, 400);
});

test('the next call is refused with 429, and the one after is not', async t => {
	const {realm, alice} = await openChat(t);
	await cause(realm, '/calls', {kind: '429', operation: 'sendMessage', account: alice.email, retry_after: 2.5});

	const other = await alice.get('/users/me');
	const refused = await alice.post('/messages', TO_BOB);

	t.is(other.status, 200);
	t.is(refused.status, 429);
	t.is(refused.headers['retry-after'], '2.5');
	t.like(refused.body, {code: 'RATE_LIMIT_HIT', 'retry-after': 2.5});
	await t.notThrowsAsync(alice.say({dm: [5]}, 'x'));
});

test('500 and 502 are answered without doing anything', async t => {
	const {realm, alice} = await openChat(t);
	await cause(realm, '/calls', {kind: '500'});
	await cause(realm, '/calls', {kind: '502-html'});

	const first = await alice.post('/messages', TO_BOB);
	const second = await alice.post('/messages', TO_BOB);

	t.deepEqual(first.body, {result: 'error', msg: 'Internal server error'});
	t.is(first.status, 500);
	t.is(second.status, 502);
	t.regex(second.body, /<html>/);
	t.is(await newest(alice), 3);
});

for (const [kind, id] of [
	['break-before', 3],
	['accept-and-break', 7],
] as const) {
	test(`${kind} cuts the connection, and the newest message is ${id}`, async t => {
		const {realm, alice} = await openChat(t);
		await cause(realm, '/calls', {kind});

		await t.throwsAsync(alice.say({dm: [5]}, 'x'));

		t.is(await newest(alice), id);
	});
}

test('an unreadable answer is a 200 that is no JSON, after the work was done', async t => {
	const {realm, alice} = await openChat(t);
	await cause(realm, '/calls', {kind: 'unreadable'});

	await t.throwsAsync(alice.post('/messages', TO_BOB), {instanceOf: SyntaxError});

	t.is(await newest(alice), 7);
});

test('silence lasts until the caller gives up, and does not delay closing', async t => {
	const {realm, alice} = await openChat(t);
	await cause(realm, '/calls', {kind: 'silence'});
	const headers = basic(alice.email, alice.key);
	const calls = [1, 2].map(() => fetch(`${realm.url}/api/v1/users/me`, {headers}));
	await Promise.any(calls);

	await realm.close();

	const outcomes = await Promise.allSettled(calls);
	t.deepEqual(outcomes.map(({status}) => status).sort(), ['fulfilled', 'rejected']);
});

test('silence lasts as long as asked, and then the call is done, though its caller has hung up', async t => {
	const {realm, alice, bob} = await openChat(t, {now: NOW});
	const queue = await listen(bob);
	await cause(realm, '/calls', {kind: 'silence', operation: 'sendMessage', for_ms: 60_000, count: 2});
	const hangUp = new AbortController();
	const calls = ['patient', 'impatient'].map(content =>
		ask(realm, {
			method: 'POST',
			path: '/api/v1/messages',
			headers: {...basic(alice.email, alice.key), 'content-type': 'application/x-www-form-urlencoded'},
			body: new URLSearchParams({type: 'direct', to: bob.email, content}).toString(),
			...(content === 'impatient' && {signal: hangUp.signal}),
		}),
	);
	// Each trouble has met its call.
	while ((await pending(realm)).calls.length > 0) {}
	hangUp.abort();
	await t.throwsAsync(calls[1] as Promise<unknown>, {any: true});

	await cause(realm, '/clock', {advance_ms: 59_999});
	t.is(await newest(alice), 3);
	await cause(realm, '/clock', {advance_ms: 1});

	t.is((await calls[0])?.status, 200);
	const contents = [await queue.next(), await queue.next()].map(event => event.message.content);
	t.deepEqual(contents.sort(), ['impatient', 'patient']);
});

async function statuses(caller: Caller, count: number): Promise<number[]> {
	const found = [];
	for (let n = 0; n < count; n += 1) {
		found.push((await caller.get('/users/me')).status);
	}

	return found;
}

test('a share of the calls is troubled, the same ones for the same seed, until it is switched off', async t => {
	const {realm, alice} = await openChat(t, {rateLimit: false});
	const runs = [];
	for (const seed of [7, 7, 8]) {
		await cause(realm, '/shares', {share: 0.25, kinds: ['429', '500', '502-html'], seed});
		const found = await statuses(alice, 80);
		const {shares} = await pending(realm, 'DELETE', '/trouble/shares');
		const troubled = found.filter(status => status !== 200).length;

		t.like(shares[0], {share: 0.25, seed, calls: 80, troubled});
		t.true(troubled > 10 && troubled < 30, `${troubled} of 80`);
		t.deepEqual([...new Set(found)].sort(), [200, 429, 500, 502]);
		t.deepEqual([...new Set(await statuses(alice, 10))], [200]);
		runs.push(found);
	}

	t.deepEqual(runs[0], runs[1]);
	t.notDeepEqual(runs[0], runs[2]);
});

test('a share concerns only the operation and the account that it names', async t => {
	const {realm, alice, bob} = await openChat(t);
	const share = {share: 1, seed: 1, operation: 'getOwnUser', account: 'ALICE@bothy.example'};
	await cause(realm, '/shares', {...share, kinds: ['500']});
	await cause(realm, '/calls', {kind: '502-html', operation: 'getOwnUser'});

	for (const [caller, path, status] of [
		[bob, '/users', 200],
		[alice, '/users', 200],
		[alice, '/users/me', 502],
		[alice, '/users/me', 500],
		[bob, '/users/me', 200],
	] as const) {
		t.is((await caller.get(path)).status, status, `${caller.email} ${path}`);
	}

	const {shares} = await pending(realm);
	t.deepEqual(shares, [{...share, kinds: ['500'], retry_after: 1, calls: 1, troubled: 1}]);
});

test('a share of calls that are done without an answer does them', async t => {
	const {realm, alice} = await openChat(t);
	await cause(realm, '/shares', {share: 1, kinds: ['accept-and-break'], seed: 1, operation: 'sendMessage'});

	await t.throwsAsync(alice.say({dm: [5]}, 'x'));
	await pending(realm, 'DELETE');

	t.is(await newest(alice), 7);
	await t.notThrowsAsync(alice.say({dm: [5]}, 'x'));
});

/** Opens a queue; `state` says whether it is still there. */
async function openQueue(caller: Caller) {
	const {queueId: queue_id} = await listen(caller);
	const values = {queue_id, last_event_id: -1};

	return {
		queue_id,
		poll: () => caller.get('/events', values),
		async state() {
			const {body} = await caller.get('/events', {...values, dont_block: true});
			return body.code ?? body.result;
		},
	};
}

const GONE = 'BAD_EVENT_QUEUE_ID';

test('a queue expires on demand, and its poll is refused', async t => {
	const {realm, alice} = await openChat(t);
	const {queue_id, poll} = await openQueue(alice);
	const held = poll();
	await alice.get('/users/me');

	const done = await cause(realm, '/expire-queue', {queue_id});
	const again = await cause(realm, '/expire-queue', {queue_id});

	t.is(done.status, 200);
	t.is((await held).body.code, GONE);
	t.is(again.status, 400);
});

for (const [which, expired, states] of [
	[{account: 'Alice@bothy.example'}, 2, [GONE, GONE, 'success']],
	[{account: 'carla@bothy.example'}, 0, ['success', 'success', 'success']],
	[{all: true}, 3, [GONE, GONE, GONE]],
] as const) {
	test(`${expired} queues expire for ${JSON.stringify(which)}`, async t => {
		const {realm, alice, bob} = await openChat(t);
		const queues = [await openQueue(alice), await openQueue(alice), await openQueue(bob)];

		const {body} = await cause(realm, '/expire-queue', which);

		t.is(body.expired, expired);
		t.deepEqual(await Promise.all(queues.map(queue => queue.state())), [...states]);
	});
}

test('a call that names no queue expires none', async t => {
	const {realm, alice} = await openChat(t);
	const queue = await openQueue(alice);

	for (const which of [{}, {queue_id: 'x', all: true}, {account: 'nobody@bothy.example'}, {all: false}]) {
		t.is((await cause(realm, '/expire-queue', which)).status, 400, JSON.stringify(which));
	}

	t.is(await queue.state(), 'success');
});

test('a restart that loses all queues cuts their polls off and knows none of them afterwards', async t => {
	const {realm, alice, bob} = await openChat(t);
	const queues = [await openQueue(alice), await openQueue(bob)];
	const poll = queues[0]?.poll();
	await alice.get('/users/me');

	const {body} = await cause(realm, '/lose-queues', {});

	t.is(body.lost, 2);
	await t.throwsAsync(poll as Promise<unknown>, {code: 'UND_ERR_SOCKET'});
	t.deepEqual(await Promise.all(queues.map(queue => queue.state())), [GONE, GONE]);
	t.is(await (await openQueue(alice)).state(), 'success');
});

test('pending trouble is listed and cleared', async t => {
	const {realm} = await openChat(t);
	await cause(realm, '/webhooks', {kind: 'delay', delay_ms: 5});
	await cause(realm, '/calls', {kind: '500', count: 3});

	const listed = await pending(realm);
	const cleared = await pending(realm, 'DELETE');

	t.deepEqual(listed.webhooks, [{kind: 'delay', delay_ms: 5, count: 1}]);
	t.deepEqual(listed.calls, [{kind: '500', count: 3, retry_after: 1}]);
	t.deepEqual([cleared.webhooks, cleared.calls], [[], []]);
});

const draft = (content: string) => ({drafts: [{type: '', to: [], topic: '', content}]});

/** The drafts that a queue tells of, by the ID of the event. */
const told = async (queue: Awaited<ReturnType<typeof listen>>) =>
	(await queue.events()).map(({id, drafts}) => [id, drafts[0]?.content]);

test('two events arrive in reverse order, with ascending ids', async t => {
	const {realm, alice, bob} = await openChat(t, {now: NOW});
	const values = {event_types: ['drafts']};
	const queues = {alice: await listen(alice, values), bob: await listen(bob, values)};
	const swap = {account: alice.email, event_type: 'drafts', count: 2, within_ms: 50};
	const {body} = await cause(realm, '/swaps', swap);

	for (const content of ['one', 'two', 'three']) {
		await alice.post('/drafts', draft(content));
		await bob.post('/drafts', draft(content));
	}

	t.deepEqual(body.swaps, [swap]);
	const swapped = [
		[0, 'two'],
		[1, 'one'],
	];
	t.deepEqual(await told(queues.alice), swapped);
	// Nothing follows the third, so it comes alone.
	await cause(realm, '/clock', {advance_ms: 50});
	await alice.post('/drafts', draft('four'));
	t.deepEqual(await told(queues.alice), [...swapped, [2, 'three'], [3, 'four']]);
	t.deepEqual(await told(queues.bob), [
		[0, 'one'],
		[1, 'two'],
		[2, 'three'],
	]);
});

test('a poll that waits gets an event that was held back', async t => {
	const {realm, alice} = await openChat(t, {now: NOW});
	const queue = await listen(alice);
	await cause(realm, '/swaps', {within_ms: 50});

	const next = queue.next();
	const id = await alice.say({dm: [4]}, 'x');
	await cause(realm, '/clock', {advance_ms: 50});

	t.is((await next).message.id, id);
});

test('events that are held back outlive the realm', async t => {
	const file = await databaseFile(t);
	const first = await openChat(t, {file});
	const {queueId} = await listen(first.alice);
	await cause(first.realm, '/swaps', {within_ms: 3_600_000});
	const id = await first.alice.say({dm: [4]}, 'x');
	await first.realm.close();

	const {alice} = await openChat(t, {file});
	const {body} = await alice.get('/events', {queue_id: queueId, last_event_id: -1, dont_block: true});

	t.like(body.events, [{message: {id}}]);
	t.is(body.events.length, 1);
});

test('a jump of the clock moves the time of messages', async t => {
	const {realm, alice} = await openChat(t, {now: NOW});
	await cause(realm, '/clock', {advance_ms: 3_600_000});

	const id = await alice.say({dm: [4]}, 'x');

	t.is((await alice.get(`/messages/${id}`)).body.message.timestamp, NOW / 1000 + 3600);
});

test('a bad request for trouble gets an answer that says what was expected', async t => {
	const {realm} = await openChat(t);

	const answer = await cause(realm, '/webhooks', {kind: 'explode'});
	const unknown = await cause(realm, '/calls', {kind: '500', operation: 'makeCoffee'});

	t.is(answer.status, 400);
	t.regex(answer.body.msg, /'delay' \| 'break-before' \| 'break-after'|delay/);
	t.is(unknown.status, 400);
	t.regex(unknown.body.msg, /sendMessage/);
});

test('trouble as a form is refused: any page could send that', async t => {
	const {realm} = await openChat(t);

	const headers = {'content-type': 'application/x-www-form-urlencoded'};
	const {status} = await ask(realm, {method: 'POST', path: '/trouble/clock', headers, body: 'advance_ms=1'});

	t.is(status, 415);
});

for (const path of ['/trouble', '/api/v1/dev_list_users']) {
	test(`${path} is closed to a name that only points here`, async t => {
		const {realm} = await openChat(t);

		const status = await new Promise(resolve => {
			http.get(`${realm.url}${path}`, {headers: {host: 'evil.example'}}, response => {
				response.resume();
				resolve(response.statusCode);
			});
		});

		t.is(status, 403);
	});
}

test('an account whose calls of a minute are over has to wait until the first of them is a minute old', async t => {
	const {realm, alice, bob} = await openChat(t, {now: NOW});
	const first = await alice.get('/users/me');
	await cause(realm, '/clock', {advance_ms: 1000});
	await statuses(alice, 199);

	const refused = await alice.get('/users/me');
	const other = await bob.get('/users/me');
	await cause(realm, '/clock', {advance_ms: 59_000});
	const later = await alice.get('/users/me');

	t.is(first.headers['x-ratelimit-limit'], '2000');
	t.is(first.headers['x-ratelimit-remaining'], '1999');
	t.is(refused.status, 429);
	t.is(refused.headers['x-ratelimit-remaining'], '0');
	t.like(refused.body, {code: 'RATE_LIMIT_HIT', 'retry-after': 59});
	t.is(refused.headers['retry-after'], '59');
	t.is(other.status, 200);
	t.is(later.headers['x-ratelimit-remaining'], '1799');
});

test('without rate limit nobody is counted', async t => {
	const {alice} = await openChat(t, {rateLimit: false});

	t.is((await alice.get('/users/me')).headers['x-ratelimit-limit'], undefined);
});

test('the log has neither keys nor texts', async t => {
	const lines: unknown[] = [];
	const log = (line: unknown) => lines.push(line);
	const {realm, alice, bot, hear} = await openScene(t, reply({content: 'wispy answer'}), {log});

	await alice.say({dm: [bot.userId]}, 'wispy question');
	await hear();
	await send(realm, {method: 'GET', path: '/users/me'});

	const all = JSON.stringify(lines);
	for (const logged of ['"operation":"sendMessage"', '"status":401', '"event":"webhook"']) {
		t.true(all.includes(logged), logged);
	}

	for (const secret of ['wispy', alice.key, bot.key, bot.token]) {
		t.false(all.includes(secret));
	}
});

const START_MS = 1_700_000_000_000;
const ALICE = 4;

test('an hour has room for two thousand calls, however they lie in it', t => {
	const clock = new Clock(START_MS);
	const limit = new WindowLimit(clock);
	for (let minute = 0; minute < 10; minute += 1) {
		for (let call = 0; call < 200; call += 1) {
			t.is(limit.count(ALICE).retryAfter, undefined);
		}

		clock.advance(60_000);
	}

	const refused = limit.count(ALICE);
	clock.advance(3_000_000);
	const later = limit.count(ALICE);

	t.deepEqual(refused, {limit: 2000, remaining: 0, reset: START_MS / 1000 + 9 * 60 + 3600, retryAfter: 3000});
	t.deepEqual(later, {limit: 2000, remaining: 199, reset: START_MS / 1000 + 2 * 3600});
});

test('after 200 polls at once there is room for another every 0.3 seconds', t => {
	const clock = new Clock(START_MS);
	const limit = new LeakyLimit(clock);
	for (let call = 0; call < 200; call += 1) {
		t.is(limit.count(ALICE).retryAfter, undefined);
	}

	t.is(limit.count(ALICE).retryAfter, 0.3);
	clock.advance(300);
	t.is(limit.count(ALICE).retryAfter, undefined);
	t.is(limit.count(ALICE).retryAfter, 0.3);
});

test('a client that polls every 0.3 seconds has to slow down within the hour', t => {
	const clock = new Clock(START_MS);
	const limit = new LeakyLimit(clock);
	let polls = 0;
	while (limit.count(ALICE).retryAfter === undefined) {
		polls += 1;
		clock.advance(300);
	}

	// Of six polls the hour's bucket keeps five.
	t.true(polls > 2390 && polls <= 2400, String(polls));
	t.is(limit.count(ALICE).limit, 2000);
});
