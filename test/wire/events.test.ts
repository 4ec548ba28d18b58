import test from 'ava';
import {clientCalls} from './kit/client-calls.js';
import {advanceClock, type Json} from './kit/raw-request.js';
import {temporaryFile} from './kit/scheduled-kit.js';
import {answers, including, like, missingArgument, play, refusal, type Scene, type Step, story} from './kit/story.js';

const REGISTERED = `{"result":"success","msg":"","queue_id":"fb67bf8a-c031-47cc-84cf-ed80accacda8","last_event_id":-1,\
"zulip_version":"12.0","zulip_feature_level":442,"zulip_merge_base":"12.0","max_message_id":30,\
"max_message_length":10000,"max_topic_length":60,"realm_empty_topic_display_name":"general chat",\
"event_queue_longpoll_timeout_seconds":90,"server_presence_ping_interval_seconds":60,"realm_users":[],\
"user_topics":[{"stream_id":7,"topic_name":"soup","visibility_policy":3,"last_updated":1717484476}],\
"muted_topics":[["general","tea",1717484476]]}`;

clientCalls('register', {
	'writes lists and objects as JSON': [
		{
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
		},
		'POST /api/v1/register event_types=%5B%22message%22%5D&fetch_event_types=%5B%22realm%22%5D&apply_markdown=true&client_gravatar=false&all_public_streams=true&narrow=%5B%5B%22channel%22%2C%22general%22%5D%5D&include_subscribers=partial&slim_presence=true&presence_history_limit_days=0&client_capabilities=%7B%22notification_settings_null%22%3Atrue%2C%22empty_topic_name%22%3Atrue%7D&queue_lifespan_secs=3600',
		REGISTERED,
	],
	'reads the queue, the version, the limits and the state': [
		{},
		'POST /api/v1/register',
		REGISTERED,
		JSON.parse(REGISTERED.replace('"result":"success","msg":"",', '')),
	],
});

const EVENTS = `{"result":"success","msg":"","events":[{"type":"message","message":{"id":31,"type":"stream","sender_id":10,\
"content":"x","subject":""},"flags":["mentioned"],"local_message_id":"12.01","id":1},\
{"type":"something_new","op":"add","whatever":[1],"id":3},{"type":"heartbeat","id":4}]}`;

clientCalls('getEvents', {
	'writes the queue as text, and reads events of every type, unknown ones too': [
		{queue_id: '1375801870:2942', last_event_id: -1, dont_block: true},
		'GET /api/v1/events?queue_id=1375801870%3A2942&last_event_id=-1&dont_block=true',
		EVENTS,
		{
			events: [
				{id: 1, type: 'message', local_message_id: '12.01'},
				{id: 3, type: 'something_new', whatever: [1]},
				{id: 4, type: 'heartbeat'},
			],
		},
	],
});

clientCalls('deleteQueue', {
	'writes the queue': [
		{queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8'},
		'DELETE /api/v1/events queue_id=fb67bf8a-c031-47cc-84cf-ed80accacda8',
	],
});

const REGISTER = 'alice POST /api/v1/register';
const TO_MESSAGES = `${REGISTER} event_types=["message"]`;
const SAY = 'alice POST /api/v1/messages type=channel&to=general';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const poll = (queue = '$queue', last = '-1') =>
	`alice GET /api/v1/events?queue_id=${queue}&last_event_id=${last}&dont_block=true`;
const gone = (queue: string) =>
	refusal('400 Bad Request', `Bad event queue ID: ${queue}`, {code: 'BAD_EVENT_QUEUE_ID', queue_id: queue});

story('register', 'opens a new queue each time, and gives the version and the newest message', [
	[`${SAY}&topic=x&content=x`, like({id: '$sent'})],
	[
		TO_MESSAGES,
		{
			queue_id: UUID,
			last_event_id: -1,
			zulip_version: '<string>',
			zulip_feature_level: '<integer>',
			zulip_merge_base: '<string>',
			max_message_id: '$sent',
		},
	],
	[TO_MESSAGES, like({queue_id: '$first'})],
	[TO_MESSAGES, like({queue_id: '$second'})],
	(t, {names}) => {
		t.not(names.get('first'), names.get('second'));
	},
]);

story('register', 'gives the limits of the organization in the state of `realm`', [
	(_, {names, realm}) => {
		names.set('url', realm.url);
	},
	[
		`${TO_MESSAGES}&fetch_event_types=["realm"]`,
		like({
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
			realm_url: '$url',
			realm_bot_domain: 'bothy.example',
			server_generation: '<integer>',
			max_message_id: undefined,
		}),
	],
]);

answers('register', {
	'gives users, bots and channels to a request for everything': [
		REGISTER,
		like({
			realm_users: including(),
			realm_non_active_users: including(),
			cross_realm_bots: including(),
			subscriptions: including(),
			unsubscribed: including(),
			never_subscribed: including(),
			streams: including(),
			realm_user_groups: including(),
			max_message_length: 10_000,
			max_message_id: '<integer>',
		}),
	],
	'names parameters that it does not know': [
		`${TO_MESSAGES}&queue_lifespan_secs=60&colour=red&client=x`,
		like({ignored_parameters_unsupported: ['colour']}),
	],
	'refuses all public channels to guests': [
		'gus POST /api/v1/register all_public_streams=true',
		'User not authorized for this query',
	],
	'refuses capabilities without notification_settings_null': [
		`${REGISTER} client_capabilities={"empty_topic_name":true}`,
		'client_capabilities["notification_settings_null"] field is missing: Field required',
	],
	'refuses event_types={}': [`${REGISTER} event_types={}`, 'event_types is not a list'],
	'refuses event_types=message': [`${REGISTER} event_types=message`, 'event_types is not valid JSON'],
	'refuses event_types=["message",1]': [`${REGISTER} event_types=["message",1]`, 'event_types[1] is not a string'],
	'refuses apply_markdown=yes': [`${REGISTER} apply_markdown=yes`, 'apply_markdown is not valid JSON'],
	'refuses queue_lifespan_secs="5"': [`${REGISTER} queue_lifespan_secs="5"`, 'queue_lifespan_secs is not an integer'],
});

for (const [value, subscribers] of [
	['true', including()],
	['false', undefined],
	['partial', including()],
] as const) {
	answers('register', {
		[`takes include_subscribers=${value}`]: [
			`${REGISTER} event_types=["subscription"]&include_subscribers=${value}`,
			like({subscriptions: ['<any>', like({name: 'general', subscribers}), '<any>']}),
		],
	});
}

answers('register', {
	'refuses a narrow with an unknown operator': [
		`${REGISTER} narrow=[["colour","red"]]`,
		'Operator colour not supported.',
	],
	'refuses a narrow with an inherited name': [
		`${REGISTER} narrow=[["constructor","x"]]`,
		'Operator constructor not supported.',
	],
	'knows `partial` from level 412 on': [
		`${REGISTER} include_subscribers=partial`,
		'include_subscribers is not valid JSON',
		{featureLevel: 411},
	],
	'takes only true and false before that level': [
		`${REGISTER} include_subscribers=5`,
		'include_subscribers is not a boolean',
		{featureLevel: 411},
	],
	'gives the words that no search looks for': [
		`${REGISTER} event_types=["message"]&fetch_event_types=["stop_words"]`,
		like({stop_words: including('i', 'the', 'z')}),
	],
});

for (const [narrow, answer] of [
	['[["dm","bob@bothy.example"]]', like({queue_id: '<string>'})],
	['[["dm-including","bob@bothy.example"]]', 'Operator dm-including not supported.'],
	['[["from","bob@bothy.example"]]', 'Operator from not supported.'],
	['[["is","followed"]]', 'Operand followed not supported.'],
	['[["is","red"]]', like({queue_id: '<string>'})],
	['[["is","constructor"]]', like({queue_id: '<string>'})],
] as const) {
	answers('register', {
		[`reads the narrow ${narrow}`]: [`${REGISTER} event_types=["message"]&narrow=${narrow}`, answer],
	});
}

story('getEvents', 'gives a message with raw content, and the flags beside it', [
	['bob POST /api/v1/register event_types=["message"]', like({queue_id: '$queue'})],
	async (_, {who}) => {
		const form = 'type=channel&to=general&topic=&content=%40**Bob+Birk**+*soup*';
		await (await who('alice')).post('/api/v1/messages', form, ['User-Agent: Bothy/1.2.3']);
	},
	[
		'bob GET /api/v1/events?queue_id=$queue&last_event_id=-1',
		{
			events: [
				{
					type: 'message',
					id: '<integer>',
					message: {
						id: '$id',
						type: 'stream',
						sender_id: 4,
						sender_email: 'alice@bothy.example',
						sender_full_name: 'Alice Ahn',
						sender_realm_str: '<string>',
						avatar_url: null,
						client: 'Bothy',
						content: '@**Bob Birk** *soup*',
						content_type: 'text/x-markdown',
						display_recipient: 'general',
						recipient_id: '<integer>',
						stream_id: 1,
						subject: 'general chat',
						topic_links: [],
						timestamp: '<integer>',
						is_me_message: false,
						reactions: [],
						submessages: [],
					},
					flags: ['mentioned'],
				},
			],
		},
	],
	['bob GET /api/v1/messages?anchor=newest&num_before=1', like({messages: [like({id: '$id'})]})],
]);

story('getEvents', 'gives HTML, the empty topic and avatars to a queue that asked for them', [
	{
		listen: 'alice',
		to: 'message',
		form:
			'&apply_markdown=true&client_gravatar=false' +
			'&client_capabilities={"notification_settings_null":true,"empty_topic_name":true}',
	},
	[`${SAY}&topic=&content=*soup*`],
	{
		heard: 'alice',
		events: [
			like({
				message: like({
					content: '<p><em>soup</em></p>',
					content_type: 'text/html',
					subject: '',
					avatar_url: '<string>',
				}),
			}),
		],
	},
]);

story('getEvents', 'gives local_message_id to the queue that sent it only', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	[TO_MESSAGES, like({queue_id: '$other'})],
	[`${SAY}&topic=x&content=x&queue_id=$queue&local_id=12.01`],
	[poll(), {events: [like({local_message_id: '12.01'})]}],
	[poll('$other'), {events: [like({local_message_id: undefined})]}],
]);

story('getEvents', 'gives only the messages of a narrow', [
	{listen: 'alice', to: 'message', form: '&narrow=[["channel","general"],["topic","soup"]]'},
	[`${SAY}&topic=bread&content=1`],
	['alice POST /api/v1/messages type=direct&to=bob%40bothy.example&content=2'],
	[`${SAY}&topic=soup&content=3`],
	{heard: 'alice', events: [like({message: like({content: '3'})})]},
]);

story('getEvents', 'gives messages of other public channels only to queues that asked', [
	{listen: 'olivia', to: 'message', form: '&all_public_streams=true', as: 'all'},
	{listen: 'olivia', to: 'message', as: 'own'},
	['alice POST /api/v1/messages type=channel&to=lunch&topic=x&content=x'],
	{heard: 'all', events: [like({message: like({display_recipient: 'lunch'})})]},
	{heard: 'own', events: []},
]);

story('getEvents', 'gives events again until they are acknowledged, in ascending order', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	[poll(), {events: []}],
	[poll('$queue', '4711'), 'Event 4711 was not in this queue'],
	[`${SAY}&topic=x&content=1`],
	[`${SAY}&topic=x&content=2`],
	[poll(), {events: ['$one', '$two']}],
	[poll(), {events: ['$one', '$two']}],
	[poll(), {events: [like({id: '$firstId'}), like({id: '$secondId'})]}],
	(t, {names}) => {
		t.true(Number(names.get('firstId')) < Number(names.get('secondId')));
	},
	[poll('$queue', '$firstId'), {events: ['$two']}],
	[poll(), 'An event newer than -1 has already been pruned!'],
]);

/** Polls twice; the later poll ends the earlier one, which shows that the later is held. */
async function hold({send}: Scene): Promise<{ended: unknown; held: Promise<unknown>}> {
	const polls = [1, 2].map(() => send('alice GET /api/v1/events?queue_id=$queue&last_event_id=-1'));
	const first = await Promise.race(polls.map((each, index) => each.then(() => index)));
	return {ended: (await polls[first])?.json, held: Promise.resolve(polls[1 - first]).then(answer => answer?.json)};
}

story('getEvents', 'holds a poll until something happens, and ends an older poll of the queue', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	async (t, scene) => {
		const {ended, held} = await hold(scene);
		t.deepEqual(ended, {result: 'success', msg: '', events: []});

		await scene.send('bob POST /api/v1/messages type=channel&to=general&topic=x&content=x');

		t.like(await held, {result: 'success', events: [{type: 'message', message: {content: 'x'}}]});
	},
]);

story('getEvents', 'ends a poll with a heartbeat alone within 55 seconds', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	async (t, scene) => {
		const {held} = await hold(scene);

		await advanceClock(scene.realm, 55_000);

		const answer = Object(await held);
		t.true(Number.isSafeInteger(answer.events[0].id));
		t.deepEqual(answer, {result: 'success', msg: '', events: [{type: 'heartbeat', id: answer.events[0].id}]});
	},
]);

story('getEvents', 'a queue expires 600 seconds after its last poll, or later if registered so', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	[`${TO_MESSAGES}&queue_lifespan_secs=3600`, like({queue_id: '$long'})],
	{advanceMs: 590_000},
	[poll(), {events: []}],
	{advanceMs: 661_000},
	[poll(), gone('$queue')],
	[poll('$long'), {events: []}],
]);

story('getEvents', 'a queue expires a week after its last poll at the latest', [
	[`${TO_MESSAGES}&queue_lifespan_secs=9999999`, like({queue_id: '$queue'})],
	{advanceMs: 604_000_000},
	[poll(), {events: []}],
	{advanceMs: 605_000_000},
	[poll(), gone('$queue')],
]);

function acrossRestart(title: string, before: readonly Step[], after: readonly Step[]): void {
	test(`getEvents: ${title}`, async t => {
		const file = await temporaryFile(t);
		let known: ReadonlyArray<readonly [string, Json]> = [];
		const stop: Step = async (_, {names, realm}) => {
			known = [...names];
			await realm.close();
		};
		const recall: Step = (_, {names}) => {
			for (const [name, value] of known) {
				names.set(name, value);
			}
		};

		await play(t, [...before, stop], {file});
		await play(t, [recall, ...after], {file});
	});
}

acrossRestart(
	'queues and their events outlive a restart of the realm, which sends an event',
	[
		[
			`${TO_MESSAGES}&narrow=[["topic","soup"]]&apply_markdown=true&queue_lifespan_secs=3600&client_gravatar=false`,
			like({queue_id: '$queue'}),
		],
		[REGISTER, like({queue_id: '$all'})],
		[`${SAY}&topic=soup&content=*1*`],
		[`${SAY}&topic=soup&content=*2*`],
		[poll('$queue', '0'), {events: [like({id: 1})]}],
	],
	[
		[`${SAY}&topic=bread&content=3`],
		[`${SAY}&topic=soup&content=*4*`],
		[
			poll('$queue', '0'),
			{
				events: [
					like({id: 1, message: like({content: '<p><em>2</em></p>'})}),
					like({id: 2, message: like({content: '<p><em>4</em></p>'})}),
				],
			},
		],
		[poll(), 'An event newer than -1 has already been pruned!'],
		[
			poll('$all'),
			{
				events: including({
					type: 'restart',
					id: '<integer>',
					zulip_version: '<string>',
					zulip_merge_base: '<string>',
					zulip_feature_level: 496,
					server_generation: '<integer>',
				}),
			},
		],
	],
);

acrossRestart(
	'an expired queue does not outlive a restart of the realm',
	[[TO_MESSAGES, like({queue_id: '$queue'})]],
	[{advanceMs: 601_000}, [poll(), gone('$queue')]],
);

story('getEvents', 'refuses a queue of others like an unknown one', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	['bob GET /api/v1/events?queue_id=$queue&last_event_id=-1', gone('$queue')],
]);

const GET = 'alice GET /api/v1/events';

answers('getEvents', {
	'refuses an unknown queue': [`${GET}?queue_id=nope&last_event_id=-1`, gone('nope')],
	'refuses a missing queue, without var_name': [`${GET}?last_event_id=-1`, "Missing 'queue_id' argument"],
	'refuses a missing last event, without var_name': [`${GET}?queue_id=nope`, "Missing 'last_event_id' argument"],
	'refuses last_event_id=abc': [`${GET}?queue_id=nope&last_event_id=abc`, 'last_event_id is not valid JSON'],
	'refuses last_event_id=1.5': [`${GET}?queue_id=nope&last_event_id=1.5`, 'last_event_id is not an integer'],
	'refuses last_event_id=true': [`${GET}?queue_id=nope&last_event_id=true`, 'last_event_id is not an integer'],
	'refuses last_event_id="1"': [`${GET}?queue_id=nope&last_event_id=%221%22`, 'last_event_id is not an integer'],
	'refuses dont_block=True': [`${GET}?queue_id=nope&last_event_id=-1&dont_block=True`, 'dont_block is not valid JSON'],
	'refuses dont_block=1': [`${GET}?queue_id=nope&last_event_id=-1&dont_block=1`, 'dont_block is not a boolean'],
});

story('deleteQueue', 'deletes a queue once, and not a queue of others', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	['bob DELETE /api/v1/events queue_id=$queue', gone('$queue')],
	['alice DELETE /api/v1/events queue_id=$queue', {}],
	['alice DELETE /api/v1/events queue_id=$queue', gone('$queue')],
	[poll(), gone('$queue')],
]);

story('deleteQueue', 'takes the queue from the query too, and names parameters that it does not know', [
	[TO_MESSAGES, like({queue_id: '$queue'})],
	async (t, {send}) => {
		const {body} = await send('alice DELETE /api/v1/events?queue_id=$queue');
		t.is(body, '{"result":"success","msg":""}\n');
	},
	[poll(), gone('$queue')],
	[TO_MESSAGES, like({queue_id: '$other'})],
	['alice DELETE /api/v1/events queue_id=$other&colour=red', {ignored_parameters_unsupported: ['colour']}],
]);

answers('deleteQueue', {
	'refuses an unknown queue': ['alice DELETE /api/v1/events queue_id=nope', gone('nope')],
	'refuses an empty request': ['alice DELETE /api/v1/events', missingArgument('queue_id')],
});
