import {clientCalls} from '../kit/client-calls.js';
import {answers, like, missingArgument, type Step, story} from '../kit/story.js';

clientCalls('getAlertWords', {
	'reads the words': [{}, 'GET /api/v1/users/me/alert_words', '"alert_words":["natural","natural tea"]'],
});

clientCalls('addAlertWords', {
	'sends words as JSON, and reads all of them': [
		{alert_words: ['tea']},
		'POST /api/v1/users/me/alert_words alert_words=%5B%22tea%22%5D',
		'"alert_words":["soup","tea"]',
	],
});

clientCalls('removeAlertWords', {
	'sends words as JSON, and reads the others': [
		{alert_words: ['tea']},
		'DELETE /api/v1/users/me/alert_words alert_words=%5B%22tea%22%5D',
		'"alert_words":["soup"]',
	],
});

story('getAlertWords', 'gives everybody their own words only', [
	['alice POST /api/v1/users/me/alert_words alert_words=["soup","old+bread"]'],
	['alice GET /api/v1/users/me/alert_words', {alert_words: ['soup', 'old bread']}],
	['bob GET /api/v1/users/me/alert_words', {alert_words: []}],
	['alice POST /api/v1/register fetch_event_types=["alert_words"]', like({alert_words: ['soup', 'old bread']})],
]);

story('addAlertWords', 'adds words, trimmed and once each in any case', [
	{listen: 'alice', to: 'alert_words'},
	['alice POST /api/v1/users/me/alert_words alert_words=%5B%22soup%22%5D', {alert_words: ['soup']}],
	['alice POST /api/v1/users/me/alert_words alert_words=["+tea+","SOUP","+"]', {alert_words: ['soup', 'tea']}],
	{
		heard: 'alice',
		events: [
			{type: 'alert_words', alert_words: ['soup']},
			{type: 'alert_words', alert_words: ['soup', 'tea']},
		],
	},
]);

story('removeAlertWords', 'removes words in any case, and ignores unknown ones', [
	['alice POST /api/v1/users/me/alert_words alert_words=["soup","tea"]'],
	{listen: 'alice', to: 'alert_words'},
	['alice DELETE /api/v1/users/me/alert_words alert_words=["TEA","bread"]', {alert_words: ['soup']}],
	{heard: 'alice', events: [{type: 'alert_words', alert_words: ['soup']}]},
	['alice GET /api/v1/users/me/alert_words', {alert_words: ['soup']}],
]);

const MARKED = ['has_alert_word'];
const CONTENTS: ReadonlyArray<readonly [content: string, flags: readonly string[]]> = [
	['the soup.', MARKED],
	['SOUP!', MARKED],
	['soups', []],
	['a (c%2B%2B) b', MARKED],
	['-/.*%2B?^$%7B%7D()|[]\\', MARKED],
];

story('addAlertWords', 'marks messages that have a word, for its owner only', [
	['alice POST /api/v1/users/me/alert_words alert_words=["soup","c%2B%2B","-/.*%2B?^$%7B%7D()|[]\\\\"]'],
	...CONTENTS.flatMap(([content, flags], n): Step[] => [
		[`bob POST /api/v1/messages type=channel&to=general&topic=x&content=${content}`, like({id: `$m${n}`})],
		[`alice GET /api/v1/messages/$m${n}`, like({message: like({flags})})],
		[`bob GET /api/v1/messages/$m${n}`, like({message: like({flags: []})})],
	]),
]);

story('addAlertWords', 'marks an edited message by what it has now', [
	['alice POST /api/v1/users/me/alert_words alert_words=["soup"]'],
	['bob POST /api/v1/messages type=channel&to=general&topic=x&content=bread', like({id: '$id'})],
	['bob PATCH /api/v1/messages/$id content=soup'],
	['alice GET /api/v1/messages/$id', like({message: like({flags: MARKED})})],
	['bob PATCH /api/v1/messages/$id content=tea'],
	['alice GET /api/v1/messages/$id', like({message: like({flags: []})})],
]);

answers('addAlertWords', {
	'needs words': ['alice POST /api/v1/users/me/alert_words', missingArgument('alert_words')],
	'refuses a number': ['alice POST /api/v1/users/me/alert_words alert_words=[1]', 'alert_words[0] is not a string'],
	'refuses a word outside of a list': [
		'alice POST /api/v1/users/me/alert_words alert_words="soup"',
		'alert_words is not a list',
	],
	'takes 100 characters': [
		`alice POST /api/v1/users/me/alert_words alert_words=["${'a'.repeat(100)}"]`,
		{alert_words: ['a'.repeat(100)]},
	],
	'refuses 101 characters': [
		`alice POST /api/v1/users/me/alert_words alert_words=["b","${'a'.repeat(101)}"]`,
		'alert_words[1] is too long (limit: 100 characters)',
	],
});

answers('removeAlertWords', {
	'needs words': ['alice DELETE /api/v1/users/me/alert_words', missingArgument('alert_words')],
	'refuses an object': ['alice DELETE /api/v1/users/me/alert_words alert_words={}', 'alert_words is not a list'],
});
