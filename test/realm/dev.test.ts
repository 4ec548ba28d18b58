// What the realm records of bots, and the API for development tools.

import test, {type ExecutionContext} from 'ava';
import type {OpenRealm} from '../../src/realm/index.js';
import {findAccountByEmail} from '../../src/realm/people/accounts.js';
import {until} from '../helpers/until.js';
import {ask, basic, callAs, callAsBot, cause, ECHO, openChat, reply, send, startReceiver} from './realm-kit.js';

const PLACE = {channel: 'general', topic: 'wire'};

const CALL = {
	kind: 'call',
	message_id: null,
	linked_by: null,
	attempt: null,
	operation: null,
	method: 'GET',
	url: '/',
	request: '{}',
	fault: null,
} as const;

const dev = async (realm: OpenRealm, path = '', method = 'GET') =>
	(await ask(realm, {method, path: `/dev${path}`})).body;

/** A realm with the bot Echo, whose receiver answers each delivery. */
async function openScene(t: ExecutionContext, answer: Parameters<typeof startReceiver>[1] = reply({content: 'hi'})) {
	const chat = await openChat(t);
	const receiver = await startReceiver(t, answer);
	const bot = chat.realm.ensureBot({...ECHO, payloadUrl: receiver.url});
	const exchangesOf = async (id: number, count: number) => {
		const found = async () => (await dev(chat.realm, `/exchanges?message_id=${id}`)).exchanges;
		const isOver = (all: {ms: number | null}[]) => all.length === count && all.every(({ms}) => ms !== null);
		await until(async () => isOver(await found()));
		return found();
	};
	return {...chat, receiver, bot, exchangesOf};
}

test('the realm records a webhook with payload, answer and what was posted, without its token', async t => {
	const {realm, alice, bot, exchangesOf} = await openScene(t);

	const id = await alice.say(PLACE, '@**Echo** hello');

	const [exchange] = await exchangesOf(id, 1);
	t.like(exchange, {
		kind: 'webhook',
		message_id: id,
		linked_by: 'webhook',
		attempt: 1,
		status: 200,
		outcome: 'answered',
	});
	t.is(exchange.bot.email, bot.email);
	t.deepEqual(JSON.parse(exchange.answer.text), {content: 'hi'});
	const payload = JSON.parse(exchange.request.text);
	t.is(payload.token, '***');
	t.is(payload.message.id, id);
	t.deepEqual(exchange.posted, [{message_id: id + 1, to: 'conversation', text: 'hi'}]);
	t.false(JSON.stringify(await dev(realm, '/exchanges')).includes(bot.token));
});

test('each repetition of a webhook is an exchange of its own, with the reason and the text that people got', async t => {
	const {alice, exchangesOf} = await openScene(t, ({response}) => response.destroy());

	const id = await alice.say(PLACE, '@**Echo** hello');

	const found = await exchangesOf(id, 4);
	t.deepEqual(
		found.map(({attempt, outcome}: {attempt: number; outcome: string}) => [attempt, outcome]),
		[1, 2, 3, 4].map(attempt => [attempt, 'broken']),
	);
	t.deepEqual(
		found.flatMap(({posted}: {posted: {to: string}[]}) => posted.map(({to}) => to)),
		['conversation', 'owner'],
	);
});

test('a REST call of a bot is linked to the message that it names, to the message of the delivery that it names, to its conversation, or to the last that called', async t => {
	const {realm, alice, bot} = await openScene(t, reply({response_not_required: true}));
	const caller = callAsBot(realm, bot);
	const first = await alice.say(PLACE, '@**Echo** one');
	const second = await alice.say({...PLACE, topic: 'other'}, '@**Echo** two');

	await caller.post(`/messages/${first}/reactions`, {emoji_name: 'tada'});
	await caller.say(PLACE, 'an answer');
	await caller.get('/users/me');
	const refused = {type: 'channel', to: 'attic', topic: 'x', content: 'x'};
	await caller.post('/messages', refused);
	await alice.say({...PLACE, topic: 'third'}, '@**Echo** three');
	const late = {type: 'channel', to: PLACE.channel, topic: 'third', content: 'late'};
	const headers = {...basic(bot.email, bot.key), 'bothy-delivery': `${second}-0123456789ab`};
	await send(realm, {method: 'POST', path: '/messages', values: late, headers});
	const ofCron = {...basic(bot.email, bot.key), 'bothy-delivery': 'cron-0123456789ab'};
	await send(realm, {method: 'GET', path: '/users/me', headers: ofCron});

	const {exchanges} = await dev(realm, '/exchanges');
	const calls = exchanges.filter(({kind}: {kind: string}) => kind === 'call');
	t.deepEqual(
		calls.map((call: Record<string, unknown>) => [call.operation, call.message_id, call.linked_by, call.status]),
		[
			['addReaction', first, 'message', 200],
			['sendMessage', first, 'conversation', 200],
			['getOwnUser', second, 'time', 200],
			['sendMessage', second, 'time', 400],
			['sendMessage', second, 'delivery', 200],
			['getOwnUser', null, null, 200],
		],
	);
	t.is(JSON.parse(calls[3].answer.text).msg, "Not authorized to send to channel 'attic'");
	t.is(JSON.parse(calls[3].request.text).to, 'attic');
});

test('a call with a wrong key is recorded for the bot that it names, without the key', async t => {
	const {realm, bot} = await openScene(t);
	const wrong = 'w'.repeat(32);

	await callAs(realm, bot.email, wrong).get('/users/me');

	const {exchanges} = await dev(realm, '/exchanges');
	t.like(exchanges[0], {kind: 'call', status: 401, message_id: null, bot: {email: bot.email}});
	t.false(JSON.stringify(exchanges).includes(wrong));
});

test('bodies are cut at their documented lengths, and `length` is the length before the cut', async t => {
	const {alice, exchangesOf} = await openScene(t, reply({content: 'x'.repeat(9_000), more: 'y'.repeat(30_000)}));

	const id = await alice.say(PLACE, `@**Echo** ${'<'.repeat(9_900)}`);

	const [{answer, request}] = await exchangesOf(id, 1);
	t.is(answer.text.length, 16_384);
	t.true(answer.length > 39_000);
	t.is(request.text.length, Math.min(request.length, 65_536));
});

test('the realm keeps the last 500 exchanges, and lists what changed since a revision', async t => {
	const {realm, bot} = await openScene(t);
	const caller = callAsBot(realm, bot);
	await caller.get('/users/me');
	const {exchanges, store} = realm.services;
	const account = findAccountByEmail(store, bot.email);
	for (let n = 0; account && n < 500; n++) {
		exchanges.begin({...CALL, bot: account});
	}

	const before = await dev(realm);
	await caller.get('/users/me');
	const after = await dev(realm, `?after=${before.revision}`);

	t.is(before.exchanges.length, 500);
	t.deepEqual(
		after.exchanges.map(({id}: {id: number}) => id),
		[502],
	);
	t.is(after.exchanges[0].request, undefined);
});

test('a pending fault is cancelled by its ID, and one that happened is written with the exchange', async t => {
	const {realm, alice, exchangesOf} = await openScene(t);
	await cause(realm, '/webhooks', {kind: 'break-before'});
	const {body} = await cause(realm, '/calls', {kind: '429', operation: 'sendMessage'});
	t.deepEqual(
		body.faults.map(({id, what}: {id: number; what: string}) => [id, what]),
		[
			[1, 'webhooks'],
			[2, 'calls'],
		],
	);

	const left = await dev(realm, '/faults/2', 'DELETE');
	const again = await ask(realm, {method: 'DELETE', path: '/dev/faults/2'});
	const id = await alice.say(PLACE, '@**Echo** hello');

	t.deepEqual([left.faults.length, again.status], [1, 404]);
	const [first, second] = await exchangesOf(id, 2);
	t.like(first, {fault: 'break-before', outcome: 'broken', attempt: 1});
	t.like(second, {fault: null, outcome: 'answered', attempt: 2});
	t.deepEqual((await dev(realm)).faults, []);
});

test('a fault for bots only leaves the calls of people alone', async t => {
	const {realm, alice, bot} = await openScene(t, reply({response_not_required: true}));
	await cause(realm, '/calls', {kind: '429', operation: 'sendMessage', only_bots: true});
	const message = {type: 'channel', to: 'general', topic: 'wire', content: 'hello'};

	const person = await alice.post('/messages', message);
	const refused = await callAsBot(realm, bot).post('/messages', message);

	t.deepEqual([person.status, refused.status], [200, 429]);
});

test('bots are listed with what their host reports; without a host nothing is due', async t => {
	const {realm, bot, receiver} = await openScene(t);

	const alone = await dev(realm, '/bots');
	const due = await dev(realm, '/due');
	realm.connectHost({
		revision: () => 7,
		bots: () => ({
			bots: [{email: bot.email, name: 'echo', file: 'bots/echo.ts', about: 'x', commands: [], config: [], error: null}],
			loaded_at_ms: 1,
			reload_ms: 2,
			reload_error: null,
		}),
		deliveries: async () => [],
		due: async () => [],
		runNow: async () => ({done: false, reason: 'No such id'}),
		cancel: async () => ({done: true}),
	});
	const hosted = await dev(realm, '/bots');
	const headers = {'content-type': 'application/json'};
	const body = JSON.stringify({bot: bot.email, id: 'x'});
	const ran = await ask(realm, {method: 'POST', path: '/dev/due/run', headers, body});

	t.like(alone, {has_host: false, bots: [{email: bot.email, payload_url: receiver.url, hosted: null}]});
	t.like(due, {has_host: false, due: []});
	t.like(hosted, {has_host: true, revision: 7, reload_ms: 2, bots: [{hosted: {name: 'echo'}}]});
	t.like(ran, {status: 400, body: {msg: 'No such id'}});
});

test('one exchange is found by its ID, and what nobody can mean is refused with what was expected', async t => {
	const {realm, bot} = await openScene(t);
	await callAsBot(realm, bot).get('/users/me');
	const get = async (path: string) => {
		const {status, body} = await ask(realm, {method: 'GET', path: `/dev${path}`});
		return [status, body.msg || body.exchange.operation];
	};
	const headers = {'content-type': 'application/json'};
	const body = JSON.stringify({bot: bot.email, id: 'x'});
	const cancel = () => ask(realm, {method: 'POST', path: '/dev/due/cancel', headers, body});

	t.deepEqual(await get('/exchanges/1'), [200, 'getOwnUser']);
	t.deepEqual(await get('/exchanges/2'), [
		404,
		'Expected the ID of a recorded exchange, got 2. The realm keeps the last 500',
	]);
	t.deepEqual(await get('?after=tea'), [400, '✖ Invalid input: expected number, received NaN\n  → at after']);
	t.like(await cancel(), {
		status: 400,
		body: {msg: 'No bot host runs with this realm: `npm start` and `npm run dev` start one'},
	});
});

test('a host whose Redis is away is named as the cause', async t => {
	const {realm} = await openScene(t);
	const away = () => Promise.reject(new Error('Redis'));
	realm.connectHost({
		revision: () => 1,
		bots: () => ({bots: [], loaded_at_ms: 1, reload_ms: null, reload_error: null}),
		deliveries: away,
		due: away,
		runNow: away,
		cancel: async () => ({done: true}),
	});

	for (const path of ['/due', '/deliveries?message_id=1']) {
		const {status, body} = await ask(realm, {method: 'GET', path: `/dev${path}`});
		t.deepEqual([status, body.msg], [503, 'The bot host cannot answer: its Redis does not answer']);
	}
});

test('the API for development refuses other host names and other content types', async t => {
	const {realm} = await openScene(t);

	const foreign = await ask(realm, {method: 'GET', path: '/dev', headers: {host: 'evil.example'}});
	const form = await ask(realm, {method: 'POST', path: '/dev/faults/calls', body: 'kind=429'});

	t.deepEqual([foreign.status, form.status], [403, 415]);
});
