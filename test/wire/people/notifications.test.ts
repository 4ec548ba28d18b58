// What people are notified of and where: alert words, and the devices for push notifications.

import {clientCalls} from '../kit/client-calls.js';
import {answers, like, missingArgument, type Step, story} from '../kit/story.js';

clientCalls('addApnsToken', {
	'sends a form': [
		{token: 'c0ffee', appid: 'org.zulip.Zulip'},
		'POST /api/v1/users/me/apns_device_token token=c0ffee&appid=org.zulip.Zulip',
	],
});

clientCalls('removeApnsToken', {
	'sends a form': [{token: 'c0ffee'}, 'DELETE /api/v1/users/me/apns_device_token token=c0ffee'],
});

clientCalls('addFcmToken', {
	'sends a form': [{token: 'android-token:1'}, 'POST /api/v1/users/me/android_gcm_reg_id token=android-token%3A1'],
});

clientCalls('removeFcmToken', {
	'sends a form': [{token: 'android-token:1'}, 'DELETE /api/v1/users/me/android_gcm_reg_id token=android-token%3A1'],
});

const LONG = 'a'.repeat(4096);
const APNS = '/api/v1/users/me/apns_device_token';
const FCM = '/api/v1/users/me/android_gcm_reg_id';
const NO_TOKEN = 'Token does not exist';
const NO_LENGTH = 'Empty or invalid length token';
const NO_BOTS = 'This endpoint does not accept bot requests.';

story('addApnsToken', 'stores a token once', [
	[`alice POST ${APNS} token=c0ffee&appid=org.zulip.Zulip`, {}],
	[`alice POST ${APNS} token=c0ffee&appid=org.zulip.Zulip`, {}],
	[`alice DELETE ${APNS} token=c0ffee`, {}],
	[`alice DELETE ${APNS} token=c0ffee`, NO_TOKEN],
]);

story('removeApnsToken', "removes the caller's own APNs token, in any case", [
	[`alice POST ${APNS} token=C0FFEE&appid=org.zulip.Zulip`],
	[`bob DELETE ${APNS} token=c0ffee`, NO_TOKEN],
	[`bob POST ${FCM} token=c0ffee`],
	[`bob DELETE ${APNS} token=c0ffee`, NO_TOKEN],
	[`alice DELETE ${APNS} token=c0ffee`, {}],
	[`alice DELETE ${APNS} token=C0FFEE`, NO_TOKEN],
]);

story('addFcmToken', 'stores a token once', [
	[`alice POST ${FCM} token=android-token%3A1`, {}],
	[`alice POST ${FCM} token=android-token%3A1`, {}],
	[`alice DELETE ${FCM} token=android-token%3A1`, {}],
	[`alice DELETE ${FCM} token=android-token%3A1`, NO_TOKEN],
]);

story('removeFcmToken', "removes the caller's own FCM token, in the same case", [
	[`alice POST ${FCM} token=android-token%3A1`],
	[`bob DELETE ${FCM} token=android-token%3A1`, NO_TOKEN],
	[`alice DELETE ${FCM} token=Android-token%3A1`, NO_TOKEN],
	[`alice DELETE ${FCM} token=android-token%3A1`, {}],
]);

answers('addApnsToken', {
	'takes 4096 characters': [`alice POST ${APNS} token=${LONG}&appid=org.zulip.Zulip`, {}],
	'refuses 4097 characters': [`alice POST ${APNS} token=${LONG}a&appid=org.zulip.Zulip`, NO_LENGTH],
	'refuses an empty token': [`alice POST ${APNS} token=&appid=org.zulip.Zulip`, NO_LENGTH],
	'refuses what is not hexadecimal': [`alice POST ${APNS} token=xyz&appid=org.zulip.Zulip`, 'Invalid APNS token'],
	'needs a token': [`alice POST ${APNS} appid=org.zulip.Zulip`, missingArgument('token')],
	'needs an app': [`alice POST ${APNS} token=c0ffee`, missingArgument('appid')],
	'refuses bots': [`echo-bot POST ${APNS} token=c0ffee&appid=org.zulip.Zulip`, NO_BOTS],
});

answers('removeApnsToken', {
	'refuses 4097 characters': [`alice DELETE ${APNS} token=${LONG}a`, NO_LENGTH],
	'refuses an empty token': [`alice DELETE ${APNS} token=`, NO_LENGTH],
	'refuses what is not hexadecimal': [`alice DELETE ${APNS} token=xyz`, 'Invalid APNS token'],
	'needs a token': [`alice DELETE ${APNS}`, missingArgument('token')],
	'refuses bots': [`echo-bot DELETE ${APNS} token=c0ffee`, NO_BOTS],
});

answers('addFcmToken', {
	'takes 4096 characters': [`alice POST ${FCM} token=${LONG}`, {}],
	'refuses 4097 characters': [`alice POST ${FCM} token=${LONG}a`, NO_LENGTH],
	'refuses an empty token': [`alice POST ${FCM} token=`, NO_LENGTH],
	'needs a token': [`alice POST ${FCM}`, missingArgument('token')],
	'refuses bots': [`echo-bot POST ${FCM} token=android-token%3A1`, NO_BOTS],
});

answers('removeFcmToken', {
	'refuses 4097 characters': [`alice DELETE ${FCM} token=${LONG}a`, NO_LENGTH],
	'refuses an empty token': [`alice DELETE ${FCM} token=`, NO_LENGTH],
	'needs a token': [`alice DELETE ${FCM}`, missingArgument('token')],
	'refuses bots': [`echo-bot DELETE ${FCM} token=android-token%3A1`, NO_BOTS],
});

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
