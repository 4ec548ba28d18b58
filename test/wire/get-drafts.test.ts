import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, channelId, expectSuccess, mask, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const DRAFTS = `{"result":"success","msg":"","count":3,"drafts":[\
{"id":1,"type":"stream","to":[3],"topic":"sync drafts","content":"Let's add backend support","timestamp":1595479019},\
{"id":2,"type":"private","to":[4],"topic":"","content":"What if we made it possible?","timestamp":1595479020},\
{"id":3,"type":"","to":[],"topic":"","content":"What if","timestamp":1595479021}]}\n`;

test('the client asks for the drafts', async t => {
	const {client, server} = await clientAnswered(t, DRAFTS);

	await client.getDrafts();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/drafts HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads drafts of every type', async t => {
	const {client} = await clientAnswered(t, DRAFTS);

	const {count, drafts} = await client.getDrafts();

	t.is(count, 3);
	t.deepEqual(
		drafts.map(({id, type, to}) => ({id, type, to})),
		[
			{id: 1, type: 'stream', to: [3]},
			{id: 2, type: 'private', to: [4]},
			{id: 3, type: '', to: []},
		],
	);
	t.like(drafts[0] ?? {}, {topic: 'sync drafts', content: "Let's add backend support", timestamp: 1_595_479_019});
});

test('the client throws an ApiError where drafts stay on the device', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User has disabled synchronizing drafts.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getDrafts()), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'User has disabled synchronizing drafts.',
		fields: {},
	});
});

test('the realm answers somebody without drafts with none', async t => {
	const alice = await signIn(t);

	const answer = await alice.get('/api/v1/drafts');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', count: 0, drafts: []});
});

test("the realm lists one's own drafts, the one edited longest ago first", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const general = await channelId(alice, 'general');
	await bob.post('/api/v1/drafts', 'drafts=[{"type":"","to":[],"topic":"","content":"of bob"}]');
	await alice.post(
		'/api/v1/drafts',
		`drafts=[{"type":"stream","to":[${general}],"topic":"tea","content":"later","timestamp":1595479020},` +
			'{"type":"","to":[],"topic":"","content":"sooner","timestamp":1595479019.75}]',
	);

	const answer = await alice.get('/api/v1/drafts');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'id'), {
		result: 'success',
		msg: '',
		count: 2,
		drafts: [
			{id: '<integer>', type: '', to: [], topic: '', content: 'sooner', timestamp: 1_595_479_019},
			{id: '<integer>', type: 'stream', to: [general], topic: 'tea', content: 'later', timestamp: 1_595_479_020},
		],
	});
});

test('the realm gives drafts with a new queue, latest first', async t => {
	const alice = await signIn(t);
	await alice.post(
		'/api/v1/drafts',
		'drafts=[{"type":"","to":[],"topic":"","content":"later","timestamp":20},' +
			'{"type":"","to":[],"topic":"","content":"sooner","timestamp":10}]',
	);

	const {json} = await alice.post('/api/v1/register', 'event_types=["drafts"]');

	t.deepEqual(mask(at(json, 'drafts'), 'id'), [
		{id: '<integer>', type: '', to: [], topic: '', content: 'later', timestamp: 20},
		{id: '<integer>', type: '', to: [], topic: '', content: 'sooner', timestamp: 10},
	]);
});

test('the realm gives a thousand drafts with a new queue, the latest ones', async t => {
	const alice = await signIn(t);
	const draft = (timestamp: number) => `{"type":"","to":[],"topic":"","content":"x","timestamp":${timestamp}}`;
	const drafts = Array.from({length: 1001}, (_, index) => draft(index + 1));
	await alice.post('/api/v1/drafts', `drafts=[${drafts}]`);

	const {json} = await alice.post('/api/v1/register', 'event_types=["drafts"]');

	const given = [at(json, 'drafts')].flat();
	t.is(given.length, 1000);
	t.is(at(given, 999, 'timestamp'), 2);
});

test('drafts of somebody who keeps them on the device', refused, {
	async ask(alice) {
		await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
		return alice.get('/api/v1/drafts');
	},
	answer: badRequest('User has disabled synchronizing drafts.'),
});
