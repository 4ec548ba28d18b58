// Linkifiers, and playgrounds for code.

import {clientCalls} from './kit/client-calls.js';
import {answers, like, missingArgument, refusal, type Step, story} from './kit/story.js';

const FORM = 'pattern=%23(?P<id>[0-9]%2B)&url_template=https://t.example/{id}';
const ADD = `adam POST /api/v1/realm/filters ${FORM}`;
const PULLS = 'pattern=!(?P<n>[0-9]%2B)&url_template=https://p.example/{n}';
const TICKETS = {id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'};
/** A registration that reads URL templates. */
const READER = '&client_capabilities={"notification_settings_null":true,"linkifier_url_template":true}';

const NOT_ADMINISTRATOR = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});
const invalid = (msg: string, field = '__all__') => refusal('400 Bad Request', msg, {errors: {[field]: [msg]}});
const TAKEN = invalid('Realm filter with this Realm and Pattern already exists.');

/** What becomes of a text. */
const renders = (content: string, rendered: string): Step => [
	`adam POST /api/v1/messages/render content=${encodeURIComponent(content)}`,
	{rendered: `<p>${rendered}</p>`},
];

/** Links of a topic, as a message in it has them. */
const links = (topic: string, ...expected: Array<{text: string; url: string}>): Step[] => [
	[`adam POST /api/v1/messages content=x&type=channel&to=general&topic=${encodeURIComponent(topic)}`],
	[
		'adam GET /api/v1/messages?anchor=newest&num_before=1',
		like({messages: [like({content: '<p>x</p>', topic_links: expected})]}),
	],
];

clientCalls('getLinkifiers', {
	'reads linkifiers': [
		{},
		'GET /api/v1/realm/linkifiers',
		`"linkifiers":[${JSON.stringify(TICKETS)}]`,
		{linkifiers: [TICKETS]},
	],
});

clientCalls('addLinkifier', {
	'writes pattern and URL template as they are and reads the ID': [
		{pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'},
		'POST /api/v1/realm/filters pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Ft.example%2F%7Bid%7D',
		'"id":42',
	],
});

clientCalls('updateLinkifier', {
	'writes the ID in the path and the rest in a form': [
		{filter_id: 42, pattern: '!(?P<n>.)', url_template: 'https://p.example/{n}'},
		'PATCH /api/v1/realm/filters/42 pattern=%21%28%3FP%3Cn%3E.%29&url_template=https%3A%2F%2Fp.example%2F%7Bn%7D',
	],
});

clientCalls('removeLinkifier', {
	'writes the ID in the path and no form': [{filter_id: 42}, 'DELETE /api/v1/realm/filters/42'],
});

story('addLinkifier', 'turns matching text of new messages into links, and everybody gets an event', [
	{listen: 'alice', to: 'realm_linkifiers', form: READER},
	renders('see #12', 'see #12'),
	[ADD, {id: 1}],
	renders('see #12', 'see <a href="https://t.example/12">#12</a>'),
	...links('Bug #12', {text: '#12', url: 'https://t.example/12'}),
	{heard: 'alice', events: [{type: 'realm_linkifiers', realm_linkifiers: [TICKETS]}]},
	[ADD, TAKEN],
	[`${ADD}&colour=red`, TAKEN],
	[`adam POST /api/v1/realm/filters ${PULLS}&colour=red`, {id: 2, ignored_parameters_unsupported: ['colour']}],
]);

story(
	'addLinkifier',
	'shows no linkifiers at first to clients that do not read URL templates, but tells them of changes',
	[
		{listen: 'alice', to: 'realm_linkifiers'},
		[ADD, {id: 1}],
		{heard: 'alice', events: [{type: 'realm_linkifiers', realm_linkifiers: [TICKETS]}]},
		['alice POST /api/v1/register event_types=["realm_linkifiers"]', like({realm_linkifiers: []})],
		[`alice POST /api/v1/register event_types=["realm_linkifiers"]${READER}`, like({realm_linkifiers: [TICKETS]})],
	],
);

story('getLinkifiers', 'lists them for everybody in the order in which they came', [
	['gus GET /api/v1/realm/linkifiers', {linkifiers: []}],
	[ADD],
	['adam POST /api/v1/realm/filters pattern=RFC-(?P<n>[0-9]%2B)&url_template=https://rfc.example/{n}', {id: 2}],
	[
		'gus GET /api/v1/realm/linkifiers?colour=red',
		{
			linkifiers: [TICKETS, {id: 2, pattern: 'RFC-(?P<n>[0-9]+)', url_template: 'https://rfc.example/{n}'}],
			ignored_parameters_unsupported: ['colour'],
		},
	],
]);

story('addLinkifier', 'makes links of words, not of code, other links or the middle of a word', [
	[ADD],
	renders('a#1 #1a `#1` (#1)', 'a#1 #1a <code>#1</code> (<a href="https://t.example/1">#1</a>)'),
	renders('[#1](https://x.example)', '<a href="https://x.example">#1</a>'),
	renders(
		'**#1**, #2.',
		'<strong><a href="https://t.example/1">#1</a></strong>, <a href="https://t.example/2">#2</a>.',
	),
]);

story('addLinkifier', 'links each thing in a topic in its order, addresses too; the older rule comes first', [
	[ADD],
	[
		'adam POST /api/v1/realm/filters pattern=(?P<repo>[a-z]%2B)%23(?P<id>[0-9]%2B)&url_template=https://r.example/{repo}/{id}',
	],
	['adam POST /api/v1/realm/filters pattern=%23(?P<any>[0-9a-z]%2B)&url_template=https://other.example/{any}'],
	...links(
		'web#7, http://a.example/b, #3',
		{text: 'web#7', url: 'https://r.example/web/7'},
		{text: 'http://a.example/b', url: 'http://a.example/b'},
		{text: '#3', url: 'https://t.example/3'},
	),
]);

story('addLinkifier', 'puts the links of the topic in the events of a message and of its move', [
	[ADD],
	{listen: 'alice', to: 'message'},
	{listen: 'alice', to: 'update_message'},
	['alice POST /api/v1/messages content=x&type=channel&to=general&topic=Bug+%231', like({id: '$id'})],
	['alice PATCH /api/v1/messages/$id topic=Bug+%232', like({})],
	{
		heard: 'alice',
		of: 'message',
		events: [
			like({message: like({topic_links: [{text: '#1', url: 'https://t.example/1'}]})}),
			like({message: like({client: 'Internal', topic_links: [{text: '#2', url: 'https://t.example/2'}]})}),
		],
	},
	{heard: 'alice', of: 'update_message', events: [like({topic_links: [{text: '#2', url: 'https://t.example/2'}]})]},
]);

for (const [template, url] of [
	['https://e.example/{a}{b}', 'https://e.example/x%2F%C3%A9%21'],
	['https://e.example/{+a}{#b}', 'https://e.example/x/%C3%A9!#'],
	['https://e.example{/a,b}', 'https://e.example/x%2F%C3%A9%21/'],
	['https://e.example/{?a,b}', 'https://e.example/?a=x%2F%C3%A9%21&b='],
	['https://e.example/?q{&a}{;b}', 'https://e.example/?q&a=x%2F%C3%A9%21;b'],
] as const) {
	story('addLinkifier', `fills the URL template ${template}`, [
		[`adam POST /api/v1/realm/filters pattern=(?P<a>\\S%2B):(?P<b>\\S*)&url_template=${encodeURIComponent(template)}`],
		...links('x/é!:', {text: 'x/é!:', url}),
	]);
}

story('addLinkifier', 'makes no link of what would run in a browser', [
	['adam POST /api/v1/realm/filters pattern=%23(?P<id>[0-9]%2B)&url_template=javascript:alert({id})', {id: 1}],
	renders('#1', '#1'),
	...links('#1'),
]);

answers('addLinkifier', {
	'refuses members, before it looks at parameters': ['mona POST /api/v1/realm/filters', NOT_ADMINISTRATOR],
	'refuses a missing pattern': [
		'adam POST /api/v1/realm/filters url_template=https://t.example/{id}',
		missingArgument('pattern'),
	],
	'refuses a missing URL template': ['adam POST /api/v1/realm/filters pattern=x', missingArgument('url_template')],
	'refuses an empty pattern': [
		'adam POST /api/v1/realm/filters pattern=&url_template=https://t.example/',
		invalid('This field cannot be blank.', 'pattern'),
	],
	'refuses a pattern that looks around': [
		'adam POST /api/v1/realm/filters pattern=x(?=y)&url_template=https://t.example/',
		invalid('Bad regular expression: invalid perl operator: (?='),
	],
	'refuses a pattern that is no regular expression': [
		'adam POST /api/v1/realm/filters pattern=(&url_template=https://t.example/',
		invalid('Bad regular expression: missing ): ('),
	],
	'refuses an empty URL template': [
		'adam POST /api/v1/realm/filters pattern=x&url_template=',
		invalid('This field cannot be blank.', 'url_template'),
	],
	'refuses a repetition of nothing': [
		'adam POST /api/v1/realm/filters pattern=*x&url_template=https://t.example/',
		invalid('Bad regular expression: no argument for repetition operator: *'),
	],
	'refuses a URL template with an open brace': [
		'adam POST /api/v1/realm/filters pattern=(?P<id>x)&url_template=https://t.example/{id',
		invalid('Invalid URL template.', 'url_template'),
	],
	'refuses a group that the URL template does not know': [
		'adam POST /api/v1/realm/filters pattern=(?P<id>x)&url_template=https://t.example/',
		invalid("Group 'id' in linkifier pattern is not present in URL template."),
	],
	'refuses a name in the URL template that is no group': [
		'adam POST /api/v1/realm/filters pattern=x&url_template=https://t.example/{id}',
		invalid("Group 'id' in URL template is not present in linkifier pattern."),
	],
});

story('updateLinkifier', 'changes the links of new texts, and everybody gets an event', [
	[ADD],
	{listen: 'alice', to: 'realm_linkifiers', form: READER},
	[`adam PATCH /api/v1/realm/filters/1 ${PULLS}`, {}],
	renders('#1 !2', '#1 <a href="https://p.example/2">!2</a>'),
	[
		'alice GET /api/v1/realm/linkifiers',
		{linkifiers: [{id: 1, pattern: '!(?P<n>[0-9]+)', url_template: 'https://p.example/{n}'}]},
	],
	{
		heard: 'alice',
		events: [
			{
				type: 'realm_linkifiers',
				realm_linkifiers: [{id: 1, pattern: '!(?P<n>[0-9]+)', url_template: 'https://p.example/{n}'}],
			},
		],
	},
]);

story('updateLinkifier', 'takes the same pattern with another target, but not the pattern of another linkifier', [
	[ADD],
	[`adam POST /api/v1/realm/filters ${PULLS}`],
	[
		`adam PATCH /api/v1/realm/filters/2 ${PULLS.replace('p.example', 'q.example')}&colour=red`,
		{ignored_parameters_unsupported: ['colour']},
	],
	[`adam PATCH /api/v1/realm/filters/2 ${FORM}`, TAKEN],
	renders('!2', '<a href="https://q.example/2">!2</a>'),
]);

story('updateLinkifier', 'refuses what addLinkifier refuses', [
	[ADD],
	['mona PATCH /api/v1/realm/filters/1', NOT_ADMINISTRATOR],
	['adam PATCH /api/v1/realm/filters/1 url_template=https://t.example/', missingArgument('pattern')],
	['adam PATCH /api/v1/realm/filters/1 pattern=x', missingArgument('url_template')],
	[
		'adam PATCH /api/v1/realm/filters/1 pattern=[&url_template=https://t.example/',
		invalid('Bad regular expression: missing ]: ['),
	],
	[
		'adam PATCH /api/v1/realm/filters/1 pattern=(?P<id>x)&url_template=https://t.example/{n}',
		invalid("Group 'n' in URL template is not present in linkifier pattern."),
	],
	[`adam PATCH /api/v1/realm/filters/4711 ${PULLS}`, 'Linkifier not found.'],
]);

story('removeLinkifier', 'makes no more links, and everybody gets an event', [
	[ADD],
	{listen: 'alice', to: 'realm_linkifiers', form: READER},
	['mona DELETE /api/v1/realm/filters/1', NOT_ADMINISTRATOR],
	['adam DELETE /api/v1/realm/filters/1 colour=red', {ignored_parameters_unsupported: ['colour']}],
	['alice GET /api/v1/realm/linkifiers', {linkifiers: []}],
	renders('#1', '#1'),
	{heard: 'alice', events: [{type: 'realm_linkifiers', realm_linkifiers: []}]},
	['adam DELETE /api/v1/realm/filters/1', 'Linkifier not found.'],
]);

clientCalls('reorderLinkifiers', {
	'writes IDs as JSON': [
		{ordered_linkifier_ids: [2, 1]},
		'PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=%5B2%2C1%5D',
	],
});

story('reorderLinkifiers', 'puts another before the others, and refuses a list that is not whole', [
	[ADD],
	['adam POST /api/v1/realm/filters pattern=%23(?P<any>[0-9a-z]%2B)&url_template=https://other.example/{any}'],
	renders('#1', '<a href="https://t.example/1">#1</a>'),
	['adam PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[2,1]', {}],
	renders('#1', '<a href="https://other.example/1">#1</a>'),
	['alice GET /api/v1/realm/linkifiers', {linkifiers: [like({id: 2}), like({id: 1})]}],
	[`adam POST /api/v1/realm/filters ${PULLS}`, {id: 3}],
	['alice GET /api/v1/realm/linkifiers', {linkifiers: [like({id: 2}), like({id: 1}), like({id: 3})]}],
	[
		'adam PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[2,2,1]',
		'The ordered list must not contain duplicated linkifiers',
	],
	[
		'adam PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[2,1]',
		'The ordered list must enumerate all existing linkifiers exactly once',
	],
	['alice PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[1,2,3]', NOT_ADMINISTRATOR],
]);

clientCalls('addPlayground', {
	'writes texts as they are, and reads the ID': [
		{name: 'Run', pygments_language: 'Python', url_template: 'https://r.example/{code}'},
		'POST /api/v1/realm/playgrounds name=Run&pygments_language=Python&url_template=https%3A%2F%2Fr.example%2F%7Bcode%7D',
		'"id":3',
	],
});

clientCalls('removePlayground', {
	'writes the ID in the path': [{playground_id: 3}, 'DELETE /api/v1/realm/playgrounds/3'],
});

const ADD_PLAYGROUND =
	'POST /api/v1/realm/playgrounds name=Run&pygments_language=Python&url_template=https://r.example/{code}';
const RUN = {id: 1, name: 'Run', pygments_language: 'Python', url_template: 'https://r.example/{code}'};
const adding = (language: string, template: string) =>
	`adam POST /api/v1/realm/playgrounds name=Other&pygments_language=${language}&url_template=${template}`;

story('addPlayground', 'lists a playground for everybody until it is removed', [
	{listen: 'alice', to: 'realm_playgrounds'},
	[`adam ${ADD_PLAYGROUND}`, {id: 1}],
	['alice POST /api/v1/register fetch_event_types=["realm_playgrounds"]', like({realm_playgrounds: [RUN]})],
	['adam DELETE /api/v1/realm/playgrounds/1', {}],
	{
		heard: 'alice',
		events: [
			{type: 'realm_playgrounds', realm_playgrounds: [RUN]},
			{type: 'realm_playgrounds', realm_playgrounds: []},
		],
	},
]);

story('removePlayground', 'removes one, once', [
	[`adam ${ADD_PLAYGROUND}`, {id: 1}],
	['alice DELETE /api/v1/realm/playgrounds/1', NOT_ADMINISTRATOR],
	['adam DELETE /api/v1/realm/playgrounds/1', {}],
	['adam DELETE /api/v1/realm/playgrounds/1', 'Invalid playground'],
]);

story('addPlayground', 'refuses what does not fit, and everybody but administrators', [
	[`alice ${ADD_PLAYGROUND}`, NOT_ADMINISTRATOR],
	[`adam ${ADD_PLAYGROUND}`, {id: 1}],
	[`adam ${ADD_PLAYGROUND}`, invalid('Realm playground with this Realm, Pygments language and Name already exists.')],
	[adding('a$b', 'https://r.example/{code}'), 'Invalid characters in pygments language'],
	[adding('x'.repeat(41), 'https://r.example/{code}'), 'pygments_language is too long (limit: 40 characters)'],
	[adding('', 'https://r.example/{code}'), invalid('This field cannot be blank.', 'pygments_language')],
	[adding('C', 'https://r.example/{'), invalid('Invalid URL template.', 'url_template')],
	[adding('C', 'https://r.example/'), invalid('Missing the required variable "code" in the URL template')],
	[
		adding('C', 'https://r.example/{code}/{x}'),
		invalid('"code" should be the only variable present in the URL template'),
	],
]);
