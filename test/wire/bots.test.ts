// Bots, and what they store.

import {clientCalls} from './kit/client-calls.js';
import {answers, like, missingArgument, refusal, type Step, story} from './kit/story.js';

const PLAIN = {
	avatar_url: null,
	default_sending_stream: null,
	default_events_register_stream: null,
	default_all_public_streams: false,
};

clientCalls('getBots', {
	'reads bots': [
		{},
		'GET /api/v1/bots',
		'"bots":[{"username":"tea-bot@chat.example.com","full_name":"Tea",' +
			'"api_key":"abcdefghijklmnopqrstuvwxyz012345","avatar_url":"https://chat.example.com/1.png",' +
			'"default_sending_stream":"general","default_events_register_stream":null,"default_all_public_streams":true}]',
	],
});

clientCalls('createBot', {
	'sends a form with the URL as a JSON string': [
		{
			full_name: 'Tea Bot',
			short_name: 'tea',
			bot_type: 3,
			payload_url: 'https://tea.example/',
			service_name: 'kettle',
			interface_type: 2,
			default_sending_stream: 'general',
			default_all_public_streams: true,
		},
		'POST /api/v1/bots full_name=Tea+Bot&short_name=tea&bot_type=3&payload_url=%22https%3A%2F%2Ftea.example%2F%22&service_name=kettle&interface_type=2&default_sending_stream=general&default_all_public_streams=true',
		'"user_id":39,"api_key":"abcdefghijklmnopqrstuvwxyz012345","avatar_url":null,' +
			'"default_sending_stream":null,"default_events_register_stream":null,"default_all_public_streams":false',
		{user_id: 39, api_key: 'abcdefghijklmnopqrstuvwxyz012345', ...PLAIN},
	],
});

clientCalls('updateBot', {
	'sends a form with the URL as a JSON string': [
		{
			bot_id: 12,
			full_name: 'Coffee',
			bot_owner_id: 5,
			service_payload_url: 'https://coffee.example/',
			service_interface: 2,
			default_sending_stream: 'lunch',
			default_all_public_streams: true,
		},
		'PATCH /api/v1/bots/12 full_name=Coffee&bot_owner_id=5&service_payload_url=%22https%3A%2F%2Fcoffee.example%2F%22&service_interface=2&default_sending_stream=lunch&default_all_public_streams=true',
		'"full_name":"Coffee","avatar_url":null,"default_sending_stream":null,' +
			'"default_events_register_stream":null,"default_all_public_streams":false',
		{full_name: 'Coffee', ...PLAIN},
	],
});

clientCalls('regenerateBotApiKey', {
	'reads the new key': [
		{bot_id: 12},
		'POST /api/v1/bots/12/api_key/regenerate',
		'"api_key":"abcdefghijklmnopqrstuvwxyz012345"',
	],
});

const TEA = 'full_name=Tea+Bot&short_name=tea';
const OUTGOING = `${TEA}&bot_type=3&payload_url="http://127.0.0.1:9/"`;
const EMAIL = 'tea-bot@bothy.example';
const NO_BOTS = 'This endpoint does not accept bot requests.';
const NO_PERMISSION = 'Insufficient permission';
const WRONG_KEY = refusal('401 Unauthorized', 'Invalid API key', {code: 'UNAUTHORIZED'});
const enterTea: Step = {enter: 'tea', email: EMAIL, key: '$key'};

/** Alice makes a bot, which has ID 21. */
const makeTea = (form = TEA): Step[] => [
	[`alice POST /api/v1/bots ${form}`, like({user_id: 21, api_key: '$key'})],
	enterTea,
];

story('createBot', 'makes a generic bot of a member', [
	[
		'alice POST /api/v1/bots full_name=Tea+Bot&short_name=tea',
		{...PLAIN, user_id: 21, api_key: '$key', avatar_url: '<string>'},
	],
	enterTea,
	['tea GET /api/v1/users/me', like({user_id: 21, full_name: 'Tea Bot', role: 400, bot_type: 1, bot_owner_id: 4})],
	[`tea POST /api/v1/bots ${TEA}`, NO_BOTS],
	['alice POST /api/v1/bots full_name=Other&short_name=tea', 'Username already in use'],
	['alice POST /api/v1/bots full_name=Tea+Bot&short_name=other', 'Name is already in use!'],
]);

story('createBot', 'makes an incoming-webhook bot that may only send messages', [
	...makeTea(`${TEA}&bot_type=2`),
	['tea POST /api/v1/messages type=channel&to=general&topic=x&content=x'],
	[
		'tea GET /api/v1/users/me',
		refusal('401 Unauthorized', 'This API is not available to incoming webhook bots.', {code: 'UNAUTHORIZED'}),
	],
]);

const ADDED = {
	type: 'realm_bot',
	op: 'add',
	bot: {
		...PLAIN,
		user_id: 21,
		email: EMAIL,
		full_name: 'Tea Bot',
		bot_type: 3,
		is_active: true,
		api_key: '$key',
		avatar_url: '<string>',
		owner_id: 4,
		services: [{base_url: 'http://127.0.0.1:9/', interface: 1, token: '<string>'}],
	},
};

story('createBot', 'everybody gets an event about the bot; only its owner and administrators get its key', [
	{listen: 'alice', to: 'realm_bot'},
	{listen: 'adam', to: 'realm_bot'},
	{listen: 'bob', to: 'realm_bot'},
	{listen: 'bob', to: 'realm_user'},
	...makeTea(OUTGOING),
	{heard: 'alice', events: [ADDED]},
	{heard: 'adam', events: [ADDED]},
	{heard: 'bob', of: 'realm_bot', events: []},
	{
		heard: 'bob',
		of: 'realm_user',
		events: [
			{
				type: 'realm_user',
				op: 'add',
				person: like({user_id: 21, is_bot: true, api_key: undefined}),
			},
		],
	},
]);

story('createBot', 'shows the bots whose keys one may know in the state of a registration', [
	['echo-bot GET /api/v1/users/me'],
	['alice POST /api/v1/bots full_name=Tea+Bot&short_name=tea'],
	['alice POST /api/v1/register event_types=["realm_bot"]', like({realm_bots: [like({full_name: 'Tea Bot'})]})],
	['bob POST /api/v1/register event_types=["realm_bot"]', like({realm_bots: []})],
	[
		'adam POST /api/v1/register event_types=["realm_bot"]',
		like({realm_bots: [like({full_name: 'echo'}), like({full_name: 'Tea Bot'})]}),
	],
]);

story('createBot', 'gives a bot a channel to send to, and the messages of all public channels', [
	...makeTea(`${TEA}&default_sending_stream=lunch&default_all_public_streams=true`),
	{listen: 'tea', to: 'message'},
	['tea POST /api/v1/messages type=channel&topic=soup&content=hot'],
	['bob POST /api/v1/messages type=channel&to=general&topic=x&content=x'],
	{
		heard: 'tea',
		events: [
			like({message: like({display_recipient: 'lunch', subject: 'soup', content: 'hot'})}),
			like({message: like({display_recipient: 'general'})}),
		],
	},
]);

answers('createBot', {
	'refuses guests': [`gus POST /api/v1/bots ${TEA}`, 'Not allowed for guest users'],
	'needs a name': ['alice POST /api/v1/bots short_name=tea', missingArgument('full_name')],
	'needs a short name': ['alice POST /api/v1/bots full_name=Tea', missingArgument('short_name')],
	'refuses a blank name': ['alice POST /api/v1/bots full_name=+&short_name=tea', 'Name too short!'],
	'refuses a name with *': ['alice POST /api/v1/bots full_name=T*a&short_name=tea', 'Invalid characters in name!'],
	'refuses a payload URL that is not JSON': [
		`alice POST /api/v1/bots ${TEA}&bot_type=3&payload_url=http://tea.example`,
		'payload_url is not valid JSON',
	],
	'refuses a number as payload URL': [
		`alice POST /api/v1/bots ${TEA}&bot_type=3&payload_url=5`,
		'payload_url is not a string',
	],
	'refuses a word as payload URL': [
		`alice POST /api/v1/bots ${TEA}&bot_type=3&payload_url="tea"`,
		'Invalid payload_url: Value error, Not a URL',
	],
	'refuses a payload URL whose host ends with one letter': [
		`alice POST /api/v1/bots ${TEA}&bot_type=3&payload_url="http://x.y"`,
		'Invalid payload_url: Value error, Not a URL',
	],
});

story('createBot', 'refuses bad short names, unknown types, and channels that the owner cannot see', [
	['alice POST /api/v1/bots full_name=Tea&short_name=', 'Bad name or username'],
	['alice POST /api/v1/bots full_name=Tea&short_name=+', 'Bad name or username'],
	['alice POST /api/v1/bots full_name=Tea&short_name=t%40a', 'Bad name or username'],
	['alice POST /api/v1/bots full_name=Tea&short_name=t+a', 'Bad name or username'],
	[`alice POST /api/v1/bots ${TEA}&bot_type=9`, 'Invalid bot type'],
	[`alice POST /api/v1/bots ${TEA}&bot_type=true`, 'bot_type is not an integer'],
	[`alice POST /api/v1/bots ${TEA}&interface_type=9`, 'Invalid interface type'],
	[`alice POST /api/v1/bots ${TEA}&bot_type=4`, 'Invalid embedded bot name.'],
	[`alice POST /api/v1/bots ${TEA}&interface_type=true`, 'interface_type is not an integer'],
	[`alice POST /api/v1/bots ${TEA}&default_sending_stream=tea`, "Invalid channel name 'tea'"],
	[`alice POST /api/v1/bots ${TEA}&default_sending_stream=staff`, "Invalid channel name 'staff'"],
	[`alice POST /api/v1/bots ${TEA}&default_sending_stream=attic`, "Invalid channel name 'attic'"],
	['alice GET /api/v1/bots', {bots: []}],
]);

story('getBots', "lists the caller's own bots", [
	...makeTea(`${TEA}&default_sending_stream=lunch`),
	['echo-bot GET /api/v1/users/me'],
	[
		'alice GET /api/v1/bots',
		{
			bots: [
				{
					...PLAIN,
					username: EMAIL,
					full_name: 'Tea Bot',
					api_key: '$key',
					avatar_url: '<string>',
					default_sending_stream: 'lunch',
				},
			],
		},
	],
	['adam GET /api/v1/bots', {bots: []}],
	['tea GET /api/v1/bots', NO_BOTS],
	['gus GET /api/v1/bots', 'Not allowed for guest users'],
]);

const NO_SERVICE = {
	service_interface: 1,
	service_payload_url: null,
	config_data: null,
	bot_owner: 'alice@bothy.example',
};
const CHANGED = {full_name: 'Coffee', default_sending_stream: 'lunch', default_all_public_streams: true};

story('updateBot', 'changes all settings, and the owner gets an event', [
	...makeTea(OUTGOING),
	{listen: 'alice', to: 'realm_bot'},
	[
		'alice PATCH /api/v1/bots/21 full_name=Coffee&service_payload_url="http://127.0.0.1:8/"&service_interface=2' +
			'&default_sending_stream=lunch&default_all_public_streams=true',
		{
			...PLAIN,
			...NO_SERVICE,
			...CHANGED,
			service_interface: 2,
			service_payload_url: 'http://127.0.0.1:8/',
			avatar_url: '<string>',
		},
	],
	{
		heard: 'alice',
		events: [
			{
				type: 'realm_bot',
				op: 'update',
				bot: {
					...CHANGED,
					user_id: 21,
					services: [{base_url: 'http://127.0.0.1:8/', interface: 2, token: '<string>'}],
				},
			},
		],
	},
]);

story('updateBot', 'takes a channel back by the empty name, and says what the call said of the service', [
	...makeTea(`${TEA}&default_sending_stream=lunch&default_events_register_stream=lunch`),
	[
		'alice PATCH /api/v1/bots/21 default_sending_stream=&default_events_register_stream=',
		{...PLAIN, ...NO_SERVICE, full_name: 'Tea Bot', avatar_url: '<string>'},
	],
	['adam PATCH /api/v1/bots/21 role=300', like({bot_owner: 'alice@bothy.example'})],
	['tea GET /api/v1/users/me', like({role: 300})],
]);

story('createBot', 'makes a bot that hears of one channel unless it says otherwise', [
	...makeTea(`${TEA}&default_events_register_stream=lunch&default_all_public_streams=true`),
	{listen: 'tea', to: 'message'},
	['bob POST /api/v1/messages type=channel&to=general&topic=x&content=x'],
	['bob POST /api/v1/messages type=channel&to=lunch&topic=x&content=y'],
	{heard: 'tea', events: [like({message: like({display_recipient: 'lunch'})})]},
]);

clientCalls('deactivateBot', {
	'writes the ID into the path': [{bot_id: 12}, 'DELETE /api/v1/bots/12'],
});

story('deactivateBot', 'ends a bot, which its owner may bring back, but not while it is there', [
	...makeTea(),
	['bob DELETE /api/v1/bots/21', NO_PERMISSION],
	['gus DELETE /api/v1/bots/21', 'Not allowed for guest users'],
	['alice DELETE /api/v1/bots/4', 'No such bot'],
	[
		'alice POST /api/v1/users/21/reactivate',
		'There is already an active bot named "Tea Bot" in this organization. To reactivate this bot, you must rename or deactivate the other one first.',
	],
	['alice DELETE /api/v1/bots/21', {}],
	['tea GET /api/v1/users/me', refusal('401 Unauthorized', 'Account is deactivated', {code: 'UNAUTHORIZED'})],
	['alice POST /api/v1/users/21/reactivate', {}],
	['tea GET /api/v1/users/me'],
]);

story('updateBot', 'gives a bot to another owner', [
	...makeTea(OUTGOING),
	{listen: 'alice', to: 'realm_bot'},
	{listen: 'bob', to: 'realm_bot'},
	['alice PATCH /api/v1/bots/21 bot_owner_id=5'],
	{heard: 'alice', events: [{type: 'realm_bot', op: 'delete', bot: {user_id: 21}}]},
	{heard: 'bob', events: [like({type: 'realm_bot', op: 'add'})]},
	['tea GET /api/v1/users/me', like({bot_owner_id: 5})],
	['alice PATCH /api/v1/bots/21 full_name=X', NO_PERMISSION],
]);

story('updateBot', 'refuses a bad owner, URL, interface or channel, and changes nothing', [
	...makeTea(OUTGOING),
	['adam DELETE /api/v1/users/5'],
	['alice PATCH /api/v1/bots/21 full_name=Other&bot_owner_id=5', 'Failed to change owner, user is deactivated'],
	['alice PATCH /api/v1/bots/21 full_name=Other&bot_owner_id=999', 'Failed to change owner, no such user'],
	['alice PATCH /api/v1/bots/21 full_name=Other&bot_owner_id=21', "Failed to change owner, bots can't own other bots"],
	[
		'alice PATCH /api/v1/bots/21 full_name=Other&service_payload_url="x"',
		'Invalid service_payload_url: Value error, Not a URL',
	],
	[
		'alice PATCH /api/v1/bots/21 service_payload_url="http://x.y"',
		'Invalid service_payload_url: Value error, Not a URL',
	],
	['alice PATCH /api/v1/bots/21 full_name=', 'Name too short!'],
	['alice PATCH /api/v1/bots/21 full_name=Carla+Cruz', 'Name is already in use!'],
	['gus PATCH /api/v1/bots/21 full_name=X', 'Not allowed for guest users'],
	[
		'alice PATCH /api/v1/bots/21 role=300',
		refusal('400 Bad Request', 'Must be an organization administrator', {code: 'UNAUTHORIZED_PRINCIPAL'}),
	],
	['alice PATCH /api/v1/bots/21 full_name=Other&default_sending_stream=tea', "Invalid channel name 'tea'"],
	['alice PATCH /api/v1/bots/21 full_name=Other&default_sending_stream=staff', "Invalid channel name 'staff'"],
	['tea GET /api/v1/users/me', like({full_name: 'Tea Bot'})],
]);

answers('updateBot', {
	'refuses the ID of a human': ['olivia PATCH /api/v1/bots/4 full_name=X', 'No such bot'],
});

story('regenerateBotApiKey', 'replaces the key, and the owner gets an event', [
	...makeTea(),
	{listen: 'alice', to: 'realm_bot'},
	['bob POST /api/v1/bots/21/api_key/regenerate', NO_PERMISSION],
	['tea POST /api/v1/bots/21/api_key/regenerate', NO_BOTS],
	['alice POST /api/v1/bots/21/api_key/regenerate', {api_key: '$next'}],
	['tea GET /api/v1/users/me', WRONG_KEY],
	{enter: 'tea', email: EMAIL, key: '$next'},
	['tea GET /api/v1/users/me'],
	{heard: 'alice', events: [{type: 'realm_bot', op: 'update', bot: {user_id: 21, api_key: '$next'}}]},
	['adam POST /api/v1/bots/21/api_key/regenerate', {api_key: /^[A-Za-z0-9]{32}$/}],
]);

answers('regenerateBotApiKey', {
	'refuses the ID of a human': ['olivia POST /api/v1/bots/4/api_key/regenerate', 'No such bot'],
	'refuses an unknown ID': ['olivia POST /api/v1/bots/999/api_key/regenerate', 'No such bot'],
});

clientCalls('getStorage', {
	'writes keys as JSON, and reads texts': [
		{keys: ['a']},
		'GET /api/v1/bot_storage?keys=%5B%22a%22%5D',
		'"storage":{"a":"1"}',
	],
});

clientCalls('updateStorage', {
	'puts texts as JSON': [{storage: {a: '1'}}, 'PUT /api/v1/bot_storage storage=%7B%22a%22%3A%221%22%7D'],
});

clientCalls('removeStorage', {
	'writes no keys for all of them': [{}, 'DELETE /api/v1/bot_storage'],
});

story('updateStorage', 'keeps texts by key, for each account its own', [
	['alice-bot PUT /api/v1/bot_storage storage={"a":"1","b":"ü"}', {}],
	['alice-bot PUT /api/v1/bot_storage storage={"a":"2"}', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {a: '2', b: 'ü'}}],
	['alice-bot GET /api/v1/bot_storage?keys=["b"]', {storage: {b: 'ü'}}],
	['bob GET /api/v1/bot_storage', {storage: {}}],
	['alice-bot DELETE /api/v1/bot_storage keys=["b"]', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {a: '2'}}],
	['alice-bot DELETE /api/v1/bot_storage', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {}}],
]);

story('getStorage', 'refuses keys that are not there, and what is no text', [
	['alice PUT /api/v1/bot_storage storage={"a":"1"}', {}],
	['alice GET /api/v1/bot_storage?keys=["a","b"]', 'Key does not exist.'],
	['alice DELETE /api/v1/bot_storage keys=["a","b"]', 'Key does not exist.'],
	['alice GET /api/v1/bot_storage', {storage: {a: '1'}}],
	['alice PUT /api/v1/bot_storage', missingArgument('storage')],
	['alice PUT /api/v1/bot_storage storage={"a":1}', 'storage["a"] is not a string'],
	['alice PUT /api/v1/bot_storage storage=5', 'storage is not a dict'],
]);

story('updateStorage', 'keeps nothing of what is more than ten million characters', [
	async (t, scene) => {
		const alice = await scene.who('alice');
		const put = async (key: string, length: number) => {
			const storage = `{"${key}":"${'x'.repeat(length)}","k":""}`;
			return (await alice.post('/api/v1/bot_storage', `method=PUT&storage=${storage}`)).json;
		};
		t.like(await put('a', 5_000_000), {result: 'success'});
		const msg = 'Request exceeds storage limit by 3 characters. The limit is 10000000 characters.';
		t.like(await put('b', 5_000_000), {msg, code: 'BAD_REQUEST'});
	},
	['alice GET /api/v1/bot_storage?keys=["b"]', 'Key does not exist.'],
]);
