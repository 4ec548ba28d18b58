// What a server refuses, in its words, and what it takes although it looks wrong. Literal requests to a realm at level 339.

import {each, including, like, methodNotAllowed, refusal, story} from './kit/story.js';

const NOT_FOUND = refusal('404 Not Found', 'Not found');
const COLOR = 'Invalid subscriptions[0]: Value error, add.color is not a valid hex color code';
const RETENTION = 'message_retention_days["json[str]"]';
const TOO_LARGE = '123456789012345678901234567890';
const NULL_BYTE = 'Text must not contain null bytes';
const OPTIONS = {featureLevel: 339};

story(
	'getOwnUser',
	'a path has one spelling, and a fixed path is never a parameter of another one',
	[
		...each('alice GET /api/v1/', {
			'users/': NOT_FOUND,
			'users/me/': NOT_FOUND,
			Users: NOT_FOUND,
			'messages/flags': methodNotAllowed('POST'),
			'users/me/presence': methodNotAllowed('POST'),
			'users/5/presence': 'No presence data for 5',
		}),
		...each('alice PATCH /api/v1/', {
			'users/me full_name=x': methodNotAllowed('DELETE', 'GET', 'HEAD'),
			'users/not-me full_name=x': 'No such user',
		}),
	],
	OPTIONS,
);

story(
	'sendMessage',
	'values are read as the service reads them',
	[
		...each('alice POST /api/v1/messages type=direct&to=[5]&content=x&time=', {
			x: 'time is not valid JSON',
			true: 'time is not a float',
			'1.5': like({ignored_parameters_unsupported: undefined}),
		}),
		...each('alice GET /api/v1/messages?num_before=1&anchor=', {
			'%201_0%20': like({anchor: 10}),
			'%2B5': like({anchor: 5}),
			'5.0': 'Invalid anchor',
			'5_': 'Invalid anchor',
		}),
		...each('alice POST /api/v1/user_topics topic=x&visibility_policy=1&stream_id=', {
			[TOO_LARGE]: 'Invalid channel ID',
			[`-${TOO_LARGE}`]: 'Invalid channel ID',
		}),
		[`alice GET /api/v1/users/${TOO_LARGE}`, 'No such user'],
		[`alice DELETE /api/v1/realm/emoji/${TOO_LARGE}`, refusal('404 Not Found', `Emoji '${TOO_LARGE}' does not exist`)],
		...each('olivia PATCH /api/v1/streams/1 message_retention_days=', {
			x: `${RETENTION} is not valid JSON`,
			true: `${RETENTION} is not a string`,
			5: {},
		}),
		[
			'alice POST /api/v1/drafts drafts=[{"type":"","to":[],"topic":"","content":"x","timestamp":null}]',
			{ids: ['<integer>']},
		],
		...each('alice POST /api/v1/users/me/apns_device_token ', {
			'appid=a_b&token=': 'appid has invalid format',
			'appid=org.x&token=YW%25I==ignored': {},
			'appid=org.x&token=YW': 'Invalid APNS token',
			'appid=org.x&token=YWJjé': 'Invalid APNS token',
		}),
		...each('alice DELETE /api/v1/users/me/apns_device_token token=', {
			YWI: 'Invalid APNS token',
			YWIx: 'Token does not exist',
			'YWI=': {},
		}),
		...each('alice POST /api/v1/users/me/subscriptions subscriptions=', {
			'[{"name":"plaza","color":"red"}]': COLOR,
			'[{"name":"plaza","color":"#a4746"}]': like({subscribed: {4: ['plaza']}}),
		}),
		[
			'alice GET /api/v1/users/me/subscriptions',
			like({subscriptions: including(like({name: 'plaza', color: '#a4746'}))}),
		],
		...each('alice POST /api/v1/bots full_name=*&short_name=', {
			'': 'Bad name or username',
			b: 'Invalid characters in name!',
		}),
		...each('alice POST /api/v1/bots full_name=B&short_name=', {
			'a..b': 'Bad name or username',
			[`x${'y'.repeat(254)}`]: 'Bad name or username',
		}),
		[
			'olivia POST /api/v1/user_groups/create description=d&members=[]&name=kitchen&can_join_group=999',
			'Invalid user group',
		],
		...each('olivia POST /api/v1/realm/profile_fields field_type=1&name=', {'a%00b': NULL_BYTE, 'a%00': NULL_BYTE}),
		[
			'alice POST /api/v1/streams/999/delete_topic topic_name=x',
			refusal('400 Bad Request', 'Must be an organization administrator', {code: 'UNAUTHORIZED_PRINCIPAL'}),
		],
	],
	OPTIONS,
);
