import {clientCalls} from '../kit/client-calls.js';
import {answers, like, missingArgument, story} from '../kit/story.js';

const BY_ID = '{"10":{"active_timestamp":1656958520,"idle_timestamp":1656958530},"11":{"idle_timestamp":1}}';
const BY_EMAIL =
	'{"iago@chat.example.com":{"aggregated":{"client":"website","status":"idle","timestamp":1594825445},' +
	'"website":{"client":"website","status":"idle","timestamp":1594825445,"pushable":false}}}';

clientCalls('updatePresence', {
	'sends the status as text and booleans as JSON, and reads no update ID': [
		async client => ({
			id: (await client.updatePresence({status: 'active', ping_only: true})).presence_last_update_id,
		}),
		'POST /api/v1/users/me/presence status=active&ping_only=true',
		'',
		{id: undefined},
	],
	'sends every parameter, and reads an update ID': [
		{
			status: 'idle',
			last_update_id: -1,
			history_limit_days: 0,
			ping_only: false,
			new_user_input: true,
			slim_presence: true,
		},
		'POST /api/v1/users/me/presence status=idle&last_update_id=-1&history_limit_days=0&ping_only=false&new_user_input=true&slim_presence=true',
		'"presence_last_update_id":-1',
	],
	'reads presences by user ID': [
		{status: 'active', last_update_id: 1},
		'POST /api/v1/users/me/presence status=active&last_update_id=1',
		`"presence_last_update_id":1000,"server_timestamp":1656958539.6287155,"presences":${BY_ID}`,
		{
			presence_last_update_id: 1000,
			server_timestamp: 1656958539.6287155,
			presences: JSON.parse(BY_ID),
		},
	],
	'reads presences by email': [
		{status: 'active'},
		'POST /api/v1/users/me/presence status=active',
		`"presence_last_update_id":3,"server_timestamp":1594825446.2,"presences":${BY_EMAIL}`,
		{presences: JSON.parse(BY_EMAIL)},
	],
});

const PRESENCE =
	'{"aggregated":{"timestamp":1532697622,"status":"active"},"website":{"timestamp":1532697622,"status":"active"}';
const NEWER = `${PRESENCE},"active_timestamp":1532697622,"idle_timestamp":1532697622}`;

clientCalls('getUserPresence', {
	'asks by ID': [
		{user_id_or_email: 12},
		'GET /api/v1/users/12/presence',
		`"presence":${PRESENCE}}`,
		{presence: JSON.parse(`${PRESENCE}}`)},
	],
	'asks by email, and reads the fields of newer servers': [
		{user_id_or_email: 'iago@chat.example.com'},
		'GET /api/v1/users/iago%40chat.example.com/presence',
		`"presence":${NEWER},"server_timestamp":1532697630.5`,
		{presence: JSON.parse(NEWER), server_timestamp: 1532697630.5},
	],
});

clientCalls('getRealmPresence', {
	'reads presences by email': [
		{},
		'GET /api/v1/realm/presence',
		`"server_timestamp":1656958539.6287155,"presences":${BY_EMAIL}`,
		{server_timestamp: 1656958539.6287155, presences: JSON.parse(BY_EMAIL)},
	],
});

const PING = 'POST /api/v1/users/me/presence status=active&ping_only=true';
const IDLE = 'POST /api/v1/users/me/presence status=idle';
const ACTIVE = 'POST /api/v1/users/me/presence status=active';
const STATE = 'POST /api/v1/register event_types=["presence"]';
const NO_BOTS = 'This endpoint does not accept bot requests.';

/** The realm's clock stands still. */
const STILL = {now: 1_753_600_000_500};
const NOW = 1_753_600_000;
const WEBSITE = {client: 'website', status: 'active', timestamp: NOW, pushable: false};
const LEGACY = {
	'alice@bothy.example': {aggregated: {client: 'website', status: 'active', timestamp: NOW}, website: WEBSITE},
};
const MODERN = {'4': {active_timestamp: NOW, idle_timestamp: NOW}};
const aggregated = (status: string) => like({presences: {'alice@bothy.example': like({aggregated: like({status})})}});

answers('updatePresence', {
	'answers a ping without presences': [`alice ${PING}`, {presence_last_update_id: -1}],
	'answers a ping with its update ID': [`alice ${PING}&last_update_id=7`, {presence_last_update_id: 7}],
	'answers by email without an update ID and slim_presence': [
		`alice ${ACTIVE}&new_user_input=true`,
		{presence_last_update_id: 1, server_timestamp: NOW + 0.5, presences: LEGACY},
		STILL,
	],
	'answers by user ID for an update ID': [
		`alice ${ACTIVE}&last_update_id=-1`,
		{presence_last_update_id: 1, server_timestamp: NOW + 0.5, presences: MODERN},
		STILL,
	],
	'answers by user ID for slim_presence': [
		`alice ${ACTIVE}&slim_presence=true`,
		{presence_last_update_id: 1, server_timestamp: NOW + 0.5, presences: MODERN},
		STILL,
	],
	'answers -1 without data': [
		`alice ${ACTIVE}&history_limit_days=0`,
		like({presence_last_update_id: -1, presences: {}}),
	],
	'does not know last_update_id below feature level 263': [
		`alice ${ACTIVE}&last_update_id=-1&history_limit_days=1`,
		like({
			presences: {'alice@bothy.example': '<any>'},
			ignored_parameters_unsupported: ['history_limit_days', 'last_update_id'],
		}),
		{featureLevel: 262},
	],
	'needs a status': ['alice POST /api/v1/users/me/presence ping_only=true', missingArgument('status')],
	'refuses an unknown status': [
		'alice POST /api/v1/users/me/presence status=away&ping_only=true',
		'Invalid status: away',
	],
	'refuses ping_only=yes': [`alice ${ACTIVE}&ping_only=yes`, 'ping_only is not valid JSON'],
	'refuses new_user_input=1': [`alice ${ACTIVE}&new_user_input=1`, 'new_user_input is not a boolean'],
	'refuses last_update_id=1.5': [`alice ${ACTIVE}&last_update_id=1.5`, 'last_update_id is not an integer'],
	'refuses history_limit_days="all"': [
		`alice ${ACTIVE}&history_limit_days="all"`,
		'history_limit_days is not an integer',
	],
	'refuses bots': [`echo-bot ${PING}`, NO_BOTS],
});

story(
	'updatePresence',
	'notes who moves or types',
	[
		[`alice ${ACTIVE}&new_user_input=true`],
		[`gus ${ACTIVE}&new_user_input=false`],
		['alice GET /trouble/activity', {activity: [{user_id: 4, last_input: NOW}]}],
	],
	STILL,
);

story(
	'updatePresence',
	'shows the time of joining for who was never active',
	[
		{advanceMs: 3_600_000},
		[`alice ${IDLE}&last_update_id=-1`, like({presences: {'4': {active_timestamp: NOW, idle_timestamp: NOW + 3600}}})],
	],
	STILL,
);

story('updatePresence', 'answers only what changed after the update ID', [
	[`alice ${PING}`],
	[`gus ${ACTIVE}&last_update_id=1`, like({presence_last_update_id: 2, presences: {'7': '<any>'}})],
	[`gus ${ACTIVE}&last_update_id=2`, like({presence_last_update_id: 2, presences: {}})],
]);

story(
	'updatePresence',
	'stores a presence once in 55 seconds',
	[
		[`alice ${ACTIVE}`, like({presence_last_update_id: 1})],
		{advanceMs: 30_000},
		[`alice ${ACTIVE}`, like({presence_last_update_id: 1})],
		{advanceMs: 30_000},
		[`alice ${ACTIVE}`, like({presence_last_update_id: 2})],
	],
	STILL,
);

story(
	'updatePresence',
	'answers 14 days, or as many as asked for, unless an update ID above 0 is passed',
	[
		[`alice ${PING}`],
		{advanceMs: 15 * 24 * 3_600_000},
		[`gus ${ACTIVE}&last_update_id=-1`, like({presences: {'7': '<any>'}})],
		[`gus ${ACTIVE}&last_update_id=-1&history_limit_days=16`, like({presences: {'4': '<any>', '7': '<any>'}})],
		[`gus ${ACTIVE}&slim_presence=true&history_limit_days=0`, like({presences: {}})],
		[`gus ${ACTIVE}&last_update_id=1&history_limit_days=0`, like({presences: {'7': '<any>'}})],
	],
	STILL,
);

story(
	'updatePresence',
	'turns people idle 70 seconds after the last activity in the legacy format',
	[
		[`alice ${ACTIVE}`, aggregated('active')],
		{advanceMs: 60_000},
		[`alice ${IDLE}`, aggregated('active')],
		{advanceMs: 60_000},
		[`alice ${IDLE}`, aggregated('idle')],
	],
	STILL,
);

const SLIM = {type: 'presence', user_id: 4, server_timestamp: NOW + 0.5, presence: {website: WEBSITE}};
const SIMPLIFIED = '&client_capabilities={"notification_settings_null":true,"simplified_presence_events":true}';

story(
	'updatePresence',
	'tells each queue in its form',
	[
		{listen: 'gus', to: 'presence'},
		{listen: 'gus', to: 'presence', form: '&slim_presence=true', as: 'slim'},
		{listen: 'gus', to: 'presence', form: SIMPLIFIED, as: 'simplified'},
		[`alice ${PING}`],
		{heard: 'gus', events: [{...SLIM, email: 'alice@bothy.example'}]},
		{heard: 'slim', events: [SLIM]},
		{heard: 'simplified', events: [{type: 'presence', presences: MODERN}]},
	],
	STILL,
);

story(
	'updatePresence',
	'tells who comes, not each ping',
	[
		{listen: 'alice', to: 'presence'},
		[`alice ${PING}`],
		{advanceMs: 60_000},
		[`alice ${PING}`],
		{heard: 'alice', events: [like({user_id: 4})]},
		{advanceMs: 201_000},
		[`alice ${PING}`],
		{heard: 'alice', events: [like({user_id: 4}), like({user_id: 4})]},
	],
	STILL,
);

story(
	'updatePresence',
	'shows in the state of a registration, by email or user ID, within the days asked for',
	[
		[`alice ${PING}`],
		[`alice ${STATE}`, like({presences: LEGACY, presence_last_update_id: 1, server_timestamp: NOW + 0.5})],
		[`alice ${STATE}&slim_presence=true`, like({presences: MODERN})],
		[
			`alice ${STATE}&slim_presence=true&presence_history_limit_days=0`,
			like({presences: {}, presence_last_update_id: -1}),
		],
	],
	STILL,
);

story(
	'updatePresence',
	'is asked for in the interval that the realm names',
	[['alice POST /api/v1/register event_types=["realm"]', like({server_presence_ping_interval_seconds: 3})]],
	{presencePingSeconds: 3},
);

const FOUND = {presence: {aggregated: {status: 'active', timestamp: NOW}, website: {status: 'active', timestamp: NOW}}};

story(
	'getUserPresence',
	'finds people by ID and by email, and they are offline in sum after 200 seconds',
	[
		[`alice ${PING}`],
		['gus GET /api/v1/users/4/presence', FOUND],
		['gus GET /api/v1/users/ALICE%40bothy.example/presence', FOUND],
		{advanceMs: 190_000},
		['echo-bot GET /api/v1/users/4/presence', FOUND],
		{advanceMs: 15_000},
		[
			'echo-bot GET /api/v1/users/4/presence',
			{presence: {...FOUND.presence, aggregated: {status: 'offline', timestamp: NOW}}},
		],
		['alice GET /api/v1/users/21/presence', 'Presence is not supported for bot users.'],
	],
	STILL,
);

answers('getUserPresence', {
	'refuses an unknown ID': ['alice GET /api/v1/users/99999/presence', 'No such user'],
	'refuses an unknown email': ['alice GET /api/v1/users/nobody%40bothy.example/presence', 'No such user'],
	'has nothing of who was never here': [
		'alice GET /api/v1/users/gus%40bothy.example/presence',
		'No presence data for gus@bothy.example',
	],
});

story(
	'getRealmPresence',
	'gives presences by email, to bots too',
	[[`alice ${PING}`], ['echo-bot GET /api/v1/realm/presence', {presences: LEGACY, server_timestamp: NOW + 0.5}]],
	STILL,
);
