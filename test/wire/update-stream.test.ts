import test from 'ava';
import {channelNamed, channelsIn, KNOWS_ARCHIVED} from './channel-kit.js';
import {queueOf} from './event-kit.js';
import {groups, people} from './group-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const path = (id: number) => `/api/v1/streams/${id}`;
const [GENERAL, LUNCH, ANNOUNCEMENTS, STAFF, ATTIC] = [1, 2, 3, 4, 5];
const DENIED = badRequest('You do not have permission to administer this channel.');

test('the client writes every change of a channel', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateStream({
		stream_id: 7,
		description: 'Quiet',
		is_private: true,
		is_default_stream: false,
		history_public_to_subscribers: true,
		is_web_public: false,
		new_name: 'den',
		message_retention_days: 'realm_default',
		is_archived: false,
		topics_policy: 'inherit',
		can_send_message_group: {new: 3, old: 2},
		can_subscribe_group: {new: {direct_members: [5], direct_subgroups: []}},
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/streams/7 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(
		request.body,
		'description=Quiet&is_private=true&is_default_stream=false&history_public_to_subscribers=true&is_web_public=false' +
			'&new_name=den&message_retention_days=%22realm_default%22&is_archived=false&topics_policy=inherit' +
			'&can_send_message_group=%7B%22new%22%3A3%2C%22old%22%3A2%7D' +
			'&can_subscribe_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B5%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D',
	);
});

test('the client throws an ApiError for a channel that one may not change', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"You do not have permission to administer this channel.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateStream({stream_id: 7, new_name: 'x'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'You do not have permission to administer this channel.',
		fields: {},
	});
});

test('the realm changes name and description, and whoever sees the channel hears of what changed', async t => {
	const realm = await openRealm(t);
	const [adam, bob, gus] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'gus', realm),
	];
	const [events, guests] = [await queueOf(bob, 'stream'), await queueOf(gus, 'stream')];

	const answer = await adam.patch(path(LUNCH), 'description=*Soup*%0Aonly&new_name=+dinner+');
	await adam.patch(path(LUNCH), 'description=*Soup*+only');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.like(await channelNamed(bob, 'dinner'), {stream_id: LUNCH, description: '*Soup* only'});
	t.is(await channelNamed(bob, 'lunch'), null);
	t.deepEqual(await events(), [
		{
			type: 'stream',
			op: 'update',
			stream_id: LUNCH,
			name: 'lunch',
			property: 'description',
			value: '*Soup* only',
			rendered_description: '<p><em>Soup</em> only</p>',
		},
		{type: 'stream', op: 'update', stream_id: LUNCH, name: 'lunch', property: 'name', value: 'dinner'},
	]);
	t.deepEqual(await guests(), []);
});

test('a name may change its case', async t => {
	const adam = await signIn(t, 'adam');

	expectSuccess(t, await adam.patch(path(LUNCH), 'new_name=LUNCH'));

	t.is(at(await channelNamed(adam, 'LUNCH'), 'stream_id'), LUNCH);
});

test('a channel that becomes private is gone for those outside, who had it before', async t => {
	const realm = await openRealm(t);
	const [olivia, alice, carla] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'carla', realm),
	];
	const {json} = await alice.post('/api/v1/users/me/subscriptions', 'subscriptions=[{"name":"den"}]');
	expectSuccess(t, await alice.post('/api/v1/messages', 'type=channel&to=den&topic=x&content=x'));
	const den = await channelId(alice, 'den');
	const [own, outside] = [await queueOf(alice, 'stream'), await queueOf(carla, 'stream')];

	expectSuccess(t, await alice.patch(path(den), 'is_private=true'));

	t.deepEqual(at(json, 'subscribed'), {4: ['den']});
	t.like(await channelNamed(olivia, 'den'), {invite_only: true, history_public_to_subscribers: false});
	t.deepEqual(await own(), [
		{
			type: 'stream',
			op: 'update',
			stream_id: den,
			name: 'den',
			property: 'invite_only',
			value: true,
			is_web_public: false,
			history_public_to_subscribers: false,
		},
	]);
	t.deepEqual(await outside(), [{type: 'stream', op: 'delete', stream_ids: [den], streams: [{stream_id: den}]}]);
	t.is(await channelNamed(carla, 'den'), null);
});

test('a private channel that becomes public comes to everybody, with its history', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	await olivia.post('/api/v1/messages', 'type=channel&to=staff&topic=x&content=x');
	const events = await queueOf(alice, 'stream');

	expectSuccess(t, await olivia.patch(path(STAFF), 'is_private=false'));

	const [created, changed] = await events();
	t.like(at(created ?? null, 'streams', 0), {stream_id: STAFF, invite_only: false});
	t.like(changed, {op: 'update', property: 'invite_only', value: false, history_public_to_subscribers: true});
	const topics = await alice.get(`/api/v1/users/me/${STAFF}/topics`);
	t.is(at(topics.json, 'topics', 0, 'name'), 'x');
});

test('history is opened to those who come later', async t => {
	const realm = await openRealm(t);
	const [olivia, alice] = [await signIn(t, 'olivia', realm), await signIn(t, 'alice', realm)];
	await olivia.post('/api/v1/messages', 'type=channel&to=staff&topic=x&content=x');
	await olivia.post('/api/v1/users/me/subscriptions', `subscriptions=[{"name":"staff"}]&principals=[${people.alice}]`);
	const topics = async () => at((await alice.get(`/api/v1/users/me/${STAFF}/topics`)).json, 'topics');

	t.deepEqual(await topics(), []);
	expectSuccess(t, await olivia.patch(path(STAFF), 'history_public_to_subscribers=true'));

	t.is(at(await topics(), 0, 'name'), 'x');
});

test('owners open a channel to the web, and guests then read it', async t => {
	const realm = await openRealm(t);
	const [olivia, adam, gus] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'adam', realm),
		await signIn(t, 'gus', realm),
	];

	expectRefusal(t, await adam.patch(path(LUNCH), 'is_web_public=true'), badRequest('Insufficient permission'));
	expectSuccess(t, await olivia.patch(path(LUNCH), 'is_web_public=true'));

	expectSuccess(t, await gus.get(`/api/v1/users/me/${LUNCH}/topics`));
	expectSuccess(t, await adam.patch(path(LUNCH), 'is_web_public=false'));
	expectRefusal(t, await gus.get(`/api/v1/users/me/${LUNCH}/topics`), badRequest('Invalid channel ID'));
});

test('administrators say which channels newcomers join; whoever made one does not', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	await alice.post('/api/v1/users/me/subscriptions', 'subscriptions=[{"name":"den"}]');
	const den = await channelId(alice, 'den');

	expectRefusal(
		t,
		await alice.patch(path(den), 'is_default_stream=true'),
		badRequest('You do not have permission to change default channels.'),
	);
	expectSuccess(t, await adam.patch(path(den), 'is_default_stream=true'));

	t.is(at(await channelNamed(alice, 'den'), 'is_default'), true);
});

test('owners say how long messages stay; everybody hears of it', async t => {
	const olivia = await signIn(t, 'olivia');
	const events = await queueOf(olivia, 'stream');

	expectSuccess(t, await olivia.patch(path(LUNCH), 'message_retention_days=30'));
	expectSuccess(t, await olivia.patch(path(LUNCH), 'message_retention_days="unlimited"'));

	t.is(at(await channelNamed(olivia, 'lunch'), 'message_retention_days'), -1);
	t.deepEqual(
		(await events()).map(event => [at(event, 'property'), at(event, 'value')]),
		[
			['message_retention_days', 30],
			['message_retention_days', -1],
		],
	);
});

test('every topic must be empty before only the empty one is allowed', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const say = (topic: string) => alice.post('/api/v1/messages', `type=channel&to=lunch&topic=${topic}&content=x`);
	await say('');

	expectSuccess(t, await adam.patch(path(LUNCH), 'topics_policy=empty_topic_only'));
	t.is(at((await say('soup')).json, 'msg'), 'Only the general chat topic is allowed in this channel.');
	expectSuccess(t, await adam.patch(path(LUNCH), 'topics_policy=disable_empty_topic'));
	t.is(at((await say('')).json, 'msg'), 'Sending messages to the general chat is not allowed in this channel.');
	await say('soup');
	expectRefusal(t, await adam.patch(path(LUNCH), 'topics_policy=empty_topic_only'), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg:
				'To enable this configuration, all messages in this channel must be in the general chat topic. ' +
				'Consider renaming or deleting other topics.',
			code: 'BAD_REQUEST',
			empty_topic_display_name: 'general chat',
		},
	});
});

test('an archived channel comes back; clients see it come, or change', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const [aware, plain] = [
		await queueOf(alice, 'stream%22,%22subscription', KNOWS_ARCHIVED),
		await queueOf(alice, 'stream%22,%22subscription'),
	];
	expectSuccess(t, await adam.patch(path(ATTIC), 'is_archived=true&description=Again'));
	t.is(at(await channelNamed(adam, 'attic'), 'is_archived'), true);

	expectSuccess(t, await adam.patch(path(ATTIC), 'is_archived=false'));

	t.deepEqual(
		(await aware()).map(event => [at(event, 'property'), at(event, 'value')]),
		[
			['description', 'Again'],
			['is_archived', false],
		],
	);
	const [created, added, ...more] = await plain();
	t.deepEqual(more, []);
	t.like(at(created ?? null, 'streams', 0), {stream_id: ATTIC, is_archived: false, description: 'Again'});
	t.like(added, {type: 'subscription', op: 'add'});
	t.like(at(added ?? null, 'subscriptions', 0), {stream_id: ATTIC, is_archived: false, is_muted: false});
	t.deepEqual(await channelsIn(alice, 'subscriptions'), ['announcements', 'attic', 'general', 'lunch']);
});

test('a private channel without subscribers does not come back', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/channels/create', 'name=den&subscribers=[]&invite_only=true');
	const den = Number(at(json, 'id'));
	await alice.delete(path(den), '');

	expectRefusal(
		t,
		await alice.patch(path(den), 'is_archived=false'),
		badRequest('Channel is private and have no subscribers'),
	);
});

test('a permission changes only from the old value, when that is given, and everybody hears of it', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	const events = await queueOf(bob, 'stream');
	const change = (json: string) => adam.patch(path(LUNCH), `can_send_message_group=${json}`);

	expectRefusal(t, await change(`{"new":${groups.moderators},"old":${groups.members}}`), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "'old' value does not match the expected value.",
			code: 'EXPECTATION_MISMATCH',
		},
	});
	expectSuccess(t, await change(`{"new":${groups.moderators},"old":${groups.everyone}}`));
	expectSuccess(t, await change(`{"new":{"direct_members":[],"direct_subgroups":[${groups.moderators}]}}`));

	t.like(await channelNamed(bob, 'lunch'), {can_send_message_group: groups.moderators, stream_post_policy: 4});
	const common = {type: 'stream', op: 'update', stream_id: LUNCH, name: 'lunch'};
	t.deepEqual(await events(), [
		{...common, property: 'can_send_message_group', value: groups.moderators},
		{...common, property: 'stream_post_policy', value: 4},
	]);
	expectRefusal(
		t,
		await bob.post('/api/v1/messages', 'type=channel&to=lunch&topic=x&content=x'),
		badRequest('You do not have permission to post in this channel.'),
	);
});

test('can_administer_channel_group decides who may change the channel; guests never may', async t => {
	const realm = await openRealm(t);
	const [adam, alice, gus] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'gus', realm),
	];
	const both = `{"new":{"direct_members":[${people.alice},${people.gus}],"direct_subgroups":[]}}`;

	expectRefusal(t, await alice.patch(path(GENERAL), 'description=a'), DENIED);
	await adam.patch(path(GENERAL), `can_administer_channel_group=${both}`);
	expectSuccess(t, await alice.patch(path(GENERAL), 'description=b'));
	expectRefusal(t, await gus.patch(path(GENERAL), 'description=c'), DENIED);

	t.is(at(await channelNamed(adam, 'general'), 'description'), 'b');
});

test('who administers a private channel from outside sees it, but lets nobody in', async t => {
	const realm = await openRealm(t);
	const [olivia, alice, adam] = [
		await signIn(t, 'olivia', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'adam', realm),
	];
	const events = await queueOf(alice, 'stream');
	const self = `{"new":{"direct_members":[${people.alice}],"direct_subgroups":[]}}`;

	expectSuccess(t, await olivia.patch(path(STAFF), `can_administer_channel_group=${self}`));

	t.is(at((await events())[0] ?? null, 'op'), 'create');
	t.is(at(await channelNamed(alice, 'staff'), 'stream_id'), STAFF);
	expectRefusal(t, await alice.get(`/api/v1/users/me/${STAFF}/topics`), badRequest('Invalid channel ID'));
	for (const form of [`can_subscribe_group=${self}`, `can_add_subscribers_group=${self}`, 'is_private=false']) {
		expectRefusal(t, await alice.patch(path(STAFF), form), badRequest('Channel content access is required.'));
	}

	await adam.patch(path(STAFF), 'description=Open');
	t.is(at(await channelNamed(alice, 'staff'), 'description'), 'Open');
});

test('can_delete_any_message_group lets people delete what others wrote', async t => {
	const realm = await openRealm(t);
	const [adam, alice, bob] = [
		await signIn(t, 'adam', realm),
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
	];
	const {json} = await alice.post('/api/v1/messages', 'type=channel&to=lunch&topic=x&content=x');
	const message = `/api/v1/messages/${at(json, 'id')}`;

	expectRefusal(t, await bob.delete(message, ''), badRequest("You don't have permission to delete this message"));
	await adam.patch(path(LUNCH), `can_delete_any_message_group={"new":${groups.garden}}`);

	expectSuccess(t, await bob.delete(message, ''));
});

test('can_move_messages_out_of_channel_group lets guests move theirs', async t => {
	const realm = await openRealm(t);
	const [adam, gus] = [await signIn(t, 'adam', realm), await signIn(t, 'gus', realm)];
	const sent = await gus.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x');
	await adam.patch(path(ANNOUNCEMENTS), `can_send_message_group={"new":${groups.everyone}}`);
	const move = () => gus.patch(`/api/v1/messages/${at(sent.json, 'id')}`, `stream_id=${ANNOUNCEMENTS}`);

	expectRefusal(t, await move(), badRequest("You don't have permission to move this message"));
	await adam.patch(path(GENERAL), `can_move_messages_out_of_channel_group={"new":${groups.everyone}}`);

	expectSuccess(t, await move());
});

for (const [name, since, value, field] of [
	['is_default_stream', 200, 'true', 'is_default'],
	['can_remove_subscribers_group', 320, '{"new":5}', 'can_remove_subscribers_group'],
	['can_administer_channel_group', 325, '{"new":5}', 'can_administer_channel_group'],
	['can_send_message_group', 333, '{"new":5}', 'can_send_message_group'],
	['can_add_subscribers_group', 342, '{"new":5}', 'can_add_subscribers_group'],
	['can_subscribe_group', 357, '{"new":5}', 'can_subscribe_group'],
	['topics_policy', 392, 'disable_empty_topic', 'topics_policy'],
	['can_move_messages_out_of_channel_group', 396, '{"new":5}', 'can_move_messages_out_of_channel_group'],
	['can_move_messages_within_channel_group', 396, '{"new":5}', 'can_move_messages_within_channel_group'],
	['can_resolve_topics_group', 402, '{"new":5}', 'can_resolve_topics_group'],
	['can_delete_any_message_group', 407, '{"new":5}', 'can_delete_any_message_group'],
	['can_delete_own_message_group', 407, '{"new":5}', 'can_delete_own_message_group'],
	['can_create_topic_group', 441, '{"new":5}', 'can_create_topic_group'],
] as const) {
	test(`feature level ${since - 1} ignores a change of ${name}, ${since} reads it`, async t => {
		const change = async (featureLevel: number) => {
			const adam = await signIn(t, 'adam', await openRealm(t, {featureLevel}));
			const {json} = await adam.patch(path(LUNCH), `description=a&${name}=${value}`);
			// What came with a level is not told below it.
			return {json, value: Object(await channelNamed(adam, 'lunch'))[field]};
		};

		const [old, young] = [await change(since - 1), await change(since)];

		t.deepEqual(old.json, {result: 'success', msg: '', ignored_parameters_unsupported: [name]});
		t.deepEqual(young.json, {result: 'success', msg: ''});
		t.notDeepEqual(old.value, young.value);
	});
}

test('feature level 387 does not bring a channel back', async t => {
	const adam = await signIn(t, 'adam', await openRealm(t, {featureLevel: 387}));

	const {json} = await adam.patch(path(ATTIC), 'is_archived=false');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['is_archived']);
});

const patch = (id: number, form: string) => (caller: Caller) => caller.patch(path(id), form);

for (const [kind, as, id, form, msg] of [
	['a member who changes a channel', 'alice', LUNCH, 'description=a', DENIED],
	['a change of an unknown channel', 'adam', 999, 'description=a', badRequest('Invalid channel ID')],
	['a change of a channel that one does not see', 'alice', STAFF, 'new_name=a', badRequest('Invalid channel ID')],
	['a new name that is blank', 'adam', LUNCH, 'new_name=+', badRequest("Channel name can't be empty.")],
	['the name that a channel has', 'adam', LUNCH, 'new_name=lunch', badRequest('Channel already has that name.')],
	['a name that is taken', 'adam', LUNCH, 'new_name=General', badRequest('Channel name already in use.')],
	[
		'a long name',
		'adam',
		LUNCH,
		`new_name=${'a'.repeat(61)}`,
		badRequest('Channel name too long (limit: 60 characters).'),
	],
	[
		'a long description',
		'adam',
		LUNCH,
		`description=${'a'.repeat(1025)}`,
		badRequest('description is too long (limit: 1024 characters)'),
	],
	[
		'a default channel that becomes private',
		'adam',
		GENERAL,
		'is_private=true',
		badRequest('A default channel cannot be private.'),
	],
	['a private channel for the web', 'olivia', STAFF, 'is_web_public=true', badRequest('Invalid parameters')],
	[
		'a public channel with protected history',
		'adam',
		LUNCH,
		'history_public_to_subscribers=false',
		badRequest('Invalid parameters'),
	],
	[
		'the return of a channel that is there',
		'adam',
		LUNCH,
		'is_archived=false',
		badRequest('Channel is not currently deactivated'),
	],
	['a number as privacy', 'adam', LUNCH, 'is_private=1', badRequest('is_private is not a boolean')],
	[
		'a permission that is no object',
		'adam',
		LUNCH,
		'can_send_message_group=3',
		badRequest('can_send_message_group is not a dict'),
	],
	[
		'everybody as those who subscribe',
		'adam',
		LUNCH,
		'can_subscribe_group={"new":2}',
		badRequest("'can_subscribe_group' setting cannot be set to 'role:everyone' group."),
	],
	[
		'a deactivated group in a permission',
		'adam',
		LUNCH,
		'can_send_message_group={"new":13}',
		badRequest('User group is deactivated.'),
	],
	['a change to an unknown topics policy', 'adam', LUNCH, 'topics_policy=x', badRequest('Invalid topics_policy')],
] as const) {
	test(kind, refused, {as, ask: patch(id, form), answer: msg});
}

test('an administrator who says how long messages stay', refused, {
	as: 'adam',
	ask: patch(LUNCH, 'message_retention_days=5'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
