import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const CREATED = '{"result":"success","msg":"","ids":[17,18]}\n';

test('the client writes drafts as one JSON list in a form', async t => {
	const {client, server} = await clientAnswered(t, CREATED);

	await client.createDrafts({
		drafts: [
			{type: 'stream', to: [3], topic: 'tea', content: 'Green & black', timestamp: 1_595_479_019},
			{type: 'private', to: [9, 10], topic: '', content: 'x'},
		],
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/drafts HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(
		request.body,
		'drafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B3%5D%2C%22topic%22%3A%22tea%22%2C%22content%22%3A' +
			'%22Green+%26+black%22%2C%22timestamp%22%3A1595479019%7D%2C%7B%22type%22%3A%22private%22%2C%22to%22%3A' +
			'%5B9%2C10%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22x%22%7D%5D',
	);
});

test('the client reads the IDs in the order of the drafts', async t => {
	const {client} = await clientAnswered(t, CREATED);

	t.deepEqual((await client.createDrafts({drafts: []})).ids, [17, 18]);
});

test('the client throws an ApiError for a draft for two channels', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Must specify exactly 1 channel ID for channel messages","code":"BAD_REQUEST"}\n',
	);

	const call = client.createDrafts({drafts: [{type: 'stream', to: [1, 2], topic: '', content: 'x'}]});

	t.deepEqual(await refusalOf(t, call), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Must specify exactly 1 channel ID for channel messages',
		fields: {},
	});
});

/** The drafts that somebody has, without ID and time. */
async function draftsOf(caller: Caller) {
	const {json} = await caller.get('/api/v1/drafts');
	return mask(at(json, 'drafts'), 'id', 'timestamp');
}

test('the realm creates several drafts and answers their IDs in that order', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');

	const answer = await alice.post(
		'/api/v1/drafts',
		`drafts=[{"type":"stream","to":[${general}],"topic":"tea","content":"first","timestamp":2},` +
			'{"type":"","to":[],"topic":"","content":"second","timestamp":1}]',
	);

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'ids'), {result: 'success', msg: '', ids: '<list of <integer>>'});
	const {json} = await alice.get('/api/v1/drafts');
	t.is(at(json, 'drafts', 1, 'id'), at(answer.json, 'ids', 0));
	t.is(at(json, 'drafts', 0, 'id'), at(answer.json, 'ids', 1));
});

test('the realm takes a call without drafts as one with none', async t => {
	const answer = await (await signIn(t)).post('/api/v1/drafts', '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', ids: []});
});

test('the realm tells every client of the account, and no other, once for all drafts', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const queues = await Promise.all(
		[alice, bob].map(async caller => {
			const {json} = await caller.post('/api/v1/register', 'event_types=["drafts"]');
			return {caller, id: at(json, 'queue_id')};
		}),
	);

	await alice.post(
		'/api/v1/drafts',
		'drafts=[{"type":"","to":[],"topic":"","content":"a","timestamp":1.5},{"type":"","to":[],"topic":"","content":"b","timestamp":2}]',
	);

	const [own, others] = await Promise.all(
		queues.map(({caller, id}) => caller.get(`/api/v1/events?queue_id=${id}&last_event_id=-1&dont_block=true`)),
	);
	t.deepEqual(mask(at(own?.json ?? null, 'events', 0, 'drafts'), 'id'), [
		{id: '<integer>', type: '', to: [], topic: '', content: 'a', timestamp: 1},
		{id: '<integer>', type: '', to: [], topic: '', content: 'b', timestamp: 2},
	]);
	t.deepEqual(mask(at(own?.json ?? null, 'events'), 'drafts'), [
		{type: 'drafts', op: 'add', drafts: '<list of <object>>', id: 0},
	]);
	t.deepEqual(at(others?.json ?? null, 'events'), []);
});

test('the realm fills in the time, trims the text and cuts what is too long', async t => {
	const alice = await signIn(t);
	const general = await channelId(alice, 'general');
	const before = Math.floor(Date.now() / 1000);

	await alice.post(
		'/api/v1/drafts',
		`drafts=[{"type":"stream","to":[${general}],"topic":"${'t'.repeat(61)}","content":" ${'x'.repeat(10_001)} "}]`,
	);

	const {json} = await alice.get('/api/v1/drafts');
	t.is(at(json, 'drafts', 0, 'topic'), `${'t'.repeat(57)}...`);
	t.is(at(json, 'drafts', 0, 'content'), `${'x'.repeat(9_980)}\n[message truncated]`);
	t.true(Number(at(json, 'drafts', 0, 'timestamp')) >= before);
});

test('the realm stores a direct draft by the others in it, without topic', async t => {
	const realm = await openRealm(t);
	const [alice, bob, carla] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'carla', realm),
	];

	await alice.post(
		'/api/v1/drafts',
		`drafts=[{"type":"private","to":[${carla.userId},${alice.userId},${bob.userId}],"topic":"lost","content":"both","timestamp":1},` +
			`{"type":"private","to":[${alice.userId}],"topic":"","content":"note","timestamp":2},` +
			'{"type":"private","to":[],"topic":"lost","content":"nobody","timestamp":3}]',
	);

	t.deepEqual(await draftsOf(alice), [
		{
			id: '<integer>',
			type: 'private',
			to: [bob.userId, carla.userId],
			topic: '',
			content: 'both',
			timestamp: '<integer>',
		},
		{id: '<integer>', type: 'private', to: [alice.userId], topic: '', content: 'note', timestamp: '<integer>'},
		{id: '<integer>', type: '', to: [], topic: '', content: 'nobody', timestamp: '<integer>'},
	]);
});

test('the realm forgets where an unaddressed draft goes, and reads no topic there', async t => {
	const alice = await signIn(t);

	await alice.post(
		'/api/v1/drafts',
		'drafts=[{"type":"","to":[9999],"topic":"lost\\u0000","content":"x","timestamp":1}]',
	);

	t.deepEqual(await draftsOf(alice), [
		{id: '<integer>', type: '', to: [], topic: '', content: 'x', timestamp: '<integer>'},
	]);
});

test('the realm keeps drafts of bots too', async t => {
	const bot = await signIn(t, 'notification-bot');

	expectSuccess(t, await creating('[{"type":"","to":[],"topic":"","content":"x","timestamp":1}]')(bot));

	t.is(at((await bot.get('/api/v1/drafts')).json, 'count'), 1);
});

test('the realm creates none when one of them is refused', async t => {
	const alice = await signIn(t);

	const answer = await alice.post(
		'/api/v1/drafts',
		'drafts=[{"type":"","to":[],"topic":"","content":"good"},{"type":"stream","to":[9999],"topic":"","content":"bad"}]',
	);

	t.is(answer.statusLine, 'HTTP/1.1 400 Bad Request');
	t.deepEqual(await draftsOf(alice), []);
});

const creating = (drafts: string) => (caller: Caller) => caller.post('/api/v1/drafts', `drafts=${drafts}`);

test('drafts that are no JSON', refused, {ask: creating('tea'), answer: badRequest('drafts is not valid JSON')});
test('drafts that are no list', refused, {ask: creating('{}'), answer: badRequest('drafts is not a list')});
test('a draft that lacks a field', refused, {
	ask: creating('[{"type":"","to":[],"content":"x"}]'),
	answer: badRequest('drafts[0]["topic"] field is missing: Field required'),
});
test('a draft with a field too many', refused, {
	ask: creating('[{"type":"","to":[],"topic":"","content":"x","x":1}]'),
	answer: badRequest('Argument "x" at drafts[0]["x"] is unexpected'),
});
test('a blank draft', refused, {
	ask: creating('[{"type":"","to":[],"topic":"","content":" \\n"}]'),
	answer: badRequest('drafts[0]["content"] cannot be blank'),
});
test('a draft of the type channel', refused, {
	ask: creating('[{"type":"channel","to":[1],"topic":"","content":"x"}]'),
	answer: badRequest('Invalid drafts[0]["type"]'),
});
test('a draft for somebody named in words', refused, {
	ask: creating('[{"type":"private","to":["bob"],"topic":"","content":"x"}]'),
	answer: badRequest('drafts[0]["to"][0] is not an integer'),
});
test('a text with a null byte', refused, {
	ask: creating('[{"type":"","to":[],"topic":"","content":"a\\u0000b"}]'),
	answer: badRequest('Message must not contain null bytes'),
});
test('a topic with a null byte', refused, {
	ask: creating('[{"type":"stream","to":[1],"topic":"a\\u0000b","content":"x"}]'),
	answer: badRequest('Topic must not contain null bytes'),
});
test('a time in words', refused, {
	ask: creating('[{"type":"","to":[],"topic":"","content":"x","timestamp":"now"}]'),
	answer: badRequest('drafts[0]["timestamp"] is not an integer'),
});
test('a time before 1970', refused, {
	ask: creating('[{"type":"","to":[],"topic":"","content":"x","timestamp":-1}]'),
	answer: badRequest('Timestamp must not be negative.'),
});
test('a channel draft for two channels', refused, {
	ask: creating('[{"type":"stream","to":[1,2],"topic":"","content":"x"}]'),
	answer: badRequest('Must specify exactly 1 channel ID for channel messages'),
});
test('a channel draft for no channel', refused, {
	ask: creating('[{"type":"stream","to":[],"topic":"","content":"x"}]'),
	answer: badRequest('Must specify exactly 1 channel ID for channel messages'),
});
test('a draft for a channel that does not exist', refused, {
	ask: creating('[{"type":"stream","to":[9999],"topic":"","content":"x"}]'),
	answer: badRequest('Invalid channel ID'),
});
test('the realm refuses a draft for a private channel of others', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const staff = await channelId(olivia, 'staff');
	const draft = `[{"type":"stream","to":[${staff}],"topic":"","content":"x"}]`;

	expectRefusal(t, await creating(draft)(alice), badRequest('Invalid channel ID'));
	expectSuccess(t, await creating(draft)(olivia));
});
test('the realm refuses a draft for a channel that is archived', async t => {
	const olivia = await signIn(t, 'olivia');
	const attic = await channelId(olivia, 'attic');

	const answer = await creating(`[{"type":"stream","to":[${attic}],"topic":"","content":"x"}]`)(olivia);

	expectRefusal(t, answer, badRequest('Invalid channel ID'));
});
test('a draft for somebody who does not exist', refused, {
	ask: creating('[{"type":"private","to":[9999],"topic":"","content":"x"}]'),
	answer: badRequest('Invalid user ID 9999'),
});
test('a draft of somebody who keeps them on the device', refused, {
	async ask(alice) {
		await alice.patch('/api/v1/settings', 'enable_drafts_synchronization=false');
		return creating('[{"type":"","to":[],"topic":"","content":"x"}]')(alice);
	},
	answer: badRequest('User has disabled synchronizing drafts.'),
});
