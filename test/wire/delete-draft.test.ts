import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const MISSING = {
	status: '404 Not Found',
	json: {result: 'error', msg: 'Draft does not exist', code: 'BAD_REQUEST'},
};
const ONE = 'drafts=[{"type":"","to":[],"topic":"","content":"x"}]';

test('the client deletes a draft by its ID in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deleteDraft({draft_id: 17});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/drafts/17 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for a draft to delete that is gone', async t => {
	const {client} = await clientRefused(
		t,
		'404 Not Found',
		'{"result":"error","msg":"Draft does not exist","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.deleteDraft({draft_id: 17})), {
		code: 'BAD_REQUEST',
		status: 404,
		reason: 'Draft does not exist',
		fields: {},
	});
});

test('the realm deletes a draft and tells the other clients', async t => {
	const alice = await signIn(t);
	const created = await alice.post('/api/v1/drafts', ONE);
	const id = at(created.json, 'ids', 0);
	const {json} = await alice.post('/api/v1/register', 'event_types=["drafts"]');

	const answer = await alice.delete(`/api/v1/drafts/${id}`, '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(at((await alice.get('/api/v1/drafts')).json, 'drafts'), []);
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events'), [{type: 'drafts', op: 'remove', draft_id: id, id: 0}]);
});

test("somebody else's draft to delete does not exist", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const created = await alice.post('/api/v1/drafts', ONE);

	expectRefusal(t, await bob.delete(`/api/v1/drafts/${at(created.json, 'ids', 0)}`, ''), MISSING);

	t.is(at((await alice.get('/api/v1/drafts')).json, 'count'), 1);
});

test('to delete a draft that is named in words', refused, {
	ask: alice => alice.delete('/api/v1/drafts/last', ''),
	answer: {status: '404 Not Found', json: {result: 'error', msg: 'Not found', code: 'BAD_REQUEST'}},
});
test('to delete a draft twice', refused, {
	async ask(alice) {
		const created = await alice.post('/api/v1/drafts', ONE);
		const path = `/api/v1/drafts/${at(created.json, 'ids', 0)}`;
		await alice.delete(path, '');
		return alice.delete(path, '');
	},
	answer: MISSING,
});
test('to delete a draft of somebody who keeps them on the device', refused, {
	async ask(alice) {
		await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
		return alice.delete('/api/v1/drafts/1', '');
	},
	answer: badRequest('User has disabled synchronizing drafts.'),
});
