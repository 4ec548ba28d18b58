import test from 'ava';
import {type OpenRealm, startRealm} from '../../../src/realm/index.js';
import {clientCalls} from '../kit/client-calls.js';
import {clientAnswered} from '../kit/raw-client.js';
import {advanceClock, at, type Json, newestMessage, signIn} from '../kit/raw-request.js';
import {httpAnswer} from '../kit/raw-server.js';
import {temporaryFile} from '../kit/scheduled-kit.js';
import {answers, type Like, like, missingArgument, play, refusal, type Step, story} from '../kit/story.js';
import {openRealmWithBot} from '../kit/webhook-kit.js';

/** 2027-01-15 08:00:00 UTC, where the clock stands. */
const NOW = {now: 1_800_000_000_000};
const storyAt8 = (operation: string, title: string, steps: readonly Step[]) => story(operation, title, steps, NOW);
const MINUTE = 60_000;
const AT_0810 = 'scheduled_delivery_timestamp=1800000600';

const POST = 'alice POST /api/v1/scheduled_messages';
const hello = (due: number) => `type=channel&to=1&topic=soup&content=Hello&scheduled_delivery_timestamp=${due}`;
const HELLO = hello(1_800_000_600);
const NOTE = `type=direct&to=[4]&content=Hello&${AT_0810}`;
const SCHEDULED = {
	scheduled_message_id: '$id',
	type: 'stream',
	to: 1,
	topic: 'soup',
	content: 'Hello',
	rendered_content: '<p>Hello</p>',
	scheduled_delivery_timestamp: 1_800_000_600,
	failed: false,
};
const SCHEDULE: Step = [`${POST} ${HELLO}`, {scheduled_message_id: '$id'}];

const lists = (...scheduled_messages: Like[]): Step => [
	'alice GET /api/v1/scheduled_messages',
	like({scheduled_messages}),
];
const listsNothing: Step = ['alice GET /api/v1/scheduled_messages', {scheduled_messages: []}];
/** The newest messages that Alice sees. */
const reads = (...messages: Like[]): Step => [
	`alice GET /api/v1/messages?anchor=newest&num_before=${messages.length}&apply_markdown=false`,
	like({messages}),
];
/** The notice that the sender gets after a failure. */
const readsNotice = (reason: string): Step =>
	reads(
		like({
			sender_email: 'notification-bot@bothy.example',
			type: 'private',
			content: `Your message that was scheduled for <time:2027-01-15T08:10:00.000Z> could not be sent:\n\n> ${reason}`,
		}),
	);
const changed = (scheduled_message: Readonly<Record<string, string | number | boolean>>) => ({
	type: 'scheduled_messages',
	op: 'update',
	scheduled_message,
});
/** Changes the database without an event or a message. startRealm() makes an OpenRealm. */
const sql =
	(statement: string): Step =>
	(_, {realm}) =>
		(realm as unknown as OpenRealm).services.store.run(statement);

const GONE = refusal('404 Not Found', 'Scheduled message does not exist');
const NOT_IN_FUTURE = 'Scheduled delivery time must be in the future.';
const UNKNOWN_TYPE = 'Invalid type: Value error, Not in the list of possible values';
const UNKNOWN_CHANNEL = refusal('400 Bad Request', "Channel with ID '4711' does not exist", {
	code: 'STREAM_DOES_NOT_EXIST',
	stream_id: 4711,
});

clientCalls('createScheduledMessage', {
	'sends a channel message as a form': [
		{
			type: 'channel',
			to: 7,
			topic: 'soup & bread',
			content: '[1] Hello, wörld!',
			scheduled_delivery_timestamp: 3_165_826_990,
			read_by_sender: true,
		},
		'POST /api/v1/scheduled_messages type=channel&to=7&topic=soup+%26+bread&content=%5B1%5D+Hello%2C+w%C3%B6rld%21&scheduled_delivery_timestamp=3165826990&read_by_sender=true',
		'"scheduled_message_id":42',
	],
	'sends user IDs as a JSON list': [
		{
			type: 'direct',
			to: [9, 10],
			content: 'x',
			scheduled_delivery_timestamp: 3_165_826_990,
		},
		'POST /api/v1/scheduled_messages type=direct&to=%5B9%2C10%5D&content=x&scheduled_delivery_timestamp=3165826990',
		'"scheduled_message_id":42',
	],
});

const LIST = `[{"scheduled_message_id":27,"to":14,"type":"stream","content":"Hi","rendered_content":"<p>Hi</p>",\
"topic":"Introduction","scheduled_delivery_timestamp":1681662420,"failed":false},\
{"scheduled_message_id":28,"to":[9,10],"type":"private","content":"Ho","rendered_content":"<p>Ho</p>",\
"scheduled_delivery_timestamp":1681662421,"failed":true,"new_field":1}]`;

clientCalls('getScheduledMessages', {
	'reads every field': [
		{},
		'GET /api/v1/scheduled_messages',
		`"scheduled_messages":${LIST}`,
		{scheduled_messages: JSON.parse(LIST)},
	],
});

test('getScheduledMessages: the client throws for an answer without the list', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await t.throwsAsync(client.getScheduledMessages(), {name: 'ResponseError'});
});

clientCalls('updateScheduledMessage', {
	'writes the ID in the path and what changes in a form': [
		{
			scheduled_message_id: 27,
			type: 'direct',
			to: [9],
			topic: 'x',
			content: 'Hi & ho',
			scheduled_delivery_timestamp: 3_165_826_990,
		},
		'PATCH /api/v1/scheduled_messages/27 type=direct&to=%5B9%5D&topic=x&content=Hi+%26+ho&scheduled_delivery_timestamp=3165826990',
	],
	'sends only what it is given': [{scheduled_message_id: 27, to: 7}, 'PATCH /api/v1/scheduled_messages/27 to=7'],
});

clientCalls('deleteScheduledMessage', {
	'writes the ID in the path and no form': [{scheduled_message_id: 27}, 'DELETE /api/v1/scheduled_messages/27'],
});

for (const type of ['channel', 'stream']) {
	storyAt8(
		'createScheduledMessage',
		`schedules a message of the type ${type} and tells the clients of its sender alone`,
		[
			{listen: 'alice', to: 'scheduled_messages'},
			{listen: 'bob', to: 'scheduled_messages'},
			[`${POST} type=${type}&to=1&topic=+soup+&content=*Hello*+&${AT_0810}`, {scheduled_message_id: '$id'}],
			[
				'alice GET /api/v1/scheduled_messages',
				{scheduled_messages: [{...SCHEDULED, content: '*Hello*', rendered_content: '<p><em>Hello</em></p>'}]},
			],
			{
				heard: 'alice',
				events: [
					{
						type: 'scheduled_messages',
						op: 'add',
						scheduled_messages: [{...SCHEDULED, content: '*Hello*', rendered_content: '<p><em>Hello</em></p>'}],
					},
				],
			},
			{heard: 'bob', events: []},
			['bob GET /api/v1/scheduled_messages', {scheduled_messages: []}],
		],
	);
}

const {topic: _topic, ...DIRECT} = {...SCHEDULED, type: 'private', to: [5, 6]};

for (const type of ['direct', 'private']) {
	storyAt8('createScheduledMessage', `schedules a message of the type ${type} to the others, without topic`, [
		[`${POST} type=${type}&to=[6,4,5]&topic=ignored&content=Hello&${AT_0810}`, {scheduled_message_id: '$id'}],
		['alice GET /api/v1/scheduled_messages', {scheduled_messages: [DIRECT]}],
	]);
}

storyAt8('createScheduledMessage', 'schedules a note to oneself, and names parameters that it does not know', [
	[`${POST} ${NOTE}&queue_id=q`, {scheduled_message_id: '$id', ignored_parameters_unsupported: ['queue_id']}],
	lists(like({to: [4]})),
]);

storyAt8('createScheduledMessage', 'reads the old name of the topic, but not both names', [
	[`${POST} type=channel&to=1&content=x&${AT_0810}&subject=soup`],
	[
		`${POST} type=channel&to=1&content=x&${AT_0810}&subject=soup&topic=soup`,
		refusal('400 Bad Request', "Can't decide between 'topic' and 'subject' arguments", {
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'topic',
			var_name2: 'subject',
		}),
	],
	lists(like({topic: 'soup'})),
]);

storyAt8('createScheduledMessage', 'sends a message at the first whole minute of its time, under a new ID', [
	[`${POST} ${hello(1_800_000_601)}`, {scheduled_message_id: '$id'}],
	{listen: 'alice', to: 'scheduled_messages'},
	reads(like({id: '$before'})),
	{advanceMs: 10 * MINUTE + 59_999},
	reads(like({id: '$before'})),
	lists(like({scheduled_message_id: '$id'})),
	{heard: 'alice', events: []},
	{advanceMs: 1},
	reads(like({id: '$sent', content: 'Hello', sender_id: 4, stream_id: 1, subject: 'soup', timestamp: 1_800_000_660})),
	(t, {names}) => t.true(Number(names.get('sent')) > Number(names.get('before'))),
	listsNothing,
	{heard: 'alice', events: [{type: 'scheduled_messages', op: 'remove', scheduled_message_id: '$id'}]},
]);

storyAt8('createScheduledMessage', 'sends messages in the order of their times; a jump of the clock makes none late', [
	[`${POST} type=direct&to=[4]&content=second&scheduled_delivery_timestamp=1800007200`],
	[`${POST} type=channel&to=1&topic=x&content=first&scheduled_delivery_timestamp=1800003600`],
	{advanceMs: 1440 * MINUTE},
	reads(like({type: 'stream', content: 'first'}), like({type: 'private', content: 'second'})),
	listsNothing,
]);

storyAt8(
	'createScheduledMessage',
	'starts a message as read if asked to, or if a full client scheduled it for others',
	[
		[`${POST} ${HELLO}&client=website`],
		[`${POST} ${HELLO}&client=Bothy`],
		[`${POST} ${NOTE}&client=website`],
		[`${POST} ${HELLO}&read_by_sender=true`],
		[`${POST} ${HELLO}&client=website&read_by_sender=false`],
		{advanceMs: 10 * MINUTE},
		reads(
			like({type: 'stream', flags: ['read']}),
			like({type: 'stream', flags: []}),
			like({type: 'private', flags: []}),
			like({type: 'stream', flags: ['read']}),
			like({type: 'stream', flags: []}),
		),
	],
);

test('createScheduledMessage: a scheduled message calls a bot when it is sent, and not before', async t => {
	const nothing = httpAnswer('200 OK', '{"response_not_required":true}');
	const {realm, receiver, alice} = await openRealmWithBot(t, nothing);
	await alice.post('/api/v1/scheduled_messages', `type=channel&to=1&topic=x&content=%40**Echo**+soup&${AT_0810}`);
	await realm.webhooksDone();
	t.is(receiver.count, 0);

	await advanceClock(realm, 10 * MINUTE);

	const body = JSON.parse((await receiver.request()).body) as Json;
	t.is(at(body, 'trigger'), 'mention');
	t.is(at(body, 'data'), '@**Echo** soup');
	t.is(at(body, 'message', 'id'), at(await newestMessage(alice), 'id'));
});

storyAt8('createScheduledMessage', 'serves bots too', [
	[`echo-bot POST /api/v1/scheduled_messages ${HELLO}`],
	{advanceMs: 10 * MINUTE},
	reads(like({sender_email: 'echo-bot@bothy.example', content: 'Hello'})),
]);

/** The message of 08:10 is scheduled at 08:00, and the realm is away until `now`. */
function later(title: string, now: number, steps: readonly Step[]): void {
	test(`createScheduledMessage: ${title}`, async t => {
		const file = await temporaryFile(t);
		const first = await startRealm({file, port: 0, ...NOW});
		await (await signIn(t, 'alice', first)).post('/api/v1/scheduled_messages', HELLO);
		await first.close();

		await play(t, steps, {file, now});
	});
}

later('the next realm sends a scheduled message', NOW.now, [
	lists(like({content: 'Hello'})),
	{advanceMs: 10 * MINUTE},
	reads(like({content: 'Hello'})),
	listsNothing,
]);
later('a realm that is up to ten minutes late sends a message at once', NOW.now + 20 * MINUTE, [
	reads(like({content: 'Hello'})),
	listsNothing,
]);
later('a message that is more than ten minutes late fails, and its sender is told', NOW.now + 20 * MINUTE + 1000, [
	lists(like({content: 'Hello', failed: true})),
	readsNotice('Message could not be sent at the scheduled time.'),
]);

storyAt8(
	'createScheduledMessage',
	'tells of a failure and does not try again, when the channel is archived by its time',
	[
		SCHEDULE,
		{listen: 'alice', to: 'scheduled_messages'},
		['olivia DELETE /api/v1/streams/1', {}],
		{advanceMs: 10 * MINUTE},
		lists(like({...SCHEDULED, failed: true})),
		readsNotice("Not authorized to send to channel 'general'"),
		['olivia PATCH /api/v1/streams/1 is_archived=false', {}],
		{advanceMs: 5 * MINUTE},
		lists(like({...SCHEDULED, failed: true})),
		{heard: 'alice', events: [changed({...SCHEDULED, failed: true})]},
	],
);

storyAt8('createScheduledMessage', 'fails when the recipient is deactivated by its time', [
	[`${POST} type=direct&to=[5]&content=Hello&${AT_0810}`],
	['olivia DELETE /api/v1/users/5', {}],
	{advanceMs: 10 * MINUTE},
	lists(like({failed: true})),
	readsNotice("'bob@bothy.example' is no longer using Zulip."),
]);

for (const [who, deactivate, reactivate] of [
	['sender', 'UPDATE accounts SET is_active = 0 WHERE id = 4', 'UPDATE accounts SET is_active = 1 WHERE id = 4'],
	['organization', 'UPDATE organization SET deactivated = 1', 'UPDATE organization SET deactivated = 0'],
] as const) {
	storyAt8('createScheduledMessage', `fails silently when the ${who} is deactivated by its time`, [
		SCHEDULE,
		{listen: 'alice', to: 'scheduled_messages'},
		reads(like({id: '$newest'})),
		sql(deactivate),
		{advanceMs: 10 * MINUTE},
		sql(reactivate),
		lists(like({failed: true})),
		{heard: 'alice', events: []},
		reads(like({id: '$newest'})),
	]);
}

story(
	'createScheduledMessage',
	'schedules for streams alone at feature level 247',
	[
		[`${POST} ${HELLO}`, UNKNOWN_TYPE],
		[`${POST} ${HELLO.replace('channel', 'stream')}`, {scheduled_message_id: '<integer>'}],
	],
	{...NOW, featureLevel: 247},
);

const FUTURE = 'scheduled_delivery_timestamp=4102444800';

answers('createScheduledMessage', {
	'refuses a missing type first below level 442': [`${POST} content=x`, missingArgument('type'), {featureLevel: 339}],
	'refuses missing content before all else': [`${POST} type=x&to=x`, missingArgument('content')],
	'refuses a bad read_by_sender before a missing recipient': [
		`${POST} content=x&read_by_sender=yes`,
		'read_by_sender is not valid JSON',
	],
	'refuses a missing recipient before a bad type': [`${POST} content=x&type=x`, missingArgument('to')],
	'refuses a name as recipient': [
		`${POST} type=channel&to=general&topic=x&content=x&${FUTURE}`,
		'to is not valid JSON',
	],
	'refuses a quoted name as recipient': [
		`${POST} type=channel&to="general"&topic=x&content=x&${FUTURE}`,
		'to["int"] is not an integer',
	],
	'refuses a missing type': [`${POST} content=x&to=[1]`, missingArgument('type')],
	'refuses an unknown type before a missing time': [`${POST} content=x&to=[1]&type=topic`, UNKNOWN_TYPE],
	'refuses a missing time': [`${POST} content=x&to=[1]&type=direct`, missingArgument('scheduled_delivery_timestamp')],
	'refuses a time that is no number': [
		`${POST} content=x&to=[1]&type=direct&scheduled_delivery_timestamp=soon`,
		'scheduled_delivery_timestamp is not valid JSON',
	],
	'refuses a time with a fraction': [
		`${POST} content=x&to=[1]&type=direct&scheduled_delivery_timestamp=4102444800.5`,
		'scheduled_delivery_timestamp is not an integer',
	],
	'refuses a list of channels': [
		`${POST} type=channel&to=[1]&topic=x&content=x&${FUTURE}`,
		'Invalid data type for channel ID',
	],
	'refuses a number for people': [`${POST} type=direct&to=1&content=x&${FUTURE}`, 'Invalid data type for recipients'],
	'refuses an empty list of people': [`${POST} type=direct&to=[]&content=x&${FUTURE}`, 'Message must have recipients'],
	'refuses an unknown user before empty content': [
		`${POST} type=direct&to=[4711]&content=&${FUTURE}`,
		'Invalid user ID 4711',
	],
	'refuses a missing topic': [`${POST} type=channel&to=1&content=x&${FUTURE}`, 'Missing topic'],
	'refuses empty content before an unknown channel': [
		`${POST} type=channel&to=4711&topic=x&content=+&${FUTURE}`,
		'Message must not be empty',
	],
	'refuses an unknown channel': [`${POST} type=channel&to=4711&topic=x&content=x&${FUTURE}`, UNKNOWN_CHANNEL],
	'refuses an archived channel': [
		`${POST} type=channel&to=5&content=x&topic=x&${FUTURE}`,
		"Not authorized to send to channel 'attic'",
	],
	'refuses a channel in which only moderators may post': [
		`${POST} type=channel&to=3&content=x&topic=x&${FUTURE}`,
		'You do not have permission to post in this channel.',
	],
	'refuses a topic with a control character': [
		`${POST} type=channel&to=1&content=x&topic=a%07&${FUTURE}`,
		'Invalid character in topic, at position 2!',
	],
});

storyAt8('createScheduledMessage', 'refuses the present and the past before an unknown recipient', [
	[`${POST} content=x&to=[4711]&type=direct&scheduled_delivery_timestamp=1800000000`, NOT_IN_FUTURE],
	[`${POST} content=x&to=[4711]&type=direct&scheduled_delivery_timestamp=1527921326`, NOT_IN_FUTURE],
]);

storyAt8('getScheduledMessages', "lists one's own messages in the order of their times", [
	listsNothing,
	[`${POST} ${hello(1_800_000_900)}`, {scheduled_message_id: '$last'}],
	[`${POST} type=direct&to=[5,6]&content=Hello&${AT_0810}`, {scheduled_message_id: '$id'}],
	[
		`${POST} type=stream&to=1&topic=&content=Hello&scheduled_delivery_timestamp=1800000800`,
		{scheduled_message_id: '$middle'},
	],
	[`bob POST /api/v1/scheduled_messages ${HELLO}`],
	[
		'alice GET /api/v1/scheduled_messages',
		{
			scheduled_messages: [
				DIRECT,
				{
					...SCHEDULED,
					scheduled_message_id: '$middle',
					topic: '',
					scheduled_delivery_timestamp: 1_800_000_800,
				},
				{...SCHEDULED, scheduled_message_id: '$last', scheduled_delivery_timestamp: 1_800_000_900},
			],
		},
	],
	[
		'bob POST /api/v1/register event_types=["scheduled_messages"]',
		like({scheduled_messages: [like({content: 'Hello', to: 1})]}),
	],
	['carla POST /api/v1/register', like({scheduled_messages: []})],
]);

const PATCH = 'alice PATCH /api/v1/scheduled_messages/$id';

storyAt8(
	'updateScheduledMessage',
	'changes text and time, tells the other clients, and names parameters that it does not know',
	[
		SCHEDULE,
		{listen: 'alice', to: 'scheduled_messages'},
		[`${PATCH} content=*Bye*&scheduled_delivery_timestamp=1800001200`, {}],
		[
			'alice GET /api/v1/scheduled_messages',
			{
				scheduled_messages: [
					{
						...SCHEDULED,
						content: '*Bye*',
						rendered_content: '<p><em>Bye</em></p>',
						scheduled_delivery_timestamp: 1_800_001_200,
					},
				],
			},
		],
		{
			heard: 'alice',
			events: [
				changed({
					...SCHEDULED,
					content: '*Bye*',
					rendered_content: '<p><em>Bye</em></p>',
					scheduled_delivery_timestamp: 1_800_001_200,
				}),
			],
		},
		[`${PATCH} content=x&read_by_sender=true`, {ignored_parameters_unsupported: ['read_by_sender']}],
	],
);

storyAt8('updateScheduledMessage', 'sends a message as it is then, at its new time and not at its old one', [
	SCHEDULE,
	reads(like({id: '$newest'})),
	[`${PATCH} topic=bread&content=Bye&scheduled_delivery_timestamp=1800001200&client=Pen`, {}],
	{advanceMs: 10 * MINUTE},
	reads(like({id: '$newest'})),
	lists(like({scheduled_message_id: '$id'})),
	[`${PATCH} scheduled_delivery_timestamp=1800000900&client=Pen`, {}],
	{advanceMs: 5 * MINUTE},
	reads(like({content: 'Bye', subject: 'bread', client: 'Pen'})),
	[`${PATCH} content=x&scheduled_delivery_timestamp=1800006000`, 'Scheduled message was already sent'],
]);

storyAt8('updateScheduledMessage', 'moves a message to another place, and back', [
	SCHEDULE,
	[`${PATCH} to=2`, {}],
	lists(like({to: 2, topic: 'soup'})),
	[`${PATCH} subject=bread`, {}],
	lists(like({to: 2, topic: 'bread'})),
	[`${PATCH} type=direct&to=[5,6]`, {}],
	['alice GET /api/v1/scheduled_messages', {scheduled_messages: [DIRECT]}],
	[`${PATCH} topic=ignored`, {}],
	['alice GET /api/v1/scheduled_messages', {scheduled_messages: [DIRECT]}],
	[`${PATCH} type=channel&to=2&topic=general+chat`, {}],
	['alice GET /api/v1/scheduled_messages', {scheduled_messages: [{...SCHEDULED, to: 2, topic: ''}]}],
]);

storyAt8('updateScheduledMessage', 'makes a message that failed pending again with a new time', [
	SCHEDULE,
	['olivia DELETE /api/v1/streams/1', {}],
	{advanceMs: 10 * MINUTE},
	['olivia PATCH /api/v1/streams/1 is_archived=false', {}],
	[`${PATCH} content=Bye`, NOT_IN_FUTURE],
	lists(like({content: 'Hello', failed: true})),
	[`${PATCH} scheduled_delivery_timestamp=1800001200`, {}],
	lists(like({failed: false})),
	{advanceMs: 10 * MINUTE},
	reads(like({type: 'stream', content: 'Hello'})),
	listsNothing,
]);

storyAt8('updateScheduledMessage', 'changes nothing and tells nobody when it refuses', [
	SCHEDULE,
	{listen: 'alice', to: 'scheduled_messages'},
	[`${PATCH} to=5&content=Bye&scheduled_delivery_timestamp=1800000900`, "Not authorized to send to channel 'attic'"],
	['bob PATCH /api/v1/scheduled_messages/$id content=Bye', GONE],
	[PATCH, 'Nothing to change'],
	[`${PATCH} type=direct`, 'Recipient required when updating type of scheduled message.'],
	[`${PATCH} type=channel&to=1`, 'Topic required when updating scheduled message type to channel.'],
	[`${PATCH} type=topic&to=1`, UNKNOWN_TYPE],
	[`${PATCH} scheduled_delivery_timestamp="4102444800"`, 'scheduled_delivery_timestamp is not an integer'],
	[`${PATCH} to=[1]`, 'Invalid data type for channel ID'],
	[`${PATCH} type=direct&to=1`, 'Invalid data type for recipients'],
	[`${PATCH} to=4711`, UNKNOWN_CHANNEL],
	[`${PATCH} content=`, 'Message must not be empty'],
	lists(like(SCHEDULED)),
	{heard: 'alice', events: []},
]);

answers('updateScheduledMessage', {
	'refuses an empty request before an unknown message': [
		'alice PATCH /api/v1/scheduled_messages/4711',
		'Nothing to change',
	],
	'refuses the past before an unknown message': [
		'alice PATCH /api/v1/scheduled_messages/4711 scheduled_delivery_timestamp=1527921326',
		NOT_IN_FUTURE,
	],
	'refuses an unknown message': ['alice PATCH /api/v1/scheduled_messages/4711 content=x', GONE],
	'refuses an ID that is none': [
		'alice PATCH /api/v1/scheduled_messages/x content=x',
		refusal('404 Not Found', 'Not found'),
	],
});

storyAt8('deleteScheduledMessage', 'tells of it and never sends the message, but sends those after it', [
	SCHEDULE,
	[`${POST} ${hello(1_800_001_200)}`, {scheduled_message_id: '$next'}],
	{listen: 'alice', to: 'scheduled_messages'},
	reads(like({id: '$newest'})),
	['bob DELETE /api/v1/scheduled_messages/$id', GONE],
	['alice DELETE /api/v1/scheduled_messages/$id', {}],
	['alice DELETE /api/v1/scheduled_messages/$id', GONE],
	lists(like({scheduled_message_id: '$next'})),
	{heard: 'alice', events: [{type: 'scheduled_messages', op: 'remove', scheduled_message_id: '$id'}]},
	{advanceMs: 10 * MINUTE},
	reads(like({id: '$newest'})),
	{advanceMs: 10 * MINUTE},
	reads(like({content: 'Hello'})),
	listsNothing,
]);

storyAt8('deleteScheduledMessage', 'deletes a message that failed', [
	SCHEDULE,
	['olivia DELETE /api/v1/streams/1', {}],
	{advanceMs: 10 * MINUTE},
	lists(like({failed: true})),
	['alice DELETE /api/v1/scheduled_messages/$id', {}],
	listsNothing,
]);

answers('deleteScheduledMessage', {
	'refuses an unknown message': ['alice DELETE /api/v1/scheduled_messages/4711', GONE],
});
