import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectSuccess,
	type Json,
	missing,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const flag = (caller: Caller, form: string) => caller.post('/api/v1/messages/flags/narrow', form);

const SOUP = 'narrow=[["channel","lunch"],["topic","soup"]]';

async function say(caller: Caller, topic = 'soup'): Promise<number> {
	return Number(
		at((await caller.post('/api/v1/messages', `content=x&type=channel&to=lunch&topic=${topic}`)).json, 'id'),
	);
}

async function starredIds(caller: Caller): Promise<Json[]> {
	const {json} = await caller.get('/api/v1/messages?anchor=newest&num_before=99&narrow=[["is","starred"]]');
	const messages = at(json, 'messages');
	return (Array.isArray(messages) ? messages : []).map(message => at(message, 'id'));
}

const ANSWER =
	'{"result":"success","msg":"","processed_count":11,"updated_count":8,"first_processed_id":35,"last_processed_id":55,"found_oldest":false,"found_newest":true,"ignored_because_not_subscribed_channels":[12]}\n';

test('the client writes an anchor as a word and a narrow as JSON', async t => {
	const {client, server} = await clientAnswered(t, ANSWER);

	const answer = await client.updateMessageFlagsForNarrow({
		anchor: 'first_unread',
		include_anchor: false,
		num_before: 4,
		num_after: 8,
		narrow: [['is', 'dm']],
		op: 'add',
		flag: 'read',
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/messages/flags/narrow HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(
		request.body,
		'anchor=first_unread&include_anchor=false&num_before=4&num_after=8&narrow=%5B%5B%22is%22%2C%22dm%22%5D%5D&op=add&flag=read',
	);
	t.like(answer, {
		processed_count: 11,
		updated_count: 8,
		first_processed_id: 35,
		last_processed_id: 55,
		found_oldest: false,
		found_newest: true,
		ignored_because_not_subscribed_channels: [12],
	});
});

test('the client throws an ApiError for a narrow that the service does not know', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Invalid narrow operator: unknown operator x","code":"BAD_NARROW","desc":"unknown operator x"}\n',
	);
	const refusal = client.updateMessageFlagsForNarrow({
		anchor: 1,
		num_before: 0,
		num_after: 0,
		narrow: [['x', 'y']],
		op: 'add',
		flag: 'read',
	});

	t.deepEqual(await refusalOf(t, refusal), {
		code: 'BAD_NARROW',
		status: 400,
		reason: 'Invalid narrow operator: unknown operator x',
		fields: {desc: 'unknown operator x'},
	});
});

test('the realm flags what lies around the anchor in the narrow, and nothing else', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [first, second] = [await say(alice), await say(alice)];
	await say(alice, 'bread');
	const third = await say(alice);
	await say(alice);
	const events = await queueOf(bob, 'update_message_flags');

	const answer = await flag(bob, `anchor=${second}&num_before=5&num_after=1&${SOUP}&op=add&flag=starred`);

	expectSuccess(t, answer);
	t.is(
		answer.body,
		`{"result":"success","msg":"","processed_count":3,"updated_count":3,"first_processed_id":${first},"last_processed_id":${third},"found_oldest":true,"found_newest":false,"ignored_because_not_subscribed_channels":[]}\n`,
	);
	t.deepEqual(await starredIds(bob), [first, second, third]);
	t.deepEqual(await starredIds(alice), []);
	t.deepEqual(
		(await events()).map(event => at(event, 'messages')),
		[[first, second, third]],
	);
});

test('the realm counts what it looked at and what changed apart', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [first, second] = [await say(alice), await say(alice)];
	await bob.post('/api/v1/messages/flags', `messages=[${first}]&op=add&flag=starred`);

	const {json} = await flag(bob, `anchor=oldest&num_before=0&num_after=9&${SOUP}&op=add&flag=starred`);

	t.is(at(json, 'processed_count'), 2);
	t.is(at(json, 'updated_count'), 1);
	t.is(at(json, 'last_processed_id'), second);
	t.is(at(json, 'found_newest'), true);
});

test('the realm says null where there is no message', async t => {
	const alice = await signIn(t);

	const {json} = await flag(alice, `anchor=newest&num_before=9&num_after=0&${SOUP}&op=add&flag=read`);

	t.is(at(json, 'processed_count'), 0);
	t.is(at(json, 'first_processed_id'), null);
	t.is(at(json, 'last_processed_id'), null);
});

test('nothing becomes unread in a channel without the reader', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	await say(alice);

	const {json} = await flag(olivia, `anchor=newest&num_before=9&num_after=0&${SOUP}&op=remove&flag=read`);

	t.is(at(json, 'processed_count'), 1);
	t.is(at(json, 'updated_count'), 0);
	t.deepEqual(at(json, 'ignored_because_not_subscribed_channels'), [await channelId(olivia, 'lunch')]);
});

test('the realm names the parameters of flags for a narrow that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await flag(alice, `anchor=1&num_before=0&num_after=0&${SOUP}&op=add&flag=read&colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

const RANGE = 'anchor=1&num_before=0&num_after=0';

test('flags for a narrow without anchor', refused, {
	ask: alice => flag(alice, `num_before=0&num_after=0&${SOUP}&op=add&flag=read`),
	answer: missing('anchor'),
});
test('flags around an anchor that is no place', refused, {
	ask: alice => flag(alice, `anchor=here&num_before=0&num_after=0&${SOUP}&op=add&flag=read`),
	answer: badRequest('Invalid anchor'),
});
test('flags without a count before', refused, {
	ask: alice => flag(alice, `anchor=1&num_after=0&${SOUP}&op=add&flag=read`),
	answer: missing('num_before'),
});
test('flags without a count after', refused, {
	ask: alice => flag(alice, `anchor=1&num_before=0&${SOUP}&op=add&flag=read`),
	answer: missing('num_after'),
});
test('flags on too many messages', refused, {
	ask: alice => flag(alice, `anchor=1&num_before=5000&num_after=1&${SOUP}&op=add&flag=read`),
	answer: badRequest('Too many messages requested (maximum 5000).'),
});
test('flags without narrow', refused, {
	ask: alice => flag(alice, `${RANGE}&op=add&flag=read`),
	answer: missing('narrow'),
});
test('flags for a narrow that it does not know', refused, {
	ask: alice => flag(alice, `${RANGE}&narrow=[["x","y"]]&op=add&flag=read`),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'Invalid narrow operator: unknown operator x',
			code: 'BAD_NARROW',
			desc: 'unknown operator x',
		},
	},
});

for (const [what, narrow, desc] of [
	['a thousand terms', Array(1000).fill(['topic', 'soup']), 'too many conditions'],
	['a thousand words', [['search', 'a '.repeat(1000)]], 'too many conditions'],
	['a thousand people', [['dm-including', Array(1000).fill(1)]], 'too many conditions'],
	['a word of 10001 letters', [['search', 'a'.repeat(10_001)]], 'a word is too long to be found'],
] as const) {
	test(`flags for a narrow of ${what}`, refused, {
		ask: alice => flag(alice, `${RANGE}&narrow=${JSON.stringify(narrow)}&op=add&flag=read`),
		answer: {
			status: '400 Bad Request',
			json: {result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc},
		},
	});
}

test('an unknown operation on flags for a narrow', refused, {
	ask: alice => flag(alice, `${RANGE}&${SOUP}&op=toggle&flag=read`),
	answer: badRequest('Invalid op'),
});
test('an unknown flag for a narrow', refused, {
	ask: alice => flag(alice, `${RANGE}&${SOUP}&op=add&flag=hidden`),
	answer: badRequest("Invalid flag: 'hidden'"),
});
test('a flag for a narrow that the service alone sets', refused, {
	ask: alice => flag(alice, `${RANGE}&${SOUP}&op=add&flag=historical`),
	answer: badRequest("Flag not editable: 'historical'"),
});
