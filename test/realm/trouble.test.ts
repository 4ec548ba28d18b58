import {mkdtemp, rm} from 'node:fs/promises';
import http from 'node:http';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test from 'ava';
import {type Realm, startRealm} from '../../src/realm/index.js';
import {basic, type Caller, cause, listen, openRealm, reply, send, signIn, startReceiver} from './realm-kit.js';

test('a delivery is delayed as long as asked, on the clock of the realm', async t => {
	const realm = await openRealm(t);
	const receiver = await startReceiver(t, reply({}));
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/webhooks', {kind: 'delay', delay_ms: 60_000});

	await alice.say({dm: [bot.userId]}, 'hello');
	await cause(realm, '/clock', {advance_ms: 59_000});
	t.is(receiver.deliveries.length, 0);
	await cause(realm, '/clock', {advance_ms: 1000});
	await receiver.delivery(1);

	t.is(receiver.deliveries.length, 1);
});

test('a delayed delivery comes although its message was deleted meanwhile', async t => {
	const realm = await openRealm(t);
	const receiver = await startReceiver(t, reply({content: 'done'}));
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
	const queue = await listen(alice);
	await cause(realm, '/webhooks', {kind: 'delay', delay_ms: 60_000});
	const id = await alice.say({dm: [bot.userId]}, 'hello');

	const deleted = await alice.delete(`/messages/${id}`);
	await cause(realm, '/clock', {advance_ms: 60_000});

	t.is(deleted.status, 200);
	t.is((await receiver.delivery(1)).body.data, 'hello');
	await queue.next(event => event.message.content === 'done');
});

for (const kind of ['break-before', 'break-after']) {
	test(`${kind} makes the realm deliver again what the receiver got already`, async t => {
		const realm = await openRealm(t);
		const receiver = await startReceiver(t, (delivery, n) => reply({content: `answer ${n}`})(delivery));
		const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
		const alice = await signIn(realm, 'alice');
		const queue = await listen(alice);
		await cause(realm, '/webhooks', {kind, bot: bot.email, count: 2});

		await alice.say({dm: [bot.userId]}, 'hello');
		const {message} = await queue.next(event => event.message.sender_id === bot.userId);

		t.is(message.content, 'answer 3');
		t.is(receiver.deliveries.length, 3);
		t.is(new Set(receiver.deliveries.map(({text}) => text)).size, 1);
	});
}

test('trouble for another bot leaves this one alone', async t => {
	const realm = await openRealm(t);
	const receiver = await startReceiver(t, reply({content: 'fine'}));
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
	const queue = await listen(alice);
	const {body} = await cause(realm, '/webhooks', {kind: 'break-after', bot: 'other-bot@bothy.example'});

	await alice.say({dm: [bot.userId]}, 'hello');
	await queue.next(event => event.message.content === 'fine');

	t.is(receiver.deliveries.length, 1);
	t.deepEqual(body.webhooks, [{kind: 'break-after', bot: 'other-bot@bothy.example', count: 1}]);
});

test('a message is delivered again on demand', async t => {
	const realm = await openRealm(t);
	const receiver = await startReceiver(t, reply({}));
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
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
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/calls', {kind: '429', operation: 'sendMessage', account: alice.email, retry_after: 2.5});

	const other = await alice.get('/users/me');
	const refused = await alice.post('/messages', {type: 'direct', to: [5], content: 'x'});

	t.is(other.status, 200);
	t.is(refused.status, 429);
	t.is(refused.headers.get('retry-after'), '2.5');
	t.like(refused.body, {code: 'RATE_LIMIT_HIT', 'retry-after': 2.5});
	await t.notThrowsAsync(alice.say({dm: [5]}, 'x'));
});

test('500 and 502 are answered without doing anything', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/calls', {kind: '500'});
	await cause(realm, '/calls', {kind: '502-html'});

	const first = await alice.post('/messages', {type: 'direct', to: [5], content: 'x'});
	const second = await alice.post('/messages', {type: 'direct', to: [5], content: 'x'});
	const {body} = await alice.get('/users/me');

	t.deepEqual(first.body, {result: 'error', msg: 'Internal server error'});
	t.is(first.status, 500);
	t.is(second.status, 502);
	t.regex(second.body, /<html>/);
	t.is(body.max_message_id, 6);
});

for (const [kind, newest] of [
	['break-before', 6],
	['accept-and-break', 7],
] as const) {
	test(`${kind} cuts the connection, and the newest message is ${newest}`, async t => {
		const realm = await openRealm(t);
		const alice = await signIn(realm, 'alice');
		await cause(realm, '/calls', {kind});

		await t.throwsAsync(alice.say({dm: [5]}, 'x'));

		t.is((await alice.get('/users/me')).body.max_message_id, newest);
	});
}

test('an unreadable answer is a 200 that is no JSON, after the work was done', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/calls', {kind: 'unreadable'});

	await t.throwsAsync(alice.post('/messages', {type: 'direct', to: [5], content: 'x'}), {instanceOf: SyntaxError});

	t.is((await alice.get('/users/me')).body.max_message_id, 7);
});

test('silence lasts until the caller has enough, and holds up no end', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/calls', {kind: 'silence'});
	const calls = [alice.get('/users/me'), alice.get('/users/me')];
	await Promise.any(calls);

	await realm.close();

	const outcomes = await Promise.allSettled(calls);
	t.deepEqual(outcomes.map(({status}) => status).sort(), ['fulfilled', 'rejected']);
});

test('a queue expires on demand, and its poll is refused', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const {body: queue} = await alice.post('/register');
	const poll = alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1});
	await alice.get('/users/me');

	const done = await cause(realm, '/expire-queue', {queue_id: queue.queue_id});
	const again = await cause(realm, '/expire-queue', {queue_id: queue.queue_id});

	t.is(done.status, 200);
	t.is((await poll).body.code, 'BAD_EVENT_QUEUE_ID');
	t.is(again.status, 400);
});

test('silence lasts as long as asked, and then the call is done, though its caller has hung up', async t => {
	const realm = await openRealm(t, {now: Date.now()});
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const queue = await listen(bob);
	await cause(realm, '/calls', {kind: 'silence', operation: 'sendMessage', for_ms: 60_000, count: 2});
	const impatient = new AbortController();
	const patient = alice.post('/messages', {type: 'direct', to: [bob.email], content: 'patient'});
	const form = new URLSearchParams({type: 'direct', to: bob.email, content: 'impatient'});
	const hungUp = fetch(`${realm.url}/api/v1/messages`, {
		method: 'POST',
		headers: basic(alice.email, alice.key),
		body: form,
		signal: impatient.signal,
	});
	await untilTaken(realm);
	impatient.abort();
	await t.throwsAsync(hungUp, {any: true});

	await cause(realm, '/clock', {advance_ms: 59_000});
	t.is((await alice.get('/users/me')).body.max_message_id, 6);
	await cause(realm, '/clock', {advance_ms: 1000});

	t.is((await patient).status, 200);
	const contents = [await queue.next(), await queue.next()].map(event => event.message.content);
	t.deepEqual(contents.sort(), ['impatient', 'patient']);
});

/** Waits until no trouble with calls is pending: each has met its call. */
async function untilTaken(realm: Realm): Promise<void> {
	for (;;) {
		const {calls} = (await (await fetch(`${realm.url}/trouble`)).json()) as {calls: unknown[]};
		if (calls.length === 0) {
			return;
		}
	}
}

async function statuses(caller: Caller, count: number): Promise<number[]> {
	const found = [];
	for (let n = 0; n < count; n += 1) {
		found.push((await caller.get('/users/me')).status);
	}

	return found;
}

test('a share of the calls is troubled, the same ones for the same seed, until it is switched off', async t => {
	const runs = [];
	for (const seed of [7, 7, 8]) {
		const realm = await openRealm(t, {rateLimit: false});
		const alice = await signIn(realm, 'alice');
		await cause(realm, '/shares', {share: 0.25, kinds: ['429', '500', '502-html'], seed});
		const found = await statuses(alice, 200);
		const response = await fetch(`${realm.url}/trouble/shares`, {method: 'DELETE'});
		const {shares} = (await response.json()) as {shares: Array<{calls: number; troubled: number}>};
		const troubled = found.filter(status => status !== 200).length;

		t.like(shares[0], {share: 0.25, seed, calls: 200, troubled});
		t.true(troubled > 25 && troubled < 80, `${troubled} of 200`);
		t.deepEqual([...new Set(found)].sort(), [200, 429, 500, 502]);
		t.deepEqual(
			await statuses(alice, 20),
			Array.from({length: 20}, () => 200),
		);
		runs.push(found);
	}

	t.deepEqual(runs[0], runs[1]);
	t.notDeepEqual(runs[0], runs[2]);
});

test('a share concerns only the operation and the account that it names', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const share = {share: 1, seed: 1, operation: 'getOwnUser', account: 'ALICE@bothy.example'};
	await cause(realm, '/shares', {...share, kinds: ['500']});
	await cause(realm, '/calls', {kind: '502-html', operation: 'getOwnUser'});

	t.is((await bob.get('/users')).status, 200);
	t.is((await alice.get('/users')).status, 200);
	t.is((await alice.get('/users/me')).status, 502);
	t.is((await alice.get('/users/me')).status, 500);
	t.is((await bob.get('/users/me')).status, 200);
	const {shares} = (await (await fetch(`${realm.url}/trouble`)).json()) as {shares: unknown};
	t.deepEqual(shares, [{...share, kinds: ['500'], retry_after: 1, calls: 1, troubled: 1}]);
});

test('a share of calls that are done without an answer does them', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	await cause(realm, '/shares', {share: 1, kinds: ['accept-and-break'], seed: 1, operation: 'sendMessage'});

	await t.throwsAsync(alice.say({dm: [5]}, 'x'));
	await fetch(`${realm.url}/trouble`, {method: 'DELETE'});

	t.is((await alice.get('/users/me')).body.max_message_id, 7);
	await t.notThrowsAsync(alice.say({dm: [5]}, 'x'));
});

/** Opens a queue; `state` says whether it is still there. */
async function openQueue(caller: Caller) {
	const {body} = await caller.post('/register');
	const values = {queue_id: body.queue_id, last_event_id: -1};

	return {
		poll: () => caller.get('/events', values),
		async state() {
			const answer = await caller.get('/events', {...values, dont_block: true});
			return answer.body.code ?? answer.body.result;
		},
	};
}

for (const [which, expired, states] of [
	[{account: 'Alice@bothy.example'}, 2, ['BAD_EVENT_QUEUE_ID', 'BAD_EVENT_QUEUE_ID', 'success']],
	[{account: 'carla@bothy.example'}, 0, ['success', 'success', 'success']],
	[{all: true}, 3, ['BAD_EVENT_QUEUE_ID', 'BAD_EVENT_QUEUE_ID', 'BAD_EVENT_QUEUE_ID']],
] as const) {
	test(`${expired} queues expire for ${JSON.stringify(which)}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
		const queues = [await openQueue(alice), await openQueue(alice), await openQueue(bob)];

		const {body} = await cause(realm, '/expire-queue', which);

		t.is(body.expired, expired);
		t.deepEqual(await Promise.all(queues.map(async queue => queue.state())), [...states]);
	});
}

for (const which of [{}, {queue_id: 'x', all: true}, {account: 'nobody@bothy.example'}, {all: false}]) {
	test(`no queue expires for ${JSON.stringify(which)}`, async t => {
		const realm = await openRealm(t);
		const queue = await openQueue(await signIn(realm, 'alice'));

		t.is((await cause(realm, '/expire-queue', which)).status, 400);

		t.is(await queue.state(), 'success');
	});
}

test('a restart that loses all queues cuts their polls off and knows none of them afterwards', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const queues = [await openQueue(alice), await openQueue(bob)];
	const poll = queues[0]?.poll();
	await alice.get('/users/me');

	const {body} = await cause(realm, '/lose-queues', {});

	t.is(body.lost, 2);
	await t.throwsAsync(poll as Promise<unknown>, {instanceOf: TypeError});
	t.deepEqual(await Promise.all(queues.map(async queue => queue.state())), [
		'BAD_EVENT_QUEUE_ID',
		'BAD_EVENT_QUEUE_ID',
	]);
	t.is(await (await openQueue(alice)).state(), 'success');
});

test('pending trouble is listed and cleared', async t => {
	const realm = await openRealm(t);
	await cause(realm, '/webhooks', {kind: 'delay', delay_ms: 5});
	await cause(realm, '/calls', {kind: '500', count: 3});

	const listed = (await (await fetch(`${realm.url}/trouble`)).json()) as Record<string, unknown>;
	const cleared = (await (await fetch(`${realm.url}/trouble`, {method: 'DELETE'})).json()) as Record<string, unknown>;

	t.deepEqual(listed.webhooks, [{kind: 'delay', delay_ms: 5, count: 1}]);
	t.deepEqual(listed.calls, [{kind: '500', count: 3, retry_after: 1}]);
	t.deepEqual([cleared.webhooks, cleared.calls], [[], []]);
});

test('two events are told in the other order than they happened, with ascending ids', async t => {
	const realm = await openRealm(t, {now: Date.now()});
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const draft = (content: string) => ({drafts: [{type: '', to: [], topic: '', content}]});
	const open = async (caller: Caller) => (await caller.post('/register', {event_types: ['drafts']})).body.queue_id;
	const queues = {alice: await open(alice), bob: await open(bob)};
	const told = async (caller: Caller, queue_id: string) => {
		const {body} = await caller.get('/events', {queue_id, last_event_id: -1, dont_block: true});
		return body.events.map(({id, drafts}: {id: number; drafts: Array<{content: string}>}) => [id, drafts[0]?.content]);
	};
	const {body} = await cause(realm, '/swaps', {account: alice.email, event_type: 'drafts', count: 2, within_ms: 50});

	for (const content of ['one', 'two', 'three']) {
		await alice.post('/drafts', draft(content));
		await bob.post('/drafts', draft(content));
	}

	t.deepEqual(body.swaps, [{account: alice.email, event_type: 'drafts', count: 2, within_ms: 50}]);
	t.deepEqual(await told(alice, queues.alice), [
		[0, 'two'],
		[1, 'one'],
	]);
	// Nothing follows the third, so it comes alone.
	await cause(realm, '/clock', {advance_ms: 50});
	await alice.post('/drafts', draft('four'));
	t.deepEqual(await told(alice, queues.alice), [
		[0, 'two'],
		[1, 'one'],
		[2, 'three'],
		[3, 'four'],
	]);
	t.deepEqual(await told(bob, queues.bob), [
		[0, 'one'],
		[1, 'two'],
		[2, 'three'],
	]);
});

test('a poll that waits gets an event that was held back', async t => {
	const realm = await openRealm(t, {now: Date.now()});
	const alice = await signIn(realm, 'alice');
	const queue = await listen(alice);
	await cause(realm, '/swaps', {within_ms: 50});

	const next = queue.next();
	const id = await alice.say({dm: [4]}, 'x');
	await cause(realm, '/clock', {advance_ms: 50});

	t.is((await next).message.id, id);
});

test('events that are held back outlive the realm', async t => {
	const file = join(await mkdtemp(join(tmpdir(), 'realm-')), 'realm.db');
	t.teardown(() => rm(dirname(file), {recursive: true}));
	const first = await startRealm({file, port: 0});
	const alice = await signIn(first, 'alice');
	const {body: queue} = await alice.post('/register', {event_types: ['message']});
	await cause(first, '/swaps', {within_ms: 3_600_000});
	const id = await alice.say({dm: [4]}, 'x');
	await first.close();

	const again = await signIn(await openRealm(t, {file}), 'alice');
	const {body} = await again.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});

	t.deepEqual(
		body.events.map(({message}: {message: {id: number}}) => message.id),
		[id],
	);
});

test('a jump of the clock moves the time of messages', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const before = await alice.say({dm: [4]}, 'x');
	await cause(realm, '/clock', {advance_ms: 3_600_000});
	const after = await alice.say({dm: [4]}, 'x');

	const time = async (id: number) => (await alice.get(`/messages/${id}`)).body.message.timestamp;

	t.true((await time(after)) - (await time(before)) >= 3600);
});

test('a bad request for trouble is told what was expected', async t => {
	const realm = await openRealm(t);

	const answer = await cause(realm, '/webhooks', {kind: 'explode'});
	const unknown = await cause(realm, '/calls', {kind: '500', operation: 'makeCoffee'});

	t.is(answer.status, 400);
	t.regex(answer.body.msg, /'delay' \| 'break-before' \| 'break-after'|delay/);
	t.is(unknown.status, 400);
	t.regex(unknown.body.msg, /sendMessage/);
});

test('trouble as a form is refused: any page could send that', async t => {
	const realm = await openRealm(t);

	const response = await fetch(`${realm.url}/trouble/clock`, {
		method: 'POST',
		body: new URLSearchParams({advance_ms: '1'}),
	});

	t.is(response.status, 415);
});

for (const path of ['/trouble', '/api/v1/dev_list_users']) {
	test(`${path} is closed to a name that only points here`, async t => {
		const realm = await openRealm(t);

		const status = await new Promise(resolve => {
			http.get(`${realm.url}${path}`, {headers: {host: 'evil.example'}}, response => {
				response.resume();
				resolve(response.statusCode);
			});
		});

		t.is(status, 403);
	});
}

test('an account that calls too often has to wait, and is told how long', async t => {
	const realm = await openRealm(t, {now: Date.now()});
	const [alice, bob] = [await signIn(realm, 'alice'), await signIn(realm, 'bob')];
	const first = await alice.get('/users/me');
	for (let n = 1; n < 200; n += 1) {
		await alice.get('/users/me');
	}

	const refused = await alice.get('/users/me');
	const other = await bob.get('/users/me');
	await cause(realm, '/clock', {advance_ms: 60_000});
	const later = await alice.get('/users/me');

	t.is(first.headers.get('x-ratelimit-limit'), '2000');
	t.is(first.headers.get('x-ratelimit-remaining'), '1999');
	t.is(refused.status, 429);
	t.is(refused.headers.get('x-ratelimit-remaining'), '0');
	t.is(refused.body.code, 'RATE_LIMIT_HIT');
	t.true(refused.body['retry-after'] > 55 && refused.body['retry-after'] <= 60);
	t.is(refused.headers.get('retry-after'), String(refused.body['retry-after']));
	t.is(other.status, 200);
	t.is(later.headers.get('x-ratelimit-remaining'), '1799');
});

test('polls are counted apart', async t => {
	const alice = await signIn(await openRealm(t), 'alice');
	const {body: queue} = await alice.post('/register');

	const poll = await alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});
	const call = await alice.get('/users/me');

	t.is(poll.headers.get('x-ratelimit-remaining'), '1999');
	t.is(call.headers.get('x-ratelimit-remaining'), '1998');
});

test('without rate limit nobody is counted', async t => {
	const alice = await signIn(await openRealm(t, {rateLimit: false}), 'alice');

	t.is((await alice.get('/users/me')).headers.get('x-ratelimit-limit'), null);
});

test('the log has neither keys nor texts', async t => {
	const lines: unknown[] = [];
	const realm = await openRealm(t, {log: line => lines.push(line)});
	const receiver = await startReceiver(t, reply({content: 'wispy answer'}));
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
	const alice = await signIn(realm, 'alice');
	const queue = await listen(alice);

	await alice.say({dm: [bot.userId]}, 'wispy question');
	await queue.next(event => event.message.sender_id === bot.userId);
	await send(realm, {method: 'GET', path: '/users/me'});

	const log = JSON.stringify(lines);
	t.true(
		log.includes('"operation":"sendMessage"') && log.includes('"status":401') && log.includes('"event":"webhook"'),
	);
	t.false(log.includes('wispy') || log.includes(alice.key) || log.includes(bot.key) || log.includes(bot.token));
});
