import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, type Caller, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client deletes a queue with its ID in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deleteQueue({queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8'});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/events HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.headers['content-length'], '45');
	t.is(request.body, 'queue_id=fb67bf8a-c031-47cc-84cf-ed80accacda8');
});

test('the client throws an ApiError with the ID of a queue that is not there', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Bad event queue ID: q","code":"BAD_EVENT_QUEUE_ID","queue_id":"q"}\n',
	);

	t.deepEqual(await refusalOf(t, client.deleteQueue({queue_id: 'q'})), {
		code: 'BAD_EVENT_QUEUE_ID',
		status: 400,
		reason: 'Bad event queue ID: q',
		fields: {queue_id: 'q'},
	});
});

async function register(caller: Caller): Promise<string> {
	return String(at((await caller.post('/api/v1/register', 'event_types=%5B%22message%22%5D')).json, 'queue_id'));
}

const gone = (queue: string) => ({
	status: '400 Bad Request',
	json: {result: 'error', msg: `Bad event queue ID: ${queue}`, code: 'BAD_EVENT_QUEUE_ID', queue_id: queue},
});

test('the realm deletes a queue once, and answers with the bare envelope', async t => {
	const alice = await signIn(t);
	const queue = await register(alice);

	const answer = await alice.delete('/api/v1/events', `queue_id=${queue}`);

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	expectRefusal(t, await alice.delete('/api/v1/events', `queue_id=${queue}`), gone(queue));
	expectRefusal(t, await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1`), gone(queue));
});

test('the realm takes the queue to delete from the query too', async t => {
	const alice = await signIn(t);

	const answer = await alice.delete(`/api/v1/events?queue_id=${await register(alice)}`, '');

	expectSuccess(t, answer);
});

test("the realm refuses to delete another user's queue, which lives on", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const queue = await register(alice);

	expectRefusal(t, await bob.delete('/api/v1/events', `queue_id=${queue}`), gone(queue));
	expectSuccess(t, await alice.delete('/api/v1/events', `queue_id=${queue}`));
});

test('the realm names the parameters of the end of a queue that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await alice.delete('/api/v1/events', `queue_id=${await register(alice)}&colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('the deletion of an unknown queue', refused, {
	ask: alice => alice.delete('/api/v1/events', 'queue_id=nope'),
	answer: gone('nope'),
});
test('a deletion without queue', refused, {
	ask: alice => alice.delete('/api/v1/events', ''),
	answer: missing('queue_id'),
});
