import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, expectRefusal, expectSuccess, mask, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const MISSING = {
	status: '404 Not Found',
	json: {result: 'error', msg: 'Draft does not exist', code: 'BAD_REQUEST'},
};

async function draftOf(caller: Caller): Promise<number> {
	const {json} = await caller.post('/api/v1/drafts', 'drafts=[{"type":"","to":[],"topic":"","content":"old"}]');
	return Number(at(json, 'ids', 0));
}

const NEW = 'draft={"type":"","to":[],"topic":"","content":"new","timestamp":1595479019}';

test('the client writes one draft as JSON and its ID in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.editDraft({draft_id: 17, draft: {type: 'private', to: [9], topic: '', content: 'x'}});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/drafts/17 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(
		request.body,
		'draft=%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B9%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22x%22%7D',
	);
});

test('the client throws an ApiError for a draft that is gone', async t => {
	const {client} = await clientRefused(
		t,
		'404 Not Found',
		'{"result":"error","msg":"Draft does not exist","code":"BAD_REQUEST"}\n',
	);

	const call = client.editDraft({draft_id: 17, draft: {type: '', to: [], topic: '', content: 'x'}});

	t.deepEqual(await refusalOf(t, call), {code: 'BAD_REQUEST', status: 404, reason: 'Draft does not exist', fields: {}});
});

test('the realm replaces a draft and tells the other clients', async t => {
	const alice = await signIn(t);
	const id = await draftOf(alice);
	const {json} = await alice.post('/api/v1/register', 'event_types=["drafts"]');

	const answer = await alice.patch(`/api/v1/drafts/${id}`, NEW);

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	const draft = {id, type: '', to: [], topic: '', content: 'new', timestamp: 1_595_479_019};
	t.deepEqual(at((await alice.get('/api/v1/drafts')).json, 'drafts'), [draft]);
	const events = await alice.get(`/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`);
	t.deepEqual(at(events.json, 'events'), [{type: 'drafts', op: 'update', draft, id: 0}]);
});

test('the realm takes the present for the time of an edit that names none', async t => {
	const alice = await signIn(t);
	const id = await draftOf(alice);
	const before = Math.floor(Date.now() / 1000);

	await alice.patch(`/api/v1/drafts/${id}`, 'draft={"type":"","to":[],"topic":"","content":"new"}');

	t.true(Number(at((await alice.get('/api/v1/drafts')).json, 'drafts', 0, 'timestamp')) >= before);
});

test("somebody else's draft does not exist", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await draftOf(alice);

	expectRefusal(t, await bob.patch(`/api/v1/drafts/${id}`, NEW), MISSING);

	t.deepEqual(mask(at((await alice.get('/api/v1/drafts')).json, 'drafts'), 'timestamp'), [
		{id, type: '', to: [], topic: '', content: 'old', timestamp: '<integer>'},
	]);
});

test('a draft that never was', refused, {ask: alice => alice.patch('/api/v1/drafts/9999', NEW), answer: MISSING});
test('an edit without a draft', refused, {
	ask: async alice => alice.patch(`/api/v1/drafts/${await draftOf(alice)}`, ''),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Missing 'draft' argument",
			code: 'REQUEST_VARIABLE_MISSING',
			var_name: 'draft',
		},
	},
});
test('a draft that is no object', refused, {
	ask: async alice => alice.patch(`/api/v1/drafts/${await draftOf(alice)}`, 'draft=[]'),
	answer: badRequest('draft is not a dict'),
});
test('an edit that makes a draft blank', refused, {
	ask: async alice =>
		alice.patch(`/api/v1/drafts/${await draftOf(alice)}`, 'draft={"type":"","to":[],"topic":"","content":" "}'),
	answer: badRequest('draft["content"] cannot be blank'),
});
test('an edit with a null byte', refused, {
	ask: async alice =>
		alice.patch(`/api/v1/drafts/${await draftOf(alice)}`, 'draft={"type":"","to":[],"topic":"","content":"a\\u0000"}'),
	answer: badRequest('Message must not contain null bytes'),
});
test('an edit that names two channels', refused, {
	ask: async alice =>
		alice.patch(
			`/api/v1/drafts/${await draftOf(alice)}`,
			'draft={"type":"stream","to":[1,2],"topic":"","content":"x"}',
		),
	answer: badRequest('Must specify exactly 1 channel ID for channel messages'),
});
test('an edit by somebody who keeps drafts on the device', refused, {
	async ask(alice) {
		await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
		return alice.patch('/api/v1/drafts/1', NEW);
	},
	answer: badRequest('User has disabled synchronizing drafts.'),
});
