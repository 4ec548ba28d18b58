// The realm plays older levels of the API: what came later is not there. One after the other: they are many realms.

import test from 'ava';
import {type Operation, operations, pathParameters} from '../../src/api/index.js';
import {insertSubscription} from '../../src/realm/channels/channels.js';
import {basic, type Caller, callAsBot, ECHO, listen, openChat, reply, send, startReceiver} from './realm-kit.js';

const LEVELS = [168, 339, 458, 495, 496];

/** By method and path; IDs and names stand for themselves. */
const newer: Readonly<Record<number, readonly string[]>> = {
	168: [
		'DELETE /scheduled_messages/1',
		'GET /scheduled_messages',
		'PATCH /scheduled_messages/1',
		'PATCH /users/nobody@bothy.example',
		'POST /scheduled_messages',
		'POST /user_groups/1/deactivate',
		'POST /user_topics',
	],
	339: [],
	458: [],
	495: [],
	496: [],
};

for (const featureLevel of LEVELS) {
	test.serial(`at level ${featureLevel} the operations that came later have no route`, async t => {
		const {realm, olivia} = await openChat(t, {featureLevel, rateLimit: false});
		const absent: string[] = [];
		for (const operation of Object.values<Operation>(operations)) {
			const {method, path} = exampleOf(operation);
			const {status, body} = await send(realm, {method, path, headers: basic(olivia.email, olivia.key)});
			const isAbsent = status === 405 || (status === 404 && body.msg === 'Not found');
			t.is(isAbsent, (operation.since ?? 0) > featureLevel, `${operation.name}: ${status}`);
			if (isAbsent) {
				absent.push(`${method} ${path}`);
			}
		}

		for (const call of newer[featureLevel] ?? []) {
			t.true(absent.includes(call), call);
		}
	});
}

function exampleOf(operation: Operation): {method: string; path: string} {
	const path = pathParameters(operation.path).reduce(
		(text, name) => text.replace(`{${name}}`, name === 'email' ? 'nobody@bothy.example' : '1'),
		operation.path,
	);
	return {method: operation.method, path};
}

for (const [featureLevel, version] of [
	[168, '7.0'],
	[237, '8.0'],
	[339, '10.0'],
	[421, '11.0'],
	[458, '12.0'],
	[495, '12.0'],
	[496, '12.0'],
] as const) {
	test.serial(
		`at level ${featureLevel} the server and a new queue name the level, and the server is ${version}`,
		async t => {
			const {alice} = await openChat(t, {featureLevel});

			const level = {zulip_feature_level: featureLevel, zulip_version: version};
			t.like((await alice.get('/server_settings')).body, level);
			t.like((await listen(alice)).state, level);
		},
	);
}

const channelFields: ReadonlyArray<readonly [field: string, since: number]> = [
	['stream_weekly_traffic', 199],
	['creator_id', 254],
	['is_archived', 315],
	['is_recently_active', 323],
	['can_administer_channel_group', 325],
	['can_send_message_group', 333],
	['can_add_subscribers_group', 342],
	['can_subscribe_group', 357],
	['folder_id', 389],
	['topics_policy', 392],
	['subscriber_count', 394],
	['can_move_messages_out_of_channel_group', 396],
	['can_move_messages_within_channel_group', 396],
	['can_resolve_topics_group', 402],
	['can_delete_any_message_group', 407],
	['can_delete_own_message_group', 407],
	['can_create_topic_group', 441],
];
const groupFields: ReadonlyArray<readonly [field: string, since: number]> = [
	['can_mention_group', 191],
	['can_manage_group', 283],
	['deactivated', 290],
	['date_created', 295],
	['creator_id', 295],
	['can_join_group', 301],
	['can_add_members_group', 305],
	['can_leave_group', 308],
	['can_remove_members_group', 324],
];
const profileFields: ReadonlyArray<readonly [field: string, since: number]> = [
	['display_in_profile_summary', 146],
	['required', 244],
	['editable_by_user', 296],
];
const userFields: ReadonlyArray<readonly [field: string, since: number]> = [['is_imported_stub', 433]];

const stateFields: ReadonlyArray<readonly [field: string, since: number]> = [
	['scheduled_messages', 179],
	['server_typing_started_wait_period_milliseconds', 204],
	['realm_url', 257],
	['presence_last_update_id', 263],
	['realm_empty_topic_display_name', 334],
	['max_topic_length', 53],
	['realm_uri', 1],
	['user_topics', 134],
];

/** Each kind of object, once for each place where it stands. */
async function objectsFor(caller: Caller) {
	const {state} = await listen(caller, {});
	const get = async (path: string) => (await caller.get(path)).body;
	return [
		['a channel in the list', channelFields, (await get('/streams')).streams[0]],
		['a subscription', channelFields, (await get('/users/me/subscriptions')).subscriptions[0]],
		['a subscription in the state', channelFields, state.subscriptions[0]],
		['another channel in the state', channelFields, state.never_subscribed[0]],
		['a channel in the state', channelFields, state.streams[0]],
		['a group in the list', groupFields, (await get('/user_groups')).user_groups[0]],
		['a group in the state', groupFields, state.realm_user_groups[0]],
		['somebody in the list', userFields, (await get('/users')).members[0]],
		['oneself', userFields, await get('/users/me')],
		['somebody in the state', userFields, state.realm_users[0]],
		['a profile field in the list', profileFields, (await get('/realm/profile_fields')).custom_fields[4]],
		['a profile field in the state', profileFields, state.custom_profile_fields[4]],
		['the state', stateFields, state],
	] as const;
}

for (const featureLevel of LEVELS) {
	test.serial(`at level ${featureLevel} all objects have the fields of that level`, async t => {
		const {olivia} = await openChat(t, {featureLevel});

		for (const [what, fields, found] of await objectsFor(olivia)) {
			t.deepEqual(
				fields.map(([field]) => [field, field in found]),
				fields.map(([field, since]) => [field, since <= featureLevel]),
				what,
			);
		}
	});
}

test.serial('events carry objects as the level has them', async t => {
	const seen = async (featureLevel: number) => {
		const {realm, olivia} = await openChat(t, {featureLevel});
		const queue = await listen(olivia, {});
		await olivia.post('/user_groups/create', {name: 'cooks', description: '', members: [1]});
		realm.ensureBot(ECHO);
		await olivia.delete('/realm/profile_fields/9');
		const events = await queue.events();
		const find = (type: string) => events.find(event => event.type === type && event.op !== 'remove');
		return {
			group: find('user_group').group,
			person: find('realm_user').person,
			field: find('custom_profile_fields').fields[0],
		};
	};

	const [old, young] = [await seen(168), await seen(496)];

	t.deepEqual(Object.keys(old.group).sort(), [
		'description',
		'direct_subgroup_ids',
		'id',
		'is_system_group',
		'members',
		'name',
	]);
	t.is(Object.keys(young.group).length, 15);
	t.false('is_imported_stub' in old.person);
	t.is(young.person.is_imported_stub, false);
	t.deepEqual(Object.keys(old.field).sort(), ['field_data', 'hint', 'id', 'name', 'order', 'type']);
	t.deepEqual([young.field.required, young.field.editable_by_user], [false, true]);
});

test.serial('wildcard mentions have two flags of their own from level 224, and before only the old one', async t => {
	const seen = async (featureLevel: number) => {
		const {alice, bob} = await openChat(t, {featureLevel});
		const queue = await listen(bob);
		const {id} = (await alice.post('/messages', {type: 'stream', to: 'lunch', topic: 'x', content: '@**all**'})).body;
		return [(await bob.get(`/messages/${id}`)).body.message.flags, (await queue.next()).flags];
	};

	t.deepEqual(await seen(223), [['wildcard_mentioned'], ['wildcard_mentioned']]);
	const both = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
	t.deepEqual(await seen(224), [both, both]);
});

test.serial('scheduled messages are heard of from level 179', async t => {
	const {alice} = await openChat(t, {featureLevel: 178});

	t.is((await alice.get('/scheduled_messages')).status, 200);
	t.is((await alice.post('/scheduled_messages')).status, 405);
});

for (const [featureLevel, code] of [
	[228, 'BAD_REQUEST'],
	[229, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
] as const) {
	test.serial(`at level ${featureLevel} a wildcard that is not allowed is refused with ${code}`, async t => {
		const {realm, alice} = await openChat(t, {featureLevel});
		for (let n = 0; n < 16; n += 1) {
			const {userId} = realm.ensureBot({...ECHO, name: `bot${n}`, fullName: `Bot ${n}`});
			insertSubscription(realm.services.store, userId, 1);
		}

		const {body} = await alice.post('/messages', {type: 'stream', to: '1', topic: 'x', content: '@**all**'});

		t.is(body.code, code, JSON.stringify(body));
	});
}

test.serial('a direct message calls a bot by its old name before level 201', async t => {
	const seen = async (featureLevel: number) => {
		const receiver = await startReceiver(t, reply({}));
		const {realm, alice} = await openChat(t, {featureLevel});
		const bot = realm.ensureBot({...ECHO, payloadUrl: receiver.url});
		await alice.say({dm: [bot.userId]}, 'x');
		return (await receiver.delivery(1)).body.trigger;
	};

	t.is(await seen(200), 'private_message');
	t.is(await seen(201), 'direct_message');
});

/** Each a call that succeeds, with one parameter that is younger than some of the levels. */
const parameters = [
	[236, 'post', '/messages', 'read_by_sender', {type: 'direct', to: [5], content: 'x', read_by_sender: true}],
	[263, 'post', '/users/me/presence', 'last_update_id', {status: 'active', last_update_id: -1}],
	[288, 'post', '/users/me/presence', 'history_limit_days', {status: 'active', history_limit_days: 1}],
	[290, 'get', '/user_groups', 'allow_deactivated', {allow_deactivated: true}],
	[294, 'get', '/user_groups', 'include_deactivated_groups', {include_deactivated_groups: true}],
	[315, 'get', '/streams', 'exclude_archived', {exclude_archived: false}],
	[340, 'get', '/users/me/1/topics', 'allow_empty_topic_name', {allow_empty_topic_name: true}],
	[356, 'get', '/streams', 'include_all', {include_all: true}],
	[384, 'get', '/users', 'user_ids', {user_ids: [4]}],
] as const;

for (const featureLevel of LEVELS) {
	test.serial(`at level ${featureLevel} parameters that came later are named as unsupported`, async t => {
		const {alice} = await openChat(t, {featureLevel});
		for (const [since, method, path, name, values] of parameters) {
			// It was renamed at 294.
			const isRead = since <= featureLevel && name !== 'allow_deactivated';

			const {body} = await alice[method](path, values);

			t.is(body.result, 'success', name);
			t.deepEqual(body.ignored_parameters_unsupported, isRead ? undefined : [name]);
		}
	});
}

test.serial('allow_deactivated is read from level 290, until it has another name at 294', async t => {
	for (const [featureLevel, ignored] of [
		[289, ['allow_deactivated']],
		[290, undefined],
		[293, undefined],
		[294, ['allow_deactivated']],
	] as const) {
		const {alice} = await openChat(t, {featureLevel});
		const {body} = await alice.get('/user_groups', {allow_deactivated: true});
		t.deepEqual(body.ignored_parameters_unsupported, ignored, `${featureLevel}`);
	}
});

test.serial('the type `channel` is read from level 248', async t => {
	const sent = async (featureLevel: number) => {
		const {alice} = await openChat(t, {featureLevel});
		return alice.post('/messages', {type: 'channel', to: 'lunch', topic: 'x', content: 'x'});
	};

	t.is((await sent(168)).body.msg, 'Invalid type');
	t.is((await sent(247)).body.msg, 'Invalid type');
	t.is((await sent(248)).status, 200);
});

test.serial('the same holds for scheduled messages and for typing', async t => {
	const seen = async (featureLevel: number) => {
		const {alice} = await openChat(t, {featureLevel});
		const soup = {topic: 'x', content: 'x', to: 2, scheduled_delivery_timestamp: 4_102_444_800};
		const {body: scheduled} = await alice.post('/scheduled_messages', {...soup, type: 'stream'});
		const path = `/scheduled_messages/${scheduled.scheduled_message_id}`;
		const typing = {op: 'start', type: 'channel', stream_id: 2, topic: 'x'};
		return [
			(await alice.post('/scheduled_messages', {...soup, type: 'channel'})).body.msg,
			(await alice.patch(path, {type: 'channel', to: 1, topic: 'x'})).body.msg,
			(await alice.post('/typing', typing)).body.msg,
		];
	};

	const refused = 'Invalid type: Value error, Not in the list of possible values';
	t.deepEqual(await seen(247), [refused, refused, 'Invalid type']);
	t.deepEqual(await seen(248), ['', '', '']);
});

test.serial('muting a muted topic is an error up to level 169', async t => {
	const muted = async (featureLevel: number, op: string) => {
		const {alice} = await openChat(t, {featureLevel});
		const values = {stream: 'lunch', topic: 'x', op};
		await alice.patch('/users/me/subscriptions/muted_topics', {...values, op: 'add'});
		if (op === 'remove') {
			await alice.patch('/users/me/subscriptions/muted_topics', values);
		}

		return (await alice.patch('/users/me/subscriptions/muted_topics', values)).body.msg;
	};

	t.is(await muted(168, 'add'), 'Topic already muted');
	t.is(await muted(168, 'remove'), 'Topic is not muted');
	t.is(await muted(339, 'add'), '');
	t.is(await muted(339, 'remove'), '');
});

test.serial('a sender is told of a new policy from level 218', async t => {
	const told = async (featureLevel: number) => {
		const {alice} = await openChat(t, {featureLevel});
		const {body} = await alice.post('/messages', {type: 'stream', to: 'lunch', topic: 'brand new', content: 'x'});
		return 'automatic_new_visibility_policy' in body;
	};

	t.deepEqual([await told(168), await told(217), await told(218)], [false, false, true]);
});

test.serial('an empty topic is one from level 334, and `(no topic)` means it from level 370', async t => {
	const topicOf = async (featureLevel: number, topic: string) => {
		const {alice} = await openChat(t, {featureLevel});
		const {body} = await alice.post('/messages', {type: 'stream', to: 'lunch', topic, content: 'x'});
		const read = await alice.get(`/messages/${body.id}`, {allow_empty_topic_name: true});
		return read.body.message.subject;
	};

	t.is(await topicOf(168, ''), '(no topic)');
	t.is(await topicOf(339, ''), '');
	t.is(await topicOf(339, '(no topic)'), '(no topic)');
	t.is(await topicOf(458, '(no topic)'), '');
});

for (const featureLevel of [168, 339, 369, 458]) {
	test.serial(
		`at level ${featureLevel} the topic (no topic) is found under that name, and typing is told there`,
		async t => {
			const {alice, bob} = await openChat(t, {featureLevel});
			const narrow = [
				['stream', 'lunch'],
				['topic', '(no topic)'],
			];
			const queue = await listen(bob, {event_types: ['message'], narrow});
			const typing = await listen(bob, {
				event_types: ['typing'],
				client_capabilities: {
					notification_settings_null: false,
					stream_typing_notifications: true,
					empty_topic_name: true,
				},
			});

			const wanted = {type: 'stream', to: 'lunch', topic: '(no topic)', content: 'x'};
			const {id} = (await alice.post('/messages', wanted)).body;
			const {body: channel} = await alice.get('/get_stream_id', {stream: 'lunch'});
			const place = {type: 'stream', stream_id: channel.stream_id, to: [channel.stream_id], topic: '(no topic)'};
			await alice.post('/typing', {op: 'start', ...place});

			const found = await alice.get('/messages', {anchor: 'newest', num_before: 5, num_after: 0, narrow});
			t.deepEqual(
				found.body.messages.map((message: {id: number}) => message.id),
				[id],
			);
			t.is((await queue.next()).message.id, id);
			t.is((await typing.next()).topic, featureLevel < 370 ? '(no topic)' : '');
		},
	);
}

test.serial('bots may read groups from level 496', async t => {
	const refusal = async (featureLevel: number) => {
		const bot = callAsBot((await openChat(t, {featureLevel})).realm);
		return [(await bot.get('/user_groups')).body.msg, (await bot.get('/user_groups/1/members/1')).body.msg];
	};

	const refused = 'This endpoint does not accept bot requests.';
	for (const level of [168, 339, 458, 495]) {
		t.deepEqual(await refusal(level), [refused, refused]);
	}

	t.deepEqual(await refusal(496), ['', '']);
});

test.serial('a client may send parameters that the level does not know, and they are ignored', async t => {
	const {alice, bob} = await openChat(t, {featureLevel: 339});
	const queue = await listen(bob, {
		event_types: ['presence'],
		client_capabilities: {notification_settings_null: true, simplified_presence_events: true},
	});

	await alice.post('/users/me/presence', {status: 'active'});

	t.is((await queue.next()).email, 'alice@bothy.example');
});

test.serial('the view `recent` has that name from level 454, and before only the older one', async t => {
	const chosen = async (featureLevel: number, view: string) => {
		const {alice} = await openChat(t, {featureLevel});
		const {body} = await alice.patch('/settings', {web_home_view: view});
		const state = await alice.post('/register', {fetch_event_types: ['user_settings']});
		return [body.msg, state.body.user_settings.web_home_view];
	};

	const refused = 'Invalid web_home_view: Value error, Not in the list of possible values';
	t.deepEqual(await chosen(453, 'recent'), [refused, 'inbox']);
	t.deepEqual(await chosen(453, 'recent_topics'), ['', 'recent_topics']);
	t.deepEqual(await chosen(454, 'recent'), ['', 'recent']);
});

for (const [operator, operand, since] of [
	['channel', 'lunch', 250],
	['channels', 'public', 250],
	['with', 1, 271],
	['mentions', 4, 446],
] as const) {
	test.serial(`the operator \`${operator}\` is known from level ${since}, its older names before`, async t => {
		const asked = async (featureLevel: number, named: string) => {
			const {alice} = await openChat(t, {featureLevel});
			return (await alice.get('/messages', {anchor: 'newest', narrow: [{operator: named, operand}]})).body.msg;
		};

		t.is(await asked(since - 1, operator), `Invalid narrow operator: unknown operator ${operator}`);
		t.is(
			await asked(since - 1, `-${operator}`),
			typeof operand === 'string'
				? `Invalid narrow operator: unknown operator -${operator}`
				: 'operand is not a string',
		);
		t.is(await asked(since, operator), '');
		if (operator.startsWith('channel')) {
			t.is(await asked(since - 1, operator.replace('channel', 'stream')), '');
		}
	});
}

test.serial('the example of a payload names the trigger as the level does', async t => {
	const trigger = async (featureLevel: number) => {
		const {realm, alice} = await openChat(t, {featureLevel});
		const bot = callAsBot(realm);
		await alice.say({dm: [bot.email]}, 'x');
		return (await bot.post('/zulip-outgoing-webhook')).body.trigger;
	};

	t.is(await trigger(168), 'private_message');
	t.is(await trigger(339), 'direct_message');
});
