import test from 'ava';
import {clientCalls} from '../kit/client-calls.js';
import {clientRefused, refusalOf} from '../kit/raw-client.js';
import {answers, type Expected, like, refusal, type Step, story} from '../kit/story.js';

clientCalls('deactivateUser', {
	'names the user in the path': [{user_id: 7}, 'DELETE /api/v1/users/7'],
	'sends a comment as text and actions as JSON': [
		{
			user_id: 7,
			deactivation_notification_comment: 'Farewell!',
			actions: {
				delete_profile: true,
				delete_public_channel_messages: true,
				delete_private_channel_messages: false,
				delete_direct_messages: true,
			},
		},
		'DELETE /api/v1/users/7 deactivation_notification_comment=Farewell%21&actions=%7B%22delete_profile%22%3Atrue%2C%22delete_public_channel_messages%22%3Atrue%2C%22delete_private_channel_messages%22%3Afalse%2C%22delete_direct_messages%22%3Atrue%7D',
	],
});

clientCalls('deactivateOwnUser', {
	'deletes its own account': [{}, 'DELETE /api/v1/users/me'],
});

test('deactivateOwnUser: the client reads why the last user must stay', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		`{"result":"error","msg":"Cannot deactivate the only user.","code":"CANNOT_DEACTIVATE_LAST_USER",\
"is_last_owner":false,"entity":"user"}\n`,
	);

	t.deepEqual(await refusalOf(t, client.deactivateOwnUser()), {
		code: 'CANNOT_DEACTIVATE_LAST_USER',
		status: 400,
		reason: 'Cannot deactivate the only user.',
		fields: {is_last_owner: false, entity: 'user'},
	});
});

clientCalls('reactivateUser', {
	'names the user in the path': [{user_id: 7}, 'POST /api/v1/users/7/reactivate'],
});

const DEACTIVATED = refusal('401 Unauthorized', 'Account is deactivated', {code: 'UNAUTHORIZED'});
const NO_PERMISSION = 'Insufficient permission';
const NOBODY = 'No such user';

const NO_PICTURE = 'https://secure.gravatar.com/avatar/?d=mp&f=y';
const WITHOUT_PICTURE = {
	avatar_url: NO_PICTURE,
	avatar_url_medium: NO_PICTURE,
	avatar_source: 'G',
	avatar_version: 1,
};

/** What people hear of a change of somebody. */
const told = (user_id: number, change: {readonly [key: string]: Expected}) => ({
	type: 'realm_user',
	op: 'update',
	person: {user_id, ...change},
});

/** Bob leaves his groups or comes back into them. */
const grouped = (op: string) => [3, 4, 10].map(group_id => ({type: 'user_group', op, group_id, user_ids: [5]}));

story('deactivateUser', 'locks people out, removes them from their groups, and everybody gets an event', [
	['bob GET /api/v1/users/me'],
	{listen: 'alice', to: 'realm_user'},
	{listen: 'alice', to: 'user_group'},
	['adam DELETE /api/v1/users/5', {}],
	['bob GET /api/v1/users/me', DEACTIVATED],
	['alice GET /api/v1/user_groups/10/members', {members: [7]}],
	{heard: 'alice', of: 'realm_user', events: [told(5, {is_active: false})]},
	{heard: 'alice', of: 'user_group', events: grouped('remove_members')},
	['adam DELETE /api/v1/users/5', 'User is deactivated'],
]);

story('deactivateUser', 'refuses members, bots as targets, and the only owner', [
	['echo-bot GET /api/v1/users/me'],
	['alice DELETE /api/v1/users/2', NO_PERMISSION],
	['adam DELETE /api/v1/users/21', NOBODY],
	['adam DELETE /api/v1/users/99999', NOBODY],
	[
		'adam DELETE /api/v1/users/1',
		refusal('400 Bad Request', 'Must be an organization owner', {code: 'UNAUTHORIZED_PRINCIPAL'}),
	],
	['olivia DELETE /api/v1/users/1', 'Cannot deactivate the only organization owner'],
]);

story('deactivateUser', 'looks for somebody active before it looks who asks', [
	['olivia DELETE /api/v1/users/5'],
	['alice DELETE /api/v1/users/8', NOBODY],
	['alice DELETE /api/v1/users/5', 'User is deactivated'],
	['alice DELETE /api/v1/users/1', NO_PERMISSION],
]);

story('deactivateUser', 'accepts bots that administer', [
	['echo-bot DELETE /api/v1/users/5', NO_PERMISSION],
	['bob GET /api/v1/users/me'],
	['olivia PATCH /api/v1/users/21 role=200'],
	['echo-bot DELETE /api/v1/users/5', {}],
	['bob GET /api/v1/users/me', DEACTIVATED],
]);

story('deactivateUser', "deactivates a person's bots, and deletes what they left, before the person", [
	['olivia PATCH /api/v1/users/2 role=100'],
	['olivia POST /api/v1/messages type=direct&to=[4]&content=Hello', like({id: '$own'})],
	['echo-bot POST /api/v1/messages type=direct&to=[4]&content=Hello', like({id: '$bots'})],
	{listen: 'alice', to: 'realm_user'},
	{listen: 'alice', to: 'delete_message'},
	['adam DELETE /api/v1/users/1 actions={"delete_direct_messages":true,"delete_profile":true}', {}],
	['echo-bot GET /api/v1/users/me', DEACTIVATED],
	{heard: 'alice', of: 'delete_message', events: [like({message_id: '$bots'}), like({message_id: '$own'})]},
	{
		heard: 'alice',
		of: 'realm_user',
		events: [21, 1].flatMap(id => [
			told(id, {is_active: false}),
			told(id, {full_name: `Deleted user ${id}`}),
			told(id, WITHOUT_PICTURE),
		]),
	},
]);

/** Mona says one thing in public, two in private, one to Alice; her profile is filled in. */
const MONA_TALKS: readonly Step[] = [
	['mona POST /api/v1/messages type=channel&to=lunch&topic=soup&content=Public', like({id: '$public'})],
	['mona POST /api/v1/messages type=channel&to=staff&topic=plan&content=Private', like({id: '$private'})],
	['mona POST /api/v1/messages type=channel&to=staff&topic=PLAN&content=Again', like({id: '$again'})],
	['mona POST /api/v1/messages type=direct&to=[4]&content=Direct', like({id: '$direct'})],
];

const GONE = 'Invalid message(s)';

for (const [action, gone] of [
	['delete_public_channel_messages', ['$public']],
	['delete_private_channel_messages', ['$private', '$again']],
	['delete_direct_messages', ['$direct']],
	['delete_profile', []],
] as const) {
	const isGone = (name: string) => gone.some(each => each === name);
	story('deactivateUser', `deletes no other messages for ${action}`, [
		...MONA_TALKS,
		[`adam DELETE /api/v1/users/3 actions={"${action}":true}`, {}],
		...['$public', '$private', '$again', '$direct'].map((id): Step => {
			const who = id === '$public' || id === '$direct' ? 'alice' : 'adam';
			return [`${who} GET /api/v1/messages/${id}`, isGone(id) ? GONE : like({})];
		}),
	]);
}

story('deactivateUser', 'sends an event about deleted messages to people who could read them, by conversation', [
	...MONA_TALKS,
	{
		listen: 'adam',
		to: 'delete_message',
		form: '&client_capabilities={"notification_settings_null":true,"bulk_message_deletion":true}',
	},
	{listen: 'alice', to: 'delete_message'},
	[
		'adam DELETE /api/v1/users/3 actions={"delete_private_channel_messages":true,"delete_direct_messages":true,' +
			'"delete_public_channel_messages":false}',
		{},
	],
	{
		heard: 'adam',
		events: [
			{
				type: 'delete_message',
				message_type: 'stream',
				message_ids: ['$private', '$again'],
				stream_id: 4,
				topic: 'plan',
			},
		],
	},
	{heard: 'alice', events: [{type: 'delete_message', message_type: 'private', message_id: '$direct'}]},
]);

story('deactivateUser', 'leaves a placeholder of a deleted profile, and everybody gets an event', [
	...MONA_TALKS,
	{listen: 'alice', to: 'realm_user'},
	['adam DELETE /api/v1/users/3 actions=%7B%22delete_profile%22%3Atrue%7D', {}],
	[
		'alice GET /api/v1/users/3?include_custom_profile_fields=true',
		{
			user: like({
				full_name: 'Deleted user 3',
				avatar_url: NO_PICTURE,
				is_deleted: true,
				is_active: false,
				profile_data: {},
			}),
		},
	],
	[
		'alice GET /api/v1/messages/$direct',
		like({message: like({sender_full_name: 'Deleted user 3', avatar_url: NO_PICTURE})}),
	],
	{
		heard: 'alice',
		events: [
			told(3, {is_active: false}),
			told(3, {full_name: 'Deleted user 3'}),
			told(3, WITHOUT_PICTURE),
			told(3, {custom_profile_field: {id: 4, value: null}}),
			told(3, {custom_profile_field: {id: 8, value: null}}),
		],
	},
]);

story(
	'deactivateUser',
	'does not say that a profile was deleted below feature level 490',
	[
		['adam DELETE /api/v1/users/3 actions={"delete_profile":true}', {}],
		['alice GET /api/v1/users/3', {user: like({full_name: 'Deleted user 3', is_deleted: undefined})}],
	],
	{featureLevel: 489},
);

story(
	'deactivateUser',
	'does not know actions below feature level 459, and deletes nothing',
	[
		...MONA_TALKS,
		[
			'adam DELETE /api/v1/users/3 actions={"delete_direct_messages":true}',
			{ignored_parameters_unsupported: ['actions']},
		],
		['alice GET /api/v1/messages/$direct'],
	],
	{featureLevel: 458},
);

/** What the organization itself wrote to Bob, who comes back. */
const notices = (...contents: readonly string[]): Step[] => [
	['adam POST /api/v1/users/5/reactivate', {}],
	[
		'bob GET /api/v1/messages?anchor=newest&num_before=9&num_after=0&apply_markdown=false' +
			'&narrow=[["sender","notification-bot@bothy.example"]]',
		like({messages: contents.map(content => like({content}))}),
	],
];
const NOTICE = 'Your account in Bothy was deactivated by @_**Adam Addo|2**.';
const COMMENTED = `${NOTICE}\n\n> Farewell\n> Adam`;

story('deactivateUser', 'lets people find a notice with a comment', [
	['adam DELETE /api/v1/users/5', {}],
	...notices(),
	['adam DELETE /api/v1/users/5 deactivation_notification_comment=', {}],
	...notices(NOTICE),
	['adam DELETE /api/v1/users/5 deactivation_notification_comment=Farewell%0AAdam', {}],
	...notices(NOTICE, COMMENTED),
	// Members may not mention the board, and nobody mentions it here.
	['adam DELETE /api/v1/users/5 deactivation_notification_comment=Ask%0D%40*board*', {}],
	...notices(NOTICE, COMMENTED, `${NOTICE}\n\n> Ask\n> @*board*`),
]);

story(
	'deactivateUser',
	'sends no comment below feature level 135',
	[['adam DELETE /api/v1/users/5 deactivation_notification_comment=Farewell', like({})], ...notices()],
	{featureLevel: 134},
);

answers('deactivateUser', {
	'takes a comment of 2000 characters': [
		`adam DELETE /api/v1/users/5 deactivation_notification_comment=${'🍲'.repeat(2000)}`,
		{},
	],
});

story('deactivateUser', 'refuses bad comments and actions, and deactivates nobody', [
	[
		`adam DELETE /api/v1/users/5 deactivation_notification_comment=${'x'.repeat(2001)}`,
		'deactivation_notification_comment is too long (limit: 2000 characters)',
	],
	['adam DELETE /api/v1/users/5 actions=true', 'actions is not a dict'],
	['adam DELETE /api/v1/users/5 actions=delete', 'actions is not valid JSON'],
	['adam DELETE /api/v1/users/5 actions={"delete_profile":1}', 'actions["delete_profile"] is not a boolean'],
	['bob GET /api/v1/users/me'],
]);

story(
	'deactivateUser',
	'sends an event to people who know the key of a bot when it goes with its owner, and when it comes back',
	[
		['alice POST /api/v1/bots full_name=Tea+Bot&short_name=tea'],
		{listen: 'adam', to: 'realm_bot'},
		{listen: 'bob', to: 'realm_bot'},
		['adam DELETE /api/v1/users/4 actions={"delete_profile":true}', {}],
		['adam POST /api/v1/users/21/reactivate', {}],
		{
			heard: 'adam',
			events: [
				{
					type: 'realm_bot',
					op: 'update',
					bot: {user_id: 21, full_name: 'Deleted user 21', avatar_url: NO_PICTURE, is_active: false},
				},
				{type: 'realm_bot', op: 'update', bot: {user_id: 21, avatar_url: '<string>', is_active: true}},
			],
		},
		{heard: 'bob', events: []},
	],
);

const last = (entity: string, is_last_owner: boolean) =>
	refusal('400 Bad Request', `Cannot deactivate the only ${entity}.`, {
		code: 'CANNOT_DEACTIVATE_LAST_USER',
		is_last_owner,
		entity,
	});

story('deactivateOwnUser', 'deactivates the caller, and everybody gets an event', [
	['bob GET /api/v1/users/me'],
	{listen: 'alice', to: 'realm_user'},
	{listen: 'alice', to: 'user_group'},
	['bob DELETE /api/v1/users/me', {}],
	['bob GET /api/v1/users/me', DEACTIVATED],
	{heard: 'alice', of: 'realm_user', events: [told(5, {is_active: false})]},
	{heard: 'alice', of: 'user_group', events: grouped('remove_members')},
]);

story('deactivateOwnUser', 'keeps the only owner', [
	['olivia DELETE /api/v1/users/me', last('organization owner', true)],
	['olivia PATCH /api/v1/users/2 role=100'],
	['olivia DELETE /api/v1/users/me', {}],
]);

story('deactivateOwnUser', 'keeps the only user', [
	...[2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(
		(id): Step => [`olivia DELETE /api/v1/users/${id}`, {}],
	),
	['olivia DELETE /api/v1/users/me', last('user', false)],
]);

story('deactivateOwnUser', 'lets a bot end itself', [
	['echo-bot DELETE /api/v1/users/me', {}],
	['echo-bot GET /api/v1/users/me', refusal('401 Unauthorized', 'Account is deactivated', {code: 'UNAUTHORIZED'})],
]);

story('reactivateUser', 'lets people in again, into the same groups, and everybody gets one event', [
	['bob GET /api/v1/users/me'],
	['adam DELETE /api/v1/users/5'],
	['alice POST /api/v1/users/5/reactivate', NO_PERMISSION],
	['alice GET /api/v1/users/5', {user: like({is_active: false})}],
	{listen: 'alice', to: 'realm_user'},
	{listen: 'alice', to: 'user_group'},
	['adam POST /api/v1/users/5/reactivate', {}],
	['adam POST /api/v1/users/5/reactivate', {}],
	['bob GET /api/v1/users/me', like({is_active: true})],
	['alice GET /api/v1/user_groups/10/members', {members: [5, 7]}],
	{heard: 'alice', of: 'realm_user', events: [told(5, {is_active: true})]},
	{heard: 'alice', of: 'user_group', events: grouped('add_members')},
	['adam POST /api/v1/users/99999/reactivate', NOBODY],
]);

story('reactivateUser', 'brings back a bot whose owner is gone', [
	['olivia PATCH /api/v1/users/2 role=100'],
	['echo-bot GET /api/v1/users/me'],
	['adam DELETE /api/v1/users/1'],
	['echo-bot GET /api/v1/users/me', DEACTIVATED],
	['adam POST /api/v1/users/21/reactivate', {}],
	['echo-bot GET /api/v1/users/me'],
]);

story('reactivateUser', 'gives a picture again to who had a deleted profile', [
	['alice GET /api/v1/users/5?client_gravatar=false', {user: like({avatar_url: '$avatar'})}],
	['adam DELETE /api/v1/users/5 actions={"delete_profile":true}', {}],
	['alice GET /api/v1/users/5?client_gravatar=false', {user: like({avatar_url: NO_PICTURE})}],
	{listen: 'alice', to: 'realm_user'},
	['adam POST /api/v1/users/5/reactivate', {}],
	[
		'alice GET /api/v1/users/5?client_gravatar=false',
		{user: like({avatar_url: '$avatar', full_name: 'Deleted user 5', is_deleted: undefined})},
	],
	{
		heard: 'alice',
		events: [
			told(5, {is_active: true}),
			told(5, {avatar_url: '$avatar', avatar_url_medium: '$avatar', avatar_source: 'G', avatar_version: 1}),
		],
	},
]);
