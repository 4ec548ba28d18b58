import {clientCalls} from '../kit/client-calls.js';
import {answers, like, notFound, story} from '../kit/story.js';

const COFFEE = {emoji_name: 'coffee', emoji_code: '2615', reaction_type: 'unicode_emoji'};

clientCalls('updateStatus', {
	'sends text as it is and booleans as JSON': [
		{
			status_text: 'on vacation',
			away: true,
			emoji_name: 'car',
			emoji_code: '1f697',
			reaction_type: 'unicode_emoji',
		},
		'POST /api/v1/users/me/status status_text=on+vacation&away=true&emoji_name=car&emoji_code=1f697&reaction_type=unicode_emoji',
	],
});

clientCalls('getUserStatus', {
	'reads a status': [
		{user_id: 10},
		'GET /api/v1/users/10/status',
		'"status":{"status_text":"on vacation","emoji_name":"car","emoji_code":"1f697",' +
			'"reaction_type":"unicode_emoji","away":true}',
	],
});

story('updateStatus', 'changes what is given, and an empty value removes it', [
	{listen: 'gus', to: 'user_status'},
	['alice POST /api/v1/users/me/status status_text=+at+lunch+&emoji_name=coffee', {}],
	['gus GET /api/v1/users/4/status', {status: {status_text: 'at lunch', ...COFFEE}}],
	['alice POST /api/v1/users/me/status emoji_name=', {}],
	['gus GET /api/v1/users/4/status', {status: {status_text: 'at lunch'}}],
	['alice POST /api/v1/users/me/status status_text=', {}],
	['gus GET /api/v1/users/4/status', {status: {}}],
	{
		heard: 'gus',
		events: [
			{type: 'user_status', user_id: 4, status_text: 'at lunch', ...COFFEE},
			{type: 'user_status', user_id: 4, emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'},
			{type: 'user_status', user_id: 4, status_text: ''},
		],
	},
]);

story('updateStatus', 'away turns presence off, and the state of a registration shows it', [
	{listen: 'alice', to: 'user_settings'},
	['alice POST /api/v1/users/me/status away=true', {}],
	['gus POST /api/v1/register event_types=["user_status"]', like({user_status: {'4': {away: true}}})],
	['alice POST /api/v1/users/me/status away=false', {}],
	['gus POST /api/v1/register event_types=["user_status"]', like({user_status: {}})],
	{
		heard: 'alice',
		events: [
			{type: 'user_settings', op: 'update', property: 'presence_enabled', value: false},
			{type: 'user_settings', op: 'update', property: 'presence_enabled', value: true},
		],
	},
]);

const NOTHING = 'Client did not pass any new values.';
const UNNAMED = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.';

answers('updateStatus', {
	'takes 60 characters': [`alice POST /api/v1/users/me/status status_text=${encodeURIComponent('🍲'.repeat(60))}`, {}],
	'refuses 61 characters': [
		`alice POST /api/v1/users/me/status status_text=${'x'.repeat(61)}`,
		'status_text is too long (limit: 60 characters)',
	],
	'refuses bots': [
		'echo-bot POST /api/v1/users/me/status status_text=x',
		'This endpoint does not accept bot requests.',
	],
	'refuses an empty request': ['alice POST /api/v1/users/me/status', 'Client did not pass any new values.'],
	'refuses away=1': ['alice POST /api/v1/users/me/status away=1', 'away is not a boolean'],
	'refuses an unknown emoji': [
		'alice POST /api/v1/users/me/status emoji_name=unicorn_tea',
		"Emoji 'unicorn_tea' does not exist",
	],
	"refuses another emoji's code": [
		'alice POST /api/v1/users/me/status emoji_name=coffee&emoji_code=1f44d',
		'Invalid emoji name.',
	],
	'refuses an unknown kind of emoji': [
		'alice POST /api/v1/users/me/status emoji_name=coffee&reaction_type=drink',
		'Invalid emoji type.',
	],
	'refuses a code without a name': ['alice POST /api/v1/users/me/status emoji_code=2615', NOTHING],
	'refuses a kind without a name': ['alice POST /api/v1/users/me/status reaction_type=unicode_emoji', NOTHING],
	'refuses a code with an empty name': [
		'alice POST /api/v1/users/me/status status_text=x&emoji_name=&emoji_code=2615',
		UNNAMED,
	],
});

answers('getUserStatus', {
	'refuses a bot': ['alice GET /api/v1/users/8/status', 'No such user'],
	'refuses an unknown user': ['alice GET /api/v1/users/999/status', 'No such user'],
});

story('getUserStatus', 'refuses a deactivated user', [
	['adam DELETE /api/v1/users/4', {}],
	['gus GET /api/v1/users/4/status', 'User is deactivated'],
]);

story('getUserStatus', 'is unknown below feature level 262', [['alice GET /api/v1/users/4/status', notFound()]], {
	featureLevel: 261,
});
