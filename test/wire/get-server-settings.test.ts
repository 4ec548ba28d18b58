import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, expectSuccess, mask, openRealm, sendLines} from './raw-request.js';

const SETTINGS = `{"result":"success","msg":"","authentication_methods":{"password":true,"dev":false},\
"email_auth_enabled":true,"external_authentication_methods":[{"name":"saml","display_name":"SSO"}],\
"is_incompatible":false,"push_notifications_enabled":false,"realm_description":"<p>x</p>","realm_icon":"/icon.png",\
"realm_name":"Example","realm_uri":"https://chat.example.com","realm_url":"https://chat.example.com",\
"realm_web_public_access_enabled":false,"require_email_format_usernames":true,"zulip_feature_level":442,\
"zulip_merge_base":"12.0-dev","zulip_version":"12.0-dev-1-gabc"}\n`;

test('the client asks for the settings of the server', async t => {
	const {client, server} = await clientAnswered(t, SETTINGS);

	await client.getServerSettings();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/server_settings HTTP/1.1');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads version, feature level and the organization', async t => {
	const {client} = await clientAnswered(t, SETTINGS);

	const settings = await client.getServerSettings();

	t.is(settings.zulip_version, '12.0-dev-1-gabc');
	t.is(settings.zulip_feature_level, 442);
	t.is(settings.realm_url, 'https://chat.example.com');
	t.is(settings.realm_name, 'Example');
	t.false(settings.push_notifications_enabled);
	t.false(settings.is_incompatible);
	t.deepEqual(settings.authentication_methods, {password: true, dev: false});
});

const getSettings = (url: string, ...headers: readonly string[]) =>
	sendLines(url, ['GET /api/v1/server_settings HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', ...headers, '', '']);

test('the realm tells its settings without login', async t => {
	const realm = await openRealm(t);

	const answer = await getSettings(realm.url);

	expectSuccess(t, answer);
	t.deepEqual(
		mask(
			answer.json,
			'zulip_version',
			'zulip_feature_level',
			'zulip_merge_base',
			'push_notifications_enabled',
			'email_auth_enabled',
			'require_email_format_usernames',
			'realm_name',
			'realm_icon',
			'realm_description',
			'realm_web_public_access_enabled',
			'authentication_methods',
		),
		{
			result: 'success',
			msg: '',
			zulip_version: '<string>',
			zulip_feature_level: '<integer>',
			zulip_merge_base: '<string>',
			push_notifications_enabled: '<boolean>',
			is_incompatible: false,
			authentication_methods: '<object>',
			external_authentication_methods: [],
			email_auth_enabled: '<boolean>',
			require_email_format_usernames: '<boolean>',
			realm_url: realm.url,
			realm_uri: realm.url,
			realm_name: '<string>',
			realm_icon: '<string>',
			realm_description: '<string>',
			realm_web_public_access_enabled: '<boolean>',
		},
	);
	for (const [name, value] of Object.entries(Object(at(answer.json, 'authentication_methods')))) {
		t.is(typeof value, 'boolean', name);
	}
});

test('the realm tells the version and the feature level that it plays', async t => {
	const realm = await openRealm(t, {version: '9.4', featureLevel: 277});

	const {json} = await getSettings(realm.url);

	t.is(at(json, 'zulip_version'), '9.4');
	t.is(at(json, 'zulip_feature_level'), 277);
});

test('the realm calls the client ZulipInvalid incompatible', async t => {
	const realm = await openRealm(t);

	const {json} = await getSettings(realm.url, 'User-Agent: ZulipInvalid/1.0');

	t.is(at(json, 'is_incompatible'), true);
});

test('the realm tells its settings whatever credentials come along', async t => {
	const realm = await openRealm(t);

	expectSuccess(t, await getSettings(realm.url, 'Authorization: Basic bm9ib2R5OnNlY3JldA=='));
});
