import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, type Caller, expectRefusal, expectSuccess, mask, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const REGISTERED = `{"result":"success","msg":"","queue_id":"fb67bf8a-c031-47cc-84cf-ed80accacda8","last_event_id":-1,\
"zulip_version":"12.0","zulip_feature_level":442,"zulip_merge_base":"12.0","max_message_id":30,\
"max_message_length":10000,"max_topic_length":60,"realm_empty_topic_display_name":"general chat",\
"event_queue_longpoll_timeout_seconds":90,"server_presence_ping_interval_seconds":60,"realm_users":[]}\n`;

test('the client registers with lists and objects as JSON in a form', async t => {
	const {client, server} = await clientAnswered(t, REGISTERED);

	await client.register({
		event_types: ['message'],
		fetch_event_types: ['realm'],
		apply_markdown: true,
		client_gravatar: false,
		all_public_streams: true,
		narrow: [['channel', 'general']],
		include_subscribers: 'partial',
		slim_presence: true,
		presence_history_limit_days: 0,
		client_capabilities: {notification_settings_null: true, empty_topic_name: true},
		queue_lifespan_secs: 3600,
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/register HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(
		request.body,
		'event_types=%5B%22message%22%5D&fetch_event_types=%5B%22realm%22%5D&apply_markdown=true&client_gravatar=false' +
			'&all_public_streams=true&narrow=%5B%5B%22channel%22%2C%22general%22%5D%5D&include_subscribers=partial' +
			'&slim_presence=true&presence_history_limit_days=0' +
			'&client_capabilities=%7B%22notification_settings_null%22%3Atrue%2C%22empty_topic_name%22%3Atrue%7D' +
			'&queue_lifespan_secs=3600',
	);
});

test('the client reads topics that are muted or followed, in the newer and the older form', async t => {
	const {client} = await clientAnswered(
		t,
		`{"result":"success","msg":"","queue_id":"a","last_event_id":-1,\
"user_topics":[{"stream_id":7,"topic_name":"soup","visibility_policy":3,"last_updated":1717484476}],\
"muted_topics":[["general","tea",1717484476]]}\n`,
	);

	const state = await client.register({event_types: ['user_topic', 'muted_topics']});

	t.deepEqual(state.user_topics, [
		{stream_id: 7, topic_name: 'soup', visibility_policy: 3, last_updated: 1_717_484_476},
	]);
	t.deepEqual(state.muted_topics, [['general', 'tea', 1_717_484_476]]);
});

test('the client registers for everything with an empty form', async t => {
	const {client, server} = await clientAnswered(t, REGISTERED);

	await client.register();

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/register HTTP/1.1');
	t.is(request.headers['content-length'], '0');
	t.is(request.body, '');
});

test('the client reads the queue, the version and the limits', async t => {
	const {client} = await clientAnswered(t, REGISTERED);

	const state = await client.register({event_types: ['message']});

	t.is(state.queue_id, 'fb67bf8a-c031-47cc-84cf-ed80accacda8');
	t.is(state.last_event_id, -1);
	t.is(state.zulip_version, '12.0');
	t.is(state.zulip_feature_level, 442);
	t.is(state.max_message_id, 30);
	t.is(state.max_message_length, 10_000);
	t.is(state.max_topic_length, 60);
	t.is(state.realm_empty_topic_display_name, 'general chat');
	t.is(state.event_queue_longpoll_timeout_seconds, 90);
	t.deepEqual(state.realm_users, []);
});

test('the client throws an ApiError for a guest who asks for all public channels', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"User not authorized for this query","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.register({all_public_streams: true})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'User not authorized for this query',
		fields: {},
	});
});

test('the realm registers for messages with a queue, its version and the newest message', async t => {
	const alice = await signIn(t);
	const sent = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x');

	const answer = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');

	expectSuccess(t, answer);
	t.is(at(answer.json, 'max_message_id'), at(sent.json, 'id'));
	t.deepEqual(
		mask(answer.json, 'queue_id', 'zulip_version', 'zulip_feature_level', 'zulip_merge_base', 'max_message_id'),
		{
			result: 'success',
			msg: '',
			queue_id: '<string>',
			last_event_id: -1,
			zulip_version: '<string>',
			zulip_feature_level: '<integer>',
			zulip_merge_base: '<string>',
			max_message_id: '<integer>',
		},
	);
});

test('the realm gives the limits of the organization with the state of `realm`', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);

	const {json} = await alice.post(
		'/api/v1/register',
		'event_types=%5B%22message%22%5D&fetch_event_types=%5B%22realm%22%5D',
	);

	for (const [key, value] of Object.entries({
		max_message_length: 10_000,
		max_topic_length: 60,
		max_stream_name_length: 60,
		max_stream_description_length: 1024,
		max_file_upload_size_mib: 10,
		realm_empty_topic_display_name: 'general chat',
		event_queue_longpoll_timeout_seconds: 90,
		server_presence_ping_interval_seconds: 60,
		server_presence_offline_threshold_seconds: 200,
		server_typing_started_wait_period_milliseconds: 30_000,
		server_typing_stopped_wait_period_milliseconds: 12_000,
		server_typing_started_expiry_period_milliseconds: 45_000,
		realm_url: realm.url,
		realm_bot_domain: 'bothy.example',
	})) {
		t.is(at(json, key), value, key);
	}

	t.is(typeof at(json, 'server_generation'), 'number');
	t.false('max_message_id' in Object(json));
});

test('the realm gives people, bots of the server and channels to whoever registers for everything', async t => {
	const {json} = await (await signIn(t)).post('/api/v1/register', '');

	for (const key of ['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'subscriptions']) {
		t.true(Array.isArray(at(json, key)), key);
	}

	for (const key of ['unsubscribed', 'never_subscribed', 'streams', 'realm_user_groups']) {
		t.true(Array.isArray(at(json, key)), key);
	}

	t.is(at(json, 'max_message_length'), 10_000);
	t.is(typeof at(json, 'max_message_id'), 'number');
});

test('the realm opens another queue with every registration', async t => {
	const alice = await signIn(t);

	const first = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');
	const second = await alice.post('/api/v1/register', 'event_types=%5B%22message%22%5D');

	t.not(at(first.json, 'queue_id'), at(second.json, 'queue_id'));
	t.regex(String(at(first.json, 'queue_id')), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('the realm names the parameters of a registration that it does not know', async t => {
	const {json} = await (await signIn(t)).post(
		'/api/v1/register',
		'event_types=%5B%22message%22%5D&queue_lifespan_secs=60&colour=red&client=x',
	);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

for (const value of ['true', 'false', 'partial']) {
	test(`the realm takes include_subscribers=${value}`, async t => {
		const {json} = await (await signIn(t)).post(
			'/api/v1/register',
			`event_types=%5B%22subscription%22%5D&include_subscribers=${value}`,
		);

		t.is(at(json, 'result'), 'success');
		t.is('subscribers' in Object(at(json, 'subscriptions', 0)), value !== 'false');
	});
}

const post = (form: string) => (caller: Caller) => caller.post('/api/v1/register', form);

test('a guest who asks for all public channels', refused, {
	as: 'gus',
	ask: post('all_public_streams=true'),
	answer: badRequest('User not authorized for this query'),
});
test('capabilities without notification_settings_null', refused, {
	ask: post('client_capabilities=%7B%22empty_topic_name%22:true%7D'),
	answer: badRequest('client_capabilities["notification_settings_null"] field is missing: Field required'),
});
test('event types as an object', refused, {
	ask: post('event_types=%7B%7D'),
	answer: badRequest('event_types is not a list'),
});
test('event types that are no JSON', refused, {
	ask: post('event_types=message'),
	answer: badRequest('event_types is not valid JSON'),
});
test('a number among the event types', refused, {
	ask: post('event_types=%5B%22message%22,1%5D'),
	answer: badRequest('event_types[1] is not a string'),
});
test('apply_markdown=yes', refused, {
	ask: post('apply_markdown=yes'),
	answer: badRequest('apply_markdown is not valid JSON'),
});
test('a quoted lifespan', refused, {
	ask: post('queue_lifespan_secs=%225%22'),
	answer: badRequest('queue_lifespan_secs is not an integer'),
});

for (const narrow of [
	'[["colour","red"]]',
	'[["constructor","x"]]',
	'[["is","red"]]',
	'[["is","constructor"]]',
	'[["dm","nobody@bothy.example"]]',
]) {
	test(`the realm refuses to register with the narrow ${narrow}`, async t => {
		const alice = await signIn(t);

		const answer = await alice.post('/api/v1/register', `narrow=${encodeURIComponent(narrow)}`);

		const desc = at(answer.json, 'desc');
		t.true(typeof desc === 'string' && desc !== '');
		expectRefusal(t, answer, {
			status: '400 Bad Request',
			json: {result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc},
		});
	});
}
