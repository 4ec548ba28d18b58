import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, callerOf, expectRefusal, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/status';
const OK = '{"result":"success","msg":""}\n';
const post = (form: string) => (caller: Caller) => caller.post(PATH, form);
const COFFEE = {emoji_name: 'coffee', emoji_code: '2615', reaction_type: 'unicode_emoji'};

test('the client writes a status as text, and whether one is away as JSON', async t => {
	const {client, server} = await clientAnswered(t, OK);

	await client.updateStatus({
		status_text: 'on vacation',
		away: true,
		emoji_name: 'car',
		emoji_code: '1f697',
		reaction_type: 'unicode_emoji',
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/status HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'status_text=on+vacation&away=true&emoji_name=car&emoji_code=1f697&reaction_type=unicode_emoji');
});

test('the client throws an ApiError for a status that says nothing', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Client did not pass any new values.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateStatus()), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Client did not pass any new values.',
		fields: {},
	});
});

test('the realm keeps a status, changes what is given, and takes back what is empty', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	const events = await queueOf(gus, 'user_status');
	const status = async () => at((await gus.get('/api/v1/users/4/status')).json, 'status');

	t.is((await alice.post(PATH, 'status_text=+at+lunch+&emoji_name=coffee')).body, OK);
	t.deepEqual(await status(), {status_text: 'at lunch', ...COFFEE});
	await alice.post(PATH, 'emoji_name=');
	t.deepEqual(await status(), {status_text: 'at lunch'});
	await alice.post(PATH, 'status_text=');
	t.deepEqual(await status(), {});

	t.deepEqual(await events(), [
		{type: 'user_status', user_id: 4, status_text: 'at lunch', ...COFFEE},
		{type: 'user_status', user_id: 4, emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'},
		{type: 'user_status', user_id: 4, status_text: ''},
	]);
});

test('whoever is away is invisible, until they are back', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	const settings = await queueOf(alice, 'user_settings');
	const state = async () => at((await gus.post('/api/v1/register', 'event_types=["user_status"]')).json, 'user_status');

	await alice.post(PATH, 'away=true');
	t.deepEqual(await state(), {'4': {away: true}});
	await alice.post(PATH, 'away=false');
	t.deepEqual(await state(), {});

	t.deepEqual(await settings(), [
		{type: 'user_settings', op: 'update', property: 'presence_enabled', value: false},
		{type: 'user_settings', op: 'update', property: 'presence_enabled', value: true},
	]);
});

test('the state of a registration has who has a status', async t => {
	const realm = await openRealm(t);
	const [alice, gus] = [await signIn(t, 'alice', realm), await signIn(t, 'gus', realm)];
	await alice.post(PATH, 'status_text=here');

	const {json} = await gus.post('/api/v1/register', 'event_types=["user_status"]');

	t.deepEqual(at(json, 'user_status'), {'4': {status_text: 'here'}});
});

test('a status of 60 characters is taken, whatever they are', async t => {
	const alice = await signIn(t);

	t.is((await alice.post(PATH, `status_text=${encodeURIComponent('🍲'.repeat(60))}`)).body, OK);
});

test('the realm refuses a status for a bot', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	expectRefusal(t, await bot.post(PATH, 'status_text=x'), badRequest('This endpoint does not accept bot requests.'));
});

test('a status that says nothing', refused, {ask: post(''), answer: badRequest('Client did not pass any new values.')});
test('a status of 61 characters', refused, {
	ask: post(`status_text=${'x'.repeat(61)}`),
	answer: badRequest('status_text is too long (limit: 60 characters)'),
});
test('away=1', refused, {ask: post('away=1'), answer: badRequest('away is not a boolean')});
test('a status with an unknown emoji', refused, {
	ask: post('emoji_name=unicorn_tea'),
	answer: badRequest("Emoji 'unicorn_tea' does not exist"),
});
test("a status with another emoji's code", refused, {
	ask: post('emoji_name=coffee&emoji_code=1f44d'),
	answer: badRequest('Invalid emoji name.'),
});
test('a status with an emoji of no kind', refused, {
	ask: post('emoji_name=coffee&reaction_type=drink'),
	answer: badRequest('Invalid emoji type.'),
});
for (const form of ['emoji_code=2615', 'reaction_type=unicode_emoji', 'status_text=x&emoji_name=&emoji_code=2615']) {
	test(`a status with ${form} and no name`, refused, {
		ask: post(form),
		answer: badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.'),
	});
}
