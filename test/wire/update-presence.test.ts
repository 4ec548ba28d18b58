import test, {type ExecutionContext} from 'ava';
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
	missing,
	openRealm,
	sendLines,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/presence';
const PINGED = '{"result":"success","msg":""}\n';

test('the client pings with the status as text and booleans as JSON', async t => {
	const {client, server} = await clientAnswered(t, PINGED);

	await client.updatePresence({status: 'active', ping_only: true});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/presence HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, 'status=active&ping_only=true');
});

test('the client sends every parameter of a presence', async t => {
	const {client, server} = await clientAnswered(t, PINGED);

	await client.updatePresence({
		status: 'idle',
		last_update_id: -1,
		history_limit_days: 0,
		ping_only: false,
		new_user_input: true,
		slim_presence: true,
	});

	t.is(
		(await server.request()).body,
		'status=idle&last_update_id=-1&history_limit_days=0&ping_only=false&new_user_input=true&slim_presence=true',
	);
});

test('the client reads the answer to a ping with an update ID and without', async t => {
	const withId = await clientAnswered(t, '{"result":"success","msg":"","presence_last_update_id":-1}\n');
	const without = await clientAnswered(t, PINGED);

	t.is((await withId.client.updatePresence({status: 'active', ping_only: true})).presence_last_update_id, -1);
	t.is((await without.client.updatePresence({status: 'active', ping_only: true})).presence_last_update_id, undefined);
});

test('the client reads presences by user ID', async t => {
	const presences = '{"10":{"active_timestamp":1656958520,"idle_timestamp":1656958530},"11":{"idle_timestamp":1}}';
	const {client} = await clientAnswered(
		t,
		`{"result":"success","msg":"","presence_last_update_id":1000,"server_timestamp":1656958539.6287155,"presences":${presences}}\n`,
	);

	const answer = await client.updatePresence({status: 'active', last_update_id: 1});

	t.is(answer.presence_last_update_id, 1000);
	t.is(answer.server_timestamp, 1656958539.6287155);
	t.deepEqual<object | undefined, object>(answer.presences, JSON.parse(presences) as object);
});

test('the client reads presences by email', async t => {
	const presences =
		'{"iago@chat.example.com":{"aggregated":{"client":"website","status":"idle","timestamp":1594825445},' +
		'"website":{"client":"website","status":"idle","timestamp":1594825445,"pushable":false}}}';
	const {client} = await clientAnswered(
		t,
		`{"result":"success","msg":"","presence_last_update_id":3,"server_timestamp":1594825446.2,"presences":${presences}}\n`,
	);

	const answer = await client.updatePresence({status: 'active'});

	t.deepEqual<object | undefined, object>(answer.presences, JSON.parse(presences) as object);
});

test('the client throws an ApiError when a bot pings', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"This endpoint does not accept bot requests.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updatePresence({status: 'active', ping_only: true})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'This endpoint does not accept bot requests.',
		fields: {},
	});
});

const legacyActive = {
	aggregated: {client: 'website', status: 'active', timestamp: '<integer>'},
	website: {client: 'website', status: 'active', timestamp: '<integer>', pushable: false},
};

test('the realm answers a ping with an update ID and no presence', async t => {
	const alice = await signIn(t);

	const answer = await alice.post(PATH, 'status=active&ping_only=true');

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":"","presence_last_update_id":-1}\n');
});

test('the realm answers a ping with the update ID that was passed', async t => {
	const {body} = await (await signIn(t)).post(PATH, 'status=active&ping_only=true&last_update_id=7');

	t.is(body, '{"result":"success","msg":"","presence_last_update_id":7}\n');
});

test('the realm answers in the legacy format by email when neither an update ID nor slim_presence is passed', async t => {
	const answer = await (await signIn(t)).post(PATH, 'status=active&new_user_input=true');

	expectSuccess(t, answer);
	t.deepEqual(mask(answer.json, 'timestamp', 'server_timestamp'), {
		result: 'success',
		msg: '',
		presence_last_update_id: 1,
		server_timestamp: '<number>',
		presences: {'alice@bothy.example': legacyActive},
	});
});

for (const form of ['last_update_id=-1', 'slim_presence=true']) {
	test(`the realm answers in the modern format by user ID for ${form}`, async t => {
		const alice = await signIn(t);

		const {json} = await alice.post(PATH, `status=active&${form}`);

		t.deepEqual(mask(json, 'active_timestamp', 'idle_timestamp', 'server_timestamp'), {
			result: 'success',
			msg: '',
			presence_last_update_id: 1,
			server_timestamp: '<number>',
			presences: {[alice.userId]: {active_timestamp: '<integer>', idle_timestamp: '<integer>'}},
		});
		const now = Date.now() / 1000;
		t.true(Math.abs(Number(at(json, 'server_timestamp')) - now) < 60);
		t.true(Math.abs(Number(at(json, 'presences', String(alice.userId), 'active_timestamp')) - now) < 60);
	});
}

test('the realm notes who moves or types, and nobody who just leaves a window open', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];

	await alice.post(PATH, 'status=active&new_user_input=true');
	await gus.post(PATH, 'status=active&new_user_input=false');

	const answer = await sendLines(realm.url, [
		'GET /trouble/activity HTTP/1.1',
		'Host: 127.0.0.1',
		'Connection: close',
		'',
		'',
	]);
	t.deepEqual(mask(at(answer.json, 'activity'), 'last_input'), [{user_id: alice.userId, last_input: '<integer>'}]);
});

test('who was never active shows the time of joining as the active one', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	await advanceClock(realm, 3_600_000);

	const {json} = await alice.post(PATH, 'status=idle&last_update_id=-1');

	const entry = at(json, 'presences', String(alice.userId));
	t.true(Number(at(entry, 'idle_timestamp')) - Number(at(entry, 'active_timestamp')) >= 3600);
});

test('the realm answers only what changed after the update ID', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = await Promise.all([signIn(t, 'alice', realm), signIn(t, 'gus', realm)]);
	await alice.post(PATH, 'status=active&ping_only=true');

	const news = await gus.post(PATH, 'status=active&last_update_id=1');
	const none = await gus.post(PATH, 'status=active&last_update_id=2');

	t.deepEqual(Object.keys(Object(at(news.json, 'presences'))), [String(gus.userId)]);
	t.is(at(news.json, 'presence_last_update_id'), 2);
	t.deepEqual(at(none.json, 'presences'), {});
	t.is(at(none.json, 'presence_last_update_id'), 2);
});

test('the realm stores a presence once in 55 seconds', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const lastUpdate = async () => at((await alice.post(PATH, 'status=active')).json, 'presence_last_update_id');

	t.is(await lastUpdate(), 1);
	await advanceClock(realm, 30_000);
	t.is(await lastUpdate(), 1);
	await advanceClock(realm, 30_000);
	t.is(await lastUpdate(), 2);
});

test('history_limit_days bounds what is answered, unless an update ID above 0 is passed', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = await Promise.all([signIn(t, 'alice', realm), signIn(t, 'gus', realm)]);
	await alice.post(PATH, 'status=active&ping_only=true');
	await advanceClock(realm, 15 * 24 * 3_600_000);
	const seen = async (form: string) => {
		const {json} = await gus.post(PATH, `status=active&${form}`);
		return Object.keys(Object(at(json, 'presences'))).sort();
	};

	const both = [String(alice.userId), String(gus.userId)].sort();
	t.deepEqual(await seen('last_update_id=-1'), [String(gus.userId)]);
	t.deepEqual(await seen('last_update_id=-1&history_limit_days=16'), both);
	t.deepEqual(await seen('slim_presence=true&history_limit_days=0'), []);
	t.deepEqual(await seen('last_update_id=1&history_limit_days=0'), [String(gus.userId)]);
});

test('without data and without an update ID the realm answers -1', async t => {
	const {json} = await (await signIn(t)).post(PATH, 'status=active&history_limit_days=0');

	t.is(at(json, 'presence_last_update_id'), -1);
	t.deepEqual(at(json, 'presences'), {});
});

test('in the legacy format one turns idle 70 seconds after the last activity', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const status = async (form: string) =>
		at((await alice.post(PATH, form)).json, 'presences', 'alice@bothy.example', 'aggregated', 'status');

	t.is(await status('status=active'), 'active');
	await advanceClock(realm, 60_000);
	t.is(await status('status=idle'), 'active');
	await advanceClock(realm, 60_000);
	t.is(await status('status=idle'), 'idle');
});

async function eventsOf(t: ExecutionContext, register: string): Promise<{events: () => Promise<Json>; alice: Caller}> {
	const realm = await openRealm(t);
	const [alice, gus] = await Promise.all([signIn(t, 'alice', realm), signIn(t, 'gus', realm)]);
	const {json} = await gus.post('/api/v1/register', `event_types=%5B%22presence%22%5D${register}`);
	const queue = String(at(json, 'queue_id'));
	return {
		alice,
		async events() {
			const answer = await gus.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
			return mask(at(answer.json, 'events'), 'timestamp', 'server_timestamp', 'active_timestamp', 'idle_timestamp');
		},
	};
}

const website = {website: {client: 'website', status: 'active', timestamp: '<integer>', pushable: false}};

test('a queue hears who came in the legacy form', async t => {
	const {alice, events} = await eventsOf(t, '');

	await alice.post(PATH, 'status=active&ping_only=true');

	t.deepEqual(await events(), [
		{
			email: 'alice@bothy.example',
			user_id: alice.userId,
			server_timestamp: '<number>',
			presence: website,
			type: 'presence',
			id: 0,
		},
	]);
});

test('a queue with slim_presence hears who came without the email', async t => {
	const {alice, events} = await eventsOf(t, '&slim_presence=true');

	await alice.post(PATH, 'status=active&ping_only=true');

	t.deepEqual(await events(), [
		{user_id: alice.userId, server_timestamp: '<number>', presence: website, type: 'presence', id: 0},
	]);
});

test('a queue with simplified_presence_events hears who came in the modern form', async t => {
	const capabilities = '%7B%22notification_settings_null%22:true,%22simplified_presence_events%22:true%7D';
	const {alice, events} = await eventsOf(t, `&client_capabilities=${capabilities}`);

	await alice.post(PATH, 'status=active&ping_only=true');

	t.deepEqual(await events(), [
		{
			presences: {[alice.userId]: {active_timestamp: '<integer>', idle_timestamp: '<integer>'}},
			type: 'presence',
			id: 0,
		},
	]);
});

test('a queue hears of a coming, not of each ping', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22presence%22%5D');
	const queue = String(at(json, 'queue_id'));
	const count = async () => {
		const answer = await alice.get(`/api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
		const events = at(answer.json, 'events');
		return Array.isArray(events) ? events.length : undefined;
	};

	await alice.post(PATH, 'status=active&ping_only=true');
	await advanceClock(realm, 60_000);
	await alice.post(PATH, 'status=active&ping_only=true');
	t.is(await count(), 1);
	await advanceClock(realm, 201_000);
	await alice.post(PATH, 'status=active&ping_only=true');
	t.is(await count(), 2);
});

test('a registration for presence gives the state in the legacy format', async t => {
	const alice = await signIn(t);
	await alice.post(PATH, 'status=active&ping_only=true');

	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22presence%22%5D');

	t.deepEqual(mask(at(json, 'presences'), 'timestamp'), {'alice@bothy.example': legacyActive});
	t.is(at(json, 'presence_last_update_id'), 1);
	t.is(typeof at(json, 'server_timestamp'), 'number');
});

test('a registration with slim_presence gives the state by user ID, within the days asked for', async t => {
	const alice = await signIn(t);
	await alice.post(PATH, 'status=active&ping_only=true');
	const register = (more: string) =>
		alice.post('/api/v1/register', `event_types=%5B%22presence%22%5D&slim_presence=true${more}`);

	const all = await register('');
	const none = await register('&presence_history_limit_days=0');

	t.deepEqual(mask(at(all.json, 'presences'), 'active_timestamp', 'idle_timestamp'), {
		[alice.userId]: {active_timestamp: '<integer>', idle_timestamp: '<integer>'},
	});
	t.deepEqual(at(none.json, 'presences'), {});
	t.is(at(none.json, 'presence_last_update_id'), -1);
});

test('a realm below feature level 263 does not know last_update_id', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 262}));

	const {json} = await alice.post(PATH, 'status=active&last_update_id=-1&history_limit_days=1');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['history_limit_days', 'last_update_id']);
	t.deepEqual(Object.keys(Object(at(json, 'presences'))), ['alice@bothy.example']);
});

test('a realm names the interval of pings that it was told', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {presencePingSeconds: 3}));

	const {json} = await alice.post('/api/v1/register', 'event_types=%5B%22realm%22%5D');

	t.is(at(json, 'server_presence_ping_interval_seconds'), 3);
});

test('the realm refuses a ping of a bot', async t => {
	const realm = await openRealm(t);
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const answer = await callerOf(realm.url, bot).post(PATH, 'status=active&ping_only=true');

	expectRefusal(t, answer, badRequest('This endpoint does not accept bot requests.'));
});

const post = (form: string) => (caller: Caller) => caller.post(PATH, form);

test('a ping without a status', refused, {ask: post('ping_only=true'), answer: missing('status')});
test('a ping with an unknown status', refused, {
	ask: post('status=away&ping_only=true'),
	answer: badRequest('Invalid status: away'),
});
test('a ping with ping_only=yes', refused, {
	ask: post('status=active&ping_only=yes'),
	answer: badRequest('ping_only is not valid JSON'),
});
test('a ping with new_user_input=1', refused, {
	ask: post('status=active&new_user_input=1'),
	answer: badRequest('new_user_input is not a boolean'),
});
test('a presence with a fraction as last_update_id', refused, {
	ask: post('status=active&last_update_id=1.5'),
	answer: badRequest('last_update_id is not an integer'),
});
test('a presence with a word as history_limit_days', refused, {
	ask: post('status=active&history_limit_days=%22all%22'),
	answer: badRequest('history_limit_days is not an integer'),
});
