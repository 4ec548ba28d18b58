// Messages that are read, one by one or found around an anchor.

import {clientCalls} from '../kit/client-calls.js';
import {each, like, refusal, type Step, story} from '../kit/story.js';

// Every field of spec.md's message object.
const CHANNEL_MESSAGE = `{"id":16,"type":"stream","sender_id":4,"sender_email":"hamlet@chat.example.com",\
"sender_full_name":"King Hamlet","sender_realm_str":"zulip","avatar_url":null,"client":"website",\
"content":"<p>a</p>","content_type":"text/html","display_recipient":"general","recipient_id":20,"stream_id":1,\
"subject":"lunch","topic_links":[{"text":"#12","url":"https://issues.example.com/12"}],"timestamp":1527921326,\
"is_me_message":false,"last_edit_timestamp":1528000000,"last_moved_timestamp":1528000001,\
"edit_history":[{"user_id":null,"timestamp":1528000000,"prev_content":"b","prev_rendered_content":"<p>b</p>"},\
{"user_id":5,"timestamp":1527999999,"prev_stream":3,"stream":1,"prev_topic":"food","topic":"lunch"}],\
"reactions":[{"emoji_name":"smile","emoji_code":"1f642","reaction_type":"unicode_emoji","user_id":5},\
{"emoji_name":"party","emoji_code":"2","reaction_type":"realm_emoji","user_id":5},\
{"emoji_name":"extra","emoji_code":"extra","reaction_type":"service_extra_emoji","user_id":5}],\
"submessages":[{"id":1,"message_id":16,"sender_id":4,"msg_type":"widget","content":"{}"}],\
"flags":["read","stream_wildcard_mentioned","wildcard_mentioned"]}`;

const DIRECT_MESSAGE = `{"id":21,"type":"private","sender_id":4,"sender_email":"hamlet@chat.example.com",\
"sender_full_name":"King Hamlet","sender_realm_str":"zulip","avatar_url":"https://chat.example.com/4.png",\
"client":"website","content":"a","content_type":"text/x-markdown",\
"display_recipient":[{"id":4,"email":"hamlet@chat.example.com","full_name":"King Hamlet","is_mirror_dummy":false},\
{"id":5,"email":"iago@chat.example.com","full_name":"Iago","is_mirror_dummy":false}],"recipient_id":27,"subject":"",\
"topic_links":[],"timestamp":1527921326,"is_me_message":true,"reactions":[],"submessages":[],"flags":["read"]`;

clientCalls('getMessage', {
	'writes booleans into the query, and reads every field of a channel message': [
		{message_id: 16, apply_markdown: false, allow_empty_topic_name: true},
		'GET /api/v1/messages/16?apply_markdown=false&allow_empty_topic_name=true',
		`"message":${CHANNEL_MESSAGE},"raw_content":"a"`,
		{raw_content: 'a', message: JSON.parse(CHANNEL_MESSAGE)},
	],
	'leaves out what it was not given, and reads a direct message': [
		{message_id: 21},
		'GET /api/v1/messages/21',
		`"message":${DIRECT_MESSAGE}}`,
		{message: {...JSON.parse(`${DIRECT_MESSAGE}}`), stream_id: undefined}},
	],
});

const FOUND = `{"result":"success","msg":"","messages":[${DIRECT_MESSAGE},"match_content":"<p>x</p>","match_subject":""}],\
"anchor":21,"found_anchor":true,"found_newest":true,"found_oldest":false,"history_limited":false}`;

clientCalls('getMessages', {
	'writes an anchor as a word and a narrow as JSON, and reads what was found': [
		{
			anchor: 'newest',
			num_before: 100,
			num_after: 0,
			narrow: [{operator: 'channel', operand: 'general'}, ['topic', 'lunch']],
			apply_markdown: false,
		},
		'GET /api/v1/messages?anchor=newest&num_before=100&num_after=0&narrow=%5B%7B%22operator%22%3A%22channel%22%2C%22operand%22%3A%22general%22%7D%2C%5B%22topic%22%2C%22lunch%22%5D%5D&apply_markdown=false',
		FOUND,
		JSON.parse(FOUND),
	],
	'writes IDs as a JSON list': [{message_ids: [21, 22]}, 'GET /api/v1/messages?message_ids=%5B21%2C22%5D', FOUND],
	'writes an anchor as a number': [
		{anchor: 21, include_anchor: false, client_gravatar: false, num_before: 1},
		'GET /api/v1/messages?anchor=21&include_anchor=false&client_gravatar=false&num_before=1',
		FOUND,
	],
});

const NOW = 1_700_000_000;
const STANDING = {now: NOW * 1000};

const INVALID = 'Invalid message(s)';

const FROM_ALICE = {
	sender_id: 4,
	sender_email: 'alice@bothy.example',
	sender_full_name: 'Alice Ahn',
	sender_realm_str: '<string>',
	avatar_url: null,
	client: 'Unspecified',
	recipient_id: '<integer>',
	topic_links: [],
	timestamp: NOW,
	reactions: [],
	submessages: [],
	flags: [],
};

const IN_GENERAL = {
	...FROM_ALICE,
	type: 'stream',
	content_type: 'text/html',
	display_recipient: 'general',
	stream_id: 1,
	is_me_message: false,
};

const say = (who: string, name: string, form: string): Step => [
	`${who} POST /api/v1/messages ${form}`,
	like({id: `$${name}`}),
];

const numbers = ['one', 'two', 'three'].map(name =>
	say('alice', name, `type=channel&to=general&topic=numbers&content=${name}`),
);

const NUMBERS = 'narrow=%5B%5B%22channel%22,%22general%22%5D,%5B%22topic%22,%22numbers%22%5D%5D';

story(
	'getMessage',
	'has every field of a message that never lacks',
	[
		say('alice', 'soup', 'type=channel&to=general&topic=lunch&content=*Soup*'),
		[
			'alice GET /api/v1/messages/$soup',
			{
				message: {...IN_GENERAL, id: '$soup', content: '<p><em>Soup</em></p>', subject: 'lunch'},
				raw_content: '*Soup*',
			},
		],
		say('alice', 'wave', 'type=direct&to=%5B5%5D&content=%2Fme+waves'),
		[
			'bob GET /api/v1/messages/$wave?apply_markdown=false',
			{
				message: {
					...FROM_ALICE,
					id: '$wave',
					type: 'private',
					content: '/me waves',
					content_type: 'text/x-markdown',
					display_recipient: [
						{id: 4, email: 'alice@bothy.example', full_name: 'Alice Ahn', is_mirror_dummy: false},
						{id: 5, email: 'bob@bothy.example', full_name: 'Bob Birk', is_mirror_dummy: false},
					],
					subject: '',
					is_me_message: true,
				},
				raw_content: '/me waves',
			},
		],
	],
	STANDING,
);

const hasFlags = (...flags: string[]) => like({message: like({flags})});

story('getMessage', 'flags a message for people that it mentions, and for people who did not get it', [
	say('alice', 'bob', 'type=channel&to=general&topic=x&content=%40**Bob+Birk**'),
	say('alice', 'all', 'type=channel&to=general&topic=x&content=%40**all**'),
	say('alice', 'silent', 'type=channel&to=general&topic=x&content=%40_**Bob+Birk**'),
	say('alice', 'lunch', 'type=channel&to=lunch&topic=x&content=x'),
	['bob GET /api/v1/messages/$bob', hasFlags('mentioned')],
	['bob GET /api/v1/messages/$all', hasFlags('stream_wildcard_mentioned', 'wildcard_mentioned')],
	['bob GET /api/v1/messages/$silent', hasFlags()],
	['olivia GET /api/v1/messages/$lunch', hasFlags('read', 'historical')],
	say('bob', 'first', 'type=channel&to=general&topic=y&content=x'),
	['mona POST /api/v1/messages/$first/reactions emoji_name=tada', {}],
	say('alice', 'topic', 'type=channel&to=general&topic=y&content=%40**topic**'),
	['bob GET /api/v1/messages/$topic', hasFlags('topic_wildcard_mentioned', 'wildcard_mentioned')],
	['mona GET /api/v1/messages/$topic', hasFlags('topic_wildcard_mentioned', 'wildcard_mentioned')],
	['carla GET /api/v1/messages/$topic', hasFlags()],
]);

story(
	'getMessage',
	'renders mentions',
	[
		['%40**Bob+Birk**', '<p><span class="user-mention" data-user-id="5">@Bob Birk</span></p>'],
		['%40_**Bob+Birk**', '<p><span class="user-mention silent" data-user-id="5">Bob Birk</span></p>'],
		['%40**all**', '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>'],
		['%40**topic**', '<p><span class="topic-mention">@topic</span></p>'],
		['a%40**Bob+Birk**', '<p>a@<strong>Bob Birk</strong></p>'],
	].flatMap(([text, content = ''], n) => [
		say('alice', `id${n}`, `type=channel&to=general&topic=x&content=${text}`),
		[`alice GET /api/v1/messages/$id${n}`, like({message: like({content})})] as const,
	]),
);

story('getMessage', 'names the empty topic and unknown parameters, and refuses what the caller may not read', [
	say('alice', 'id', 'type=channel&to=general&topic=&content=x'),
	say('olivia', 'direct', 'type=direct&to=adam%40bothy.example&content=secret'),
	say('olivia', 'staff', 'type=channel&to=staff&topic=x&content=secret'),
	...each('alice GET /api/v1/messages/', {
		$id: like({message: like({subject: 'general chat'})}),
		'$id?allow_empty_topic_name=false': like({message: like({subject: 'general chat'})}),
		'$id?allow_empty_topic_name=true': like({message: like({subject: ''})}),
		'$id?colour=red&apply_markdown=true': like({ignored_parameters_unsupported: ['colour']}),
		'1?apply_markdown=False': 'apply_markdown is not valid JSON',
		'1?apply_markdown=0': 'apply_markdown is not a boolean',
		'1?allow_empty_topic_name=yes': 'allow_empty_topic_name is not valid JSON',
		99999: INVALID,
		$direct: INVALID,
		$staff: INVALID,
		abc: refusal('404 Not Found', 'Not found'),
	}),
]);

story(
	'getMessages',
	'lists messages with their flags, and says what it found',
	[
		...numbers,
		[
			`bob GET /api/v1/messages?anchor=newest&num_before=2&num_after=0&${NUMBERS}`,
			{
				messages: ['two', 'three'].map(name => ({
					...IN_GENERAL,
					id: `$${name}`,
					content: `<p>${name}</p>`,
					subject: 'numbers',
				})),
				anchor: 10_000_000_000_000_000,
				found_anchor: false,
				found_newest: true,
				found_oldest: false,
				history_limited: false,
			},
		],
	],
	STANDING,
);

const found = (contents: readonly string[], ...ends: readonly string[]) =>
	like({
		messages: contents.map(content => like({content})),
		found_anchor: ends.includes('anchor'),
		found_newest: ends.includes('newest'),
		found_oldest: ends.includes('oldest'),
	});

story('getMessages', 'gives as many messages as it is asked for on both sides of an anchor, or by ID', [
	say('bob', 'zero', 'type=channel&to=general&topic=numbers&content=zero&read_by_sender=true'),
	...numbers,
	...each(`alice GET /api/v1/messages?apply_markdown=false&${NUMBERS}&`, {
		'anchor=$two&num_before=1&num_after=1': found(['one', 'two', 'three'], 'anchor'),
		'anchor=$two&include_anchor=false&num_before=1&num_after=1':
			'The anchor can only be excluded at an end of the range',
		'anchor=$two&include_anchor=false&num_before=1': found(['one']),
		'anchor=$two&num_before=0&num_after=9': found(['two', 'three'], 'anchor', 'newest'),
		'anchor=oldest&num_before=0&num_after=2': found(['zero', 'one'], 'oldest'),
		'anchor=newest&num_before=9&num_after=0': found(['zero', 'one', 'two', 'three'], 'newest', 'oldest'),
	}),
	[
		`bob GET /api/v1/messages?anchor=first_unread&num_before=0&num_after=1&${NUMBERS}`,
		like({anchor: '$one', messages: [like({id: '$one'}), like({id: '$two'})]}),
	],
	[
		'alice GET /api/v1/messages?message_ids=%5B$three,$one%5D',
		like({messages: [like({id: '$one'}), like({id: '$three'})]}),
	],
	[
		'alice GET /api/v1/messages?message_ids=%5B$one,$two%5D&narrow=%5B%5B%22search%22,%22two%22%5D%5D',
		like({messages: [like({id: '$two', match_content: '<p><span class="highlight">two</span></p>'})]}),
	],
]);

story('getMessages', 'reads a narrow in every form', [
	say('alice', 'yes', 'type=channel&to=general&topic=wanted&content=yes'),
	say('bob', 'direct', 'type=direct&to=alice%40bothy.example&content=no'),
	say('bob', 'other', 'type=channel&to=general&topic=other&content=no'),
	say('bob', 'lunch', 'type=channel&to=lunch&topic=wanted&content=no'),
	...[
		'[["channel","general"],["topic","wanted"]]',
		'[{"operator":"channel","operand":"general"},{"operator":"topic","operand":"WANTED"}]',
		'[["stream","general"],["topic","wanted"]]',
		'[{"operator":"channel","operand":1},["topic","wanted"]]',
		'[["sender","alice@bothy.example"],["topic","wanted"]]',
		'[{"operator":"sender","operand":4},["topic","wanted"]]',
		'[{"operator":"id","operand":$yes}]',
		'[{"operator":"channel","operand":"lunch","negated":true},["topic","wanted"]]',
	].map(
		(narrow): Step => [
			`bob GET /api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&narrow=${narrow}`,
			like({messages: [like({id: '$yes', content: 'yes'})]}),
		],
	),
	...['[["dm","bob@bothy.example"]]', '[["pm-with","bob@bothy.example"]]', '[["is","dm"]]'].map(
		(narrow): Step => [
			`alice GET /api/v1/messages?anchor=newest&num_before=1&narrow=${narrow}`,
			like({messages: [like({id: '$direct'})]}),
		],
	),
]);

for (const [search, words, content, subject] of [
	['soup', 'hot+soup+%26+bread', '<p>hot <span class="highlight">soup</span> &amp; bread</p>', 'my &amp; lunch'],
	['LUNCH', 'hot', '<p>hot</p>', 'my &amp; <span class="highlight">lunch</span>'],
	[
		'amp hot',
		'hot+%26+amp',
		'<p><span class="highlight">hot</span> &amp; <span class="highlight">amp</span></p>',
		'my &amp; lunch',
	],
	[
		'"hot soup"',
		'*hot+soup*',
		'<p><em><span class="highlight">hot</span> <span class="highlight">soup</span></em></p>',
		'my &amp; lunch',
	],
	['"the soup" and', 'the+soup', '<p>the <span class="highlight">soup</span></p>', 'my &amp; lunch'],
] as const) {
	const narrow = encodeURIComponent(JSON.stringify([{operator: 'search', operand: search}]));
	story('getMessages', `marks what the search for ${search} found`, [
		say('alice', 'id', `type=channel&to=general&topic=my+%26+lunch&content=${words}`),
		say('alice', 'other', 'type=channel&to=general&topic=other&content=nothing'),
		[
			`alice GET /api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=${narrow}`,
			like({messages: [like({id: '$id', match_content: content, match_subject: subject})]}),
		],
	]);
}

const TOO_MANY = 'Too many messages requested (maximum 5000).';
const BOTH_KINDS = 'No message can be both a channel message and direct message';

const NOT_BESIDE_IDS = refusal(
	'400 Bad Request',
	'Unsupported parameter combination: num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
	{parameters: 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'},
);

story(
	'getMessages',
	'refuses wrong parameters, and names those that it does not know',
	each('alice GET /api/v1/messages?', {
		'num_before=1': "Missing 'anchor' argument.",
		'anchor=middle&num_before=1': 'Invalid anchor',
		// The anchor is read before the narrow is.
		'anchor=middle&num_before=1&narrow=[["colour","red"]]': 'Invalid anchor',
		'anchor=middle&use_first_unread_anchor=true&num_before=1': like({anchor: '<integer>'}),
		'message_ids=%5B1%5D&use_first_unread_anchor=true': NOT_BESIDE_IDS,
		'anchor=newest&num_before=abc': 'num_before is not valid JSON',
		'anchor=newest&num_before=1&num_after=%225%22': 'num_after is not an integer',
		'anchor=newest&num_before=1&num_after=1.5': 'num_after is not an integer',
		'anchor=newest&num_before=1&num_after=true': 'num_after is not an integer',
		'anchor=newest&num_before=-1': 'num_before is too small',
		'anchor=newest&num_before=5000&num_after=1': TOO_MANY,
		'message_ids=%5B1%5D&anchor=newest': NOT_BESIDE_IDS,
		'message_ids=%5B1%5D&num_before=1': NOT_BESIDE_IDS,
		'message_ids=%5B1%5D&num_after=1': NOT_BESIDE_IDS,
		'message_ids=%5B1,-1%5D': 'message_ids[1] is too small',
		[`message_ids=[${Array(5001).fill(1)}]`]: TOO_MANY,
		'message_ids=%7B%7D': 'message_ids is not a list',
		'message_ids=%5B1,%22a%22%5D': 'message_ids[1] is not an integer',
		'anchor=newest&num_before=1&narrow=channel': 'narrow is not valid JSON',
		'anchor=newest&num_before=1&narrow=%7B%7D': 'narrow is not a list',
		'anchor=newest&num_before=1&client_gravatar=false': like({messages: [like({avatar_url: '<string>'})]}),
		'anchor=newest&num_before=1&b=1&a=1&client=x': like({ignored_parameters_unsupported: ['a', 'b']}),
	}),
);

const badNarrow = (desc: string) =>
	refusal('400 Bad Request', `Invalid narrow operator: ${desc}`, {code: 'BAD_NARROW', desc});

story(
	'getMessages',
	'knows states of messages only since their levels',
	[
		[
			'alice GET /api/v1/messages?anchor=newest&num_before=1&narrow=[["is","muted"]]',
			badNarrow("unknown 'is' operand muted"),
		],
	],
	{featureLevel: 365},
);

story(
	'getMessages',
	'says what is wrong with a narrow',
	each('alice GET /api/v1/messages?anchor=newest&num_before=1&narrow=', {
		'[["colour","red"]]': badNarrow('unknown operator colour'),
		'[["constructor","x"]]': badNarrow('unknown operator constructor'),
		'[["is","red"]]': badNarrow("unknown 'is' operand red"),
		'[["is","constructor"]]': badNarrow("unknown 'is' operand constructor"),
		'[["has","colour"]]': badNarrow("unknown 'has' operand colour"),
		'[["in","there"]]': badNarrow("unknown 'in' operand there"),
		'[["channels","red"]]': badNarrow('unknown channels operand red'),
		'[["channel","nowhere"]]': badNarrow('unknown channel nowhere'),
		'[["channel","staff"]]': like({messages: []}),
		'[["pm_with","alice@bothy.example"]]': like({messages: []}),
		'[["group-pm-with","bob@bothy.example"]]': like({messages: []}),
		'[{"operator":"dm","operand":[]}]': like({messages: []}),
		'[["subject","x"]]': badNarrow('unknown operator subject'),
		'[["from","bob@bothy.example"]]': badNarrow('unknown operator from'),
		'[["-topic","x"]]': badNarrow('unknown operator -topic'),
		// Text is a name, or an address.
		'[["channel","1"]]': badNarrow('unknown channel 1'),
		'[["sender","5"]]': badNarrow('unknown user 5'),
		'[["dm","5"]]': badNarrow('unknown user in 5'),
		'[["id","2147483648"]]': badNarrow('Invalid message ID'),
		// The first term that is wrong decides.
		'[["is","dm"],["channel","nowhere"]]': badNarrow(BOTH_KINDS),
		'[["channel","nowhere"],["is","dm"]]': badNarrow('unknown channel nowhere'),
		'[["dm","bob@bothy.example"],{"operator":"is","operand":"dm","negated":true}]': badNarrow(BOTH_KINDS),
		'[{"operator":"channel","operand":1,"negated":true},["is","dm"]]': like({messages: []}),
		null: like({found_anchor: false}),
		'[["id","-1"]]': badNarrow('Invalid message ID'),
		'[["channel","general"],["is","dm"]]': badNarrow(BOTH_KINDS),
		'[["topic","x"],["dm","bob@bothy.example"]]': badNarrow(BOTH_KINDS),
		'[{"operator":"topic","operand":5}]': 'operand is not a string',
		'[{"operator":"topic","operand":["a"]}]': 'operand is not a string',
		'[{"operator":"near","operand":5}]': 'operand is not a string',
		'[{"operator":"is","operand":5}]': 'operand is not a string',
		'[{"operator":"channel","operand":[5]}]': 'operand is not a string or integer',
		'[{"operator":"sender","operand":[5]}]': 'operand is not a string or integer',
		'[{"operator":"dm","operand":5}]': 'operand is not a string or an integer list',
		'[{"operator":"dm","operand":["x"]}]': 'operand[0] is not an integer',
		'[{"operator":"dm","operand":[99999]}]': badNarrow('unknown user in [99999]'),
		'[["search","%20"]]': 'operand cannot be blank.',
		'[["sender","nobody@bothy.example"]]': badNarrow('unknown user nobody@bothy.example'),
		'[["dm","nobody@bothy.example"]]': badNarrow('unknown user in nobody@bothy.example'),
		'[{"operator":"dm-including","operand":99999}]': badNarrow('unknown user 99999'),
		'[["mentions","nobody@bothy.example"]]': badNarrow('unknown user nobody@bothy.example'),
		'[["id","abc"]]': badNarrow('Invalid message ID'),
		'[{"operator":"search","operand":[1]}]': 'operand is not a string',
		'[["with","abc"]]': badNarrow("Invalid 'with' operator"),
		'[["with","99999"]]': badNarrow("Invalid 'with' operator"),
		'[["with","99999"],["channel","general"]]': badNarrow("Invalid 'with' operator"),
		'[["with","1"],["with","2"]]': refusal(
			'400 Bad Request',
			"Invalid narrow operator combination: Duplicate 'with' operators.",
			{code: 'BAD_NARROW', desc: "Duplicate 'with' operators."},
		),
	}),
);

const negated = (operator: string, operand: string) =>
	encodeURIComponent(JSON.stringify([['channel', 'lunch'], {operator, operand, negated: true}]));
const LUNCH_READ = '/api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=';

story('getMessages', 'a term that filters nothing filters nothing when it is negated', [
	say('bob', 'id', 'type=channel&to=lunch&topic=x&content=here'),
	...[
		['near', '1'],
		['in', 'all'],
		['in', 'home'],
	].map(
		([operator = '', operand = '']) =>
			[`alice GET ${LUNCH_READ}${negated(operator, operand)}`, like({messages: [like({id: '$id'})]})] as const,
	),
	['alice POST /api/v1/user_topics stream_id=2&topic=other&visibility_policy=1'],
	[`alice GET ${LUNCH_READ}${negated('in', 'home')}`, like({messages: []})],
]);

story(
	'getMessages',
	'the first unread message is not in a muted topic, and in a muted channel only if the narrow names it',
	[
		say('bob', 'muted', 'type=channel&to=lunch&topic=noise&content=a'),
		say('bob', 'heard', 'type=channel&to=lunch&topic=x&content=b'),
		say('bob', 'direct', 'type=direct&to=[4]&content=c'),
		['alice POST /api/v1/user_topics stream_id=2&topic=noise&visibility_policy=1'],
		[
			'alice GET /api/v1/messages?anchor=first_unread&num_after=1&narrow=[["channel","lunch"]]',
			like({anchor: '$heard'}),
		],
		[
			'alice POST /api/v1/users/me/subscriptions/properties subscription_data=[{"stream_id":2,"property":"is_muted","value":true}]',
		],
		[
			'alice GET /api/v1/messages?anchor=first_unread&num_after=1&narrow=[["sender","bob@bothy.example"]]',
			like({anchor: '$direct'}),
		],
		[
			'alice GET /api/v1/messages?anchor=first_unread&num_after=1&narrow=[["channel","lunch"]]',
			like({anchor: '$heard'}),
		],
	],
);

const NOT_A_PAIR = 'Invalid narrow[0]: Value error, element is not a string pair';

// A real server of feature level 339 was asked these.
const malformed = {
	'[["dm",[5]]]': NOT_A_PAIR,
	'[["channel",1]]': NOT_A_PAIR,
	'[["is"]]': NOT_A_PAIR,
	'[["is","unread","x"]]': NOT_A_PAIR,
	'[[]]': NOT_A_PAIR,
	'[["is","dm"],["sender",4]]': 'Invalid narrow[1]: Value error, element is not a string pair',
	'["is"]': 'Invalid narrow[0]: Value error, dict or list required',
	'[5]': 'Invalid narrow[0]: Value error, dict or list required',
	'[null]': 'Invalid narrow[0]: Value error, dict or list required',
	'[{"operator":"is"}]': 'Invalid narrow[0]: Value error, operand is missing',
	'[{"operator":"is","operand":null}]': 'Invalid narrow[0]: Value error, operand is missing',
	'[{"operator":null,"operand":"x"}]': 'Invalid narrow[0]: Value error, operator is missing',
	'[{"operator":5,"operand":6}]': 'narrow[0]["operator"] is not a string',
	'[{"operand":"x"}]': 'Invalid narrow[0]: Value error, operator is missing',
	'[{}]': 'Invalid narrow[0]: Value error, operand is missing',
	'[{"operator":5,"operand":"x"}]': 'narrow[0]["operator"] is not a string',
	'[{"operator":"is","operand":"unread","negated":"x"}]': 'narrow[0]["negated"] is not a boolean',
};

story(
	'getMessages',
	'refuses terms that are neither an object nor a pair of two strings',
	each('alice GET /api/v1/messages?anchor=newest&num_before=1&narrow=', malformed),
);

story(
	'updateMessageFlagsForNarrow',
	'refuses terms that are neither an object nor a pair of two strings',
	each(
		'alice POST /api/v1/messages/flags/narrow anchor=1&num_before=0&num_after=0&op=add&flag=read&narrow=',
		malformed,
	),
);

clientCalls('getMessages', {
	'writes terms that name channels and people by ID as objects': [
		{
			anchor: 'newest',
			narrow: [
				{operator: 'stream', operand: 5},
				{operator: 'dm', operand: [4, 5]},
			],
		},
		'GET /api/v1/messages?anchor=newest&narrow=%5B%7B%22operator%22%3A%22stream%22%2C%22operand%22%3A5%7D%2C%7B%22operator%22%3A%22dm%22%2C%22operand%22%3A%5B4%2C5%5D%7D%5D',
		FOUND,
	],
});
