// What outgoing-webhook bots may do and not see, as a real server of feature level 339 answers them; generic bots see it all.

import type {Json} from './kit/raw-request.js';
import {like, refusal, type Step, story} from './kit/story.js';

/** `hook-bot` is an outgoing-webhook bot, `generic` one of type 1; both are in each of these places. */
const ENTER: readonly Step[] = [
	['olivia GET /api/v1/users/me', like({user_id: '$olivia'})],
	['hook-bot GET /api/v1/users/me', like({user_id: '$hook', email: '$hookEmail', bot_type: 3})],
	[
		'olivia POST /api/v1/bots full_name=Genny&short_name=genny&bot_type=1',
		like({user_id: '$genny', api_key: '$gennyKey'}),
	],
	{enter: 'generic', email: 'genny-bot@bothy.example', key: '$gennyKey'},
];

const join = (form: string): Step => [
	`olivia POST /api/v1/users/me/subscriptions ${form}&principals=[$olivia,$hook,$genny,5]`,
	like({result: 'success'}),
];

const seen: Readonly<Record<string, Place>> = {
	'a public channel': {
		make: join('subscriptions=[{"name":"lunch"}]'),
		to: 'type=channel&to=lunch&topic=x',
		narrow: '[["channel","lunch"]]',
	},
	'a private channel with shared history': {
		make: join('subscriptions=[{"name":"shared"}]&invite_only=true&history_public_to_subscribers=true'),
		to: 'type=channel&to=shared&topic=x',
		narrow: '[["channel","shared"],["topic","x"]]',
	},
};

const joinSecret = join('subscriptions=[{"name":"secret"}]&invite_only=true&history_public_to_subscribers=false');

const blind: Readonly<Record<string, Place>> = {
	'a direct message': {
		to: 'type=direct&to=[5]',
		narrow: '[{"operator":"dm","operand":[5]}]',
	},
	'a group': {
		to: 'type=direct&to=[4,5]',
		narrow: '[{"operator":"dm","operand":[4,5]}]',
	},
	'a private channel with protected history': {
		make: joinSecret,
		to: 'type=channel&to=secret&topic=x',
		narrow: '[["channel","secret"],["topic","x"]]',
	},
};

interface Place {
	readonly make?: Step;
	readonly to: string;
	readonly narrow: string;
}

const found = (...contents: string[]) => like({messages: contents.map(content => like({content}))});

const look = (who: string, narrow: string, answer: ReturnType<typeof found>): Step => [
	`${who} GET /api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=${encodeURIComponent(narrow)}`,
	answer,
];

/** Everything that one may do with a message of one's own that one sees. */
const mayDo = (who: string): readonly Step[] => [
	[`${who} GET /api/v1/messages/$mine`, like({raw_content: 'mine'})],
	[`${who} POST /api/v1/messages/$mine/reactions emoji_name=tada`, {}],
	[`${who} DELETE /api/v1/messages/$mine/reactions emoji_name=tada`, {}],
	[`${who} PATCH /api/v1/messages/$mine content=changed`, like({detached_uploads: []})],
	[`${who} DELETE /api/v1/messages/$mine`, {}],
];

const INVALID = 'Invalid message(s)';

const mayDoNothing = (who: string): readonly Step[] => [
	[`${who} GET /api/v1/messages/$mine`, INVALID],
	[`${who} GET /api/v1/messages/$mine/history`, INVALID],
	[`${who} POST /api/v1/messages/$mine/reactions emoji_name=tada`, INVALID],
	[`${who} DELETE /api/v1/messages/$mine/reactions emoji_name=tada`, INVALID],
	[`${who} PATCH /api/v1/messages/$mine content=changed`, INVALID],
	[`${who} DELETE /api/v1/messages/$mine`, INVALID],
	[`${who} POST /api/v1/messages/flags messages=[$mine]&op=add&flag=starred`, INVALID],
];

const post = (who: string, to: string): Step => [
	`${who} POST /api/v1/messages ${to}&content=mine`,
	like({id: '$mine'}),
];

for (const [name, {make, to, narrow}] of Object.entries({...seen, ...blind})) {
	story('getMessages', `a generic bot sees what it posts in ${name}, and may change it`, [
		...ENTER,
		...(make ? [make] : []),
		post('generic', to),
		look('generic', narrow, found('mine')),
		...mayDo('generic'),
	]);
}

for (const [name, {make, to, narrow}] of Object.entries(seen)) {
	story('getMessages', `an outgoing-webhook bot sees what it posts in ${name}, and may change it`, [
		...ENTER,
		...(make ? [make] : []),
		post('hook-bot', to),
		look('hook-bot', narrow, found('mine')),
		...mayDo('hook-bot'),
	]);
}

const ALL = '[]';

for (const [name, {make, to, narrow}] of Object.entries(blind)) {
	story('getMessages', `an outgoing-webhook bot finds nothing in ${name}, and may change nothing there`, [
		...ENTER,
		...(make ? [make] : []),
		post('hook-bot', to),
		look('bob', '[{"operator":"sender","operand":"hook-bot@bothy.example"}]', found('mine')),
		look('hook-bot', narrow, found()),
		look('hook-bot', '[{"operator":"sender","operand":"hook-bot@bothy.example"}]', found()),
		look('hook-bot', ALL, found()),
		...mayDoNothing('hook-bot'),
		['bob GET /api/v1/messages/$mine', like({raw_content: 'mine'})],
	]);

	story('sendMessage', `an outgoing-webhook bot gets the receipt of what it posts in ${name}`, [
		...ENTER,
		...(make ? [make] : []),
		['hook-bot POST /api/v1/register event_types=["message"]', like({queue_id: '$queue'})],
		[`hook-bot POST /api/v1/messages ${to}&content=mine&queue_id=$queue&local_id=a.1`, like({id: '$mine'})],
		[
			'hook-bot GET /api/v1/events?queue_id=$queue&last_event_id=-1&dont_block=true',
			like({events: [like({type: 'message', local_message_id: 'a.1', message: like({id: '$mine'})})]}),
		],
	]);
}

const FORM = [
	'--frontier',
	'Content-Disposition: form-data; name="filename"; filename="menu.txt"',
	'Content-Type: text/plain',
	'',
	'soup',
	'--frontier--',
	'',
].join('\r\n');

/** Bob attaches a file to what he says. */
const attach = (to: string): readonly Step[] => [
	async (_t, {who, names}) => {
		const bob = await who('bob');
		const type = 'Content-Type: multipart/form-data; boundary=frontier';
		const {json} = await bob.post('/api/v1/user_uploads', FORM, [type]);
		names.set('url', (json as {url: Json}).url);
	},
	[`bob POST /api/v1/messages ${to}&content=[menu]($url)`, like({})],
];

const opens =
	(who: string, body: string): Step =>
	async (t, scene) => {
		t.is((await scene.send(`${who} GET $url`)).body, body);
	};

const NOT_AUTHORIZED = refusal('403 Forbidden', 'You are not authorized to view this file.');

story('uploadFile', 'an outgoing-webhook bot opens what people attach in a public channel', [
	...ENTER,
	...attach('type=channel&to=lunch&topic=x'),
	opens('hook-bot', 'soup'),
]);

story('uploadFile', 'an outgoing-webhook bot may not open what people attach in a direct message to it', [
	...ENTER,
	...attach('type=direct&to=[$hook,$genny]'),
	['hook-bot GET $url', NOT_AUTHORIZED],
	opens('generic', 'soup'),
]);

story('uploadFile', 'an outgoing-webhook bot may not open what people attach where history is protected', [
	...ENTER,
	joinSecret,
	...attach('type=channel&to=secret&topic=x'),
	['hook-bot GET $url', NOT_AUTHORIZED],
	opens('generic', 'soup'),
]);

story('setTypingStatus', 'an outgoing-webhook bot types where it sees nothing', [
	...ENTER,
	['hook-bot POST /api/v1/typing op=start&type=direct&to=[5]', {}],
]);

story('updateMessage', 'what comes into a channel with protected history stays unseen by an outgoing-webhook bot', [
	...ENTER,
	joinSecret,
	['olivia GET /api/v1/get_stream_id?stream=secret', {stream_id: '$secret'}],
	['olivia POST /api/v1/messages type=channel&to=lunch&topic=x&content=moved', like({id: '$moved'})],
	['hook-bot GET /api/v1/messages/$moved', like({raw_content: 'moved'})],
	['olivia PATCH /api/v1/messages/$moved stream_id=$secret&send_notification_to_new_thread=false', like({})],
	['generic GET /api/v1/messages/$moved', like({raw_content: 'moved'})],
	['hook-bot GET /api/v1/messages/$moved', INVALID],
]);
