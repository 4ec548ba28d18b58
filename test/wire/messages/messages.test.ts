// Messages that are sent, and texts that are only rendered.

import test from 'ava';
import {clientCalls} from '../kit/client-calls.js';
import {at, newestMessage, signIn} from '../kit/raw-request.js';
import {each, like, missingArgument, refusal, type Step, story} from '../kit/story.js';

const SENT = '"id":42';

clientCalls('sendMessage', {
	'writes strings as they are': [
		{type: 'channel', to: 'general', topic: '"lunch" & more', content: '[1] Hello, wörld!'},
		'POST /api/v1/messages type=channel&to=general&topic=%22lunch%22+%26+more&content=%5B1%5D+Hello%2C+w%C3%B6rld%21',
		SENT,
	],
	'writes the ID of a channel as a number': [
		{type: 'channel', to: 7, content: 'x'},
		'POST /api/v1/messages type=channel&to=7&content=x',
		SENT,
	],
	'quotes a channel named by digits': [
		{type: 'channel', to: '7', content: 'x'},
		'POST /api/v1/messages type=channel&to=%227%22&content=x',
		SENT,
	],
	'writes user IDs as a JSON list': [
		{type: 'direct', to: [9, 10], content: 'x'},
		'POST /api/v1/messages type=direct&to=%5B9%2C10%5D&content=x',
		SENT,
	],
	'writes emails as a JSON list': [
		{type: 'direct', to: ['ann@x.example', 'bob@x.example'], content: 'x'},
		'POST /api/v1/messages type=direct&to=%5B%22ann%40x.example%22%2C%22bob%40x.example%22%5D&content=x',
		SENT,
	],
	'writes booleans as JSON and local IDs as they are, and reads the automatic policy': [
		{
			type: 'direct',
			to: [9],
			content: 'x',
			queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8',
			local_id: '12.01',
			read_by_sender: false,
		},
		'POST /api/v1/messages type=direct&to=%5B9%5D&content=x&queue_id=fb67bf8a-c031-47cc-84cf-ed80accacda8&local_id=12.01&read_by_sender=false',
		'"id":42,"automatic_new_visibility_policy":3',
	],
});

clientCalls('renderMessage', {
	'writes the text, and reads the HTML': [
		{content: '**foo** & more'},
		'POST /api/v1/messages/render content=**foo**+%26+more',
		'"rendered":"<p><b>foo</b></p>"',
	],
});

const NEWEST = '/api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&allow_empty_topic_name=true';

/** Alice sends each of these forms, and then somebody reads the newest message. */
const stores = (reader: string, rows: ReadonlyArray<readonly [form: string, fields: Parameters<typeof like>[0]]>) =>
	rows.flatMap(([form, fields], n): Step[] => [
		[`alice POST /api/v1/messages ${form}`, like({id: `$${reader}${n}`})],
		[`${reader} GET ${NEWEST}`, like({messages: [like({id: `$${reader}${n}`, ...fields})]})],
	]);

// service-facts.md 7.7, with the default of 6.1: people follow the topics that they start.
story('sendMessage', 'answers the ID, and that a topic is followed which a human starts', [
	['echo-bot POST /api/v1/messages type=channel&to=general&topic=lunch&content=Hello', {id: '<integer>'}],
	[
		'alice POST /api/v1/messages type=channel&to=general&topic=brand+new&content=Hello',
		{id: '<integer>', automatic_new_visibility_policy: 3},
	],
	[
		'alice POST /api/v1/messages?zoo=1 type=channel&to=general&topic=lunch&content=x&client=Me&colour=red&apple=1',
		{id: '<integer>', ignored_parameters_unsupported: ['apple', 'colour', 'zoo']},
	],
]);

const [X, TO_GENERAL] = ['&topic=x&content=x', 'type=channel&to=general&'];

story(
	'sendMessage',
	'stores place and text of a channel message, cleaned and cut',
	stores('alice', [
		['type=channel&to=general&topic=lunch+%26+more&content=w%C3%B6rld', {subject: 'lunch & more', content: 'wörld'}],
		['type=channel&to=general&subject=old+name&content=x', {type: 'stream', subject: 'old name'}],
		['type=stream&to=general&subject=old+name&content=x', {type: 'stream', subject: 'old name'}],
		[`type=channel&to=general${X}`, {stream_id: 1, client: 'Unspecified'}],
		[`type=channel&to=+GENERAL+${X}&client=Tester`, {stream_id: 1, client: 'Tester'}],
		[`type=channel&to=%22general%22${X}`, {stream_id: 1}],
		[`type=channel&to=1${X}`, {stream_id: 1}],
		[`type=channel&to=%5B%22general%22%5D${X}`, {stream_id: 1}],
		[`type=channel&to=%5B1%5D${X}`, {stream_id: 1}],
		[`${TO_GENERAL}topic=x&content=%0A%0A++text+%0A+`, {content: '  text'}],
		[`${TO_GENERAL}topic=x&content=${'a'.repeat(10_001)}`, {content: `${'a'.repeat(9980)}\n[message truncated]`}],
		[`${TO_GENERAL}topic=x&content=${'a'.repeat(10_000)}`, {content: 'a'.repeat(10_000)}],
		[`${TO_GENERAL}topic=${'a'.repeat(61)}&content=x`, {subject: `${'a'.repeat(57)}...`}],
		[`${TO_GENERAL}topic=+lunch+&content=x`, {subject: 'lunch'}],
		[`${TO_GENERAL}topic=%22a%22&content=x`, {subject: '"a"'}],
		[`${TO_GENERAL}topic=%28no+topic%29&content=x`, {subject: ''}],
		[`${TO_GENERAL}topic=general+chat&content=x`, {subject: ''}],
		[`${TO_GENERAL}topic=&content=x`, {subject: ''}],
	]),
);

const ALICE = {id: 4, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false};
const BOB = {id: 5, email: 'bob@bothy.example', full_name: 'Bob Birk', is_mirror_dummy: false};

story('sendMessage', 'reads the recipients of a direct message in every form, and adds the sender', [
	...stores(
		'bob',
		[
			'type=direct&to=%5B5%5D&topic=ignored',
			'type=private&to=%5B4,5,5%5D&topic=ignored',
			'type=direct&to=%5B%22bob%40bothy.example%22%5D',
			'type=direct&to=alice%40bothy.example,bob%40bothy.example',
			'type=direct&to=%22alice%40bothy.example,bob%40bothy.example%22',
			'type=direct&to=BOB%40BOTHY.EXAMPLE',
		].map(form => [`${form}&content=x`, {type: 'private', subject: '', display_recipient: [ALICE, BOB]}]),
	),
	...stores('alice', [['type=private&to=%5B4%5D&content=note', {display_recipient: [ALICE]}]]),
]);

story(
	'sendMessage',
	'names the client by its user agent, and a full client has read what it sends',
	[
		{agent: 'Bothy/1.2.3', form: '', client: 'Bothy', flags: []},
		{agent: 'Bothy/1.2.3', form: '&read_by_sender=true', client: 'Bothy', flags: ['read']},
		{agent: 'ZulipPython/0.9.0 (Linux; 6.1)', form: '', client: 'ZulipPython', flags: []},
		{agent: `${'a'.repeat(31)}/1`, form: '', client: 'a'.repeat(30), flags: []},
		{agent: 'zulipmobile/28', form: '', client: 'zulipmobile', flags: ['read']},
		{agent: 'ZulipMobile/28', form: '&read_by_sender=false', client: 'ZulipMobile', flags: []},
	].map(
		({agent, form, client, flags}): Step =>
			async (t, {who}) => {
				const alice = await who('alice');
				await alice.post('/api/v1/messages', `${TO_GENERAL}topic=x&content=x${form}`, [`User-Agent: ${agent}`]);
				const message = await newestMessage(alice);
				t.deepEqual({client: at(message, 'client'), flags: at(message, 'flags')}, {client, flags}, agent + form);
			},
	),
);

const noChannel = (msg: string, fields: {[key: string]: string | number}) =>
	refusal('400 Bad Request', msg, {code: 'STREAM_DOES_NOT_EXIST', ...fields});

story(
	'sendMessage',
	'refuses a missing type first below level 442',
	each('alice POST /api/v1/messages ', {
		'': missingArgument('type'),
		'type=pigeon': 'Invalid type',
		'type=channel&to=general': missingArgument('content'),
	}),
	{featureLevel: 339},
);

story('sendMessage', 'refuses parameters that are missing or wrong', [
	[`alice GET ${NEWEST}`, like({messages: [like({id: '$last'})]})],
	...each('alice POST /api/v1/messages ', {
		'to=general': missingArgument('content'),
		'content=x&to=general': missingArgument('type'),
		'content=x&type=carrier+pigeon&to=general': 'Invalid type',
		'content=x&read_by_sender=True': 'read_by_sender is not valid JSON',
		'content=x&read_by_sender=1&type=channel&to=general&topic=x': 'read_by_sender is not a boolean',
		'content=x&type=channel&to=general': 'Missing topic',
		'content=x&type=channel&topic=x': 'Missing channel',
		'content=x&type=channel&to=%22+%22&topic=x': "Channel name can't be empty.",
		'content=x&type=direct': 'Message must have recipients',
		'content=x&type=direct&to=%5B%5D': 'Message must have recipients',
		'content=x&type=channel&to=general&topic=a&subject=b': refusal(
			'400 Bad Request',
			"Can't decide between 'topic' and 'subject' arguments",
			{code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject'},
		),
		'content=x&type=channel&to=nope&topic=x': noChannel("Channel 'nope' does not exist", {stream: 'nope'}),
		'content=x&type=channel&to=a%3Cb&topic=x': noChannel("Channel 'a&lt;b' does not exist", {stream: 'a&lt;b'}),
		'content=x&type=channel&to=4711&topic=x': noChannel("Channel with ID '4711' does not exist", {stream_id: 4711}),
		'content=x&type=channel&to=%5B%22general%22,%22lunch%22%5D&topic=x': 'Expected exactly one channel',
		'content=x&type=channel&to=%5B%5D&topic=x': 'Expected exactly one channel',
		'content=x&type=channel&to=%7B%7D&topic=x': 'Invalid data type for channel',
		'content=x&type=channel&to=true&topic=x': 'Invalid data type for channel',
		'content=x&type=direct&to=9': 'Invalid data type for recipients',
		'content=x&type=direct&to=%5B1,%22bob%40bothy.example%22%5D':
			'Recipient lists may contain emails or user IDs, but not both.',
		'content=x&type=direct&to=%5B4711%5D': 'Invalid user ID 4711',
		'content=x&type=direct&to=nobody%40bothy.example': "Invalid email 'nobody@bothy.example'",
		'content=a%00b&type=channel&to=general&topic=x': 'Message must not contain null bytes',
		'content=x&type=channel&to=general&topic=ab%07': 'Invalid character in topic, at position 3!',
		'content=x&type=channel&to=announcements&topic=x': 'You do not have permission to post in this channel.',
		'content=x&type=channel&to=staff&topic=x': "Not authorized to send to channel 'staff'",
		'content=x&type=channel&to=general&topic=x&widget_content=%7B': 'Widgets: API programmer sent invalid JSON content',
		// What comes first when two things are wrong.
		'content=+&type=direct&to=%5B4711%5D': 'Invalid user ID 4711',
		'content=+%0A&type=channel&to=nope&topic=x': 'Message must not be empty',
		'content=&type=channel&to=nope': 'Missing topic',
	}),
	['olivia POST /api/v1/messages content=x&type=channel&to=attic&topic=x', "Not authorized to send to channel 'attic'"],
	[`alice GET ${NEWEST}`, like({messages: [like({id: '$last'})]})],
	['adam DELETE /api/v1/users/5', {}],
	['alice POST /api/v1/messages content=x&type=direct&to=[5]', "'bob@bothy.example' is no longer using Zulip."],
]);

story('sendMessage', 'refuses a new topic to people who may only write in old ones', [
	['adam PATCH /api/v1/streams/1 can_create_topic_group={"new":5}', {}],
	['alice POST /api/v1/messages content=x&type=channel&to=general&topic=WELCOME', like({id: '<integer>'})],
	[
		'alice POST /api/v1/messages content=x&type=channel&to=general&topic=other',
		'You do not have permission to create new topics in this channel.',
	],
]);

const NO_TOPIC_WILDCARD = refusal(
	'400 Bad Request',
	'You do not have permission to use topic wildcard mentions in this topic.',
	{code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'},
);
const CALL_CROWD = 'POST /api/v1/messages content=%40**topic**&type=channel&to=general&topic=crowd';

story('sendMessage', 'lets administrators alone call a topic in which more than 15 people write or react', [
	...Array.from(
		{length: 15},
		(_, n): Step => [
			`bot${n}-bot POST /api/v1/messages content=x&type=channel&to=general&topic=crowd`,
			{id: `$of${n}`},
		],
	),
	['bob POST /api/v1/messages/$of14/reactions emoji_name=tada', {}],
	[`alice ${CALL_CROWD}`, NO_TOPIC_WILDCARD],
	['bob DELETE /api/v1/messages/$of14/reactions emoji_name=tada', {}],
	[`alice ${CALL_CROWD}`, like({id: '<integer>'})],
	[`bob ${CALL_CROWD}`, NO_TOPIC_WILDCARD],
	[`adam ${CALL_CROWD}`, like({id: '<integer>'})],
]);

const NO_CHANNEL_WILDCARD = refusal(
	'400 Bad Request',
	'You do not have permission to use channel wildcard mentions in this channel.',
	{code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'},
);

// The plaza has 16 subscribers.
story('sendMessage', 'lets administrators alone call a channel of more than 15 people, others only silently', [
	...each('carla POST /api/v1/messages type=channel&to=plaza&topic=band&content=', {
		'%40**all**': NO_CHANNEL_WILDCARD,
		'%40**everyone**': NO_CHANNEL_WILDCARD,
		'%40**channel**': NO_CHANNEL_WILDCARD,
		'%40**stream**': NO_CHANNEL_WILDCARD,
		'%40**all**&widget_content=%7B': 'Widgets: API programmer sent invalid JSON content',
		'%40**all**+%40*board*': NO_CHANNEL_WILDCARD,
		'%40*board*': "You are not allowed to mention user group 'board'.",
		'%40_**all**': like({id: '<integer>'}),
		'%60%40**all**%60': like({id: '<integer>'}),
	}),
	...each('adam POST /api/v1/messages type=channel&to=plaza&topic=band&content=', {
		'%40**all**': like({id: '<integer>'}),
		'%40**everyone**': like({id: '<integer>'}),
		'%40**channel**': like({id: '<integer>'}),
		'%40**stream**': like({id: '<integer>'}),
	}),
	['dora DELETE /api/v1/users/me/subscriptions subscriptions=["plaza"]'],
	['carla POST /api/v1/messages type=channel&to=plaza&topic=band&content=%40**all**', like({id: '<integer>'})],
	['carla POST /api/v1/messages type=direct&to=[5]&content=%40**all**+%40**topic**', {id: '<integer>'}],
]);

const localIds = (reader: string, queue: string, first?: string): Step => [
	`${reader} GET /api/v1/events?queue_id=$${queue}&last_event_id=-1&dont_block=true`,
	like({events: [first, undefined, undefined, undefined].map(id => like({type: 'message', local_message_id: id}))}),
];

story('sendMessage', 'gives the local ID back in the queue that was named, and in no other', [
	['alice POST /api/v1/register event_types=["message"]', like({queue_id: '$named'})],
	['alice POST /api/v1/register event_types=["message"]', like({queue_id: '$other'})],
	['bob POST /api/v1/register event_types=["message"]', like({queue_id: '$foreign'})],
	...each('alice POST /api/v1/messages content=x&type=channel&to=general&topic=welcome&', {
		'queue_id=$named&local_id=%227.01%22': {id: '<integer>'},
		'queue_id=$named': {id: '<integer>'},
		'local_id=7.02': {id: '<integer>'},
		'queue_id=$foreign&local_id=7.03': {id: '<integer>'},
	}),
	localIds('alice', 'named', '"7.01"'),
	localIds('alice', 'other'),
	localIds('bob', 'foreign'),
]);

const WIDGET =
	'{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "Soup?", "choices": [{"short_name": "A", "long_name": "Yes", "reply": "yes"}]}}';

const sent = (content: string, widget = '') =>
	`alice POST /api/v1/messages type=channel&to=general&topic=w&content=${encodeURIComponent(content)}${widget && `&widget_content=${encodeURIComponent(widget)}`}`;
const zform = (extra: string) => `{"widget_type":"zform","extra_data":${extra}}`;

story('sendMessage', 'makes widgets of /poll and /todo, and keeps what a form has besides', [
	...Object.entries({
		'/poll': '{"widget_type": "poll", "extra_data": {"question": "", "options": []}}',
		'/poll\nx\n- y\n\n*z': '{"widget_type": "poll", "extra_data": {"question": "", "options": ["x", "y", "z"]}}',
		'/poll Süß?\n -  a,"b"':
			'{"widget_type": "poll", "extra_data": {"question": "S\\u00fc\\u00df?", "options": ["a,\\"b\\""]}}',
		'/todo\n- a: b: c\nd:e':
			'{"widget_type": "todo", "extra_data": {"task_list_title": "", "tasks": [{"task": "a", "desc": "b: c"}, {"task": "d:e", "desc": ""}]}}',
	}).flatMap(([content, widget]) => [
		[sent(content), like({id: '<integer>'})] as const,
		[`alice GET ${NEWEST}`, like({messages: [like({submessages: [like({content: widget})]})]})] as const,
	]),
	[sent('/pollen'), like({id: '<integer>'})],
	[`alice GET ${NEWEST}`, like({messages: [like({submessages: []})]})],
	[sent('x', zform('{"type":"choices","heading":"","choices":[],"more":1}')), like({id: '<integer>'})],
	[
		`alice GET ${NEWEST}`,
		like({
			messages: [
				like({
					submessages: [
						like({
							content:
								'{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "", "choices": [], "more": 1}}',
						}),
					],
				}),
			],
		}),
	],
]);

story(
	'sendMessage',
	'says what is wrong with a widget',
	Object.entries({
		'5': 'widget_content is not a dict',
		'{}': 'widget_type is not in widget_content',
		'{"widget_type":"x"}': 'extra_data is not in widget_content',
		'{"widget_type":"x","extra_data":[]}': 'extra_data is not a dict',
		'{"widget_type":"todo","extra_data":{}}': 'unknown widget type: todo',
		[zform('{}')]: 'zform is missing type field',
		[zform('{"type":"x"}')]: 'unknown zform type: x',
		[zform('{"type":"choices"}')]: 'heading key is missing from extra_data',
		[zform('{"type":"choices","heading":5,"choices":[]}')]: 'extra_data["heading"] is not a string',
		[zform('{"type":"choices","heading":"","choices":{}}')]: 'extra_data["choices"] is not a list',
		[zform('{"type":"choices","heading":"","choices":[{"short_name":"","long_name":""}]}')]:
			'reply key is missing from extra_data["choices"][0]',
	}).map(([widget, reason]) => [sent('x', widget), `Widgets: ${reason}`] as const),
);

story('sendMessage', 'keeps a widget beside its message', [
	[
		`alice POST /api/v1/messages content=x&type=channel&to=general&topic=x&widget_content=${encodeURIComponent(WIDGET)}`,
		like({id: '$id'}),
	],
	[
		'bob GET /api/v1/messages/$id',
		like({
			message: like({
				submessages: [{id: '<integer>', message_id: '$id', sender_id: 4, msg_type: 'widget', content: WIDGET}],
			}),
		}),
	],
]);

story('renderMessage', 'renders a text, with links to every channel, and sends nothing', [
	[`alice GET ${NEWEST}`, like({messages: [like({id: '$last'})]})],
	[
		'alice POST /api/v1/messages/render content=**foo**+%3Cb%3E+%40**Bob+Birk**',
		{
			rendered: '<p><strong>foo</strong> &lt;b&gt; <span class="user-mention" data-user-id="5">@Bob Birk</span></p>',
		},
	],
	[
		'alice POST /api/v1/messages/render content=%23**staff**+%23**lunch**',
		{
			rendered:
				'<p><a class="stream" data-stream-id="4" href="/#narrow/channel/4-staff">#staff</a> <a class="stream" data-stream-id="2" href="/#narrow/channel/2-lunch">#lunch</a></p>',
		},
	],
	['alice POST /api/v1/messages type=direct&to=[4]&topic=x&content=%23**staff**', like({id: '$sent'})],
	['alice GET /api/v1/messages/$sent', like({message: like({content: '<p>#<strong>staff</strong></p>'})})],
	[
		'alice POST /api/v1/messages/render content=x&topic=y',
		{rendered: '<p>x</p>', ignored_parameters_unsupported: ['topic']},
	],
	['alice POST /api/v1/messages/render', missingArgument('content')],
	[`alice GET ${NEWEST}`, like({messages: [like({id: '$sent'})]})],
]);

// What the service makes of Markdown (seen on a real server of feature level 339).

const emoji = (name: string, code: string, title = name) =>
	`<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const code = (text: string, language = '') =>
	`<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${text}\n</code></pre></div>`;
const picture = (href: string, title = '') =>
	`<div class="message_inline_image"><a href="${href}"${title}><img src="${href}"></a></div>`;
const bob = '<span class="user-mention" data-user-id="5">@Bob Birk</span>';

/** Texts within one paragraph. */
const inline: Readonly<Record<string, string>> = {
	'**bold** *italic* ***both*** ~~struck~~ __under__ _under_':
		'<strong>bold</strong> <em>italic</em> <strong><em>both</em></strong> <del>struck</del> __under__ _under_',
	'** a ** *a***b**': '<strong> a </strong> *a<strong>*b</strong>',
	'2*3*4 *': '2<em>3</em>4 *',
	'*a\nb*': '*a<br>\nb*',
	'**a `**` b** ~~~x~~~': '<strong>a <code>**</code> b</strong> ~~~x~~~',
	'`  spaced  ` ``a ` b`` \\`x\\`': '<code>  spaced  </code> <code>a ` b</code> \\`x\\`',
	'\\*escaped\\* 1\\. x a\\\nb': '\\<em>escaped\\</em> 1\\. x a\\<br>\nb',
	'a  \n  b': 'a  <br>\n  b',
	'a\tb': 'a   b',
	'&amp; & &nbsp; < > " \'': '&amp; &amp; &nbsp; &lt; &gt; " \'',
	'example.com/a?b=c&d=e#f': link('http://example.com/a?b=c&amp;d=e#f', 'example.com/a?b=c&amp;d=e#f'),
	'<https://example.com>, (https://example.com/A_(b)).': `&lt;${link('https://example.com')}&gt;, (${link('https://example.com/A_(b)')}).`,
	'mailto:a@b.c ftp://example.com file.txt read.py': `mailto:${link('mailto:a@b.c', 'a@b.c')} ftp://example.com file.txt read.py`,
	'[**b**](example.com) [](https://a.b) [x]()': `${link('http://example.com', '**b**')} ${link('https://a.b')} ${link('http://', 'x')}`,
	'[x](javascript:alert(1)) [x][ref] [x](/y "z")': '[x](javascript:alert(1)) [x][ref] <a href="/y" title="z">x</a>',
	'a:tada:b :thumbs_up: :no_such: 10:30:45': `a${emoji('tada', '1f389')}b ${emoji('thumbs_up', '1f44d', 'thumbs up')} :no_such: 10:30:45`,
	'🎉 ❤️ 👍🏽 :flag_germany:': `${emoji('tada', '1f389')} ${emoji('heart', '2764')} 👍🏽 ${emoji('flag_germany', '1f1e9-1f1ea', 'flag germany')}`,
	'🧑🏽‍🛴‍↩️': '🧑🏽‍🛴‍↩️',
	':zulip:':
		'<img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
	'@**Bob Birk**s (@**bob birk**) x@**Bob Birk** @**Bob|5**': `${bob}s (${bob}) x@<strong>Bob Birk</strong> @<strong>Bob|5</strong>`,
	'@*role:members* @*Role:members*':
		'<span class="user-group-mention" data-user-group-id="3">@Members</span> @<em>Role:members</em>',
	'#**General** #**general>**': '#<strong>General</strong> #<strong>general&gt;</strong>',
	'<time:June 5th 2026, 10:30pm> <time:31 Dec 2026 5:30 GMT>':
		'<time datetime="2026-06-05T22:30:00Z">June 5th 2026, 10:30pm</time> <time datetime="2026-12-31T05:30:00Z">31 Dec 2026 5:30 GMT</time>',
	'[call](tel:+14155551234)': link('tel:+14155551234', 'call'),
	'<time:2024-01-02 03:04>': '<time datetime="2024-01-02T03:04:00Z">2024-01-02 03:04</time>',
};

/** Whole messages. */
const blocks: Readonly<Record<string, string>> = {
	'Setext\n---\nSetext\n===': '<p>Setext</p>\n<hr>\n<p>Setext<br>\n===</p>',
	'1) a\n2) b': '<p>1) a<br>\n2) b</p>',
	'- a\n  - b\n    - c\n- d': '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
	'- a\n    - b': '<ul>\n<li>a<br>\n    - b</li>\n</ul>',
	'1. a\n   - b\n2. c': '<ol>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>',
	'* a\n- b\n+ c\n\n* * *': '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>\n<hr>',
	'1. a\n  2. b\n    - c\n2. d':
		'<ol>\n<li>\n<p>a</p>\n<ol start="2">\n<li>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>\n</li>\n<li>\n<p>d</p>\n</li>\n</ol>',
	'1. a\n2. b\n  1. c\n  2. d': '<ol>\n<li>a</li>\n<li>b<ol>\n<li>c</li>\n<li>d</li>\n</ol>\n</li>\n</ol>',
	'```\n1. a\n  2. b\n```\n\n    1. c': `${code('1. a\n  2. b')}\n${code('1. c')}`,
	'- a\n\n  b\n    c': '<ul>\n<li>\n<p>a</p>\n<p>b<br>\n  c</p>\n</li>\n</ul>',
	'>': '<p>&gt;</p>',
	'> >\n\n>\n> a\nb\n# c':
		'<blockquote>\n<p>&gt;</p>\n</blockquote>\n<blockquote>\n<p>a<br>\nb</p>\n<h1>c</h1>\n</blockquote>',
	'```\n\na  \n\n b\n\n```': code('a\n\n b'),
	'text\n3. a': '<p>text</p>\n<ol start="3">\n<li>a</li>\n</ol>',
	'-\n*\n1.': '<p>-<br>\n*<br>\n1.</p>',
	'a\n```js\n"x" < 1;\n```\nb': `<p>a</p>\n${code('"x" &lt; 1;', 'JavaScript')}\n<p>b</p>`,
	'- a\n```nolang\n- b\ntext\n- c': `<ul>\n<li>a</li>\n</ul>\n${code('- b\ntext\n- c', 'nolang')}`,
	'    indented': code('indented'),
	'> ```\n> x\n> ```': '<blockquote>\n<p><code>\nx\n</code></p>\n</blockquote>',
	'```quote\n```py\nx\n```\n@**Bob Birk**\n```\nb': `<blockquote>\n${code('x', 'Python')}
<p>${bob.replace('mention"', 'mention silent"').replace('@', '')}</p>\n</blockquote>\n<p>b</p>`,
	'```spoiler Head *er*\nhidden\n```':
		'<div class="spoiler-block"><div class="spoiler-header">\n<p>Head <em>er</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>',
	'$$x^2$$': '<p><span class="katex">x^2</span></p>',
	'```math\nx < 2\n```': '<p><span class="katex-display"><span class="katex">x &lt; 2</span></span></p>',
	'https://a.b/c.mp4':
		'<div class="message_inline_image message_inline_video"><a href="https://a.b/c.mp4"><video preload="metadata" src="https://a.b/c.mp4"></video></a></div>',
	'https://youtu.be/0123456789a': `<p>${link('https://youtu.be/0123456789a')}</p>\n<div class="youtube-video message_inline_image"><a data-id="0123456789a" href="https://youtu.be/0123456789a"><img src="https://i.ytimg.com/vi/0123456789a/default.jpg"></a></div>`,
	'| a | b |\n|:--|--:|\n| **x** | `y` |':
		'<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;"><strong>x</strong></td>\n<td style="text-align: right;"><code>y</code></td>\n</tr>\n</tbody>\n</table>',
	'text\n| a |\n|---|': '<p>text<br>\n| a |<br>\n|---|</p>',
	'| a |\n|---|\n| x |\ntext': '<p>| a |<br>\n|---|<br>\n| x |<br>\ntext</p>',
	'https://a.b/c.png': picture('https://a.b/c.png'),
	'- see [it](https://a.b/c.png)': `<ul>\n<li>see ${link('https://a.b/c.png', 'it')}${picture('https://a.b/c.png', ' title="it"')}</li>\n</ul>`,
	'![x](https://a.b/c.png)': `<p>![x](${link('https://a.b/c.png')})</p>\n${picture('https://a.b/c.png')}`,
	'> https://a.b/c.png': `<blockquote>\n<p>${link('https://a.b/c.png')}</p>\n</blockquote>`,
};

const render = (content: string) => `alice POST /api/v1/messages/render content=${encodeURIComponent(content)}`;

story('renderMessage', 'reads emphasis, links, emoji and mentions as the service does', [
	...Object.entries(inline).map(([content, html]) => [render(content), {rendered: `<p>${html}</p>`}] as const),
]);

story('renderMessage', 'reads lists, code, quotes, tables and pictures as the service does', [
	...Object.entries(blocks).map(([content, rendered]) => [render(content), {rendered}] as const),
]);

test('the longest message of any one sign is rendered soon, and nothing breaks', async t => {
	const alice = await signIn(t);
	const signs = ['[', '*', '`', '(a', '- ', '> ', '```quote\n', '<', '@**', '|', 'a.', '🎉', '[a](', '**a'];
	for (const sign of signs) {
		const content = sign.repeat(10_000 / sign.length);
		const answer = await alice.post('/api/v1/messages/render', `content=${encodeURIComponent(content)}`);
		t.is(answer.statusLine, 'HTTP/1.1 200 OK', sign);
	}
});
