import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {createAccount, Role} from '../../src/realm/people/accounts.js';
import {openStore} from '../../src/realm/store/store.js';
import {dataFolder} from '../helpers/bothy.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, callerOf, expectRefusal, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';
import {formOf, settingLevels, wireSettings} from './settings-kit.js';

const PATH = '/api/v1/realm/user_settings_defaults';
const patch = (form: string) => (caller: Caller) => caller.patch(PATH, form);
const state = async (caller: Caller, type: string) =>
	at((await caller.post('/api/v1/register', `event_types=["${type}"]`)).json, type);

test('the client writes every default in its form: JSON, and strings as they are', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');
	const given = Object.fromEntries(wireSettings.map(({name, values}) => [name, values[1]]));

	await client.updateRealmUserSettingsDefaults(given);

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/realm/user_settings_defaults HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, wireSettings.map(({name, values}) => formOf(name, values[1])).join('&'));
});

test('the client writes a few defaults, literally', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateRealmUserSettingsDefaults({
		enter_sends: true,
		color_scheme: 2,
		emojiset: 'text',
		notification_sound: 'wood block',
		web_home_view: 'recent',
	});

	t.is(
		(await server.request()).body,
		'enter_sends=true&color_scheme=2&emojiset=text&notification_sound=wood+block&web_home_view=recent',
	);
});

test('the client throws an ApiError for whoever does not administer', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Must be an organization administrator","code":"UNAUTHORIZED_PRINCIPAL"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateRealmUserSettingsDefaults({enter_sends: true})), {
		code: 'UNAUTHORIZED_PRINCIPAL',
		status: 400,
		reason: 'Must be an organization administrator',
		fields: {},
	});
});

test('the defaults start as people start, and the names of the sounds stand beside them', async t => {
	const defaults = Object(await state(await signIn(t), 'realm_user_settings_defaults'));

	const {available_notification_sounds: sounds, ...others} = defaults;
	t.deepEqual(others, Object.fromEntries(wireSettings.map(({name, values}) => [name, values[0]])));
	t.is(sounds.length, 30);
	t.true(sounds.includes('zulip') && sounds.includes('deep tom'));
});

test('the realm takes each allowed value of each default, and tells everybody of it', async t => {
	const realm = await openRealm(t, {rateLimit: false});
	const [adam, gus] = [await signIn(t, 'adam', realm), await signIn(t, 'gus', realm)];
	const events = await queueOf(gus, 'realm_user_settings_defaults');
	const told = [];

	for (const {name, values} of wireSettings) {
		for (const value of [...values.slice(1), values[0]]) {
			const answer = await adam.patch(PATH, formOf(name, value));
			t.is(answer.body, '{"result":"success","msg":""}\n', `${name} ${value}`);
			told.push({type: 'realm_user_settings_defaults', op: 'update', property: name, value});
		}

		await adam.patch(PATH, formOf(name, values[1]));
		told.push({type: 'realm_user_settings_defaults', op: 'update', property: name, value: values[1]});
	}

	t.deepEqual(await events(), told as object[]);
	const {available_notification_sounds: _, ...defaults} = Object(await state(gus, 'realm_user_settings_defaults'));
	t.deepEqual(defaults, Object.fromEntries(wireSettings.map(({name, values}) => [name, values[1]])));
});

test('the defaults of now reach people who come later, and nobody else', async t => {
	const folder = await dataFolder(t);
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	const file = join(folder, 'realm.db');
	const realm = await openRealm(t, {file});
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const joinAs = (name: string) => {
		const store = openStore(file);
		createAccount(store, {email: `${name}@bothy.example`, full_name: name, role: Role.member, date_joined: 1});
		store.close();
		return signIn(t, name, realm);
	};

	const early = await joinAs('early');
	await adam.patch(PATH, wireSettings.map(({name, values}) => formOf(name, values[1])).join('&'));
	const late = await joinAs('late');
	await adam.patch(PATH, 'color_scheme=3');

	const old = Object.fromEntries(wireSettings.map(({name, values}) => [name, values[0]]));
	for (const caller of [adam, alice, early]) {
		t.like(Object(await state(caller, 'user_settings')), old);
	}

	t.like(
		Object(await state(late, 'user_settings')),
		Object.fromEntries(wireSettings.map(({name, values}) => [name, values[1]])),
	);
	const {json} = await alice.get(`/api/v1/users?user_ids=%5B${late.userId}%5D`);
	t.is(at(json, 'members', 0, 'email'), `user${late.userId}@bothy.example`);
});

test("a default without synchronization of drafts deletes nobody's, and newcomers keep none", async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	const draft = 'drafts=[{"type":"","to":[],"topic":"","content":"x"}]';
	await alice.post('/api/v1/drafts', draft);

	expectSuccess(t, await olivia.patch(PATH, 'enable_drafts_synchronization=false'));

	t.is(at((await alice.get('/api/v1/drafts')).json, 'count'), 1);
	expectSuccess(t, await alice.post('/api/v1/drafts', draft));
	await olivia.post('/api/v1/users', 'email=nora%40bothy.example&password=p&full_name=Nora');
	const nora = await signIn(t, 'nora', realm);
	expectRefusal(t, await nora.post('/api/v1/drafts', draft), badRequest('User has disabled synchronizing drafts.'));
});

test('the realm skips a default that stands already', async t => {
	const adam = await signIn(t, 'adam');
	const events = await queueOf(adam, 'realm_user_settings_defaults');

	const answer = await adam.patch(PATH, 'color_scheme=1&enter_sends=false&notification_sound=zulip');

	t.is(answer.body, '{"result":"success","msg":""}\n');
	t.deepEqual(await events(), []);
});

test('the realm names defaults that it does not know', async t => {
	const answer = await (await signIn(t, 'olivia')).patch(PATH, 'tea=green&color_scheme=2&timezone=UTC');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', ignored_parameters_unsupported: ['tea', 'timezone']});
});

test('a refused default changes none of those beside it', async t => {
	const adam = await signIn(t, 'adam');

	await adam.patch(PATH, 'enter_sends=true&notification_sound=moo');

	t.is(at(await state(adam, 'realm_user_settings_defaults'), 'enter_sends'), false);
});

for (const [name, level] of Object.entries(settingLevels)) {
	test(`feature level ${level - 1} ignores the default ${name}, ${level} reads it`, async t => {
		const value = wireSettings.find(setting => setting.name === name)?.values[1];
		const send = async (featureLevel: number) => {
			const realm = await openRealm(t, {featureLevel});
			const adam = await signIn(t, 'adam', realm);
			const {json} = await adam.patch(PATH, formOf(name, value));
			return [Object(json).ignored_parameters_unsupported, Object(await state(adam, 'user_settings'))];
		};

		const [ignored, before] = await send(level - 1);
		const [read, after] = await send(level);

		t.deepEqual(ignored, [name]);
		t.is(read, undefined);
		t.false(name in before);
		t.true(name in after);
	});
}

test('an administrating bot may change defaults, and another may not', async t => {
	const realm = await openRealm(t);
	const account = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const [bot, olivia] = [callerOf(realm.url, account), await signIn(t, 'olivia', realm)];

	expectRefusal(t, await bot.patch(PATH, 'enter_sends=true'), {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	});
	await olivia.patch(`/api/v1/users/${account.userId}`, 'role=200');
	expectSuccess(t, await bot.patch(PATH, 'enter_sends=true'));
});

for (const as of ['mona', 'alice', 'gus']) {
	test(`defaults from ${as}`, refused, {
		as,
		ask: patch('enter_sends=true'),
		answer: {
			status: '400 Bad Request',
			json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
		},
	});
}

for (const {name, refused: bad} of wireSettings) {
	test(`the default ${name}=${bad[0]}`, refused, {
		as: 'adam',
		ask: patch(`${name}=${bad[0]}`),
		answer: badRequest(bad[1]),
	});
}

test('the default enter_sends=True', refused, {
	as: 'adam',
	ask: patch('enter_sends=True'),
	answer: badRequest('enter_sends is not valid JSON'),
});
test('a quoted number as default', refused, {
	as: 'adam',
	ask: patch('color_scheme=%222%22'),
	answer: badRequest('color_scheme is not an integer'),
});
test('a quoted word as default', refused, {
	as: 'adam',
	ask: patch('emojiset=%22text%22'),
	answer: badRequest('Invalid emojiset: Value error, Not in the list of possible values'),
});
test('emails that wait for no time', refused, {
	as: 'adam',
	ask: patch('email_notifications_batching_period_seconds=0'),
	answer: badRequest('Invalid email batching period: 0 seconds'),
});
