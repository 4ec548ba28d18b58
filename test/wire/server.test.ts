import test from 'ava';
import {clientCalls} from './kit/client-calls.js';
import {at, mask, openRealm, sendRequest} from './kit/raw-request.js';
import {answers, like, missingArgument, refusal, story} from './kit/story.js';

const SETTINGS = `{"result":"success","msg":"","authentication_methods":{"password":true,"dev":false},\
"email_auth_enabled":true,"external_authentication_methods":[{"name":"saml","display_name":"SSO"}],\
"is_incompatible":false,"push_notifications_enabled":false,"realm_description":"<p>x</p>","realm_icon":"/icon.png",\
"realm_name":"Example","realm_uri":"https://chat.example.com","realm_url":"https://chat.example.com",\
"realm_web_public_access_enabled":false,"require_email_format_usernames":true,"zulip_feature_level":442,\
"zulip_merge_base":"12.0-dev","zulip_version":"12.0-dev-1-gabc"}`;

clientCalls('getServerSettings', {
	'reads what a server older than the feature levels says': [
		{},
		'GET /api/v1/server_settings',
		'"zulip_version":"2.1.4"',
	],
	'reads version, feature level and organization': [
		{},
		'GET /api/v1/server_settings',
		SETTINGS,
		{
			zulip_version: '12.0-dev-1-gabc',
			zulip_feature_level: 442,
			realm_url: 'https://chat.example.com',
			realm_name: 'Example',
			push_notifications_enabled: false,
			is_incompatible: false,
			authentication_methods: {password: true, dev: false},
		},
	],
});

test('getServerSettings: the realm describes itself', async t => {
	const {url} = await openRealm(t, {version: '9.4', featureLevel: 277});

	const {json} = await sendRequest(url, 'GET /api/v1/server_settings');

	t.deepEqual(
		mask(
			json,
			'zulip_merge_base',
			'push_notifications_enabled',
			'email_auth_enabled',
			'require_email_format_usernames',
			'realm_name',
			'realm_icon',
			'realm_description',
			'dev',
			'password',
		),
		{
			result: 'success',
			msg: '',
			zulip_version: '9.4',
			zulip_feature_level: 277,
			zulip_merge_base: '<string>',
			push_notifications_enabled: '<boolean>',
			is_incompatible: false,
			authentication_methods: {dev: '<boolean>', password: '<boolean>'},
			external_authentication_methods: [],
			email_auth_enabled: '<boolean>',
			require_email_format_usernames: '<boolean>',
			realm_url: url,
			realm_uri: url,
			realm_name: '<string>',
			realm_icon: '<string>',
			realm_description: '<string>',
			realm_web_public_access_enabled: false,
		},
	);
});

test('getServerSettings: the realm calls the client ZulipInvalid incompatible', async t => {
	const {url} = await openRealm(t);

	const {json} = await sendRequest(url, 'GET /api/v1/server_settings', ['User-Agent: ZulipInvalid/1.0']);

	t.is(at(json, 'is_incompatible'), true);
});

test('getServerSettings: the realm ignores credentials', async t => {
	const {url} = await openRealm(t);

	const {statusLine} = await sendRequest(url, 'GET /api/v1/server_settings', [
		'Authorization: Basic bm9ib2R5OnNlY3JldA==',
	]);

	t.is(statusLine, 'HTTP/1.1 200 OK');
});

clientCalls('devListUsers', {
	'reads who may sign in': [
		{},
		'GET /api/v1/dev_list_users',
		`"direct_admins":[{"email":"iago@chat.example.com",\
"realm_url":"https://chat.example.com"}],"direct_users":[{"email":"hamlet@chat.example.com"},\
{"email":"cordelia@chat.example.com"}]`,
	],
});

const people = (names: string) => names.split(' ').map(name => like({email: `${name}@bothy.example`}));

story('devListUsers', 'lists active people without login, administrators apart, and no bots', [
	(_, {who}) => who('echo-bot'),
	[
		'nobody GET /api/v1/dev_list_users',
		{
			direct_admins: [
				{email: 'olivia@bothy.example', realm_url: '$url', full_name: 'Olivia Owens', role: 100, user_id: 1},
				{email: 'adam@bothy.example', realm_url: '$url', full_name: 'Adam Addo', role: 200, user_id: 2},
			],
			direct_users: people('mona alice bob carla gus dora emil fay hugo iris jonas kira leo nina otto pia rosa'),
		},
	],
	(t, {realm, names}) => t.is(names.get('url'), realm.url),
	['olivia DELETE /api/v1/users/2', {}],
	['nobody GET /api/v1/dev_list_users', like({direct_admins: people('olivia')})],
]);

const FETCHED =
	'{"result":"success","msg":"","api_key":"gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv","email":"iago@chat.example.com","user_id":5}';
const IAGO = {api_key: 'gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv', email: 'iago@chat.example.com', user_id: 5};

clientCalls('devFetchApiKey', {
	'sends the email in a form': [
		{username: 'iago+1@chat.example.com'},
		'POST /api/v1/dev_fetch_api_key username=iago%2B1%40chat.example.com',
		FETCHED,
		IAGO,
	],
});

clientCalls('fetchApiKey', {
	'sends email and password in a form': [
		{username: 'iago+1@chat.example.com', password: 'a b&c'},
		'POST /api/v1/fetch_api_key username=iago%2B1%40chat.example.com&password=a+b%26c',
		FETCHED,
		IAGO,
	],
});

const refused401 = (code: string, msg: string) => refusal('401 Unauthorized', msg, {code});
const WRONG = refused401('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
const DEACTIVATED = refused401('USER_DEACTIVATED', 'Account is deactivated');

story('devFetchApiKey', 'gives each account its own key, without login', [
	[
		'nobody POST /api/v1/dev_fetch_api_key username=alice%40bothy.example',
		{api_key: '$key', email: 'alice@bothy.example', user_id: 4},
	],
	[
		'nobody POST /api/v1/dev_fetch_api_key username=ALICE%40Bothy.example',
		{api_key: '$key', email: 'alice@bothy.example', user_id: 4},
	],
	['nobody POST /api/v1/dev_fetch_api_key username=bob%40bothy.example', like({api_key: '$other'})],
	(t, {names}) => {
		t.regex(String(names.get('key')), /^[A-Za-z0-9]{32}$/);
		t.not(names.get('key'), names.get('other'));
	},
]);

story('devFetchApiKey', 'refuses a deactivated account', [
	['olivia DELETE /api/v1/users/6', {}],
	['nobody POST /api/v1/dev_fetch_api_key username=carla%40bothy.example', DEACTIVATED],
]);

answers('devFetchApiKey', {
	'refuses a missing user name': ['nobody POST /api/v1/dev_fetch_api_key', missingArgument('username')],
	'refuses an unknown account': ['nobody POST /api/v1/dev_fetch_api_key username=nobody%40bothy.example', WRONG],
});

story('fetchApiKey', 'gives the key for the password, without login', [
	['nobody POST /api/v1/dev_fetch_api_key username=alice%40bothy.example', like({api_key: '$key'})],
	[
		'nobody POST /api/v1/fetch_api_key username=Alice%40bothy.example&password=bothy',
		{api_key: '$key', email: 'alice@bothy.example', user_id: 4},
	],
	['olivia DELETE /api/v1/users/4', {}],
	['nobody POST /api/v1/fetch_api_key username=alice%40bothy.example&password=bothy', DEACTIVATED],
]);

story(
	'fetchApiKey',
	'leaves the user ID out at feature level 170',
	[
		[
			'nobody POST /api/v1/fetch_api_key username=alice%40bothy.example&password=bothy',
			{api_key: '<string>', email: 'alice@bothy.example'},
		],
	],
	{featureLevel: 170},
);

answers('fetchApiKey', {
	'refuses a missing user name': ['nobody POST /api/v1/fetch_api_key password=bothy', missingArgument('username')],
	'refuses a missing password': [
		'nobody POST /api/v1/fetch_api_key username=alice%40bothy.example',
		missingArgument('password'),
	],
	'refuses a wrong password': ['nobody POST /api/v1/fetch_api_key username=alice%40bothy.example&password=x', WRONG],
	'refuses an unknown account': [
		'nobody POST /api/v1/fetch_api_key username=nobody%40bothy.example&password=bothy',
		WRONG,
	],
	'refuses a bot, which has no password': [
		'nobody POST /api/v1/fetch_api_key username=notification-bot%40bothy.example&password=bothy',
		WRONG,
	],
});

for (const [operation, line, form] of [
	['devFetchApiKey', 'POST /api/v1/dev_fetch_api_key', 'username=alice%40bothy.example'],
	['fetchApiKey', 'POST /api/v1/fetch_api_key', 'username=alice%40bothy.example&password=bothy'],
] as const) {
	test(`${operation}: the realm gives no key under another host name`, async t => {
		const {url} = await openRealm(t);
		const type = 'Content-Type: application/x-www-form-urlencoded';

		const answer = await sendRequest(url, line, ['Host: evil.example', type], form);

		t.is(answer.statusLine, 'HTTP/1.1 403 Forbidden');
		t.is(at(answer.json, 'code'), 'BAD_REQUEST');
	});
}
