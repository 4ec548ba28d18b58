import {clientCalls} from '../kit/client-calls.js';
import {answers, missingArgument, story} from '../kit/story.js';

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
