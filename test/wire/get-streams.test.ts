import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	callerOf,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const STREAM = `{"stream_id":1,"name":"general","is_archived":false,"description":"*All*",\
"rendered_description":"<p><em>All</em></p>","date_created":1691057093,"creator_id":null,"invite_only":false,\
"is_web_public":false,"stream_post_policy":1,"is_announcement_only":false,"message_retention_days":null,\
"history_public_to_subscribers":true,"topics_policy":"inherit","first_message_id":null,"folder_id":null,\
"is_recently_active":true,"can_add_subscribers_group":{"direct_members":[5],"direct_subgroups":[10,11]},\
"can_remove_subscribers_group":10,"can_administer_channel_group":{"direct_members":[],"direct_subgroups":[]},\
"can_delete_any_message_group":9,"can_delete_own_message_group":9,"can_move_messages_out_of_channel_group":9,\
"can_move_messages_within_channel_group":9,"can_create_topic_group":9,"can_resolve_topics_group":9,\
"can_send_message_group":9,"can_subscribe_group":9,"subscriber_count":12,"stream_weekly_traffic":null}`;

test('the client asks for channels with booleans in the query', async t => {
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","streams":[${STREAM}]}\n`);

	await client.getStreams({
		include_public: false,
		include_web_public: true,
		include_subscribed: false,
		exclude_archived: false,
		include_all: true,
		include_default: true,
		include_owner_subscribed: true,
		include_can_access_content: true,
		include_all_active: true,
	});

	const request = await server.request();
	t.is(
		request.line,
		'GET /api/v1/streams?include_public=false&include_web_public=true&include_subscribed=false' +
			'&exclude_archived=false&include_all=true&include_default=true&include_owner_subscribed=true' +
			'&include_can_access_content=true&include_all_active=true HTTP/1.1',
	);
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, '');
});

test('the client reads channels with every field', async t => {
	const {client} = await clientAnswered(t, `{"result":"success","msg":"","streams":[${STREAM}]}\n`);

	const {streams} = await client.getStreams();

	t.is(streams[0]?.creator_id, null);
	t.deepEqual(streams[0]?.can_add_subscribers_group, {direct_members: [5], direct_subgroups: [10, 11]});
	t.is(streams[0]?.can_remove_subscribers_group, 10);
	t.deepEqual<object, object>(streams, [JSON.parse(STREAM) as object]);
});

test('the client throws an ApiError for a query that one may not ask', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User not authorized for this query","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.getStreams({include_all_active: true})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'User not authorized for this query',
		fields: {},
	});
});

function namesIn(json: Json): string[] {
	const streams = at(json, 'streams');
	return Array.isArray(streams) ? streams.map(each => String(at(each, 'name'))) : [];
}

function streamOf(json: Json, name: string): Json {
	return at(json, 'streams', namesIn(json).indexOf(name));
}

const GROUPS = [
	'can_add_subscribers_group',
	'can_remove_subscribers_group',
	'can_administer_channel_group',
	'can_delete_any_message_group',
	'can_delete_own_message_group',
	'can_move_messages_out_of_channel_group',
	'can_move_messages_within_channel_group',
	'can_create_topic_group',
	'can_resolve_topics_group',
	'can_send_message_group',
	'can_subscribe_group',
];
const ids = Object.fromEntries(GROUPS.map(name => [name, '<integer>']));

test('the realm gives a public channel with every field of its own', async t => {
	const answer = await (await signIn(t)).get('/api/v1/streams');

	expectSuccess(t, answer);
	t.deepEqual(Object.keys(answer.json ?? {}), ['result', 'msg', 'streams']);
	const varying = ['stream_id', 'date_created', 'creator_id', 'first_message_id', 'subscriber_count', ...GROUPS];
	t.deepEqual(mask(streamOf(answer.json, 'general'), ...varying), {
		stream_id: '<integer>',
		name: 'general',
		is_archived: false,
		description: 'For everyone and everything',
		rendered_description: '<p>For everyone and everything</p>',
		date_created: '<integer>',
		creator_id: '<integer>',
		invite_only: false,
		is_web_public: false,
		stream_post_policy: 1,
		is_announcement_only: false,
		message_retention_days: null,
		history_public_to_subscribers: true,
		topics_policy: 'inherit',
		first_message_id: '<integer>',
		folder_id: null,
		is_recently_active: true,
		...ids,
		subscriber_count: '<integer>',
		stream_weekly_traffic: null,
	});
});

test('the realm gives a channel without messages a first message of null', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/streams');

	t.is(at(streamOf(json, 'lunch'), 'first_message_id'), null);
});

test('the realm gives a channel for moderators the policy 4, which is no announcement channel', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/streams');

	t.is(at(streamOf(json, 'announcements'), 'stream_post_policy'), 4);
	t.is(at(streamOf(json, 'announcements'), 'is_announcement_only'), false);
	t.is(at(streamOf(json, 'announcements'), 'is_web_public'), true);
});

test('the policy numbers 1 to 4 tell who may write, and only 2 makes an announcement channel', async t => {
	const olivia = await signIn(t, 'olivia');
	const seen = [];
	for (const group of ['2', '6', '4', '5', '7', '{"direct_members":[4],"direct_subgroups":[6]}']) {
		await olivia.patch('/api/v1/streams/2', `can_send_message_group={"new":${group}}`);
		const lunch = streamOf((await olivia.get('/api/v1/streams')).json, 'lunch');
		seen.push([at(lunch, 'stream_post_policy'), at(lunch, 'is_announcement_only')]);
	}

	t.deepEqual(seen, [
		[1, false],
		[2, true],
		[3, false],
		[4, false],
		[1, false],
		[1, false],
	]);
});

test('the realm gives a private channel to its subscribers', async t => {
	const {json} = await (await signIn(t, 'mona')).get('/api/v1/streams');

	t.is(at(streamOf(json, 'staff'), 'invite_only'), true);
	t.is(at(streamOf(json, 'staff'), 'history_public_to_subscribers'), false);
});

const OPEN = ['announcements', 'general', 'lunch', 'plaza'];
const ALL = ['announcements', 'general', 'lunch', 'plaza', 'staff'];

const listed = test.macro({
	title: (title = '') => `the realm lists channels sorted by name ${title}`,
	async exec(t, name: string, query: string, names: string[]) {
		const caller = await signIn(t, name);

		const answer = await caller.get(`/api/v1/streams${query}`);

		expectSuccess(t, answer);
		t.deepEqual(namesIn(answer.json), names);
	},
});

test('for a member: public and subscribed ones', listed, 'alice', '', OPEN);
test('for a subscriber of a private one', listed, 'adam', '', ALL);
test('for a guest: subscribed ones', listed, 'gus', '', ['announcements', 'general']);
test('without public ones', listed, 'bob', '?include_public=false', ['announcements', 'general', 'lunch']);
test('without subscribed ones', listed, 'adam', '?include_subscribed=false', OPEN);
test('none when neither is wanted', listed, 'alice', '?include_public=false&include_subscribed=false', []);
test(
	'just the web-public one',
	listed,
	'alice',
	'?include_public=false&include_subscribed=false&include_web_public=true',
	['announcements'],
);
test('with archived ones', listed, 'alice', '?exclude_archived=false', [
	'announcements',
	'attic',
	'general',
	'lunch',
	'plaza',
]);
test('for an administrator: all of them', listed, 'olivia', '?include_all=true&exclude_archived=false', [
	'announcements',
	'attic',
	'general',
	'lunch',
	'plaza',
	'staff',
]);
test('for a member without the private one, even of all', listed, 'alice', '?include_all=true', OPEN);
test(
	'just those whose content one may read',
	listed,
	'gus',
	'?include_public=false&include_subscribed=false&include_can_access_content=true',
	['announcements', 'general'],
);

test("the realm ignores the owner's channels for humans", async t => {
	const {json} = await (await signIn(t)).get(
		'/api/v1/streams?include_owner_subscribed=true&include_public=false&include_subscribed=false',
	);

	t.deepEqual(json, {result: 'success', msg: '', streams: []});
});

test("the realm lists the owner's channels for a bot that asks", async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	const {json} = await bot.get(
		'/api/v1/streams?include_owner_subscribed=true&include_public=false&include_subscribed=false',
	);

	t.true(namesIn(json).includes('staff'));
});

for (const [query, keys] of [
	['', []],
	['?include_default=true', ['is_default']],
] as const) {
	test(`the realm says of a channel asked for with "${query}" ${keys.length > 0 ? 'whether it' : 'nothing of whether it'} is a default one`, async t => {
		const {json} = await (await signIn(t)).get(`/api/v1/streams${query}`);

		t.deepEqual(
			Object.keys(streamOf(json, 'general') ?? {}).filter(key => key === 'is_default'),
			[...keys],
		);
	});
}

test('the realm names the parameters of a list of channels that it does not know', async t => {
	const {json} = await (await signIn(t)).get('/api/v1/streams?colour=red&include_public=true');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

const get = (query: string) => (caller: Caller) => caller.get(`/api/v1/streams?${query}`);

test('a member who asks for all active channels', refused, {
	ask: get('include_all_active=true'),
	answer: badRequest('User not authorized for this query'),
});
for (const name of ['include_public', 'include_web_public', 'include_subscribed', 'exclude_archived', 'include_all']) {
	test(`${name}=True`, refused, {ask: get(`${name}=True`), answer: badRequest(`${name} is not valid JSON`)});
	test(`${name}=1`, refused, {ask: get(`${name}=1`), answer: badRequest(`${name} is not a boolean`)});
}

test('the first of two bad parameters', refused, {
	ask: get('include_default=1&include_public=1'),
	answer: badRequest('include_public is not a boolean'),
});

const NOTHING_ELSE = 'include_public=false&include_subscribed=false';

for (const [flag, name, besides, whenTrue, whenFalse] of [
	['include_public', 'alice', 'include_subscribed=false', OPEN, []],
	['include_web_public', 'alice', NOTHING_ELSE, ['announcements'], []],
	['include_subscribed', 'adam', 'include_public=false', ['announcements', 'general', 'plaza', 'staff'], []],
	[
		'exclude_archived',
		'olivia',
		'include_all=true',
		ALL,
		['announcements', 'attic', 'general', 'lunch', 'plaza', 'staff'],
	],
	['include_all', 'olivia', NOTHING_ELSE, ALL, []],
	['include_default', 'alice', NOTHING_ELSE, ['general'], []],
	['include_can_access_content', 'alice', NOTHING_ELSE, OPEN, []],
	['include_all_active', 'olivia', NOTHING_ELSE, ALL, []],
] as const) {
	test(`of two values of ${flag} the realm lists different channels`, async t => {
		const caller = await signIn(t, name);
		const ask = async (value: boolean) => {
			const {json} = await caller.get(`/api/v1/streams?${besides}&${flag}=${value}`);
			return namesIn(json);
		};

		t.deepEqual(await ask(true), [...whenTrue]);
		t.deepEqual(await ask(false), [...whenFalse]);
	});
}

test('a bot that does not ask for the channels of its owner is not given them', async t => {
	const realm = await openRealm(t);
	const bot = callerOf(realm.url, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'}));

	const {json} = await bot.get(`/api/v1/streams?${NOTHING_ELSE}&include_owner_subscribed=false`);

	t.false(namesIn(json).includes('staff'));
});

test('a channel tells its weekly traffic when it is a week old, and whether anybody wrote of late', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);
	const days = 24 * 3600 * 1000;
	const seen = async () => {
		const {json} = await alice.get('/api/v1/streams');
		const lunch = streamOf(json, 'lunch');
		return [at(lunch, 'stream_weekly_traffic'), at(lunch, 'is_recently_active')];
	};

	t.deepEqual(await seen(), [null, true]);
	await advanceClock(realm, 14 * days);
	t.deepEqual(await seen(), [0, true]);
	for (const content of ['a', 'b', 'c', 'd']) {
		await alice.post('/api/v1/messages', `type=channel&to=lunch&topic=x&content=${content}`);
	}

	t.deepEqual(await seen(), [2, true]);
	await advanceClock(realm, 181 * days);
	t.deepEqual(await seen(), [0, false]);
});

for (const [flag, since, name, query, old, young] of [
	[
		'exclude_archived',
		315,
		'alice',
		'exclude_archived=false',
		OPEN,
		['announcements', 'attic', 'general', 'lunch', 'plaza'],
	],
	['include_all', 356, 'olivia', `${NOTHING_ELSE}&include_all=true`, [], ALL],
	['include_can_access_content', 356, 'alice', `${NOTHING_ELSE}&include_can_access_content=true`, [], OPEN],
] as const) {
	test(`feature level ${since - 1} ignores ${flag}, ${since} reads it`, async t => {
		const ask = async (featureLevel: number) => {
			const caller = await signIn(t, name, await openRealm(t, {featureLevel}));
			const {json} = await caller.get(`/api/v1/streams?${query}`);
			return [namesIn(json), Object(json).ignored_parameters_unsupported];
		};

		t.deepEqual(await ask(since - 1), [[...old], [flag]]);
		t.deepEqual(await ask(since), [[...young], undefined]);
	});
}

test('a guest is listed no default channel that is out of reach', async t => {
	const realm = await openRealm(t);
	const [gus, olivia] = [await signIn(t, 'gus', realm), await signIn(t, 'olivia', realm)];
	await olivia.patch('/api/v1/streams/2', 'is_default_stream=true');

	const {json} = await gus.get(`/api/v1/streams?${NOTHING_ELSE}&include_default=true`);

	t.deepEqual(namesIn(json), ['general']);
});

test('all channels are those that a member may administer, too', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const group = '{"new":{"direct_members":[4],"direct_subgroups":[]}}';
	await olivia.patch('/api/v1/streams/4', `can_administer_channel_group=${group}`);

	const {json} = await alice.get('/api/v1/streams?include_all=true');

	t.deepEqual(namesIn(json), ALL);
});
